#include "reaperd/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "reaperd/act.h"

void
sweep_verdicts_deinit(struct sweep_verdicts *v)
{
	free(v->v);
	*v = (struct sweep_verdicts){ 0 };
}

void
sweep_marks_deinit(struct sweep_marks *m)
{
	free(m->m);
	*m = (struct sweep_marks){ 0 };
}

void
sweep_free(void *arg)
{
	struct sweep *s = arg;

	sweep_marks_deinit(&s->before);
	sweep_marks_deinit(&s->marks);
	sweep_verdicts_deinit(&s->verdicts);
	free(s);
}

/* ---- verdicts ---- */

static bool
is_asked(const struct sweep *s, enum reap_class class, const char *id)
{
	return (!s->ask.one_class || s->ask.class == class) &&
	    (!s->ask.id[0] || strcmp(s->ask.id, id) == 0);
}

static struct sweep_verdict *
add(struct sweep *s, enum reap_class class, const char *id, struct judgement j)
{
	struct sweep_verdicts *v = &s->verdicts;

	if (v->n == v->room) {
		size_t room = v->room ? v->room * 2 : 64;
		struct sweep_verdict *more = reallocarray(v->v, room, sizeof(*more));

		if (!more) {
			(void)snprintf(s->why, sizeof(s->why), "no memory for verdicts");
			return NULL;
		}
		v->v = more;
		v->room = room;
	}
	v->v[v->n] = (struct sweep_verdict){ .class = class, .j = j };
	(void)snprintf(v->v[v->n].id, sizeof(v->v[v->n].id), "%s", id);
	return &v->v[v->n++];
}

static void
judge_stores(struct sweep *s, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->nstores && !s->why[0]; i++) {
		const struct inv_store *st = &inv->stores[i];
		struct instance_facts of = inventory_instance(inv, st->id);

		/* A marker is the proof of an end, not a thing to judge. */
		if (st->facts.known == KNOWN_MARKER || !is_asked(s, REAP_UEFI_STORE, st->id))
			continue;
		struct sweep_verdict *v = add(s, REAP_UEFI_STORE, st->id,
		    judge_store(&st->facts, &of));

		if (v) {
			v->revision = st->revision;
			v->generation = st->generation;
		}
	}
}

static void
judge_objects(struct sweep *s, const struct inventory *inv, uint64_t wall_ms)
{
	for (size_t i = 0; i < inv->objects.n && !s->why[0]; i++) {
		const char *key = inv->objects.v[i];
		char owner[INSTANCE_ID_MAX + 1];

		/* Images' objects have another keeper. */
		if (!inventory_object_owner(key, owner) || !is_asked(s, REAP_UEFI_OBJECT, key))
			continue;
		struct store_facts st = inventory_store(inv, owner);
		/* Only an orphan's age is asked for: it costs reading the object. */
		uint64_t written_ms = st.known == KNOWN_MARKER ?
		    inventory_written_ms(&s->from, key) : 0;
		struct sweep_verdict *v = add(s, REAP_UEFI_OBJECT, key,
		    judge_object(&st, written_ms, wall_ms, s->prune_age_ms));

		if (v)
			v->stamp_ms = written_ms;
	}
}

static void
judge_claims(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->nclaims && !s->why[0]; i++) {
		struct inv_claim *c = &inv->claims[i];
		struct store_facts st = inventory_store(inv, c->id);

		if (!is_asked(s, REAP_UEFI_CLAIM, c->id))
			continue;
		if (st.known == KNOWN_MARKER && c->facts.known == KNOWN_PRESENT)
			inventory_ask_holder(&s->from, c);
		struct sweep_verdict *v = add(s, REAP_UEFI_CLAIM, c->id,
		    judge_claim(&c->facts, &st));

		if (v) {
			v->revision = c->revision;
			v->generation = c->generation;
			memcpy(v->holder, c->holder, sizeof(v->holder));
		}
	}
}

