/* Sequences as jobs: what they get, and what the loop makes of their end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/msgid.h"
#include "uefid/uefid.h"

static enum store_result
run_show(struct work *w)
{
	return look_at(&w->call, &w->look);
}

static enum store_result
run_vars(struct work *w)
{
	return look_vars(&w->call, &w->look);
}

static enum store_result
run_image_show(struct work *w)
{
	return look_image(&w->call, &w->look);
}

static const struct {
	const char		*name;
	enum store_result	(*run)(struct store_call *c);
	enum store_result	(*look)(struct work *w);
} ops[WORK_OPS] = {
	[WORK_SEED]	= { "seed", store_seed, NULL },
	[WORK_PROBE]	= { "probe", store_probe, NULL },
	[WORK_OPEN]	= { "open", store_open, NULL },
	[WORK_SAVE]	= { "save", store_save, NULL },
	[WORK_CLOSE]	= { "close", store_close, NULL },
	[WORK_ROLLBACK]	= { "roll back", store_rollback, NULL },
	[WORK_DELETE]	= { "delete", store_delete, NULL },
	[WORK_MIND]	= { "mind", store_mind, NULL },
	[WORK_RESTORE]	= { "restore", store_restore, NULL },
	[WORK_IMPORT]	= { "import", store_import, NULL },
	[WORK_IMAGE_MAKE] = { "make variables of an image", store_image_make, NULL },
	[WORK_IMAGE_COPY] = { "copy variables to an image", store_image_copy, NULL },
	[WORK_IMAGE_DROP] = { "remove variables of an image", store_image_drop, NULL },
	[WORK_SHOW]	= { "show", NULL, run_show },
	[WORK_VARS]	= { "read the variables of", NULL, run_vars },
	[WORK_EXPORT]	= { "export", NULL, run_vars },
	[WORK_IMAGE_SHOW] = { "read the variables of an image", NULL, run_image_show },
	[WORK_FIRMWARE]	= { "look for firmware", store_has_firmware, NULL },
};

struct work *
work_new(struct uefid *u, enum work_op op, const char *instance_id)
{
	struct work *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->u = u;
	w->op = op;
	w->call.env = &u->env;
	w->call.uefi_data = &w->data;
	snprintf(w->call.instance_id, sizeof(w->call.instance_id), "%s", instance_id);
	return w;
}

/* As it is now: a job that waited for long finds its lease over, and asks again. */
static bool
take_lease(struct work *w)
{
	struct uefid *u = w->u;
	uint64_t before = w->call.lease_until_ms;

	w->call.lease_until_ms = lead_is_mine(u->lead, clock_now_ms(u->d.clock)) ?
	    lead_valid_until_ms(u->lead) : 0;
	w->node_generation = lead_generation(u->lead);
	return w->call.lease_until_ms > before;
}

static void
work_free(void *arg)
{
	struct work *w = arg;

	look_deinit(&w->look);
	buf_deinit(&w->data);
	known_free(w->known);
	free(w);
}

static void
work_run(void *arg)
{
	struct work *w = arg;

	w->result = ops[w->op].run ? ops[w->op].run(&w->call) : ops[w->op].look(w);
}

static void	 work_done(void *arg, void *job);

/* ---- firmware ---- */

void
known_free(struct known *k)
{
	if (k && --k->refs == 0)
		free(k);
}

/* What was found for the same before, or a free place; full: it is looked for anew each time. */
static struct firmware *
known_slot(struct known *k, const struct firmware_want *want)
{
	struct firmware *free_one = NULL;

	for (size_t i = 0; i < STORE_FIRMWARES; i++) {
		if (firmware_is_for(&k->v[i], want))
			return &k->v[i];
		if (k->v[i].want.arch[0] == '\0' && !free_one)
			free_one = &k->v[i];
	}
	return free_one;
}

static void
remember_firmware(struct uefid *u, const struct firmware *found)
{
	struct known *k = found->want.arch[0] != '\0' ? calloc(1, sizeof(*k)) : NULL;
	struct firmware *f;

	if (!k)
		return;
	if (u->known)
		*k = *u->known;
	k->refs = 1;
	f = known_slot(k, &found->want);
	if (f)
		*f = *found;
	known_free(u->known);
	u->known = k;
	log_notice("firmware for %s: %s, %llu bytes of variables", found->want.arch, found->code,
	    (unsigned long long)found->id.vars_size);
}

