/*
 * act_key_pairs.c - CreateKeyPair, ImportKeyPair, DeleteKeyPair.  Each runs as a job: making a
 * key takes a while, and the store is spoken to in order.
 */
#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/ident.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/fault.h"
#include "gwd/gwd.h"
#include "gwd/key_pair_find.h"
#include "gwd/ssh_key.h"
#include "gwd/tag_rule.h"

#define KEY_JOB_ATTEMPTS	5	/* of a delete that meets another's writes */
#define KEY_JOB_MATERIAL	"KeyMaterial"

struct key_job {
	struct call	*call;		/* not touched by the job */
	struct bucket	*bucket;
	char		 account[CALL_ACCOUNT_MAX + 1];
	char		 key[KEY_PAIR_KEY_MAX];	/* of the bucket */
	char		*id;		/* of the one to delete; NULL: whatever has the name */
	bool		 by_name;	/* key is that of the name that was given */
	char		*material;	/* is imported; NULL: made */
	enum ssh_key_type type;
	struct key_pair	 record;	/* name, tags and time are given */
	cJSON		*out;		/* the answer */
	struct fault	 fault;
};

static void
key_job_free(void *arg)
{
	struct key_job *j = arg;
	cJSON *pem = cJSON_GetObjectItemCaseSensitive(j->out, KEY_JOB_MATERIAL);

	if (pem)
		OPENSSL_cleanse(pem->valuestring, strlen(pem->valuestring));
	cJSON_Delete(j->out);
	key_pair_deinit(&j->record);
	free(j->id);
	free(j->material);
	free(j);
}

/* ---- making, in the job ---- */

static void
key_job_duplicate(struct key_job *j)
{
	fault_set(&j->fault, "InvalidKeyPair.Duplicate", "The keypair '%s' already exists.",
	    j->record.name);
}

/* The name is taken by whoever writes the key first. */
static void
key_job_write(struct key_job *j)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(str) char *text = key_pair_to_json(&j->record);
	enum cas_result r = kv_load_wait(j->bucket, j->key, CLOUD_READ_MS, &e);
	uint64_t revision;

	if (!text) {
		fault_set_nomem(&j->fault);
		return;
	}
	if (r == CAS_NOT_FOUND)
		r = kv_put_wait(j->bucket, j->key, text, strlen(text), e.revision, CLOUD_READ_MS,
		    &revision);
	else if (r == CAS_OK)
		r = CAS_LOST;
	if (r == CAS_LOST)
		key_job_duplicate(j);
	else if (r != CAS_OK)
		fault_set_store(&j->fault, r);
}

static bool
key_job_answer(struct key_job *j, const struct ssh_key *k)
{
	j->out = key_pair_view(&j->record, false);
	return j->out && (!k->private_pem ||
	    cJSON_AddStringToObject(j->out, KEY_JOB_MATERIAL, k->private_pem));
}

static void
key_job_make(void *arg)
{
	struct key_job *j = arg;
	AUTO(ssh_key) struct ssh_key k = { 0 };
	int r = j->material ? ssh_key_read(j->material, j->record.name, &k) :
	    ssh_key_make(j->type, j->record.name, &k);

	if (r == -EINVAL) {
		fault_set(&j->fault, "InvalidKey.Format",
		    "Key is not in valid OpenSSH public key format");
		return;
	}
	if (r == 0) {
		ident_ec2("key", j->record.id, sizeof(j->record.id));
		snprintf(j->record.type, sizeof(j->record.type), "%s", ssh_key_type_name(k.type));
		memcpy(j->record.fingerprint, k.fingerprint, sizeof(k.fingerprint));
		j->record.public_key = steal_str(&k.public_line);
	}
	if (r < 0 || !key_job_answer(j, &k))
		fault_set_nomem(&j->fault);
	else
		key_job_write(j);
}

/* ---- on the loop ---- */

static void
key_job_done(void *arg, void *job)
{
	struct key_job *j = job;

	fault_end(&j->fault, j->call, steal_json(&j->out));
	key_job_free(j);
}

static void
key_job_submit(struct gwd *g, struct key_job *j, job_run_fn *run)
{
	int r = jobs_submit(g->d.jobs, NULL, run, key_job_done, NULL, j, key_job_free);

	if (r == 0)
		return;
	if (r == -EAGAIN)
		call_fail(j->call, "RequestLimitExceeded", "Request limit exceeded.");
	else
		ask_fail_nomem(j->call);
	key_job_free(j);
}

static struct key_job *
key_job_new(struct gwd *g, struct call *c, const char *name)
{
	struct key_job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->call = c;
	j->bucket = g->cloud->key_pairs;
	snprintf(j->account, sizeof(j->account), "%s", c->account);
	snprintf(j->record.name, sizeof(j->record.name), "%s", name);
	j->record.created_ms = clock_wall_ms(g->d.clock);
	key_pair_key(c->account, name, j->key);
	return j;
}

