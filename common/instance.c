#include "common/instance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"

#define USER_DATA_TEXT_MAX	(2 * INSTANCE_USER_DATA_MAX)	/* base64, line breaks and all */
#define TAG_KEY_MAX		(4 * 128)			/* characters are up to 4 bytes */
#define TAG_VALUE_MAX		(4 * 256)

#define TEXT(member, least)	{ .key = #member, .type = JSON_STR,			\
	.offset = offsetof(struct instance, member), .min = (least),			\
	.max = sizeof(((struct instance *)0)->member) - 1, .need = (least) > 0 }
#define FIELD(member, kind, most)	{ .key = #member, .type = (kind),		\
	.offset = offsetof(struct instance, member), .max = (most) }
#define TIME(name, member)	{ .key = (name), .type = JSON_TIME,			\
	.offset = offsetof(struct instance, member) }

static const struct json_field instance_fields[] = {
	TEXT(id, 1),
	TEXT(account_id, 1),
	TEXT(reservation_id, 0),
	TEXT(node, 1),
	TEXT(last_node, 0),
	TEXT(image_id, 0),
	TEXT(instance_type, 0),
	TEXT(arch, 0),
	TEXT(boot_mode, 0),
	TEXT(key_name, 0),
	FIELD(public_key, JSON_DUP, INSTANCE_PUBLIC_KEY_MAX),
	FIELD(user_data, JSON_DUP, USER_DATA_TEXT_MAX),
	TEXT(client_token, 0),
	FIELD(launch_index, JSON_U32, UINT32_MAX),
	TIME("launch_time", launch_time_ms),
	TIME("created", created_ms),
	TIME("terminated", terminated_ms),
	TEXT(zone, 0),
	TEXT(vpc_id, 0),
	TEXT(subnet_id, 0),
	TEXT(eni_id, 0),
	TEXT(group_id, 0),
	TEXT(subnet_cidr, 0),
	FIELD(groups, JSON_DUP, INSTANCE_GROUPS_TEXT_MAX),
	TEXT(private_ip, 0),
	TEXT(mac, 0),
	TEXT(volume_id, 0),
	TEXT(root_device, 0),
	FIELD(volume_bytes, JSON_U64, UINT64_MAX),
	TEXT(volume_type, 0),
	FIELD(volume_iops, JSON_U32, UINT32_MAX),
	FIELD(volume_throughput, JSON_U32, UINT32_MAX),
	FIELD(keep_volume, JSON_BOOL, 0),
	FIELD(disable_api_termination, JSON_BOOL, 0),
	FIELD(disable_api_stop, JSON_BOOL, 0),
	FIELD(monitoring, JSON_BOOL, 0),
	FIELD(ebs_optimized, JSON_BOOL, 0),
	TEXT(shutdown_behavior, 0),
	TEXT(stopped_by, 0),
	TEXT(on_isolation, 0),
	TEXT(metadata_endpoint, 0),
	TEXT(metadata_tokens, 0),
	FIELD(metadata_hops, JSON_U32, 64),
	TEXT(auto_recovery, 0),
	TEXT(reason_code, 0),
	TEXT(reason_message, 0),
	TEXT(transition_reason, 0),
	TEXT(launch_id, 0),
	TEXT(end_request, 0),
	TEXT(teardown_uefi, 0),
	TEXT(teardown_volume, 0),
	TEXT(teardown_address, 0),
};

static const struct {
	enum instance_state	 state;
	const char		*name;
} instance_states[] = {
	{ INSTANCE_PENDING,		"pending" },
	{ INSTANCE_RUNNING,		"running" },
	{ INSTANCE_SHUTTING_DOWN,	"shutting-down" },
	{ INSTANCE_TERMINATED,		"terminated" },
	{ INSTANCE_STOPPING,		"stopping" },
	{ INSTANCE_STOPPED,		"stopped" },
};

/*
 * pending may end at once (a failed launch: terminated when it is new, stopped when it was a
 * start); everything else passes through stopping or shutting-down, in which the guest and
 * what it holds are put away.
 */