/* ---- the end of a job ---- */

static void
say(const struct work *w, int priority, const char *message_id, const char *what)
{
	const struct store_call *c = &w->call;
	bool is_well = w->result == STORE_OK && !c->is_store_lost;
	const struct log_ctx ctx = {
		.message_id = message_id, .instance = c->instance_id[0] ? c->instance_id : NULL,
		.generation = c->generation || is_well ? c->generation : c->other.generation,
		.holder = !is_well && c->other.holder[0] ? c->other.holder : NULL,
		.object = c->key[0] ? c->key : NULL, .request_id = c->request_id,
	};

	if (is_well)
		log_fields(priority, &ctx, "%s", what);
	else
		log_fields(priority, &ctx, "%s: %s", what, c->why);
}

static void
say_extras(struct work *w)
{
	char key[sizeof("uefi.") + sizeof(w->call.instance_id)];
	const struct log_ctx ctx = {
		.message_id = MSG_UEFI_TAKEOVER, .instance = w->call.instance_id,
		.generation = w->call.generation, .node = w->call.taken_from,
		.object = w->call.key[0] ? w->call.key : NULL, .lease = key,
		.request_id = w->call.request_id,
	};

	(void)snprintf(key, sizeof(key), "uefi.%s", w->call.instance_id);
	if (w->call.has_taken_over) {
		w->u->counts[UEFID_TAKEOVERS]++;
		log_fields(LOG_NOTICE, &ctx, "took the claim of %s over from node %s",
		    w->call.instance_id, w->call.taken_from);
	}
	if (w->op == WORK_OPEN && w->result == STORE_OK && w->call.is_other_code)
		say(w, LOG_NOTICE, NULL,
		    "it starts under another build of firmware than it was written under");
	/* Only what has a copy or a claim here proves that there was a record.  A guest that runs on
	 * may write nothing for long: the look at it tells, too. */
	if (w->call.is_store_lost && (w->result != STORE_OK || w->op == WORK_MIND) &&
	    w->op != WORK_OPEN && w->op != WORK_VARS && w->op != WORK_EXPORT)
		say(w, LOG_ERR, MSG_UEFI_STORE_LOST, "a store's record is lost");
}

static void
forget(struct uefid *u, const char *instance_id)
{
	struct local *l = local_find(&u->locals, instance_id);

	if (!l)
		return;
	watch_remove(u->watch, l->watch_id);
	local_free(&u->locals, l);
}

/* A guest has it, or will: watch it, and look at it once as if it had been written. */
static void
take_in(struct work *w)
{
	struct uefid *u = w->u;
	const struct store_call *c = &w->call;
	uint64_t now = clock_now_ms(u->d.clock), wall = clock_wall_ms(u->d.clock);
	struct local *l = local_get(&u->locals, c->instance_id, wall);
	int id;

	if (!l) {
		log_fields(LOG_ERR, &(const struct log_ctx){ .instance = c->instance_id },
		    "no memory: %s is not watched until the next sweep", c->instance_id);
		return;
	}
	snprintf(l->launch_id, sizeof(l->launch_id), "%s", c->launch_id);
	l->generation = c->generation;
	l->checked_ms = now;
	/* An open has won the claim by a swap, or confirmed it. */
	if (c->is_confirmed || w->op == WORK_OPEN)
		l->confirmed = w->node_generation;
	id = watch_add(u->watch, c->copy.vars);
	if (id < 0) {
		say(w, LOG_WARNING, NULL, "cannot watch its variables; they are saved at the end");
		id = WATCH_NONE;
	}
	if (id != l->watch_id) {
		watch_remove(u->watch, l->watch_id);
		l->watch_id = id;
		pace_wrote(&l->pace, now);
	}
	if (l->state != LOCAL_OWED)
		(void)local_move(l, LOCAL_OPEN, NULL, wall);
}

