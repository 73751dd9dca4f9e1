#include "common/volume.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"

#define TEXT(member, least)	{ .key = #member, .type = JSON_STR,			\
	.offset = offsetof(struct volume, member), .min = (least),			\
	.max = sizeof(((struct volume *)0)->member) - 1, .need = (least) > 0 }
#define FIELD(name, member, kind)	{ .key = (name), .type = (kind),		\
	.offset = offsetof(struct volume, member) }

static const struct json_field volume_fields[] = {
	TEXT(id, 1),
	TEXT(account_id, 12),
	TEXT(zone, 0),
	TEXT(type, 0),
	{ .key = "bytes", .type = JSON_U64, .offset = offsetof(struct volume, bytes), .min = 1,
	  .max = UINT64_MAX, .need = true },
	FIELD("iops", iops, JSON_U32),
	FIELD("throughput", throughput, JSON_U32),
	FIELD("created", created_ms, JSON_TIME),
	TEXT(image_id, 0),
	TEXT(instance_id, 0),
	TEXT(device, 0),
	FIELD("attached", attached_ms, JSON_TIME),
	FIELD("keep", keep, JSON_BOOL),
	TEXT(node, 0),
	FIELD("made", made, JSON_BOOL),
	TEXT(asked, 0),
	FIELD("tags", tags, JSON_TREE),
};

static const struct {
	const char	*name, *ec2, *attachment;
} volume_states[VOLUME_STATES] = {
	[VOLUME_AVAILABLE]	= { "available", "available", NULL },
	[VOLUME_ATTACHING]	= { "attaching", "in-use", "attaching" },
	[VOLUME_IN_USE]		= { "in-use", "in-use", "attached" },
	[VOLUME_DETACHING]	= { "detaching", "in-use", "detaching" },
	[VOLUME_DELETING]	= { "deleting", "deleting", NULL },
};

const char *
volume_state_name(enum volume_state s)
{
	return volume_states[s].name;
}

bool
volume_device_is_valid(const char *name)
{
	static const char *const kinds[] = { "sd", "xvd", "hd" };
	const char *p = name + (strncmp(name, "/dev/", 5) == 0 ? 5 : 0);

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		const size_t len = strlen(kinds[i]);

		if (strncmp(p, kinds[i], len) != 0)
			continue;
		const size_t letters = strspn(p + len, "abcdefghijklmnopqrstuvwxyz");
		const size_t digits = strspn(p + len + letters, "0123456789");

		return letters >= 1 && letters <= 2 && digits <= 2 && !p[len + letters + digits];
	}
	return false;
}

const char *
volume_ec2_state(enum volume_state s)
{
	return volume_states[s].ec2;
}

const char *
volume_attachment_state(enum volume_state s)
{
	return volume_states[s].attachment;
}

void
volume_deinit(struct volume *v)
{
	json_release(volume_fields, ARRAY_LEN(volume_fields), v);
	*v = (struct volume){ 0 };
}

void
volume_key(const char *account, const char *id, char ret[static VOLUME_KEY_MAX])
{
	snprintf(ret, VOLUME_KEY_MAX, "%.12s.%.21s", account, id);
}

static int
take_state(const cJSON *obj, struct volume *v, char why[static JSON_WHY_MAX])
{
	const char *name = json_text(obj, "state");
	bool is_somebodys = v->instance_id[0] != '\0';

	for (size_t s = 0; name && s < VOLUME_STATES; s++) {
		if (strcmp(volume_states[s].name, name) != 0)
			continue;
		v->state = (enum volume_state)s;
		if (is_somebodys == (volume_states[s].attachment != NULL))
			return 0;
		snprintf(why, JSON_WHY_MAX, "instance_id: expected one of what is in use alone");
		return -EINVAL;
	}
	snprintf(why, JSON_WHY_MAX, "state: expected a volume's");
	return -EINVAL;
}

static int
decode(const cJSON *obj, struct volume *v, char why[static JSON_WHY_MAX])
{
	int r = json_decode(obj, volume_fields, ARRAY_LEN(volume_fields), JSON_LOOSE, v, sizeof(*v),
	    why);

	if (r < 0)
		return r;
	if (!ident_is_ec2(v->id, "vol") || strspn(v->account_id, "0123456789") != 12) {
		snprintf(why, JSON_WHY_MAX, "id: expected a volume's, and account_id 12 digits");
		return -EINVAL;
	}
	return take_state(obj, v, why);
}

int
volume_from_json(const char *value, size_t len, struct volume *ret, char why[static JSON_WHY_MAX])
{
	AUTO(json) cJSON *obj = NULL;
	struct volume v = { 0 };
	int r = json_parse(value, len, VOLUME_RECORD_MAX, &obj, why);

	if (r == -EMSGSIZE) {
		snprintf(why, JSON_WHY_MAX, "expected at most %d bytes", VOLUME_RECORD_MAX);
		return -EINVAL;
	}
	if (r == 0)
		r = decode(obj, &v, why);
	if (r < 0) {
		volume_deinit(&v);
		return r;
	}
	*ret = v;
	return 0;
}

char *
volume_to_json(const struct volume *v)
{
	AUTO(json) cJSON *obj = json_encode(volume_fields, ARRAY_LEN(volume_fields), v);

	if (!obj || !json_add_u64(obj, "schema_version", VOLUME_SCHEMA) ||
	    !cJSON_AddStringToObject(obj, "state", volume_states[v->state].name))
		return NULL;
	return json_print(obj);
}

/* ---- moves ---- */

bool
volume_is_of(const struct volume *v, const char *instance_id)
{
	return strcmp(v->instance_id, instance_id) == 0;
}

int
volume_claim(struct volume *v, const char *instance_id, const char *device, uint64_t wall_ms)
{
	if (v->state != VOLUME_AVAILABLE)
		return -EBUSY;
	v->state = VOLUME_ATTACHING;
	v->attached_ms = wall_ms;
	v->keep = true;		/* as EC2 has it of one that was attached later */
	snprintf(v->instance_id, sizeof(v->instance_id), "%s", instance_id);
	snprintf(v->device, sizeof(v->device), "%s", device);
	return 0;
}

void
volume_release(struct volume *v)
{
	v->state = VOLUME_AVAILABLE;
	v->instance_id[0] = v->device[0] = '\0';
	v->attached_ms = 0;
	v->keep = false;
}

void
volume_outlive(struct volume *v)
{
	bool keep = v->keep;

	volume_release(v);
	if (!keep)
		v->state = VOLUME_DELETING;
}
