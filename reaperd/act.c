#include "reaperd/act.h"

#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "common/subjects.h"
#include "common/uefi_record.h"
#include "reaperd/obsolete.h"

static const char unreadable[] = "its record could not be read again";
static const char changed[] = "it changed meanwhile";
static const char not_written[] = "the store did not take the change";
static const char no_lease[] = "the lease ended";

/* ---- uefi-store ---- */

static const char *
mark_deleting(const struct sweep *s, const struct inv_store *st)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	struct bus_error error;

	if (!in || !cJSON_AddStringToObject(in, "instance_id", st->id) ||
	    !cJSON_AddStringToObject(in, "account_id", st->account_id))
		return "no memory";
	if (!sweep_may_act(s))
		return no_lease;
	if (bus_call_follow_wait(s->from.bus, "uefi.v1.delete", s->request_id, in,
	    s->from.timeout_ms, &out, &error) < 0)
		return "no uefid marked it deleting";
	return NULL;
}

static enum object_result
list_objects(const struct sweep *s, const char *prefix, struct object_keys *ret)
{
	const struct objects *o = s->from.objects;
	char why[JSON_WHY_MAX];

	return o->keys(o->ctx, prefix, ret, why);
}

/* One that is gone already is as good. */
static const char *
remove_object(const struct sweep *s, const char *key)
{
	const struct objects *o = s->from.objects;
	char why[JSON_WHY_MAX];

	if (!sweep_may_act(s))
		return no_lease;
	enum object_result res = o->remove(o->ctx, key, why);

	return res == OBJECT_OK || res == OBJECT_NOT_FOUND ? NULL : "an object could not be removed";
}

static const char *
empty_prefix(const struct sweep *s, const char *id)
{
	struct object_keys l = { 0 };
	char prefix[UEFI_KEY_MAX + 1];
	const char *why = NULL;

	(void)snprintf(prefix, sizeof(prefix), "uefi/%s/", id);
	if (list_objects(s, prefix, &l) != OBJECT_OK)
		return "its objects could not be listed";
	for (size_t i = 0; i < l.n && !why; i++)
		why = remove_object(s, l.v[i]);
	object_keys_deinit(&l);
	return why;
}

static const char *
check_empty(const struct sweep *s, const char *id)
{
	struct object_keys l = { 0 };
	char prefix[UEFI_KEY_MAX + 1];

	(void)snprintf(prefix, sizeof(prefix), "uefi/%s/", id);
	if (list_objects(s, prefix, &l) != OBJECT_OK)
		return "its objects could not be listed again";
	const char *why = l.n ? "objects came while it was being emptied" : NULL;

	object_keys_deinit(&l);
	return why;
}

static const char *
remove_claim(const struct sweep *s, struct inv_claim *c)
{
	char key[CAS_KEY_MAX + 1];
	struct asked now = { 0 };
	uint64_t revision;

	inventory_ask_holder(&s->from, &now, c);
	asked_deinit(&now);
	if (!c->facts.holder_answered && !c->facts.holder_buried)
		return "its holder's node does not answer";
	if (c->facts.holder_runs_it)
		return "its holder's node still has the guest";
	if (!sweep_may_act(s))
		return no_lease;
	(void)snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", c->id);
	return kv_remove_wait(s->from.sync, key, c->revision, s->from.timeout_ms, &revision) ==
	    CAS_OK ? NULL : changed;
}

/* Empty the prefix, list it empty twice, then the record at its revision, then the claim as it
 * was before the first listing. */
static const char *
delete_store(const struct sweep *s, const struct inv_store *st)
{
	struct inv_claim c = { 0 };
	struct kv_store exact;
	enum cas_result store_res;
	const char *why;
	enum cas_result res = inventory_read_claim(&s->from, st->id, &c);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	if ((why = empty_prefix(s, st->id)) || (why = check_empty(s, st->id)) ||
	    (why = check_empty(s, st->id)))
		return why;
	if (!sweep_may_act(s))
		return no_lease;
	kv_store_init_exact(&exact, s->from.stores, s->from.timeout_ms);
	if (uefi_record_remove(&exact.cas, st->id, st->revision, &store_res) != UEFI_OK)
		return changed;
	/* Whatever keeps the claim now is the business of its own class: the store is gone. */
	if (c.facts.known == KNOWN_PRESENT)
		(void)remove_claim(s, &c);
	return NULL;
}

static const char *
act_store(const struct sweep *s, const struct sweep_verdict *v)
{
	struct inv_instance in = { 0 };
	struct inv_store st;
	enum cas_result res = inventory_read_instance(&s->from, v->id, &in);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	if (inventory_read_store(&s->from, v->id, &st) != CAS_OK)
		return unreadable;
	switch (judge_store(&st.facts, &in.facts).verdict) {
	case REAP_NOW:
		return delete_store(s, &st);
	case REAP_MARK:
		return mark_deleting(s, &st);
	case KEEP_IN_USE:
	case KEEP_YOUNG:
	case KEEP_DEPENDENT:
	case KEEP_UNKNOWN:
	case KEEP_ASK:
	case KEEP_REPORT:
		break;
	}
	return changed;
}

/* ---- the others ---- */

