#include "leased/start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/loop.h"

#define RETRY_MS	1000
#define CALL_MS		5000	/* one read or write */
#define WHY_MAX		256

struct start {
	struct start_spec	 spec;
	struct loop_timer	*retry;
	void			(*step)(struct start *);	/* what retry does again */
	uint64_t		 expected;
	unsigned		 answers, wins, losses;		/* of the race */
	enum cas_result		 failed;
};

static void
on_retry(void *arg)
{
	struct start *s = arg;

	s->step(s);
}

static void
again(struct start *s, void (*step)(struct start *), const char *what, enum cas_result why)
{
	char text[WHY_MAX];

	(void)snprintf(text, sizeof(text), "%s: %s; trying again", what, cas_result_text(why));
	s->spec.waits(s->spec.arg, text);
	s->step = step;
	loop_timer_in(s->retry, RETRY_MS);
}

/* ---- the name ---- */

static void take_name(struct start *s);

static void
on_named(void *arg, enum cas_result res, uint64_t revision)
{
	struct start *s = arg;

	if (res == CAS_OK)
		s->spec.ended(s->spec.arg, START_DONE, "");
	else
		again(s, take_name, "writing this node's record", res);
}

static void
write_name(struct start *s)
{
	struct node n = s->spec.self;
	AUTO(str) char *text = NULL;

	n.since_ms = clock_wall_ms(s->spec.clock);
	text = node_to_json(&n);
	if (!text || !kv_put(s->spec.nodes, n.name, text, strlen(text), s->expected, CALL_MS,
	    on_named, s))
		again(s, take_name, "writing this node's record", CAS_NOMEM);
}

static void
on_record(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct start *s = arg;
	char why[JSON_WHY_MAX], text[WHY_MAX];
	struct node there;

	if (res != CAS_OK && res != CAS_NOT_FOUND) {
		again(s, take_name, "reading this node's record", res);
		return;
	}
	s->expected = e->revision;
	if (res == CAS_NOT_FOUND) {
		write_name(s);
	} else if (node_from_json(e->value, e->len, s->spec.self.name, &there, why) < 0) {
		(void)snprintf(text, sizeof(text),
		    "this node's record cannot be read (%s): an operator has to remove it", why);
		s->spec.waits(s->spec.arg, text);
		s->step = take_name;
		loop_timer_in(s->retry, RETRY_MS);
	} else if (strcmp(there.uuid, s->spec.self.uuid) != 0) {
		(void)snprintf(text, sizeof(text),
		    "a node of this name with UUID %s is in the cluster; ours is %s",
		    there.uuid, s->spec.self.uuid);
		s->spec.ended(s->spec.arg, START_NAME_TAKEN, text);
	} else {
		write_name(s);
	}
}

static void
take_name(struct start *s)
{
	if (!kv_load(s->spec.nodes, s->spec.self.name, CALL_MS, on_record, s))
		again(s, take_name, "reading this node's record", CAS_NOMEM);
}

/* ---- the race: two swaps at one revision, of which one has to lose ---- */

static void probe(struct start *s);

static void
on_raced(void *arg, enum cas_result res, uint64_t revision)
{
	struct start *s = arg;

	s->answers++;
	s->wins += res == CAS_OK;
	s->losses += res == CAS_LOST;
	if (res != CAS_OK && res != CAS_LOST)
		s->failed = res;
	if (s->answers < 2)
		return;
	if (s->wins == 2)
		s->spec.ended(s->spec.arg, START_CANNOT_SWAP,
		    "the server let two writes at one revision both succeed");
	else if (s->wins == 1 && s->losses == 1)
		take_name(s);
	else
		again(s, probe, "probing the server's compare-and-swap",
		    s->losses == 2 ? CAS_LOST : s->failed);
}

static bool
race(struct start *s)
{
	char nonce[IDENT_NONCE_LEN + 1], text[64];
	int n;

	ident_nonce(nonce);
	n = snprintf(text, sizeof(text), "{\"canary\":\"%s\"}", nonce);
	return n > 0 && kv_put(s->spec.canary, s->spec.self.name, text, (size_t)n, s->expected,
	    CALL_MS, on_raced, s);
}

static void
on_canary(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct start *s = arg;

	if (res != CAS_OK && res != CAS_NOT_FOUND) {
		again(s, probe, "probing the server's compare-and-swap", res);
		return;
	}
	s->expected = e->revision;
	s->answers = s->wins = s->losses = 0;
	for (int i = 0; i < 2; i++)
		if (!race(s))		/* that one has its answer already */
			on_raced(s, CAS_NOMEM, 0);
}

static void
probe(struct start *s)
{
	if (!kv_load(s->spec.canary, s->spec.self.name, CALL_MS, on_canary, s))
		again(s, probe, "probing the server's compare-and-swap", CAS_NOMEM);
}

/* ---- life ---- */

static void
on_open(void *arg)
{
	probe(arg);
}

int
start_new(const struct start_spec *spec, struct start **ret)
{
	struct start *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->spec = *spec;
	r = loop_timer_new(spec->loop, on_retry, s, &s->retry);
	if (r == 0)
		r = kv_on_open(spec->kv, on_open, s);
	if (r < 0) {
		start_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void
start_free(struct start *s)
{
	if (!s)
		return;
	loop_timer_free(s->retry);
	free(s);
}
