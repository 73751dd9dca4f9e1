#include "vmd/drain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "vmd/command.h"

#define DRAIN_LOOK_MS	100
#define DRAIN_AGAIN_MS	1000	/* between passes over what comes back */
#define DRAIN_LAST_MS	10000	/* after the deadline, for QEMUs that were told to quit */

const struct json_field drain_fields[] = {
	{ .key = "deadline_ms", .type = JSON_U64, .offset = offsetof(struct drain_in, deadline_ms),
	    .max = DRAIN_MAX_MS, .need = true },
};
const size_t drain_nfields = ARRAY_LEN(drain_fields);

struct drain {
	struct vmd		*d;
	struct bus_req		*req;
	struct loop_timer	*timer;
	uint64_t		 until_ms;
	bool			 hurried;
	uint64_t		 asked;		/* guests that were told to stop */
};

/* ---- the mark: {boot id} in the state folder ---- */

static int
mark_path(const struct vmd *d, char ret[static 512])
{
	return file_path(ret, 512, "%s/vm/drained", d->conf->common.state_dir);
}

static int
mark(const struct vmd *d)
{
	char path[512];
	int r = mark_path(d, path);

	return r < 0 ? r : file_write(path, d->d.boot_id, strlen(d->d.boot_id), 0644);
}

/* ---- stopping ---- */

static void
end_stop(struct command *c, const char *code, bool retryable, const char *why)
{
	if (code)
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = c->id },
		    "%s: not drained: %s", c->id, why);
}

static int
stop_one(struct vm *vm)
{
	struct command *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	*c = (struct command){ .d = vm->d, .end = end_stop, .why = POLICY_WHY_DRAIN,
		.ask = { .command = POLICY_STOP } };
	memcpy(c->id, vm->id, sizeof(c->id));
	command_change(c, vm);
	return 0;
}

/* What still runs or is on its way; with stop, each that runs is told to. */
static size_t
count_live(struct drain *dr, bool stop)
{
	struct records *rs = dr->d->records;
	size_t n = 0;

	for (size_t i = 0; i < records_count(rs); i++) {
		struct vm *vm = record_owner(records_get(rs, i));
		enum instance_state s = record_instance(records_get(rs, i))->state;

		if (!vm || s == INSTANCE_STOPPED || s == INSTANCE_TERMINATED)
			continue;
		n++;
		if (stop && s == INSTANCE_RUNNING && stop_one(vm) == 0)
			dr->asked++;
	}
	return n;
}

static void
hurry_all(struct drain *dr)
{
	struct records *rs = dr->d->records;

	for (size_t i = 0; i < records_count(rs); i++) {
		struct vm *vm = record_owner(records_get(rs, i));

		if (vm && vm->phase == VM_POWER_DOWN)
			stop_hurry(vm);
	}
}

static void
free_one(struct drain *dr)
{
	dr->d->drain = NULL;
	loop_timer_free(dr->timer);
	free(dr);
}

static void
answer(struct drain *dr, size_t live)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (live > 0)
		bus_refuse(dr->req, "vm.busy", true, "%zu instances are not stopped yet", live);
	else if (!out || !json_add_u64(out, "stopped", dr->asked))
		bus_refuse(dr->req, "vm.memory", true, "no memory");
	else
		bus_reply(dr->req, out);
	free_one(dr);
}

static void
on_timer(void *arg)
{
	struct drain *dr = arg;
	size_t live = count_live(dr, false);
	uint64_t now_ms = vmd_now_ms(dr->d);

	if (live == 0 || now_ms > dr->until_ms + DRAIN_LAST_MS) {
		answer(dr, live);
		return;
	}
	if (!dr->hurried && now_ms > dr->until_ms) {
		dr->hurried = true;
		hurry_all(dr);
	}
	loop_timer_in(dr->timer, DRAIN_LOOK_MS);
}