static const struct {
	enum instance_state from, to;
} instance_moves[] = {
	{ INSTANCE_PENDING,		INSTANCE_RUNNING },
	{ INSTANCE_PENDING,		INSTANCE_STOPPED },
	{ INSTANCE_PENDING,		INSTANCE_SHUTTING_DOWN },
	{ INSTANCE_PENDING,		INSTANCE_TERMINATED },
	{ INSTANCE_RUNNING,		INSTANCE_STOPPING },
	{ INSTANCE_RUNNING,		INSTANCE_SHUTTING_DOWN },
	{ INSTANCE_STOPPING,		INSTANCE_STOPPED },
	{ INSTANCE_STOPPING,		INSTANCE_SHUTTING_DOWN },
	{ INSTANCE_STOPPED,		INSTANCE_PENDING },
	{ INSTANCE_STOPPED,		INSTANCE_SHUTTING_DOWN },
	{ INSTANCE_SHUTTING_DOWN,	INSTANCE_TERMINATED },
};

const char *
instance_state_name(enum instance_state s)
{
	for (size_t i = 0; i < ARRAY_LEN(instance_states); i++)
		if (instance_states[i].state == s)
			return instance_states[i].name;
	return "unknown";
}

int
instance_state_from_name(const char *name, enum instance_state *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(instance_states); i++) {
		if (strcmp(instance_states[i].name, name) == 0) {
			*ret = instance_states[i].state;
			return 0;
		}
	}
	return -EINVAL;
}

bool
instance_may_move(enum instance_state from, enum instance_state to)
{
	for (size_t i = 0; i < ARRAY_LEN(instance_moves); i++)
		if (instance_moves[i].from == from && instance_moves[i].to == to)
			return true;
	return false;
}

/* EC2's resource type, and the member of the record. */
static const struct {
	const char	*name, *member;
} instance_tagged[INSTANCE_TAGGED] = {
	[INSTANCE_TAGS_OWN]	= { "instance", "tags" },
	[INSTANCE_TAGS_VOLUME]	= { "volume", "volume_tags" },
	[INSTANCE_TAGS_NIC]	= { "network-interface", "interface_tags" },
};

const char *
instance_tagged_name(enum instance_tagged t)
{
	return instance_tagged[t].name;
}

int
instance_tagged_from_name(const char *name, enum instance_tagged *ret)
{
	for (size_t i = 0; i < INSTANCE_TAGGED; i++) {
		if (strcmp(instance_tagged[i].name, name) == 0) {
			*ret = (enum instance_tagged)i;
			return 0;
		}
	}
	return -EINVAL;
}

void
instance_tags_deinit(struct instance_tags *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->tag[i].key);
		free(t->tag[i].value);
	}
	free(t->tag);
	*t = (struct instance_tags){ 0 };
}

static struct instance_tag *
tags_find(const struct instance_tags *t, const char *key)
{
	for (size_t n = 0; n < t->n; n++)
		if (strcmp(t->tag[n].key, key) == 0)
			return &t->tag[n];
	return NULL;
}

static int
tags_add(struct instance_tags *t, const char *key, const char *value)
{
	AUTO(str) char *k = strdup(key);
	AUTO(str) char *v = strdup(value);
	struct instance_tag *more;

	if (t->n == INSTANCE_TAGS_MAX)
		return -E2BIG;
	more = realloc(t->tag, (t->n + 1) * sizeof(*more));
	if (more)
		t->tag = more;
	if (!more || !k || !v)
		return -ENOMEM;
	t->tag[t->n++] = (struct instance_tag){ steal_str(&k), steal_str(&v) };
	return 0;
}

int
instance_tags_set(struct instance_tags *t, const char *key, const char *value)
{
	struct instance_tag *at = tags_find(t, key);
	char *copy;

	if (!at)
		return tags_add(t, key, value);
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	free(at->value);
	at->value = copy;
	return 0;
}

bool
instance_tags_drop(struct instance_tags *t, const char *key)
{
	struct instance_tag *at = tags_find(t, key);

	if (!at)
		return false;
	free(at->key);
	free(at->value);
	t->n--;
	memmove(at, at + 1, (size_t)(t->tag + t->n - at) * sizeof(*at));
	return true;
}

void
instance_deinit(struct instance *i)
{
	for (size_t t = 0; t < INSTANCE_TAGGED; t++)
		instance_tags_deinit(&i->tags[t]);
	cJSON_Delete(i->extra);
	json_release(instance_fields, ARRAY_LEN(instance_fields), i);
	memset(i, 0, sizeof(*i));
}

