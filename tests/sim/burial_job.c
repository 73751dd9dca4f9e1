/* Sequences that wait for the store, as coroutines: uefid's run in them unchanged. */
#include "tests/sim/burial.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL_MS		5000
#define BURY_MS		20000

/* ---- running ---- */

static void
enter(unsigned high, unsigned low)
{
	struct place *p = (struct place *)((uintptr_t)high << 32 | low);

	p->job.fn(p);
	p->job.is_running = false;
	swapcontext(&p->job.here, &p->job.back);
	abort();
}

static void
resume(struct place *p)
{
	if (swapcontext(&p->job.back, &p->job.here) < 0)
		abort();
}

bool
job_begin(struct place *p, job_fn *fn)
{
	struct job *j = &p->job;
	uintptr_t self = (uintptr_t)p;

	if (j->is_running)
		return false;
	if (getcontext(&j->here) < 0)
		abort();
	j->here.uc_stack.ss_sp = p->b->stacks +
	    (p->node * BURIAL_INSTANCES + p->instance) * BURIAL_STACK;
	j->here.uc_stack.ss_size = BURIAL_STACK;
	j->here.uc_link = NULL;
	j->fn = fn;
	j->is_running = true;
	j->is_dead = false;
	makecontext(&j->here, (void (*)(void))enter, 2, (unsigned)(self >> 32),
	    (unsigned)(self & UINT32_MAX));
	resume(p);
	return true;
}

void
job_kill(struct place *p)
{
	p->job.is_dead = true;
	p->job.result = CAS_UNAVAILABLE;
	p->job.bury.verdict = BURY_UNAVAILABLE;
	if (p->job.is_running)
		resume(p);
	free(p->job.seen);
	p->job.seen = NULL;
}

/* Until somebody wakes this wait; not at all when the process is dead. */
static void
wait_here(struct place *p)
{
	if (!p->job.is_dead && swapcontext(&p->job.here, &p->job.back) < 0)
		abort();
}

static uint64_t
begin_wait(struct place *p)
{
	p->job.result = CAS_UNAVAILABLE;
	return p->job.wait = ++p->b->waits;
}

static bool
wakes(const struct place *p, uint64_t wait)
{
	return p->job.is_running && p->job.wait == wait;
}

/* ---- what it waits for ---- */

static struct event
to_keeper(const struct place *p, event_fn *fn, uint64_t a)
{
	return (struct event){ .fn = fn, .actor = ACTOR_CLIENT, .node = p->node,
	    .life = p->b->w.client[p->node][0][0].life, .a = a, .b = p->instance };
}

static void
on_woken(struct world *w, const struct event *e)
{
	struct place *p = &burial_of(w)->place[e->node][e->b];

	if (wakes(p, e->a))
		resume(p);
}

void
job_sleep(struct place *p, uint64_t ms)
{
	struct world *w = &p->b->w;
	const struct node *n = &w->node[p->node];

	if (p->job.is_dead)
		return;
	world_at(w, node_real(n, node_clock(n, w->now) + ms), to_keeper(p, on_woken,
	    begin_wait(p)));
	wait_here(p);
}

int
job_bury(struct place *p, const char *node, bool is_fenced)
{
	struct world *w = &p->b->w;

	if (p->job.is_dead)
		return -EAGAIN;
	p->job.bury = (struct bury){ .verdict = BURY_UNAVAILABLE };
	world_at(w, w->now + BURY_MS * WORLD_MS, to_keeper(p, on_woken, begin_wait(p)));
	bleased_bury(p->b, p, node, is_fenced);
	wait_here(p);
	return p->job.bury.verdict == BURY_BURIED ? 0 : -EAGAIN;
}

void
job_buried(struct place *p, uint64_t wait, const struct bury *verdict)
{
	if (!wakes(p, wait))
		return;
	p->job.bury = *verdict;
	resume(p);
}

static void
on_called(struct burial *b, const struct bcall *c)
{
	struct place *p = c->arg;

	if (!wakes(p, c->op))
		return;
	p->job.result = c->result;
	p->job.revision = c->revision;
	free(p->job.seen);
	p->job.seen = c->seen ? strdup(c->seen) : NULL;
	resume(p);
}

static enum cas_result
call(struct place *p, struct bcall *c)
{
	if (p->job.is_dead)
		return CAS_UNAVAILABLE;
	c->who = (struct bcaller){ ACTOR_CLIENT, p->node, p->b->w.client[p->node][0][0].life };
	c->done = on_called;
	c->arg = p;
	c->op = begin_wait(p);
	burial_call(p->b, c, CALL_MS);
	wait_here(p);
	return p->job.result;
}

enum cas_result
job_load(struct place *p, const char *key)
{
	return call(p, &(struct bcall){ .key = burial_key(p->b, key), .is_load = true });
}

enum cas_result
job_put(struct place *p, const char *key, const char *value, uint64_t expected)
{
	return call(p, &(struct bcall){ .key = burial_key(p->b, key), .value = value,
	    .expected = expected, .is_exact = true });
}

/* ---- the store as claims and records see it ---- */

static enum cas_result
port_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct place *p = ctx;
	enum cas_result res = job_load(p, key);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	*ret = (struct cas_entry){ .revision = p->job.revision };
	if (res == CAS_NOT_FOUND) {
		ret->is_marker = ret->revision != 0;
		return res;
	}
	ret->len = strlen(p->job.seen);
	ret->value = p->job.seen;
	p->job.seen = NULL;
	return CAS_OK;
}

static enum cas_result
write_to(struct place *p, const char *key, char *value, uint64_t expected, bool is_exact,
    uint64_t *ret_revision)
{
	enum cas_result res = call(p, &(struct bcall){ .key = burial_key(p->b, key),
	    .value = value, .expected = expected, .is_exact = is_exact });

	if (res == CAS_OK)
		*ret_revision = p->job.revision;
	free(value);
	return res;
}

static enum cas_result
sync_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	return write_to(ctx, key, strndup(value, len), expected, false, ret_revision);
}

static enum cas_result
exact_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	return write_to(ctx, key, strndup(value, len), expected, true, ret_revision);
}

static enum cas_result
port_remove(void *ctx, const char *key, uint64_t expected)
{
	uint64_t revision;

	return write_to(ctx, key, NULL, expected, true, &revision);
}

static uint64_t
place_now(const struct clock *c)
{
	const struct place *p = (const struct place *)((const char *)c -
	    offsetof(struct place, clock));

	return node_clock(&p->b->w.node[p->node], p->b->w.now);
}

static int
ask_bury(void *world, const char *node, const char *request_id, char *why)
{
	struct place *p = world;
	int r = job_bury(p, node, false);

	snprintf(why, STORE_WHY_MAX, "verdict %d", (int)p->job.bury.verdict);
	return r;
}

void
job_env(struct place *p, struct store_call *ret)
{
	p->sync = (struct cas_store){ p, port_load, sync_swap, port_remove };
	p->records = (struct cas_store){ p, port_load, exact_swap, port_remove };
	p->clock = (struct clock){ place_now, place_now };
	p->env = (struct store_env){ .node = p->b->w.node[p->node].name, .clock = &p->clock,
	    .sync = &p->sync, .records = &p->records, .bury = ask_bury, .world = p };
	*ret = (struct store_call){ .env = &p->env,
	    .lease_until_ms = p->b->node[p->node].lead_until_ms };
	snprintf(ret->instance_id, sizeof(ret->instance_id), "%s",
	    burial_instance(p->instance));
}
