/* The record of a variable store, and the fence that it is. */
#include "common/uefi_record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"

#define RECORD_MAX	4096	/* bytes of JSON */
#define KEY_PREFIX	"uefi/"

static const char *const result_text[UEFI_RESULTS] = {
	[UEFI_OK]	 = "done",
	[UEFI_NOT_FOUND] = "there is no record",
	[UEFI_EXISTS]	 = "there is a record, or there was one",
	[UEFI_INVALID]	 = "the record is not valid",
	[UEFI_DELETING]	 = "the store is being deleted",
	[UEFI_FENCED]	 = "another generation holds the store",
	[UEFI_CONFLICT]	 = "the record kept changing",
	[UEFI_STORE]	 = "the record's bucket did not do it",
};

const char *
uefi_result_text(enum uefi_result r)
{
	return r < UEFI_RESULTS ? result_text[r] : "unknown";
}

/* ---- JSON ---- */

struct record_wire {
	uint64_t		 schema;
	char			 state[9];
	struct uefi_record	 record;
};

#define FIRMWARE(m)	offsetof(struct uefi_firmware, m)
static const struct json_field firmware_fields[] = {
	{ "arch", JSON_STR, FIRMWARE(arch), 1, sizeof(((struct uefi_firmware *)0)->arch) - 1, .need = true },
	{ "vars_size", JSON_U64, FIRMWARE(vars_size), 1, UINT64_MAX, .need = true },
	{ "code_sha256", JSON_STR, FIRMWARE(code_sha256), .max = 64 },
};

#define POINTER(m)	offsetof(struct uefi_pointer, m)
static const struct json_field pointer_fields[] = {
	{ "key", JSON_STR, POINTER(key), 1, UEFI_KEY_MAX, .need = true },
	{ "firmware", JSON_OBJECT, POINTER(firmware), .need = true,
	    .sub = firmware_fields, .nsub = ARRAY_LEN(firmware_fields) },
	{ "writer_node", JSON_STR, POINTER(writer_node), 1, 64, .need = true },
	{ "written_at", JSON_TIME, POINTER(written_at_ms), .need = true },
};

#define WIRE(m)		offsetof(struct record_wire, m)
static const struct json_field record_fields[] = {
	{ "schema_version", JSON_U64, WIRE(schema), UEFI_SCHEMA, UEFI_SCHEMA, .need = true },
	{ "instance_id", JSON_STR, WIRE(record.instance_id), 1, INSTANCE_ID_MAX, .need = true },
	{ "account_id", JSON_STR, WIRE(record.account_id), 1, 12, .need = true },
	{ "state", JSON_STR, WIRE(state), 1, sizeof(((struct record_wire *)0)->state) - 1, .need = true },
	{ "generation", JSON_U64, WIRE(record.generation), 0, UINT64_MAX, .need = true },
	{ "pointer", JSON_OBJECT, WIRE(record.pointer),
	    .sub = pointer_fields, .nsub = ARRAY_LEN(pointer_fields) },
};

static int
refuse(char why[static JSON_WHY_MAX], const char *sentence)
{
	snprintf(why, JSON_WHY_MAX, "%s", sentence);
	return -EINVAL;
}

bool
uefi_key_is_of(const char *key, const char *owner)
{
	size_t prefix = strlen(KEY_PREFIX), n = strlen(owner);

	return n > 0 && strncmp(key, KEY_PREFIX, prefix) == 0 &&
	    strncmp(key + prefix, owner, n) == 0 && key[prefix + n] == '/' &&
	    ident_is_uuid4(key + prefix + n + 1);
}

static int
pointer_check(const struct uefi_pointer *p, const char *instance_id,
    char why[static JSON_WHY_MAX])
{
	if (!uefi_key_is_of(p->key, instance_id))
		return refuse(why, "pointer.key: expected uefi/<instance id>/<uuid>");
	if (p->firmware.arch[0] == '\0')
		return refuse(why, "pointer.firmware.arch: expected an architecture");
	if (p->firmware.vars_size == 0)
		return refuse(why, "pointer.firmware.vars_size: expected a size in bytes");
	if (p->writer_node[0] == '\0')
		return refuse(why, "pointer.writer_node: expected a node's name");
	return 0;
}

