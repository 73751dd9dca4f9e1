/*
 * act_volumes.c - CreateVolume, DeleteVolume, AttachVolume, DetachVolume.  Records are made and
 * marked deleting here; everything with a guest or a disk is the instance's owner's, and the
 * disk of a deleted volume is removed by the node that has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/network.h"
#include "common/sigv4.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/fault.h"
#include "gwd/command.h"
#include "gwd/gwd.h"
#include "gwd/tag_rule.h"
#include "gwd/token.h"
#include "gwd/volume_root.h"
#include "gwd/volume_rule.h"
#include "gwd/volume_view.h"

#define VOLUME_ATTEMPTS	5	/* of a delete that meets another's writes */

struct volume_job {
	struct call	*call;		/* not touched by the job */
	struct bucket	*bucket;
	struct volume	 v;
	char		 key[VOLUME_KEY_MAX];
	bool		 has_token;
	bool		 is_absent;	/* of a delete: there is no record */
	cJSON		*out;
	struct fault	 fault;
};

static void
volume_job_free(void *arg)
{
	struct volume_job *j = arg;

	cJSON_Delete(j->out);
	volume_deinit(&j->v);
	free(j);
}

static void
volume_job_submit(struct gwd *g, struct volume_job *j, job_run_fn *run, job_done_fn *done)
{
	if (jobs_submit(g->d.jobs, NULL, run, done, NULL, j, volume_job_free) == 0)
		return;
	call_fail(j->call, "RequestLimitExceeded", "Request limit exceeded.");
	volume_job_free(j);
}

static struct volume_job *
volume_job_new(struct gwd *g, struct call *c, const char *id)
{
	struct volume_job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->call = c;
	j->bucket = g->cloud->volumes;
	snprintf(j->v.account_id, sizeof(j->v.account_id), "%s", c->account);
	snprintf(j->v.id, sizeof(j->v.id), "%.21s", id);
	volume_key(c->account, j->v.id, j->key);
	return j;
}

/* ---- create ---- */

int
act_create_volume_check(const cJSON *in, struct shape_error *e)
{
	static const char *const types[] = { "volume", NULL };
	static const char *const off[] = { "Encrypted", "MultiAttachEnabled" };
	const char *zone = json_text(in, "AvailabilityZone"), *token = json_text(in, "ClientToken");
	const char *snapshot = json_text(in, "SnapshotId"), *code;
	char why[TAG_MESSAGE_MAX];

	if (!zone || !*zone)
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter availabilityZone");
	for (size_t i = 0; i < ARRAY_LEN(off); i++)
		if (cJSON_IsTrue(json_member(in, off[i])))
			return shape_refuse(e, "UnsupportedOperation", "%s is not supported.", off[i]);
	if (json_text(in, "KmsKeyId") || json_text(in, "OutpostArn"))
		return shape_refuse(e, "UnsupportedOperation", "%s is not supported.",
		    json_text(in, "KmsKeyId") ? "KmsKeyId" : "OutpostArn");
	if (snapshot && *snapshot)
		return shape_refuse(e, "InvalidSnapshot.NotFound", "The snapshot '%.64s' does not "
		    "exist.", snapshot);
	if (token && !token_is_valid(token))
		return shape_refuse(e, "InvalidParameterValue", "A client token has 1 to %d printable "
		    "ASCII characters.", TOKEN_TEXT_MAX);
	if ((code = tag_rule_check_specs(json_member(in, "TagSpecifications"), types, why)))
		return shape_refuse(e, code, "%s", why);
	if (!json_member(in, "Size"))
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter size or snapshotId");
	return volume_rule_check(in, "Size", e);
}

/* Another request of the same token made it: its present state, if it asked for the same. */
static void
create_again(struct volume_job *j, const struct cas_entry *e)
{
	AUTO(volume) struct volume v = { 0 };
	char why[JSON_WHY_MAX];

	if (volume_from_json(e->value, e->len, &v, why) < 0)
		fault_set(&j->fault, "InternalError", "An internal error has occurred.");
	else if (strcmp(v.asked, j->v.asked) != 0)
		fault_set(&j->fault, "IdempotentParameterMismatch", "The client token was used before, "
		    "with other parameters.");
	else if (!(j->out = volume_view(&v)))
		fault_set_nomem(&j->fault);
}

static void
create_run(void *arg)
{
	struct volume_job *j = arg;
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(str) char *text = volume_to_json(&j->v);
	uint64_t revision;
	enum cas_result r = text ? kv_put_wait(j->bucket, j->key, text, strlen(text), 0,
	    CLOUD_READ_MS, &revision) : CAS_NOMEM;

	if (r == CAS_OK) {
		j->out = volume_view(&j->v);
		if (!j->out)
			fault_set_nomem(&j->fault);
		return;
	}
	if (r == CAS_LOST && j->has_token)
		r = kv_load_wait(j->bucket, j->key, CLOUD_READ_MS, &e);
	if (r == CAS_OK)
		create_again(j, &e);
	else if (r == CAS_NOT_FOUND)
		fault_set(&j->fault, "InvalidVolume.NotFound", "The volume that the client token made, "
		    "'%s', was deleted.", j->v.id);
	else
		fault_set_store(&j->fault, r);
}

