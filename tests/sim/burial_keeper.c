/*
 * What uefid and vmd of a node do with an instance.  The claim's part is uefid's own code
 * (store_claim, store_confirm, store_unclaim) and the fence's (uefi_record.h); what a read
 * says about the record's owner is vmd's (ownership.h); the order of the steps is that of
 * design 7.2 and 8.6:
 *
 *	launch	record to this node, claim, stamp, guest held; let run only under the node
 *		generation that both are confirmed for
 *	recover	read the record, bury its node, swap the record at what was read, launch
 *	return	on each new generation of the node: the claim, and then the record, by a swap that
 *		keeps it; what is lost is killed
 */
#include "tests/sim/burial.h"

#include <stdio.h>
#include <string.h>

#include "common/subjects.h"

#define LET_RUN_MS	200	/* from a guest's exec to the command that lets it run */

static uint64_t
now_of(const struct place *p)
{
	return node_clock(&p->b->w.node[p->node], p->b->w.now);
}

static const char *
name_of(const struct place *p)
{
	return p->b->w.node[p->node].name;
}

bool
bkeeper_may_launch(const struct place *p)
{
	return !p->job.is_dead && now_of(p) < p->b->node[p->node].lead_until_ms;
}

static uint64_t
generation_of(const struct place *p)
{
	return p->b->node[p->node].lead_generation;
}

/* ---- the record ---- */

bool
brecord_parse(const char *text, struct brecord *ret)
{
	char isolation[8];

	if (!text || sscanf(text, "%15s %15s %7s", ret->node, ret->state, isolation) != 3)
		return false;
	ret->is_stop = strcmp(isolation, "stop") == 0;
	return true;
}

static void
record_key(const struct place *p, char ret[static CAS_KEY_MAX + 1])
{
	(void)snprintf(ret, CAS_KEY_MAX + 1, KEY_INSTANCE_PREFIX "%s",
	    burial_instance(p->instance));
}

/* This node's, in that state, at exactly expected. */
static bool
put_record(struct place *p, const struct brecord *r, const char *state, uint64_t expected)
{
	char key[CAS_KEY_MAX + 1], text[64];

	record_key(p, key);
	(void)snprintf(text, sizeof(text), "%s %s %s", name_of(p), state,
	    r->is_stop ? "stop" : "keep");
	if (job_put(p, key, text, expected) != CAS_OK)
		return false;
	p->landed = p->job.revision;
	return true;
}

/* ---- launch ---- */

static bool
claim_it(struct place *p)
{
	struct store_call c;
	struct uefi_record u;
	enum cas_result cas;

	job_env(p, &c);
	if (store_claim(&c) != STORE_OK || p->job.is_dead)
		return false;
	p->b->takeovers += c.has_taken_over;
	p->seeded = c.generation;
	if (uefi_record_stamp(&p->records, burial_instance(p->instance), c.generation, &u,
	    &cas) != UEFI_OK)
		return false;
	return !p->job.is_dead;
}

bool
bkeeper_is_confirmed(const struct place *p)
{
	return bkeeper_may_launch(p) && p->recorded == generation_of(p);
}

static void
launch(struct place *p, const struct brecord *r)
{
	uint64_t generation = generation_of(p), until = p->b->node[p->node].lead_until_ms;

	if (!put_record(p, r, "pending", p->landed))
		return;
	p->recorded = generation;
	if (!claim_it(p))
		return;
	p->claimed = generation;
	if (!bkeeper_is_confirmed(p))
		return;
	guest_make(p, r->is_stop);
	guest_page(p, until);
	job_sleep(p, LET_RUN_MS);
	if (p->guest.state != GUEST_HELD || !bkeeper_is_confirmed(p)) {
		if (!p->job.is_dead)
			guest_end(p, "it was never let run");
		return;
	}
	p->b->launches++;
	guest_run_now(p);
	(void)put_record(p, r, "running", p->landed);
}

/* ---- what is over ---- */

/* The claim, if it is in our name: also one that was won unheard, or before a crash. */
static bool
unclaim(struct place *p)
{
	struct store_call c;
	enum store_result res;

	job_env(p, &c);
	res = store_unclaim(&c);
	return !p->job.is_dead && (res == STORE_OK || res == STORE_FENCED);
}

/* What the guest wrote goes into an object, the copy goes, the claim is free. */
static bool
close_store(struct place *p)
{
	struct uefi_pointer to = { .written_at_ms = 1, .firmware = { .vars_size = 4 } };
	struct store_call c;
	enum cas_result cas;

	job_env(p, &c);
	(void)snprintf(to.writer_node, sizeof(to.writer_node), "%s", name_of(p));
	(void)snprintf(to.firmware.arch, sizeof(to.firmware.arch), "arm64");
	(void)snprintf(to.key, sizeof(to.key), "uefi/%s/00000000-0000-4000-8000-%012ju",
	    burial_instance(p->instance), (uintmax_t)++p->b->moves);
	if (uefi_record_move(&p->records, burial_instance(p->instance), p->seeded, &to,
	    &cas) == UEFI_STORE)
		return false;
	if (!unclaim(p))
		return false;
	p->seeded = 0;
	return true;
}

static void
stop(struct place *p, const struct brecord *r)
{
	if (p->guest.state != GUEST_NONE) {
		p->wants_stop = false;
		guest_end(p, "it was stopped");
	}
	if (p->seeded != 0 && !close_store(p))
		return;
	(void)put_record(p, r, "stopped", p->landed);
}