int
uefi_record_check(const struct uefi_record *r, char why[static JSON_WHY_MAX])
{
	if (!ident_is_ec2(r->instance_id, "i"))
		return refuse(why, "instance_id: expected an instance's id");
	if (strlen(r->account_id) != 12 || strspn(r->account_id, "0123456789") != 12)
		return refuse(why, "account_id: expected 12 digits");
	if (r->pointer.key[0] != '\0')
		return pointer_check(&r->pointer, r->instance_id, why);
	return 0;
}

int
uefi_record_parse(const char *value, size_t len, const char *instance_id,
    struct uefi_record *ret, char why[static JSON_WHY_MAX])
{
	struct record_wire w = { 0 };
	int r = json_read(value, len, RECORD_MAX, record_fields, ARRAY_LEN(record_fields),
	    JSON_LOOSE, &w, sizeof(w), why);

	if (r < 0)
		return r == -EMSGSIZE ? refuse(why, "the record is too large") : r;
	if (strcmp(w.record.instance_id, instance_id) != 0)
		return refuse(why, "instance_id: the record names another instance");
	w.record.deleting = strcmp(w.state, "deleting") == 0;
	if (!w.record.deleting && strcmp(w.state, "live") != 0)
		return refuse(why, "state: expected live or deleting");
	r = uefi_record_check(&w.record, why);
	if (r == 0)
		*ret = w.record;
	return r;
}

char *
uefi_record_print(const struct uefi_record *r)
{
	struct record_wire w = { .schema = UEFI_SCHEMA, .record = *r };

	snprintf(w.state, sizeof(w.state), "%s", r->deleting ? "deleting" : "live");
	AUTO(json) cJSON *tree = json_encode(record_fields, ARRAY_LEN(record_fields), &w);

	return json_print(tree);
}

/* ---- over a store ---- */

static enum uefi_result
store_failed(enum cas_result c, enum cas_result *ret_store)
{
	*ret_store = c;
	return UEFI_STORE;
}

enum uefi_result
uefi_record_get(const struct cas_store *s, const char *instance_id, struct uefi_record *ret,
    uint64_t *ret_revision, enum cas_result *ret_store)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char why[JSON_WHY_MAX];
	enum cas_result c;
	int r;

	if (!ident_is_ec2(instance_id, "i"))
		return UEFI_INVALID;
	c = s->load(s->ctx, instance_id, &e);
	if (c == CAS_NOT_FOUND) {
		*ret_revision = e.revision;
		return UEFI_NOT_FOUND;
	}
	if (c != CAS_OK)
		return store_failed(c, ret_store);
	r = uefi_record_parse(e.value, e.len, instance_id, ret, why);
	if (r == -ENOMEM)
		return store_failed(CAS_NOMEM, ret_store);
	if (r < 0)
		return UEFI_INVALID;
	*ret_revision = e.revision;
	return UEFI_OK;
}

static enum uefi_result
record_swap(const struct cas_store *s, const struct uefi_record *r, uint64_t expected,
    enum cas_result *ret_store)
{
	AUTO(str) char *text = uefi_record_print(r);
	uint64_t revision;
	enum cas_result c;

	if (!text)
		return store_failed(CAS_NOMEM, ret_store);
	c = s->swap(s->ctx, r->instance_id, text, strlen(text), expected, &revision);
	if (c == CAS_LOST)
		return UEFI_CONFLICT;
	return c == CAS_OK ? UEFI_OK : store_failed(c, ret_store);
}

enum uefi_result
uefi_record_create(const struct cas_store *s, const struct uefi_record *r,
    enum cas_result *ret_store)
{
	char why[JSON_WHY_MAX];
	struct uefi_record there;
	enum uefi_result res;
	uint64_t revision;

	if (r->deleting || uefi_record_check(r, why) < 0)
		return UEFI_INVALID;
	res = uefi_record_get(s, r->instance_id, &there, &revision, ret_store);
	if (res == UEFI_OK || (res == UEFI_NOT_FOUND && revision != 0))
		return UEFI_EXISTS;
	if (res != UEFI_NOT_FOUND)
		return res;
	res = record_swap(s, r, 0, ret_store);
	return res == UEFI_CONFLICT ? UEFI_EXISTS : res;
}

/*
 * Reads, lets edit decide on what it read, writes at the revision read: again while others
 * win, at most UEFI_FENCE_ATTEMPTS times.  A stale read only costs an attempt.
 */