static void
create_done(void *arg, void *job)
{
	struct volume_job *j = job;

	fault_end(&j->fault, j->call, steal_json(&j->out));
	volume_job_free(j);
}

static bool
create_fill(struct gwd *g, struct call *c, struct volume *v)
{
	v->bytes = volume_rule_number(c->in, "Size") * VOLUME_GIB;
	v->iops = (uint32_t)volume_rule_number(c->in, "Iops");
	v->throughput = (uint32_t)volume_rule_number(c->in, "Throughput");
	v->created_ms = clock_wall_ms(g->d.clock);
	snprintf(v->type, sizeof(v->type), "%s", volume_rule_type(c->in));
	snprintf(v->zone, sizeof(v->zone), "%s", json_text(c->in, "AvailabilityZone"));
	v->tags = tag_rule_of(json_member(c->in, "TagSpecifications"), "volume");
	return v->tags && token_digest(c->in, v->asked);
}

/* With a token the id follows from it: sent twice it names the same volume. */
static void
create_begin(struct gwd *g, struct call *c)
{
	const char *token = json_text(c->in, "ClientToken");
	char id[22], seed[CALL_ACCOUNT_MAX + TOKEN_TEXT_MAX + 2];
	struct volume_job *j;

	if (token) {
		snprintf(seed, sizeof(seed), "%s/%s", c->account, token);
		network_id("vol", seed, id, sizeof(id));
	} else {
		ident_ec2("vol", id, sizeof(id));
	}
	j = volume_job_new(g, c, id);
	if (j && create_fill(g, c, &j->v)) {
		j->has_token = token != NULL;
		volume_job_submit(g, j, create_run, create_done);
		return;
	}
	if (j)
		volume_job_free(j);
	ask_fail_nomem(c);
}

struct volume_zone {
	struct call	*call;
	bool		 is_known;
};

static bool
zone_each(void *arg, const char *node, struct answer *a)
{
	struct volume_zone *z = arg;
	const char *zone = json_text(answer_json(a), "zone");

	z->is_known |= zone && strcmp(zone, json_text(z->call->in, "AvailabilityZone")) == 0;
	return z->is_known;
}

static void
zone_end(void *arg, size_t missing)
{
	struct volume_zone *z = arg;

	if (z->is_known)
		create_begin(z->call->gwd, z->call);
	else
		call_fail(z->call, "InvalidZone.NotFound", "The zone '%.64s' does not exist.",
		    json_text(z->call->in, "AvailabilityZone"));
	free(z);
}

void
act_create_volume(struct gwd *g, struct call *c)
{
	struct volume_zone *z;
	struct gather_spec spec = { .subject = GATHER_NODE_STATUS, .request_id = c->request_id,
	    .each = zone_each, .end = zone_end };

	if (strcmp(g->d.conf->zone, json_text(c->in, "AvailabilityZone")) == 0) {
		create_begin(g, c);
		return;
	}
	z = calloc(1, sizeof(*z));
	if (!z) {
		ask_fail_nomem(c);
		return;
	}
	z->call = c;
	spec.arg = z;
	if (gather_start(g->cloud->gathers, &spec))
		return;
	ask_fail_unready(c);
	free(z);
}

/* ---- delete ---- */

/* CAS_INVALID with the code: it may not be. */
static enum cas_result
delete_mark(struct volume_job *j, const struct cas_entry *e)
{
	AUTO(volume) struct volume v = { 0 };
	AUTO(str) char *text = NULL;
	char why[JSON_WHY_MAX];
	uint64_t revision = e->revision;

	if (volume_from_json(e->value, e->len, &v, why) < 0) {
		fault_set(&j->fault, "InternalError", "An internal error has occurred.");
		return CAS_INVALID;
	}
	if (v.state == VOLUME_DELETING)
		return CAS_OK;
	if (v.state != VOLUME_AVAILABLE) {
		fault_set(&j->fault, "VolumeInUse", "Volume %s is currently attached to %s", v.id,
		    v.instance_id);
		return CAS_INVALID;
	}
	v.state = VOLUME_DELETING;
	text = volume_to_json(&v);
	return text ? kv_put_wait(j->bucket, j->key, text, strlen(text), revision, CLOUD_READ_MS,
	    &revision) : CAS_NOMEM;
}

static void
delete_run(void *arg)
{
	struct volume_job *j = arg;
	enum cas_result r = CAS_LOST;

	for (int i = 0; i < VOLUME_ATTEMPTS && r == CAS_LOST; i++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };

		r = kv_load_wait(j->bucket, j->key, CLOUD_READ_MS, &e);
		if (r == CAS_OK)
			r = delete_mark(j, &e);
	}
	j->is_absent = r == CAS_NOT_FOUND;
	if (r != CAS_OK && r != CAS_NOT_FOUND && !fault_is_set(&j->fault))
		fault_set_store(&j->fault, r);
}

