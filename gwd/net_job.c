#include "gwd/net_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "gwd/ask.h"
#include "gwd/fault.h"
#include "gwd/gwd.h"
#include "gwd/zone_list.h"

#define ATTEMPTS	8	/* at a document that others write as well */

struct net_job {
	struct call		*call;		/* not touched by the job */
	const struct net_change	*change;
	struct bucket		*bucket;
	char			 key[NET_KEY_MAX];
	cJSON			*in;		/* owned */
	void			(*then)(struct call *c, const cJSON *out);
	struct net_zones	 zones;
	struct net		 n;		/* of the attempt */
	cJSON			*used;		/* owned */
	cJSON			*out;		/* owned; NULL: it failed */
	struct fault		 fault;
};

void
net_key(const char *account, char ret[static NET_KEY_MAX])
{
	(void)snprintf(ret, NET_KEY_MAX, "%.12s.network", account);
}

void
net_log_unreadable(const char *account, const char *why)
{
	log_fields(LOG_ERR, &(struct log_ctx){ .account = account },
	    "the network of account %s cannot be read: %s", account, why);
}

void
net_prepare(struct net *n, const struct gwd *g, const char *account, struct net_zones *zones)
{
	struct zone_list all;
	size_t count = 0;

	_Static_assert(ZONES_MAX <= ARRAY_LEN(zones->name), "every zone has a place");
	zone_list_of(g, &all);
	(void)snprintf(n->account, sizeof(n->account), "%s", account);
	(void)snprintf(n->region, sizeof(n->region), "%.64s", g->d.conf->region);
	/* This gateway's own first: it is what is meant where none is named. */
	for (int own = 1; own >= 0; own--) {
		for (size_t i = 0; i < all.n; i++) {
			if ((strcmp(all.zone[i], g->d.conf->zone) == 0) != (own == 1))
				continue;
			memcpy(zones->name[count], all.zone[i], sizeof(all.zone[i]));
			zones->list[count] = zones->name[count];
			count++;
		}
	}
	n->zones = zones->list;
	n->nzones = count;
}

static void
net_job_free(void *arg)
{
	struct net_job *j = arg;

	net_deinit(&j->n);
	cJSON_Delete(j->in);
	cJSON_Delete(j->used);
	cJSON_Delete(j->out);
	free(j);
}

/* ---- in the job ---- */

/* False: the job has failed. */
static bool
open_document(struct net_job *j, uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(j->bucket, j->key, CLOUD_READ_MS, &e);
	char why[JSON_WHY_MAX];
	int r;

	if (res != CAS_OK && res != CAS_NOT_FOUND) {
		(void)fault_set_store(&j->fault, res);
		return false;
	}
	*ret_revision = e.revision;
	r = net_open(&j->n, res == CAS_OK ? e.value : NULL, e.len, why);
	if (r == 0)
		return true;
	if (r != -ENOMEM)
		net_log_unreadable(j->n.account, why);
	(void)fault_set_nomem(&j->fault);
	return false;
}

/* The changed document back.  CAS_LOST: somebody else was first. */
static enum cas_result
write_document(struct net_job *j, uint64_t revision)
{
	AUTO(str) char *text = net_print(&j->n);
	const size_t len = text ? strlen(text) : 0;
	enum cas_result res;
	uint64_t now;

	if (!text) {
		(void)fault_set_nomem(&j->fault);
		return CAS_NOMEM;
	}
	if (len > NET_RECORD_MAX) {
		(void)fault_set(&j->fault, "ResourceLimitExceeded", "The network of this account is as large as it can be.");
		return CAS_REFUSED;
	}
	res = kv_put_wait(j->bucket, j->key, text, len, revision, CLOUD_READ_MS, &now);
	if (res != CAS_OK)
		(void)fault_set_store(&j->fault, res);
	return res;
}

