/*
 * act_run.c - RunInstances: asks the nodes what room they have, and hands over to a job
 * (run.c).  Requests with one client token are one job after the other: the second finds what
 * the first has made.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gather.h"
#include "gwd/gwd.h"
#include "gwd/quota.h"
#include "gwd/run.h"

#define RUN_DEFAULT_TYPE	"m1.small"

/* ---- the end ---- */

static void
run_drop(struct run *r)
{
	if (r->is_listed)
		LIST_REMOVE(r, entry);
	run_free(r);
}

static void
run_done(void *arg, void *job)
{
	struct run *r = job;

	if (fault_is_set(&r->fault))
		fault_tell(&r->fault, r->call);
	else
		call_answer(r->call, steal_json(&r->out));
	run_drop(r);
}

/* The key of a job is the token's: the end of a digest tells tokens apart as well. */
static const char *
run_job_key(const struct run *r)
{
	size_t len = strlen(r->token_key);

	if (len == 0)
		return NULL;
	return len > JOB_KEY_MAX ? r->token_key + len - JOB_KEY_MAX : r->token_key;
}

static void
run_submit(struct run *r)
{
	struct gwd *g = r->call->gwd;
	int e = jobs_submit(g->d.jobs, run_job_key(r), run_job, run_done, NULL, r, run_free);

	if (e == 0)
		return;
	if (e == -EAGAIN)
		call_fail(r->call, "RequestLimitExceeded", "Request limit exceeded.");
	else
		ask_fail_nomem(r->call);
	run_drop(r);
}

/* ---- what room the nodes have ---- */

static uint64_t
run_number(const cJSON *tree, const char *member)
{
	uint64_t n;

	return json_get_u64(json_member(tree, member), &n) ? n : 0;
}

static bool
run_status(void *arg, const char *node, struct answer *a)
{
	struct run *r = arg;
	const cJSON *tree = answer_json(a);
	const cJSON *fits = json_member(json_member(tree, "types"), r->type->name);
	const char *zone = json_text(tree, "zone");
	struct place_node *n;
	uint64_t free = 0;

	if (r->nnodes < RUN_NODES_MAX && strlen(node) <= PLACE_NAME_MAX && ident_is_token(node)) {
		n = &r->nodes[r->nnodes++];
		snprintf(n->name, sizeof(n->name), "%s", node);
		snprintf(n->zone, sizeof(n->zone), "%s", zone ? zone : "");
		n->drained = cJSON_IsTrue(json_member(tree, "drained"));
		n->offers = fits && json_get_u64(fits, &free);
		n->fits = free > UINT32_MAX ? UINT32_MAX : (uint32_t)free;
		n->memory_free_mib = run_number(tree, "memory_free_mib");
		n->vcpus_free = (uint32_t)run_number(tree, "vcpus_free");
	}
	return false;
}

static void
run_status_end(void *arg, size_t missing)
{
	run_submit(arg);
}

static bool
run_gather(struct run *r)
{
	struct gather_spec spec = { .subject = GATHER_NODE_STATUS, .request_id = r->request_id,
	    .each = run_status, .end = run_status_end, .arg = r };

	return gather_start(r->g->cloud->gathers, &spec);
}

/* ---- what the account has ---- */

static void	 run_begin(struct run *r);

/* And what else it has in flight here counts as if all of it were launched. */
static void
run_counted(void *arg, enum cas_result res, const struct instance *records, size_t n)
{
	struct run *r = arg;
	struct cloud *cloud = r->call->gwd->cloud;
	const struct run *other;

	if (res != CAS_OK) {
		ask_fail_store(r->call, res);
		run_drop(r);
		return;
	}
	r->vcpus_used = quota_used(records, n, r->account, &cloud->types);
	LIST_FOREACH(other, &cloud->runs, entry)
		if (strcmp(other->account, r->account) == 0)
			r->vcpus_used += (uint64_t)other->asked * other->type->vcpus;
	r->is_listed = true;
	LIST_INSERT_HEAD(&cloud->runs, r, entry);
	run_begin(r);
}

/* ---- the request ---- */

/* The job's own copy.  The same parameters are the same text: shape_from_query sorts them. */
static bool
run_take_input(struct run *r, const struct call *c)
{
	const char *token = json_text(c->in, "ClientToken");
	cJSON *in = cJSON_Duplicate(c->in, true);

	if (!in)
		return false;
	r->in = in;
	run_prune(in);
	if (!json_member(in, "InstanceType") &&
	    !cJSON_AddStringToObject(in, "InstanceType", RUN_DEFAULT_TYPE))
		return false;
	if (token && *token)
		token_key(r->account, token, r->token_key);
	return token_digest(in, r->params);
}

static struct run *
run_new(struct gwd *g, struct call *c)
{
	struct run *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->call = c;
	r->g = g;
	r->wall_ms = clock_wall_ms(g->d.clock);
	r->min = (uint32_t)json_member(c->in, "MinCount")->valuedouble;
	r->max = r->asked = (uint32_t)json_member(c->in, "MaxCount")->valuedouble;
	snprintf(r->account, sizeof(r->account), "%s", c->account);
	snprintf(r->request_id, sizeof(r->request_id), "%s", c->request_id);
	net_prepare(&r->net, g, c->account, &r->zones);
	if (run_take_input(r, c))
		return r;
	run_free(r);
	return NULL;
}

/* False: the call was failed. */
static bool
run_find_type(struct run *r)
{
	const char *name = json_text(r->in, "InstanceType");

	r->type = types_find(&r->g->cloud->types, name);
	if (!r->type)
		call_fail(r->call, "InvalidParameterValue",
		    "Invalid value '%.64s' for InstanceType.", name);
	else if (!r->type->offered)
		call_fail(r->call, "Unsupported", "The requested configuration is currently not "
		    "supported: the instance type %s is not offered.", name);
	return r->type && r->type->offered;
}

/* CpuOptions may only say what the type has. */
static bool
run_check_cpu(struct run *r)
{
	const cJSON *cpu = json_member(r->in, "CpuOptions");
	const cJSON *cores = json_member(cpu, "CoreCount");
	const cJSON *threads = json_member(cpu, "ThreadsPerCore");

	if ((!cores || cores->valueint == (int)(r->type->vcpus / r->type->threads)) &&
	    (!threads || threads->valueint == (int)r->type->threads))
		return true;
	call_fail(r->call, "Unsupported", "CPU options other than those of the type %s are not "
	    "supported.", r->type->name);
	return false;
}

static void
run_begin(struct run *r)
{
	struct gwd *g = r->call->gwd;

	if (g->conf->vcpu_limit && !r->is_listed) {
		if (snapshot_get(g->cloud->snapshot, run_counted, r))
			return;
		ask_fail_nomem(r->call);
	} else if (run_gather(r)) {
		return;
	} else {
		ask_fail_unready(r->call);
	}
	run_drop(r);
}

void
act_run_instances(struct gwd *g, struct call *c)
{
	struct run *r = run_new(g, c);

	if (!r) {
		ask_fail_nomem(c);
		return;
	}
	if (!run_find_type(r) || !run_check_cpu(r)) {
		run_free(r);
		return;
	}
	run_begin(r);
}