static void
judge_instances(struct sweep *s, const struct inventory *inv, uint64_t wall_ms)
{
	for (size_t i = 0; i < inv->ninstances && !s->why[0]; i++) {
		const struct inv_instance *in = &inv->instances[i];

		if (in->facts.known == KNOWN_MARKER ||
		    !is_asked(s, REAP_INSTANCE_TERMINATED, in->id))
			continue;
		struct sweep_verdict *v = add(s, REAP_INSTANCE_TERMINATED, in->id,
		    judge_instance(&in->facts, wall_ms, s->terminated_keep_ms));

		if (v) {
			v->revision = in->revision;
			v->stamp_ms = in->facts.terminated_ms;
		}
	}
}

/* ---- two sweeps must agree, and one takes only so many ---- */

static bool
was_marked(const struct sweep_marks *before, const struct sweep_verdict *v)
{
	for (size_t i = 0; i < before->n; i++)
		if (before->m[i].class == v->class && strcmp(before->m[i].id, v->id) == 0)
			return true;
	return false;
}

static int
keep_marks(struct sweep *s)
{
	s->marks.m = calloc(s->verdicts.n + 1, sizeof(s->marks.m[0]));
	if (!s->marks.m)
		return -ENOMEM;
	for (size_t i = 0; i < s->verdicts.n; i++) {
		const struct sweep_verdict *v = &s->verdicts.v[i];
		struct sweep_mark *m = &s->marks.m[s->marks.n];

		if (!verdict_is_reap(v->j.verdict) || v->done)
			continue;
		m->class = v->class;
		memcpy(m->id, v->id, sizeof(m->id));
		s->marks.n++;
	}
	return 0;
}

static size_t
count_class(const struct sweep *s, enum reap_class class)
{
	size_t n = 0;

	for (size_t i = 0; i < s->verdicts.n; i++)
		n += s->verdicts.v[i].class == class;
	return n;
}

static bool
may_act(const struct sweep *s)
{
	return clock_now_ms(s->clock) < atomic_load(s->may_act_until_ms);
}

/* Says the verdict before the act. */
static void
announce(const struct sweep_verdict *v)
{
	log_fields(LOG_NOTICE, &(struct log_ctx){ .object = v->id, .generation = v->generation },
	    "reaping %s %s: %s", reap_class_name(v->class), v->id, v->j.reason);
}

static void
act_on_class(struct sweep *s, enum reap_class class)
{
	size_t left = reap_ceiling(count_class(s, class));

	for (size_t i = 0; i < s->verdicts.n && !s->lost; i++) {
		struct sweep_verdict *v = &s->verdicts.v[i];

		if (v->class != class || !verdict_is_reap(v->j.verdict))
			continue;
		if (!was_marked(&s->before, v)) {
			v->kept_because = "the next sweep has to agree";
		} else if (left == 0) {
			v->kept_because = "this sweep has taken its share of the class";
		} else if (!may_act(s)) {
			s->lost = true;
		} else {
			announce(v);
			v->kept_because = act_run(s, v);
			v->done = !v->kept_because;
			s->acts += v->done;
			left--;
		}
	}
}

void
sweep_run(void *arg)
{
	struct sweep *s = arg;
	struct inventory inv = { 0 };
	uint64_t wall_ms = clock_wall_ms(s->clock);

	if (inventory_take(&s->from, &inv, s->why, sizeof(s->why)) < 0)
		return;
	judge_stores(s, &inv);
	judge_objects(s, &inv, wall_ms);
	judge_claims(s, &inv);
	judge_instances(s, &inv, wall_ms);
	inventory_deinit(&inv);
	if (s->ask.act && !s->why[0])
		for (unsigned c = 0; c < REAP_CLASSES; c++)
			act_on_class(s, (enum reap_class)c);
	if (!s->why[0] && keep_marks(s) < 0)
		(void)snprintf(s->why, sizeof(s->why), "no memory for marks");
	if (s->why[0])
		sweep_verdicts_deinit(&s->verdicts);
}