/* CAS_LOST: again. */
static enum cas_result
attempt(struct net_job *j)
{
	enum cas_result res = CAS_OK;
	uint64_t revision;

	net_deinit(&j->n);
	j->n.code[0] = '\0';
	if (!open_document(j, &revision))
		return CAS_REFUSED;
	j->out = j->change->fn(&j->n, j->in);
	if (!j->out) {
		if (*j->n.code)
			(void)fault_set(&j->fault, j->n.code, "%s", j->n.message);
		else
			(void)fault_set_nomem(&j->fault);
		return CAS_REFUSED;
	}
	if (!j->change->only_reads)
		res = write_document(j, revision);
	if (res != CAS_OK)
		cJSON_Delete(steal_json(&j->out));
	return res;
}

static void
net_job_run(void *arg)
{
	struct net_job *j = arg;
	enum cas_result res = CAS_LOST;

	j->n.used = j->used;
	for (int i = 0; i < ATTEMPTS && res == CAS_LOST; i++)
		res = attempt(j);
	if (res == CAS_LOST)
		(void)fault_set(&j->fault, "RequestLimitExceeded", "Too many changes of the network at once. Try again.");
}

/* ---- on the loop ---- */

static void
net_job_done(void *arg, void *job)
{
	struct net_job *j = job;

	if (!j->out)
		fault_tell(&j->fault, j->call);
	else if (j->then)
		j->then(j->call, j->out);
	else
		call_answer(j->call, steal_json(&j->out));
	net_job_free(j);
}

static void
submit(struct net_job *j)
{
	const int r = jobs_submit(j->call->gwd->d.jobs, NULL, net_job_run, net_job_done, NULL, j,
	    net_job_free);

	if (r == 0)
		return;
	if (r == -EAGAIN)
		call_fail(j->call, "RequestLimitExceeded", "Request limit exceeded.");
	else
		ask_fail_nomem(j->call);
	net_job_free(j);
}

static bool
note(cJSON *used, const char *what)
{
	return !*what || cJSON_HasObjectItem(used, what) || cJSON_AddTrueToObject(used, what);
}

/* What an instance that is not terminated holds: its subnet, groups, interface and address. */
static bool
note_instance(cJSON *used, const struct instance *i)
{
	char id[22];
	bool ok = note(used, i->subnet_id) && note(used, i->group_id) && note(used, i->eni_id) &&
	    note(used, i->private_ip);

	for (const char *p = i->groups; ok && p && *p; ) {
		const size_t n = strcspn(p, "\n"), word = strcspn(p, " \n");

		(void)snprintf(id, sizeof(id), "%.*s", word < sizeof(id) ? (int)word : 0, p);
		ok = note(used, id);
		p += n + (p[n] == '\n');
	}
	return ok;
}

static void
on_snapshot(void *arg, enum cas_result res, const struct instance *records, size_t n)
{
	struct net_job *j = arg;
	bool ok = (j->used = cJSON_CreateObject()) != NULL;

	if (res != CAS_OK) {
		ask_fail_store(j->call, res);
		net_job_free(j);
		return;
	}
	for (size_t i = 0; ok && i < n; i++)
		ok = strcmp(records[i].account_id, j->n.account) != 0 ||
		    records[i].state == INSTANCE_TERMINATED || note_instance(j->used, &records[i]);
	if (ok) {
		submit(j);
		return;
	}
	ask_fail_nomem(j->call);
	net_job_free(j);
}

void
net_job_start(struct gwd *g, struct call *c, const struct net_change *change, cJSON *in,
    void (*then)(struct call *c, const cJSON *out))
{
	struct net_job *j = calloc(1, sizeof(*j));

	if (!j || !in || !nodes_are_known(g->cloud->nodes)) {
		free(j);
		cJSON_Delete(in);
		if (!nodes_are_known(g->cloud->nodes))
			ask_fail_unready(c);
		else
			ask_fail_nomem(c);
		return;
	}
	j->call = c;
	j->change = change;
	j->bucket = g->cloud->networks;
	j->in = in;
	j->then = then;
	net_key(c->account, j->key);
	net_prepare(&j->n, g, c->account, &j->zones);
	if (!change->needs_used) {
		submit(j);
	} else if (!snapshot_get(g->cloud->snapshot, on_snapshot, j)) {
		ask_fail_nomem(c);
		net_job_free(j);
	}
}
