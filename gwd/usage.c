#include "gwd/usage.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/buckets.h"
#include "common/lead.h"
#include "common/log.h"
#include "common/subjects.h"
#include "gwd/gwd.h"
#include "gwd/usage_count.h"

#define LEASE_KEY	"quota.reconcile"
#define LEASE_TTL_MS	60000

struct usage {
	struct gwd		*g;
	struct bucket		*counts;
	struct lead		*lead;
	struct loop_timer	*timer;
	_Atomic uint64_t	 may_write_until_ms;	/* read by the job before each write */
	bool			 is_counting;
	bool			 is_stale;	/* a record changed since the count began */
	struct log_limit	 failing;
};

/* One count: what is to stand in the store. */
struct usage_job {
	struct bucket			*counts;
	const struct clock		*clock;
	const _Atomic uint64_t		*may_write_until_ms;
	struct usage_sum		*sums;
	size_t				 n;
	enum cas_result			 res;
};

static void
job_free(void *job)
{
	struct usage_job *j = job;

	free(j->sums);
	free(j);
}

/* ---- in the job ---- */

static bool
job_may(void *arg)
{
	const struct usage_job *j = arg;

	return clock_now_ms(j->clock) < atomic_load(j->may_write_until_ms);
}

static void
job_changed(void *arg, const char *account, uint64_t vcpus)
{
	log_debug("account %s has %ju vCPUs", account, (uintmax_t)vcpus);
}

static void
job_run(void *job)
{
	struct usage_job *j = job;
	const struct usage_count c = { j->sums, j->n, job_may, job_changed, j };
	struct kv_store store;
	struct kv_keys keys = { 0 };

	kv_store_init(&store, j->counts, CLOUD_READ_MS);
	j->res = kv_list_wait(j->counts, "", CLOUD_READ_MS, &keys);
	if (j->res == CAS_OK)
		j->res = usage_write(&store.cas, &c, keys.key, keys.n);
	kv_keys_deinit(&keys);
}

/* ---- on the loop ---- */

static void
counted(struct usage *u, enum cas_result res)
{
	uint32_t withheld;

	u->is_counting = false;
	if (res != CAS_OK && res != CAS_LOST &&
	    log_may(&u->failing, loop_now_ms(u->g->d.loop), &withheld))
		log_warning("the vCPUs of accounts are not counted: %s (%u more like it)",
		    cas_result_text(res), withheld);
	loop_timer_in(u->timer, u->is_stale ? USAGE_SOON_MS : USAGE_PERIOD_MS);
}

static void
job_done(void *arg, void *job)
{
	const enum cas_result res = ((struct usage_job *)job)->res;

	job_free(job);
	counted(arg, res);
}

static enum cas_result
submit(struct usage *u, const struct instance *records, size_t n)
{
	struct gwd *g = u->g;
	struct usage_job *j = calloc(1, sizeof(*j));

	if (!j || usage_sums(records, n, &g->cloud->types, &j->sums, &j->n) < 0) {
		free(j);
		return CAS_NOMEM;
	}
	j->counts = u->counts;
	j->clock = g->d.clock;
	j->may_write_until_ms = &u->may_write_until_ms;
	if (jobs_submit(g->d.jobs, LEASE_KEY, job_run, job_done, u, j, job_free) == 0)
		return CAS_OK;
	job_free(j);
	return CAS_UNAVAILABLE;
}

static void
on_records(void *arg, enum cas_result res, const struct instance *records, size_t n)
{
	struct usage *u = arg;

	if (res == CAS_OK)
		res = submit(u, records, n);
	if (res != CAS_OK)
		counted(u, res);
}

/* Whoever has not the lease leaves it: the next change or period asks again. */
static void
on_timer(void *arg)
{
	struct usage *u = arg;
	const uint64_t now = loop_now_ms(u->g->d.loop);
	const bool may = lead_is_mine(u->lead, now);

	u->is_stale = false;
	atomic_store(&u->may_write_until_ms, may ? lead_valid_until_ms(u->lead) : 0);
	u->is_counting = may && snapshot_get(u->g->cloud->snapshot, on_records, u);
	if (!u->is_counting)
		loop_timer_in(u->timer, USAGE_PERIOD_MS);
}

static void
on_hint(void *arg, const char *key)
{
	struct usage *u = arg;

	if (!u->is_stale && !u->is_counting)
		loop_timer_in(u->timer, USAGE_SOON_MS);
	u->is_stale = true;
}

static void
on_gained(void *arg, uint64_t generation)
{
	on_hint(arg, "");
}

static void
on_lost(void *arg)
{
	struct usage *u = arg;

	atomic_store(&u->may_write_until_ms, 0);
}

/* ---- life ---- */

static void
usage_free(struct usage *u)
{
	lead_free(u->lead);
	loop_timer_free(u->timer);
	free(u);
}

static int
usage_begin(struct usage *u)
{
	struct gwd *g = u->g;
	int r = bucket_open(g->d.kv, &bucket_specs[SPEC_ACCOUNT_USAGE], &u->counts);

	if (r == 0)
		r = loop_timer_new(g->d.loop, on_timer, u, &u->timer);
	if (r == 0)
		r = lead_new(g->d.bus, &(struct lead_spec){ .node = g->conf->common.node,
		    .client = "gwd", .key = LEASE_KEY, .ttl_ms = LEASE_TTL_MS,
		    .gained = on_gained, .lost = on_lost, .arg = u }, &u->lead);
	if (r == 0)
		r = kv_watch(g->cloud->instances, on_hint, u);
	if (r == 0)
		loop_timer_in(u->timer, USAGE_PERIOD_MS);
	return r;
}

int
gwd_open_usage(void *self)
{
	struct gwd *g = self;
	struct usage *u;
	int r;

	if (g->conf->vcpu_limit == 0)
		return 0;
	u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	u->g = g;
	r = usage_begin(u);
	if (r < 0)
		usage_free(u);
	else
		g->usage = u;
	return r;
}

void
gwd_close_usage(void *self)
{
	struct gwd *g = self;

	if (g->usage)
		usage_free(g->usage);
	g->usage = NULL;
}