static void
lost(struct work *w)
{
	struct uefid *u = w->u;
	enum local_state to = w->result == STORE_FENCED ? LOCAL_FENCED : LOCAL_DELETING;
	uint64_t wall = clock_wall_ms(u->d.clock);
	struct local *l = local_get(&u->locals, w->call.instance_id, wall);

	if (!l || !local_move(l, to, w->call.why, wall))
		return;
	watch_remove(u->watch, l->watch_id);
	l->watch_id = WATCH_NONE;
	l->pace = (struct pace){ .saving = l->pace.saving };
	u->counts[UEFID_FENCED]++;
	say(w, LOG_WARNING, MSG_UEFI_FENCED, "its copy here counts for nothing any more");
	uefid_publish(u, "fenced", &w->call);
}

static void
owed(struct work *w)
{
	struct uefid *u = w->u;
	uint64_t wall = clock_wall_ms(u->d.clock);
	struct local *l = local_get(&u->locals, w->call.instance_id, wall);
	bool is_news = l && local_move(l, LOCAL_OWED, w->call.why, wall);

	if (l && l->generation == 0)
		l->generation = w->call.generation;
	if (l && !w->is_begun)			/* a save has counted its own failure */
		pace_owes(&l->pace, clock_now_ms(u->d.clock));
	if (!is_news)
		return;
	say(w, LOG_WARNING, MSG_UEFI_OWED, "a write-back is owed");
	uefid_publish(u, "owed", &w->call);
}

static void
after_save(struct work *w)
{
	struct uefid *u = w->u;
	struct local *l = local_find(&u->locals, w->call.instance_id);
	uint64_t now = clock_now_ms(u->d.clock);
	bool was_owed;

	u->counts[UEFID_SAVES] += w->call.has_saved;
	u->counts[UEFID_SAVES_FAILED] += w->result == STORE_OWED;
	if (!l)
		return;
	if (w->call.has_saved)
		pace_stored(&l->pace, u->conf->write_back_max_ms, now);
	if (w->is_begun)		/* nothing of a lost copy is owed */
		pace_end(&l->pace, w->result != STORE_OWED, now);
	if (w->result == STORE_OWED)
		owed(w);
	if (w->result == STORE_FENCED || w->result == STORE_DELETING)
		lost(w);
	if (w->result != STORE_OK)
		return;
	if (w->call.prune && w->call.has_saved)
		l->pruned_ms = now;
	was_owed = l->state == LOCAL_OWED;
	(void)local_move(l, w->call.is_locked ? LOCAL_OPEN : LOCAL_CLEAN, NULL,
	    clock_wall_ms(u->d.clock));
	if (was_owed || w->call.has_saved)
		uefid_publish(u, "clean", &w->call);
	if (w->call.has_saved)
		say(w, LOG_INFO, NULL, "its variables were written back");
}

/* Another node has the store by now: nobody is asked what this copy held. */
static void
dropped(struct work *w)
{
	const struct local *l = local_find(&w->u->locals, w->call.instance_id);

	w->u->counts[UEFID_FENCED] += !l || l->state != LOCAL_FENCED;
	say(w, LOG_WARNING, MSG_UEFI_FENCED, "its copy here has lost and was dropped");
	uefid_publish(w->u, "fenced", &w->call);
}

/* close, rollback, and mind where it closed. */
static void
after_close(struct work *w)
{
	struct uefid *u = w->u;
	struct local *l = local_find(&u->locals, w->call.instance_id);
	bool is_news = l || w->call.has_saved || w->req;

	u->counts[UEFID_SAVES] += w->call.has_saved;
	if (w->result == STORE_OWED && w->op != WORK_ROLLBACK)
		owed(w);
	if (w->call.has_dropped)
		dropped(w);
	if (!w->call.has_copy && !w->call.is_locked)
		forget(u, w->call.instance_id);
	if (w->result != STORE_OK || !is_news)
		return;
	u->counts[UEFID_CLOSES]++;
	say(w, LOG_INFO, NULL, "closed; nothing of it is left here");
	uefid_publish(u, "clean", &w->call);
}

static void
after_restore(struct work *w)
{
	if (w->result != STORE_OK)
		return;
	w->u->counts[UEFID_RESTORES]++;
	say(w, LOG_NOTICE, NULL, "an operator has it go back to an earlier version");
}

static void
after_import(struct work *w)
{
	if (w->result != STORE_OK)
		return;
	w->u->counts[UEFID_IMPORTS]++;
	say(w, LOG_NOTICE, NULL, "an operator has put other variables into it");
}