void
drain_on_request(void *arg, struct bus_req *req, const void *in)
{
	const struct drain_in *ask = in;
	struct vmd *d = arg;
	struct drain *dr;
	int r;

	if (d->drain) {
		bus_refuse(req, "vm.busy", true, "a drain is under way");
		return;
	}
	dr = calloc(1, sizeof(*dr));
	r = dr ? loop_timer_new(d->d.loop, on_timer, dr, &dr->timer) : -ENOMEM;
	if (r == 0)
		r = mark(d);
	if (r < 0) {
		bus_refuse(req, "vm.state", true, "the drain cannot be noted: %s", strerror(-r));
		if (dr)
			loop_timer_free(dr->timer);
		free(dr);
		return;
	}
	dr->d = d;
	dr->req = req;
	dr->until_ms = vmd_now_ms(d) + ask->deadline_ms;
	d->drain = dr;
	d->drained = true;
	vmd_set_ready(d, VMD_NEED_OPEN, false);
	log_notice("drained: nothing is launched here until vmd starts again");
	(void)count_live(dr, true);
	loop_timer_in(dr->timer, 0);
}

/* ---- coming back ---- */

/* One pass over what a drain of another boot stopped; the mark goes when all of it is pending
 * again, or cannot be, for a reason that does not pass. */
struct drain_return {
	struct vmd		*d;
	struct loop_timer	*timer;		/* the next pass */
	size_t			 flying;	/* starts whose end is not known */
	bool			 again;		/* some may come to be later */
};

static void
free_return(struct vmd *d)
{
	if (!d->drain_return)
		return;
	loop_timer_free(d->drain_return->timer);
	free(d->drain_return);
	d->drain_return = NULL;
}

void
drain_free(struct vmd *d)
{
	if (d->drain)
		free_one(d->drain);
	free_return(d);
}

static void
end_pass(struct drain_return *b)
{
	char path[512];

	if (b->flying > 0)
		return;
	if (b->again && !b->d->drained) {
		loop_timer_in(b->timer, DRAIN_AGAIN_MS);
		return;
	}
	/* A drain meanwhile has left a mark of its own. */
	if (!b->d->drained && (mark_path(b->d, path) < 0 || file_remove(path) < 0))
		log_warning("the mark of a drain cannot be removed: its guests are looked for again");
	free_return(b->d);
}

static void
end_start(struct command *c, const char *code, bool retryable, const char *why)
{
	struct drain_return *b = c->arg;

	if (code)
		log_fields(retryable ? LOG_WARNING : LOG_ERR,
		    &(const struct log_ctx){ .instance = c->id },
		    "%s: does not come back after the drain%s: %s", c->id,
		    retryable ? " yet" : "", why);
	b->again |= code && retryable;
	b->flying--;
	end_pass(b);
}

static void
start_one(struct drain_return *b, struct vm *vm)
{
	struct command *c = calloc(1, sizeof(*c));

	if (!c) {
		b->again = true;
		return;
	}
	*c = (struct command){ .d = vm->d, .end = end_start, .arg = b,
		.ask = { .command = POLICY_START } };
	memcpy(c->id, vm->id, sizeof(c->id));
	b->flying++;
	command_change(c, vm);
}

static void
on_pass(void *arg)
{
	struct drain_return *b = arg;
	struct vmd *d = b->d;

	b->flying = 1;			/* ours, so that no end comes before all have begun */
	b->again = !vmd_may_launch(d);
	for (size_t i = 0; !b->again && i < records_count(d->records); i++) {
		const struct instance *in = record_instance(records_get(d->records, i));
		struct vm *vm = record_owner(records_get(d->records, i));

		if (vm && in->state == INSTANCE_STOPPED && strcmp(in->stopped_by, "drain") == 0)
			start_one(b, vm);
	}
	b->flying--;
	end_pass(b);
}

void
drain_recover(struct vmd *d)
{
	AUTO(buf) struct buf boot = BUF_EMPTY(64);
	struct drain_return *b;
	char path[512];

	if (d->drain_return || mark_path(d, path) < 0 || file_read(path, &boot) < 0)
		return;			/* under way; or no drain, or none that is known */
	if (strcmp(buf_text(&boot), d->d.boot_id) == 0)
		return;			/* this boot: only an operator starts them */
	b = calloc(1, sizeof(*b));
	if (!b || loop_timer_new(d->d.loop, on_pass, b, &b->timer) < 0) {
		log_err("no memory: what was drained comes back with the next lease");
		free(b);
		return;
	}
	b->d = d;
	d->drain_return = b;
	loop_timer_in(b->timer, 0);
}