static void
lose(struct place *p, const char *key, const char *why)
{
	if (p->guest.state == GUEST_NONE)
		return;
	bjudge_gives_up(p, key);
	guest_end(p, why);
}

/* ---- confirming ---- */

static bool
confirm_claim(struct place *p)
{
	struct store_call c;
	char key[CAS_KEY_MAX + 1];
	uint64_t generation = generation_of(p), began = p->b->w.now;
	enum store_result res;

	if (p->seeded == 0 || p->claimed == generation) {
		p->claimed = generation;
		return true;
	}
	job_env(p, &c);
	res = store_confirm(&c, p->seeded);
	if (p->job.is_dead)
		return false;
	if (res == STORE_FENCED) {
		(void)snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s",
		    burial_instance(p->instance));
		bjudge_gives_up(p, key);
		lose(p, key, "its claim is lost");
		p->seeded = 0;
	}
	if (res != STORE_OK)
		return false;
	p->confirm_at = began;
	p->claimed = generation;
	return true;
}

/* The record, under the generation that there is now; false: not now. */
static bool
confirm(struct place *p, const struct brecord *r)
{
	uint64_t generation = generation_of(p);

	if (p->recorded != generation) {
		if (!put_record(p, r, r->state, p->landed))
			return false;
		p->recorded = generation;
	}
	if (bkeeper_is_confirmed(p))
		guest_page(p, p->b->node[p->node].lead_until_ms);
	return bkeeper_is_confirmed(p);
}

/* ---- tending ---- */

static void
tend_own(struct place *p, const struct brecord *r)
{
	bool is_stopped = strcmp(r->state, "stopped") == 0;

	if (!bkeeper_may_launch(p) || !confirm(p, r))
		return;
	if (p->guest.state == GUEST_HELD)	/* of a keeper that died on the way */
		guest_run_now(p);
	if (p->guest.state != GUEST_NONE) {
		if (p->wants_stop)
			stop(p, r);
		else if (strcmp(r->state, "running") != 0)
			(void)put_record(p, r, "running", p->landed);
	} else if (is_stopped || !p->wants_stop) {
		launch(p, r);
	} else {
		stop(p, r);
	}
}

/* Another node's, running or on the way: it has to be dead before it is moved. */
static void
recover(struct place *p, const struct brecord *r, uint64_t revision)
{
	int owner = burial_node_of(p->b, r->node);
	bool is_fenced = !r->is_stop;

	/* Without on_isolation = stop an operator has to have seen that machine off. */
	if (owner < 0 || (is_fenced && !p->b->node[owner].is_off))
		return;
	if (job_bury(p, r->node, is_fenced) < 0 || !bkeeper_may_launch(p))
		return;
	if (put_record(p, r, "pending", revision)) {
		p->recorded = generation_of(p);
		launch(p, r);
	}
}

static void
tend_other(struct place *p, const struct brecord *r, uint64_t revision)
{
	struct world *w = &p->b->w;

	if (!bkeeper_may_launch(p) || (p->seeded != 0 && !close_store(p)))
		return;
	if (world_chance(w, 200) && !unclaim(p))
		return;
	if (strcmp(r->state, "stopped") != 0) {
		if (world_chance(w, 400))
			recover(p, r, revision);
	} else if (world_chance(w, 300) && put_record(p, r, "pending", revision)) {
		p->recorded = generation_of(p);
		launch(p, r);
	}
}

static void
tend(struct place *p)
{
	char key[CAS_KEY_MAX + 1];
	struct brecord r;
	uint64_t revision;
	struct ownership_read read = { .readable = true, .node = r.node };

	/* uefid's, whatever the record says. */
	if (p->guest.state != GUEST_NONE && bkeeper_may_launch(p))
		(void)confirm_claim(p);
	record_key(p, key);
	read.result = job_load(p, key);
	read.revision = revision = p->job.revision;
	if (p->job.is_dead || (read.result == CAS_OK && !brecord_parse(p->job.seen, &r)))
		return;
	switch (ownership_judge(name_of(p), p->landed, &read)) {
	case OWNERSHIP_SAME:
	case OWNERSHIP_NEWER:
		p->landed = revision;
		tend_own(p, &r);
		break;
	case OWNERSHIP_MOVED:
		lose(p, key, "its record names another node");
		p->landed = p->recorded = 0;
		tend_other(p, &r, revision);
		break;
	case OWNERSHIP_REMOVED:
	case OWNERSHIP_NOTHING:
		break;
	}
}

/* A claim and nothing else: no record that is moved first, no guest whose guard has killed it
 * by then, so that what the claim's own swaps guard shows. */
static void
tend_claim(struct place *p)
{
	struct store_call c;
	uint64_t began = p->b->w.now;

	if (!bkeeper_may_launch(p))
		return;
	if (p->seeded != 0 && !confirm_claim(p))
		return;
	if (p->seeded != 0) {
		if (world_chance(&p->b->w, 30) && unclaim(p))
			p->seeded = 0;
		return;
	}
	job_env(p, &c);
	if (world_chance(&p->b->w, 700) || store_claim(&c) != STORE_OK || p->job.is_dead)
		return;
	p->b->takeovers += c.has_taken_over;
	p->seeded = c.generation;
	p->claimed = generation_of(p);
	p->confirm_at = began;
}

void
bkeeper_tend(struct place *p)
{
	(void)job_begin(p, p->instance == p->b->bare ? tend_claim : tend);
}