int
instance_tags_copy(const struct instance_tags *from, struct instance_tags *ret)
{
	struct instance_tags to = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->n; i++)
		r = tags_add(&to, from->tag[i].key, from->tag[i].value);
	if (r < 0)
		instance_tags_deinit(&to);
	*ret = to;
	return r;
}

static int
tags_copy(const struct instance *from, struct instance *ret)
{
	int r = 0;

	memset(ret->tags, 0, sizeof(ret->tags));
	for (size_t t = 0; r == 0 && t < INSTANCE_TAGGED; t++)
		r = instance_tags_copy(&from->tags[t], &ret->tags[t]);
	return r;
}

int
instance_copy(const struct instance *from, struct instance *ret)
{
	struct instance to = *from;
	int r;

	to.public_key = from->public_key ? strdup(from->public_key) : NULL;
	to.user_data = from->user_data ? strdup(from->user_data) : NULL;
	to.groups = from->groups ? strdup(from->groups) : NULL;
	to.extra = from->extra ? cJSON_Duplicate(from->extra, 1) : NULL;
	r = tags_copy(from, &to);
	if (r < 0 || (from->public_key && !to.public_key) ||
	    (from->user_data && !to.user_data) || (from->groups && !to.groups) || (from->extra && !to.extra)) {
		instance_deinit(&to);
		return -ENOMEM;
	}
	*ret = to;
	return 0;
}

bool
instance_groups_are_valid(const char *text)
{
	char id[22];
	size_t n = 0;

	for (const char *p = text; *p; n++) {
		const size_t len = strcspn(p, "\n"), word = strcspn(p, " \n");

		snprintf(id, sizeof(id), "%.*s", word < sizeof(id) ? (int)word : 0, p);
		if (!ident_is_ec2(id, "sg") || p[word] != ' ' || n == INSTANCE_GROUPS_MAX)
			return false;
		p += len + (p[len] == '\n');
	}
	return n > 0;
}

const char *
instance_tag(const struct instance *i, const char *key)
{
	const struct instance_tag *t = tags_find(&i->tags[INSTANCE_TAGS_OWN], key);

	return t ? t->value : NULL;
}

/* ---- decoding ---- */

static bool
is_own_member(const char *key)
{
	static const char *const others[] = { "schema_version", "state", "volumes" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(others[i], key) == 0)
			return true;
	for (size_t i = 0; i < INSTANCE_TAGGED; i++)
		if (strcmp(instance_tagged[i].member, key) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(instance_fields); i++)
		if (strcmp(instance_fields[i].key, key) == 0)
			return true;
	return false;
}

/* What a newer node wrote and we do not know goes back into the record as it was. */
static int
take_extra(const cJSON *obj, struct instance *i)
{
	for (const cJSON *m = obj->child; m; m = m->next) {
		cJSON *copy;

		if (is_own_member(m->string))
			continue;
		if (!i->extra && !(i->extra = cJSON_CreateObject()))
			return -ENOMEM;
		copy = cJSON_Duplicate(m, 1);
		if (!copy || !cJSON_AddItemToObject(i->extra, m->string, copy)) {
			cJSON_Delete(copy);
			return -ENOMEM;
		}
	}
	return 0;
}

static int
take_tag(const cJSON *t, const char *member, struct instance_tags *ret,
    char why[static JSON_WHY_MAX])
{
	if (cJSON_IsString(t) && strlen(t->valuestring) <= TAG_VALUE_MAX && *t->string &&
	    strlen(t->string) <= TAG_KEY_MAX)
		return tags_add(ret, t->string, t->valuestring);
	snprintf(why, JSON_WHY_MAX, "%s: expected short texts", member);
	return -EINVAL;
}

static int
take_tags(const cJSON *obj, const char *member, struct instance_tags *ret,
    char why[static JSON_WHY_MAX])
{
	const cJSON *tags = json_member(obj, member);
	int r = 0;

	if (!tags)
		return 0;
	if (!cJSON_IsObject(tags) || cJSON_GetArraySize(tags) > INSTANCE_TAGS_MAX) {
		snprintf(why, JSON_WHY_MAX, "%s: expected an object of at most %d members", member,
		    INSTANCE_TAGS_MAX);
		return -EINVAL;
	}
	for (const cJSON *t = tags->child; r == 0 && t; t = t->next)
		r = take_tag(t, member, ret, why);
	return r;
}

