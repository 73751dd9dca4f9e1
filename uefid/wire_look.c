/* What an operator sees, as JSON. */
#include "uefid/wire.h"

#include <string.h>

#include "common/base64.h"
#include "uefid/region.h"
#include "uefid/uefi_data.h"

static cJSON *
pointer_json(const struct uefi_pointer *p)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "key", p->key) ||
	    !cJSON_AddStringToObject(o, "arch", p->firmware.arch) ||
	    !json_add_u64_str(o, "vars_size", p->firmware.vars_size) ||
	    !cJSON_AddStringToObject(o, "code_sha256", p->firmware.code_sha256) ||
	    !cJSON_AddStringToObject(o, "writer_node", p->writer_node) ||
	    !json_add_time(o, "written_at", p->written_at_ms))
		return NULL;
	return steal_json(&o);
}

static cJSON *
claim_json(const struct cas_token *t)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "holder", t->holder) ||
	    !json_add_u64_str(o, "generation", t->generation))
		return NULL;
	return steal_json(&o);
}

static cJSON *
local_json(const struct work *w)
{
	static const char *const states[] = { "ours", "fenced", "deleting", "unreadable" };
	const struct seeded *s = &w->look.local;
	const struct local *l = local_find(&w->u->locals, w->call.instance_id);
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "launch_id", s->launch_id) ||
	    !json_add_u64_str(o, "generation", s->generation) ||
	    !cJSON_AddStringToObject(o, "key", s->key) ||
	    !cJSON_AddStringToObject(o, "synced_sha256", s->synced_sha256) ||
	    !cJSON_AddStringToObject(o, "boot_id", s->boot_id) ||
	    !cJSON_AddStringToObject(o, "claim", states[w->look.local_state]) ||
	    !cJSON_AddBoolToObject(o, "guest", w->look.is_locked) ||
	    (l && (!cJSON_AddStringToObject(o, "state", local_state_name(l->state)) ||
	    !json_add_time(o, "since", l->since_ms) ||
	    !cJSON_AddStringToObject(o, "why", l->why))))
		return NULL;
	return steal_json(&o);
}

static cJSON *
version_json(const struct version *v)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "key", v->key) ||
	    !json_add_u64(o, "bytes", v->bytes) ||
	    !json_add_time(o, "written_at", v->written_ms) ||
	    !json_add_u64_str(o, "generation", v->generation) ||
	    !cJSON_AddStringToObject(o, "writer_node", v->writer_node) ||
	    !cJSON_AddStringToObject(o, "source", v->source) ||
	    !cJSON_AddStringToObject(o, "sha256", v->sha256))
		return NULL;
	return steal_json(&o);
}

/* The item becomes part of obj, or is freed. */
static bool
add(cJSON *obj, const char *name, cJSON *item)
{
	if (item && cJSON_AddItemToObject(obj, name, item))
		return true;
	cJSON_Delete(item);
	return false;
}

static cJSON *
versions_json(const struct look *l)
{
	AUTO(json) cJSON *a = cJSON_CreateArray();

	for (size_t i = 0; a && i < l->nversions; i++) {
		cJSON *o = version_json(&l->versions[i]);

		if (!o || !cJSON_AddItemToArray(a, o)) {
			cJSON_Delete(o);
			return NULL;
		}
	}
	return steal_json(&a);
}

static const char *
record_state(const struct look *l)
{
	if (l->is_gone)
		return "deleted";
	if (!l->has_record)
		return "none";
	return l->is_deleting ? "deleting" : "live";
}

cJSON *
wire_show(const struct work *w)
{
	const struct look *l = &w->look;
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "instance_id", w->call.instance_id) ||
	    !cJSON_AddStringToObject(o, "account_id", l->record.account_id) ||
	    !cJSON_AddStringToObject(o, "state", record_state(l)) ||
	    !json_add_u64_str(o, "generation", l->record.generation))
		return NULL;
	if (l->has_record && l->record.pointer.key[0] != '\0' &&
	    !add(o, "pointer", pointer_json(&l->record.pointer)))
		return NULL;
	if ((l->has_claim && !add(o, "claim", claim_json(&l->claim))) ||
	    (l->has_local && !add(o, "local", local_json(w))) ||
	    !add(o, "objects", versions_json(l)))
		return NULL;
	return steal_json(&o);
}

/* ---- variables ---- */

struct listing {
	cJSON	*array;
	bool	 failed;
};

static bool
add_variable(void *arg, const struct region_variable *v)
{
	struct listing *l = arg;
	AUTO(str) char *data = base64_encode(v->data, v->size);
	AUTO(json) cJSON *o = cJSON_CreateObject();

	l->failed = !data || !o || !cJSON_AddStringToObject(o, "name", v->name) ||
	    !cJSON_AddStringToObject(o, "guid", v->guid) ||
	    !json_add_u64(o, "attributes", v->attributes) ||
	    !json_add_u64(o, "size", v->size) ||
	    !cJSON_AddStringToObject(o, "data", data) ||
	    !cJSON_AddItemToArray(l->array, o);
	if (!l->failed)
		(void)steal_json(&o);
	return !l->failed;
}

static bool
add_source(cJSON *o, const struct work *w)
{
	return cJSON_AddStringToObject(o, "source", w->look.from_local ? "local" : "object");
}

cJSON *
wire_vars(const struct work *w, char why[static JSON_WHY_MAX])
{
	const struct buf *b = &w->look.region;
	struct listing l = { .array = cJSON_CreateArray() };
	AUTO(json) cJSON *o = cJSON_CreateObject();
	struct region r;

	why[0] = '\0';
	if (!o || !add(o, "variables", l.array) || !add_source(o, w) ||
	    region_open(b->data, b->len, b->len, &r, why) < 0 ||
	    region_list(&r, add_variable, &l, why) < 0 || l.failed ||
	    !cJSON_AddStringToObject(o, "secure_boot",
	    region_secure_boot_text(region_secure_boot(&r))))
		return NULL;
	return steal_json(&o);
}

cJSON *
wire_export(const struct work *w, char why[static JSON_WHY_MAX])
{
	const struct buf *b = &w->look.region;
	AUTO(buf) struct buf packed = BUF_EMPTY(UEFI_DATA_MAX / 4 * 3);
	AUTO(json) cJSON *o = cJSON_CreateObject();
	struct region r;

	why[0] = '\0';
	if (!o || !add_source(o, w) || region_open(b->data, b->len, b->len, &r, why) < 0 ||
	    uefi_data_write(&r, &packed, why) < 0)
		return NULL;
	AUTO(str) char *data = base64_encode(packed.data, packed.len);

	return data && cJSON_AddStringToObject(o, "data", data) ? steal_json(&o) : NULL;
}