static int
key_check(const cJSON *in, struct shape_error *e)
{
	static const char *const types[] = { "key-pair", NULL };
	const char *name = json_text(in, "KeyName"), *code;
	char why[TAG_MESSAGE_MAX];

	if (!name || *name == '\0')
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter KeyName");
	if (!key_pair_name_is_valid(name))
		return shape_refuse(e, "InvalidParameterValue", "A key pair's name has 1 to %d "
		    "printable ASCII characters and no space at its ends.", KEY_PAIR_NAME_MAX);
	code = tag_rule_check_specs(json_member(in, "TagSpecifications"), types, why);
	return code ? shape_refuse(e, code, "%s", why) : 0;
}

/* A job with name and tags; NULL: the call was failed. */
static struct key_job *
key_job_open(struct gwd *g, struct call *c)
{
	struct key_job *j = key_job_new(g, c, json_text(c->in, "KeyName"));

	if (j)
		j->record.tags = tag_rule_of(json_member(c->in, "TagSpecifications"), "key-pair");
	if (j && j->record.tags)
		return j;
	if (j)
		key_job_free(j);
	ask_fail_nomem(c);
	return NULL;
}

int
act_create_key_pair_check(const cJSON *in, struct shape_error *e)
{
	const char *format = json_text(in, "KeyFormat");

	if (format && strcmp(format, "pem") != 0)
		return shape_refuse(e, "UnsupportedOperation",
		    "Keys are made in the format pem only.");
	return key_check(in, e);
}

void
act_create_key_pair(struct gwd *g, struct call *c)
{
	const char *type = json_text(c->in, "KeyType");
	struct key_job *j = key_job_open(g, c);

	if (!j)
		return;
	j->type = type && strcmp(type, "ed25519") == 0 ? SSH_KEY_ED25519 : SSH_KEY_RSA;
	key_job_submit(g, j, key_job_make);
}

int
act_import_key_pair_check(const cJSON *in, struct shape_error *e)
{
	const char *base64 = json_text(in, "PublicKeyMaterial");

	if (!base64 || *base64 == '\0')
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter PublicKeyMaterial");
	return key_check(in, e);
}

void
act_import_key_pair(struct gwd *g, struct call *c)
{
	const char *base64 = json_text(c->in, "PublicKeyMaterial");
	AUTO(mem) void *material = NULL;
	struct key_job *j;
	uint8_t *bytes = NULL;
	size_t len = 0;
	int r = base64_decode(base64, strlen(base64), &bytes, &len);

	material = bytes;
	if (r < 0 || strlen(material) != len) {
		call_fail(c, "InvalidKey.Format", "Key is not in valid OpenSSH public key format");
		return;
	}
	j = key_job_open(g, c);
	if (!j)
		return;
	j->material = steal_mem(&material);
	key_job_submit(g, j, key_job_make);
}

/* ---- deleting ---- */

/* Name and id may both be given: then they have to be of one key pair. */
static bool
key_job_is_it(struct key_job *j, const struct cas_entry *e)
{
	AUTO(key_pair) struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];

	if (!j->id)
		return true;
	if (key_pair_from_json(e->value, e->len, &k, why) == 0 && strcmp(k.id, j->id) == 0)
		return true;
	fault_set(&j->fault, "InvalidParameterCombination", "The key pair '%s' does not have the ID "
	    "'%.40s'", j->record.name, j->id);
	return false;
}

/* One that does not exist is deleted already, as EC2 has it. */
static enum cas_result
key_job_remove(struct key_job *j)
{
	enum cas_result r = CAS_LOST;

	for (int i = 0; i < KEY_JOB_ATTEMPTS && r == CAS_LOST; i++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };
		uint64_t revision;

		r = kv_load_wait(j->bucket, j->key, CLOUD_READ_MS, &e);
		if (r != CAS_OK || !key_job_is_it(j, &e))
			return r;
		r = kv_remove_wait(j->bucket, j->key, e.revision, CLOUD_READ_MS, &revision);
	}
	return r;
}

static void
key_job_delete(void *arg)
{
	struct key_job *j = arg;
	enum cas_result r = j->by_name ? CAS_OK : key_pair_find(j->bucket, j->account, j->id, j->key);

	if (r == CAS_OK)
		r = key_job_remove(j);
	if (r != CAS_OK && r != CAS_NOT_FOUND)
		fault_set_store(&j->fault, r);
	if (fault_is_set(&j->fault))
		return;
	j->out = cJSON_CreateObject();
	if (!j->out)
		fault_set_nomem(&j->fault);
}

int
act_delete_key_pair_check(const cJSON *in, struct shape_error *e)
{
	if (!json_text(in, "KeyPairId") && !json_text(in, "KeyName"))
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter KeyName or KeyPairId");
	return 0;
}

void
act_delete_key_pair(struct gwd *g, struct call *c)
{
	const char *id = json_text(c->in, "KeyPairId"), *name = json_text(c->in, "KeyName");
	struct key_job *j = key_job_new(g, c, name ? name : "");

	if (j) {
		j->by_name = name != NULL;
		j->id = id ? strdup(id) : NULL;
	}
	if (!j || (id && !j->id)) {
		if (j)
			key_job_free(j);
		ask_fail_nomem(c);
		return;
	}
	key_job_submit(g, j, key_job_delete);
}