typedef enum uefi_result edit_fn(struct uefi_record *r, const void *with);

static enum uefi_result
record_edit(const struct cas_store *s, const char *instance_id, edit_fn *edit,
    const void *with, struct uefi_record *ret, enum cas_result *ret_store)
{
	for (int i = 0; i < UEFI_FENCE_ATTEMPTS; i++) {
		struct uefi_record r;
		uint64_t revision;
		enum uefi_result res = uefi_record_get(s, instance_id, &r, &revision,
		    ret_store);

		if (res == UEFI_OK)
			res = edit(&r, with);
		if (res == UEFI_OK)
			res = record_swap(s, &r, revision, ret_store);
		if (res == UEFI_OK)
			*ret = r;
		if (res != UEFI_CONFLICT)
			return res;
	}
	return UEFI_CONFLICT;
}

static enum uefi_result
edit_stamp(struct uefi_record *r, const void *with)
{
	const uint64_t *generation = with;

	if (r->deleting)
		return UEFI_DELETING;
	if (r->generation > *generation)
		return UEFI_FENCED;
	r->generation = *generation;
	return UEFI_OK;
}

enum uefi_result
uefi_record_stamp(const struct cas_store *s, const char *instance_id, uint64_t generation,
    struct uefi_record *ret, enum cas_result *ret_store)
{
	if (generation == 0)
		return UEFI_INVALID;
	return record_edit(s, instance_id, edit_stamp, &generation, ret, ret_store);
}

struct move {
	uint64_t			 generation;
	const struct uefi_pointer	*to;
};

static enum uefi_result
edit_move(struct uefi_record *r, const void *with)
{
	const struct move *m = with;

	if (r->deleting)
		return UEFI_DELETING;
	if (r->generation != m->generation)
		return UEFI_FENCED;
	r->pointer = *m->to;
	return UEFI_OK;
}

enum uefi_result
uefi_record_move(const struct cas_store *s, const char *instance_id, uint64_t generation,
    const struct uefi_pointer *to, enum cas_result *ret_store)
{
	const struct move m = { generation, to };
	char why[JSON_WHY_MAX];
	struct uefi_record r;

	if (generation == 0 || pointer_check(to, instance_id, why) < 0)
		return UEFI_INVALID;
	return record_edit(s, instance_id, edit_move, &m, &r, ret_store);
}

static enum uefi_result
edit_deleting(struct uefi_record *r, const void *with)
{
	if (r->deleting)
		return UEFI_DELETING;
	r->deleting = true;
	return UEFI_OK;
}

enum uefi_result
uefi_record_mark_deleting(const struct cas_store *s, const char *instance_id,
    enum cas_result *ret_store)
{
	struct uefi_record r;
	enum uefi_result res = record_edit(s, instance_id, edit_deleting, NULL, &r, ret_store);

	return res == UEFI_DELETING ? UEFI_OK : res;
}

enum uefi_result
uefi_record_remove(const struct cas_store *s, const char *instance_id, uint64_t revision,
    enum cas_result *ret_store)
{
	enum cas_result c;

	if (revision == 0 || !ident_is_ec2(instance_id, "i"))
		return UEFI_INVALID;
	c = s->remove(s->ctx, instance_id, revision);
	if (c == CAS_LOST)
		return UEFI_CONFLICT;
	if (c == CAS_NOT_FOUND)
		return UEFI_NOT_FOUND;
	return c == CAS_OK ? UEFI_OK : store_failed(c, ret_store);
}

enum uefi_result
uefi_record_preclude(const struct cas_store *s, const char *instance_id,
    enum cas_result *ret_store)
{
	for (int i = 0; i < UEFI_FENCE_ATTEMPTS; i++) {
		struct uefi_record r;
		uint64_t revision;
		enum cas_result c;
		enum uefi_result res = uefi_record_get(s, instance_id, &r, &revision,
		    ret_store);

		if (res == UEFI_OK)
			return UEFI_EXISTS;
		if (res != UEFI_NOT_FOUND)
			return res;
		if (revision != 0)
			return UEFI_OK;
		c = s->remove(s->ctx, instance_id, 0);
		if (c == CAS_OK)
			return UEFI_OK;
		if (c != CAS_LOST)
			return store_failed(c, ret_store);
	}
	return UEFI_CONFLICT;
}