static void
delete_root(struct call *c, const char *instance_id)
{
	const char *id = json_text(c->in, "VolumeId");

	if (instance_id)
		call_fail(c, "VolumeInUse", "Volume %s is currently attached to %s", id, instance_id);
	else
		call_fail(c, "InvalidVolume.NotFound", "The volume '%s' does not exist.", id);
}

static void
delete_done(void *arg, void *job)
{
	struct volume_job *j = job;
	struct call *c = j->call;

	if (fault_is_set(&j->fault))
		fault_tell(&j->fault, c);
	else if (j->is_absent)
		volume_root_find(c, json_text(c->in, "VolumeId"), delete_root);
	else
		call_answer(c, cJSON_CreateObject());
	volume_job_free(j);
}

int
act_delete_volume_check(const cJSON *in, struct shape_error *e)
{
	const char *id = json_text(in, "VolumeId");

	return id && *id ? 0 : shape_refuse(e, "MissingParameter",
	    "The request must contain the parameter volumeId");
}

void
act_delete_volume(struct gwd *g, struct call *c)
{
	struct volume_job *j = volume_job_new(g, c, json_text(c->in, "VolumeId"));

	if (j)
		volume_job_submit(g, j, delete_run, delete_done);
	else
		ask_fail_nomem(c);
}

/* ---- attach and detach ---- */

static bool
fill_volume(const struct command *c, cJSON *command, const char *member)
{
	const char *device = json_text(c->call->in, "Device");
	cJSON *data = cJSON_AddObjectToObject(command, member);

	return data && cJSON_AddStringToObject(data, "volume_id",
	    json_text(c->call->in, "VolumeId")) &&
	    (!device || cJSON_AddStringToObject(data, "device", device));
}

static bool
fill_attach(const struct command *c, const struct instance *i, cJSON *command)
{
	return fill_volume(c, command, "attach_volume_data");
}

/* Force changes nothing: a guest is asked in the only way there is. */
static bool
fill_detach(const struct command *c, const struct instance *i, cJSON *command)
{
	return fill_volume(c, command, "detach_volume_data");
}

static cJSON *
answer_attachment(const struct command *c)
{
	return cJSON_Duplicate(c->items[0].answer, true);
}

static const struct command_spec attach_spec = { .verb = &verb_attach_volume,
	.ids = "InstanceId", .fill = fill_attach, .answer = answer_attachment };
static const struct command_spec detach_spec = { .verb = &verb_detach_volume,
	.ids = "InstanceId", .fill = fill_detach, .answer = answer_attachment };

int
act_attach_volume_check(const cJSON *in, struct shape_error *e)
{
	static const char *const needed[] = { "VolumeId", "InstanceId", "Device" };

	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		const char *text = json_text(in, needed[i]);

		if (!text || !*text)
			return shape_refuse(e, "MissingParameter", "The request must contain the "
			    "parameter %s", needed[i]);
	}
	return 0;
}

void
act_attach_volume(struct gwd *g, struct call *c)
{
	command_start(g, c, &attach_spec);
}

static void
detach_from(struct call *c, const char *instance_id)
{
	const char *id = json_text(c->in, "VolumeId");

	if (!instance_id)
		call_fail(c, "InvalidVolume.NotFound", "The volume '%s' does not exist.", id);
	else if (!cJSON_AddStringToObject(c->in, "InstanceId", instance_id))
		ask_fail_nomem(c);
	else
		command_start(c->gwd, c, &detach_spec);
}

static void
detach_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct call *c = arg;
	AUTO(volume) struct volume v = { 0 };
	const char *id = json_text(c->in, "VolumeId");
	char why[JSON_WHY_MAX];

	if (res == CAS_NOT_FOUND) {
		volume_root_find(c, id, detach_from);
	} else if (res == CAS_OK && volume_from_json(e->value, e->len, &v, why) == 0) {
		if (*v.instance_id)
			detach_from(c, v.instance_id);
		else
			call_fail(c, "IncorrectState", "Volume '%s' is in the '%s' state.", id,
			    volume_ec2_state(v.state));
	} else {
		ask_fail_store(c, res);
	}
}

void
act_detach_volume(struct gwd *g, struct call *c)
{
	const char *instance_id = json_text(c->in, "InstanceId");
	char key[VOLUME_KEY_MAX];

	if (instance_id && *instance_id) {
		command_start(g, c, &detach_spec);
		return;
	}
	cJSON_DeleteItemFromObjectCaseSensitive(c->in, "InstanceId");
	volume_key(c->account, json_text(c->in, "VolumeId"), key);
	if (!kv_load(g->cloud->volumes, key, CLOUD_READ_MS, detach_loaded, c))
		ask_fail_nomem(c);
}