static void
after_mind(struct work *w)
{
	struct local *l = local_find(&w->u->locals, w->call.instance_id);

	if (l)
		l->checked_ms = clock_now_ms(w->u->d.clock);
	if (w->call.is_in_launch)
		return;
	if (w->call.is_locked && (w->result == STORE_FENCED || w->result == STORE_DELETING))
		lost(w);
	else if (w->call.is_locked && w->result == STORE_OK)
		take_in(w);
	else if (w->call.is_locked && w->call.has_copy)
		owed(w);	/* it runs on a copy of which nobody can say more */
	else if (w->call.is_locked)
		say(w, LOG_WARNING, NULL, "a guest runs on a copy that is not ours to save");
	else
		after_close(w);
}

void
work_end(struct work *w)
{
	if (w->req)
		w->answer(w);
	work_free(w);
}

static int
enqueue(struct work *w)
{
	const char *id = w->call.instance_id[0] ? w->call.instance_id : NULL;

	return jobs_submit(w->u->d.jobs, id, work_run, work_done, w->u, w,
	    work_free);
}

static void
work_done(void *arg, void *job)
{
	struct uefid *u = arg;
	struct work *w = job;

	/* Nothing was touched without the lease; the request's own deadline ends the asking. */
	if (w->result == STORE_NODE_LEASE && take_lease(w) && enqueue(w) == 0)
		return;
	u->opening -= w->is_opening;
	remember_firmware(u, &w->call.found);
	say_extras(w);
	if (w->op == WORK_OPEN && w->result == STORE_OK)
		take_in(w);
	else if (w->op == WORK_SAVE)
		after_save(w);
	else if (w->op == WORK_CLOSE || w->op == WORK_ROLLBACK)
		after_close(w);
	else if (w->op == WORK_MIND)
		after_mind(w);
	else if (w->op == WORK_RESTORE)
		after_restore(w);
	else if (w->op == WORK_IMPORT)
		after_import(w);
	u->counts[UEFID_SEEDS] += w->op == WORK_SEED && w->result == STORE_OK;
	u->counts[UEFID_OPENS] += w->op == WORK_OPEN && w->result == STORE_OK;
	if (w->result != STORE_OK && w->req && !store_may_retry(w->result))
		say(w, LOG_INFO, NULL, ops[w->op].name);
	uefid_pace(u);
	if (!fitting_ask(w))
		work_end(w);
}

/* One store more here?  What is open already may always be asked for. */
static bool
has_place(const struct work *w, const struct local *l)
{
	const struct uefid *u = w->u;

	if (l || (w->op != WORK_SEED && w->op != WORK_PROBE && w->op != WORK_OPEN))
		return true;
	return local_count(&u->locals) + u->opening < u->conf->max_stores;
}

static void
refuse_full(struct work *w)
{
	snprintf(w->call.why, sizeof(w->call.why), "node %s has %u stores open, as many as max_stores "
	    "allows", w->call.env->node, w->u->conf->max_stores);
	w->result = STORE_FULL;
	work_end(w);
}

/* A save of a known copy takes part in its pace, whoever asked for it. */
static int
begin(struct work *w, struct local *l)
{
	struct uefid *u = w->u;
	int r;

	w->is_opening = !l && w->op == WORK_OPEN;
	w->is_begun = l && w->op == WORK_SAVE;
	u->opening += w->is_opening;
	if (w->is_begun)
		pace_begin(&l->pace);
	r = enqueue(w);
	if (r == 0)
		return 0;
	u->opening -= w->is_opening;
	if (w->is_begun)
		pace_end(&l->pace, false, clock_now_ms(u->d.clock));
	work_free(w);
	return r;
}

int
work_submit(struct work *w)
{
	struct local *l = local_find(&w->u->locals, w->call.instance_id);

	if (!has_place(w, l)) {
		refuse_full(w);
		return 0;
	}
	if (w->u->known) {
		w->known = w->u->known;
		w->known->refs++;
		w->call.known = w->known->v;
	}
	(void)take_lease(w);
	w->call.confirm = !l || l->confirmed != w->node_generation;
	w->call.is_retry = l && l->pace.failures > 0;
	return begin(w, l);
}
