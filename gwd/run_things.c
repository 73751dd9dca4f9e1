/*
 * run_things.c - what a RunInstances names exists: its image, its key pair.  The node that
 * launches looks at the rest.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "gwd/gwd.h"
#include "gwd/key_pair.h"
#include "gwd/quota.h"
#include "gwd/run.h"

#define IMAGE_KEY_MAX	64	/* "<account>.<ami-id>" */

/* ---- the image ---- */

static bool
run_image_unknown(struct run *r, const char *id)
{
	return fault_set(&r->fault, "InvalidAMIID.NotFound", "The image id '[%s]' does not exist", id);
}

/* CAS_NOT_FOUND: none is there, or none that may be launched by this account. */
static enum cas_result
run_image_load(struct run *r, const char *key, struct image *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char why[JSON_WHY_MAX];
	enum cas_result res = kv_load_wait(r->g->cloud->images, key, CLOUD_READ_MS, &e);

	if (res != CAS_OK)
		return res;
	if (image_from_json(e.value, e.len, ret, why) < 0)
		return CAS_INVALID;
	return ret->is_public || strcmp(ret->account_id, r->account) == 0 ? CAS_OK : CAS_NOT_FOUND;
}

static bool
run_image_is(const char *key, const char *id)
{
	const char *dot = strchr(key, '.');

	return dot && strcmp(dot + 1, id) == 0;
}

/* Another account's: its key is found by its end. */
static enum cas_result
run_image_find(struct run *r, const char *id, struct image *ret)
{
	struct kv_keys keys = { 0 };
	enum cas_result res = kv_list_wait(r->g->cloud->images, "", CLOUD_READ_MS, &keys);
	enum cas_result found = CAS_NOT_FOUND;

	for (size_t i = 0; res == CAS_OK && i < keys.n; i++) {
		if (run_image_is(keys.key[i], id)) {
			found = run_image_load(r, keys.key[i], ret);
			break;
		}
	}
	kv_keys_deinit(&keys);
	return res == CAS_OK ? found : res;
}

static bool
run_image_check(struct run *r)
{
	const char *id = json_text(r->in, "ImageId");
	char key[IMAGE_KEY_MAX];
	struct image image = { 0 };
	enum cas_result res;

	snprintf(key, sizeof(key), "%s.%.32s", r->account, id);
	res = run_image_load(r, key, &image);
	if (res == CAS_NOT_FOUND)
		res = run_image_find(r, id, &image);
	if (res == CAS_NOT_FOUND)
		return run_image_unknown(r, id);
	if (res != CAS_OK)
		return fault_set_store(&r->fault, res);
	if (strcmp(image.arch, r->type->arch) == 0)
		return true;
	return fault_set(&r->fault, "InvalidParameterValue", "The architecture '%s' of the specified "
	    "instance type does not match the architecture '%s' of the specified AMI. Specify an "
	    "instance type and an AMI that have matching architectures, and try again.",
	    r->type->arch, image.arch);
}

/* ---- the key pair ---- */

/* What the guest is to be given: the pair may be deleted while it lives. */
static bool
run_key_take(struct run *r, const struct cas_entry *e)
{
	AUTO(key_pair) struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];
	int n = key_pair_from_json(e->value, e->len, &k, why);

	if (n == -ENOMEM)
		return fault_set_nomem(&r->fault);
	if (n < 0) {
		log_fields(LOG_ERR, &(struct log_ctx){ .account = r->account },
		    "a key pair of account %s cannot be read: %s", r->account, why);
		return fault_set(&r->fault, "InternalError", "The key pair's record cannot be read.");
	}
	free(r->public_key);
	r->public_key = k.public_key;
	k.public_key = NULL;
	return true;
}

bool
run_key_check(struct run *r)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	const char *name = json_text(r->in, "KeyName");
	char key[KEY_PAIR_KEY_MAX];
	enum cas_result res;

	if (!name)
		return true;
	key_pair_key(r->account, name, key);
	res = kv_load_wait(r->g->cloud->key_pairs, key, CLOUD_READ_MS, &e);
	if (res == CAS_OK)
		return run_key_take(r, &e);
	if (res != CAS_NOT_FOUND)
		return fault_set_store(&r->fault, res);
	return fault_set(&r->fault, "InvalidKeyPair.NotFound", "The key pair '%.255s' does not exist", name);
}

bool
run_quota_check(struct run *r)
{
	const uint32_t limit = r->g->conf->vcpu_limit;
	uint32_t max;

	if (!limit)
		return true;
	max = quota_leaves(limit, r->vcpus_used, r->type->vcpus, r->min, r->max);
	if (max == 0)
		return fault_set(&r->fault, "VcpuLimitExceeded", "You have requested more vCPU capacity than your "
		    "current vCPU limit of %u allows: %llu are in use.", limit,
		    (unsigned long long)r->vcpus_used);
	r->max = max;
	return true;
}

bool
run_things_check(struct run *r)
{
	return run_image_check(r) && run_key_check(r) && run_network_check(r) && run_quota_check(r);
}