static bool
is_account(const char *s)
{
	return strlen(s) == 12 && strspn(s, "0123456789") == 12;
}

static int
check(const cJSON *obj, const char *id, struct instance *i, char why[static JSON_WHY_MAX])
{
	const char *state = json_text(obj, "state");
	const cJSON *schema = json_member(obj, "schema_version");
	uint64_t version;

	if (!schema || !json_get_u64(schema, &version) || version != INSTANCE_SCHEMA)
		snprintf(why, JSON_WHY_MAX, "schema_version: expected %d", INSTANCE_SCHEMA);
	else if (strcmp(i->id, id) != 0 || !ident_is_ec2(i->id, "i"))
		snprintf(why, JSON_WHY_MAX, "id: expected an instance id, that of the key");
	else if (!state || instance_state_from_name(state, &i->state) < 0)
		snprintf(why, JSON_WHY_MAX, "state: expected one of EC2's six");
	else if (!is_account(i->account_id))
		snprintf(why, JSON_WHY_MAX, "account_id: expected 12 digits");
	else if (!ident_is_token(i->node))
		snprintf(why, JSON_WHY_MAX, "node: expected a node's name");
	else
		return 0;
	return -EINVAL;
}

static int
decode(const cJSON *obj, const char *id, struct instance *ret, char why[static JSON_WHY_MAX])
{
	int r = json_decode(obj, instance_fields, ARRAY_LEN(instance_fields), JSON_LOOSE, ret,
	    sizeof(*ret), why);

	if (r == 0)
		r = check(obj, id, ret, why);
	for (size_t t = 0; r == 0 && t < INSTANCE_TAGGED; t++)
		r = take_tags(obj, instance_tagged[t].member, &ret->tags[t], why);
	if (r == 0)
		r = instance_volumes_take(obj, ret, why);
	return r < 0 ? r : take_extra(obj, ret);
}

int
instance_from_json(const char *value, size_t len, const char *id, struct instance *ret,
    char why[static JSON_WHY_MAX])
{
	AUTO(json) cJSON *obj = NULL;
	struct instance i = { 0 };
	int r = json_parse(value, len, INSTANCE_RECORD_MAX, &obj, why);

	if (r == -EMSGSIZE) {
		snprintf(why, JSON_WHY_MAX, "expected at most %d bytes", INSTANCE_RECORD_MAX);
		return -EINVAL;
	}
	if (r < 0)
		return r;
	if (!cJSON_IsObject(obj)) {
		snprintf(why, JSON_WHY_MAX, "expected an object");
		return -EINVAL;
	}
	r = decode(obj, id, &i, why);
	if (r < 0) {
		instance_deinit(&i);
		return r;
	}
	*ret = i;
	return 0;
}

/* ---- encoding ---- */

static bool
add_tags(cJSON *obj, const char *member, const struct instance_tags *t)
{
	cJSON *tags;

	if (t->n == 0)
		return true;
	tags = cJSON_AddObjectToObject(obj, member);
	for (size_t n = 0; tags && n < t->n; n++)
		if (!cJSON_AddStringToObject(tags, t->tag[n].key, t->tag[n].value))
			return false;
	return tags != NULL;
}

static bool
add_all_tags(cJSON *obj, const struct instance *i)
{
	for (size_t t = 0; t < INSTANCE_TAGGED; t++)
		if (!add_tags(obj, instance_tagged[t].member, &i->tags[t]))
			return false;
	return true;
}

static bool
add_extra(cJSON *obj, const struct instance *i)
{
	for (const cJSON *m = i->extra ? i->extra->child : NULL; m; m = m->next) {
		cJSON *copy = cJSON_Duplicate(m, 1);

		if (!copy || !cJSON_AddItemToObject(obj, m->string, copy)) {
			cJSON_Delete(copy);
			return false;
		}
	}
	return true;
}

char *
instance_to_json(const struct instance *i)
{
	AUTO(json) cJSON *obj = json_encode(instance_fields, ARRAY_LEN(instance_fields), i);

	if (!obj || !json_add_u64(obj, "schema_version", INSTANCE_SCHEMA) ||
	    !cJSON_AddStringToObject(obj, "state", instance_state_name(i->state)) ||
	    !instance_volumes_put(obj, i) || !add_all_tags(obj, i) || !add_extra(obj, i))
		return NULL;
	return json_print(obj);
}