static const char *
act_object(const struct sweep *s, const struct sweep_verdict *v)
{
	char id[INVENTORY_OWNER_MAX + 1];
	struct inv_store st = { 0 };

	if (!inventory_object_owner(v->id, "i", id))
		return "its key has no owner";
	enum cas_result res = inventory_read_store(&s->from, id, &st);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	struct judge_time t = sweep_time(s);

	if (judge_object(&st.facts, v->stamp_ms, &t, s->prune_age_ms).verdict != REAP_NOW)
		return changed;
	return remove_object(s, v->id);
}

/* A record that is on its way loses against the marker, and its image is not made. */
static const char *
mark_image(const struct sweep *s, const char *account_id, const char *id)
{
	char key[CAS_KEY_MAX + 1];
	uint64_t revision;

	if (!sweep_may_act(s))
		return no_lease;
	(void)snprintf(key, sizeof(key), "%.12s.%.21s", account_id, id);
	return kv_remove_wait(s->from.images, key, 0, s->from.timeout_ms, &revision) == CAS_OK ?
	    NULL : changed;
}

static const char *
act_image(const struct sweep *s, const struct sweep_verdict *v)
{
	char id[INVENTORY_OWNER_MAX + 1];
	struct inv_image img = { 0 };
	const char *why = NULL;
	uint64_t revision;

	if (!inventory_object_owner(v->id, "ami", id))
		return "its key has no owner";
	enum cas_result res = inventory_read_image(&s->from, v->account_id, id, &img, &revision);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	struct judge_time t = sweep_time(s);
	struct image_facts f = inventory_image_facts(&img, v->id, v->account_id);

	if (judge_image(&f, v->stamp_ms, &t, s->image_grace_ms).verdict != REAP_NOW)
		return changed;
	if (f.known == KNOWN_NO_MESSAGE)
		why = mark_image(s, v->account_id, id);
	return why ? why : remove_object(s, v->id);
}

static const char *
act_claim(const struct sweep *s, const struct sweep_verdict *v)
{
	struct inv_store st = { 0 };
	struct inv_claim c = { 0 };
	enum cas_result res = inventory_read_store(&s->from, v->id, &st);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	if (inventory_read_claim(&s->from, v->id, &c) != CAS_OK)
		return changed;
	c.facts.holder_answered = true;		/* asked in remove_claim, after this */
	if (judge_claim(&c.facts, &st.facts).verdict != REAP_NOW)
		return changed;
	return remove_claim(s, &c);
}

static const char *
act_instance(const struct sweep *s, const struct sweep_verdict *v)
{
	char key[CAS_KEY_MAX + 1];
	struct inv_instance in;
	uint64_t revision;

	if (inventory_read_instance(&s->from, v->id, &in) != CAS_OK)
		return unreadable;
	struct judge_time t = sweep_time(s);

	if (judge_instance(&in.facts, &t, s->terminated_keep_ms).verdict != REAP_NOW)
		return changed;
	if (!sweep_may_act(s))
		return no_lease;
	(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", v->id);
	return kv_remove_wait(s->from.instances, key, in.revision, s->from.timeout_ms, &revision) ==
	    CAS_OK ? NULL : not_written;
}

static const char *
act_address(const struct sweep *s, const struct sweep_verdict *v)
{
	struct inv_instance in = { 0 };
	struct inv_address a;
	uint64_t revision;

	if (inventory_read_address(&s->from, v->id, &a) != CAS_OK || a.known != KNOWN_PRESENT)
		return unreadable;
	/* The instance after the address: whose it is now is what has to be gone. */
	enum cas_result res = inventory_read_instance(&s->from, a.instance_id, &in);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return unreadable;
	if (judge_address(a.known, &in.facts).verdict != REAP_NOW)
		return changed;
	if (!sweep_may_act(s))
		return no_lease;
	return kv_remove_wait(s->from.addresses, v->id, a.revision, s->from.timeout_ms, &revision) ==
	    CAS_OK ? NULL : not_written;
}

static const char *
act_bucket(const struct sweep *s, const struct sweep_verdict *v)
{
	if (!sweep_may_act(s))
		return no_lease;
	enum cas_result res = obsolete_discard(&s->from, v->id);

	return res == CAS_OK || res == CAS_NOT_FOUND ? NULL : "the server did not remove it";
}

const char *
act_run(const struct sweep *s, const struct sweep_verdict *v)
{
	switch (v->class) {
	case REAP_UEFI_STORE:
		return act_store(s, v);
	case REAP_UEFI_OBJECT:
		return act_object(s, v);
	case REAP_UEFI_CLAIM:
		return act_claim(s, v);
	case REAP_UEFI_IMAGE:
		return act_image(s, v);
	case REAP_ADDRESS:
		return act_address(s, v);
	case REAP_INSTANCE_TERMINATED:
		return act_instance(s, v);
	case REAP_BUCKET_OBSOLETE:
		return act_bucket(s, v);
	case REAP_CONTROL_PLANE_ORPHAN:
	case REAP_TEARDOWN_STUCK:
	case REAP_GUEST:
	case REAP_VOLUME_ORPHAN:
	case REAP_CLASSES:
		break;
	}
	return "it is only reported";
}
