/* The volumes of an instance besides its root volume; see instance.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/instance.h"

#define MEMBER		"volumes"
#define TEXT(member, least)	{ .key = #member, .type = JSON_STR,			\
	.offset = offsetof(struct instance_volume, member), .min = (least),		\
	.max = sizeof(((struct instance_volume *)0)->member) - 1, .need = (least) > 0 }

static const struct json_field volume_fields[] = {
	TEXT(id, 1),
	TEXT(device, 1),
	TEXT(type, 0),
	{ .key = "iops", .type = JSON_U32, .offset = offsetof(struct instance_volume, iops),
	  .max = UINT32_MAX },
	{ .key = "throughput", .type = JSON_U32,
	  .offset = offsetof(struct instance_volume, throughput), .max = UINT32_MAX },
	{ .key = "bytes", .type = JSON_U64, .offset = offsetof(struct instance_volume, bytes) },
	{ .key = "attached", .type = JSON_TIME,
	  .offset = offsetof(struct instance_volume, attached_ms) },
	{ .key = "port", .type = JSON_U32, .offset = offsetof(struct instance_volume, port),
	  .max = INSTANCE_VOLUMES_MAX - 1 },
	{ .key = "keep", .type = JSON_BOOL, .offset = offsetof(struct instance_volume, keep) },
};

const struct instance_volume *
instance_volume_find(const struct instance *i, const char *id)
{
	for (size_t n = 0; n < i->nvolumes; n++)
		if (strcmp(i->volume[n].id, id) == 0)
			return &i->volume[n];
	return NULL;
}

const struct instance_volume *
instance_volume_at(const struct instance *i, const char *device)
{
	for (size_t n = 0; n < i->nvolumes; n++)
		if (strcmp(i->volume[n].device, device) == 0)
			return &i->volume[n];
	return NULL;
}

static bool
is_port_taken(const struct instance *i, uint32_t port)
{
	for (size_t n = 0; n < i->nvolumes; n++)
		if (i->volume[n].port == port)
			return true;
	return false;
}

int
instance_volume_add(struct instance *i, const struct instance_volume *v)
{
	struct instance_volume *to = &i->volume[i->nvolumes];
	uint32_t port = 0;

	if (i->nvolumes == INSTANCE_VOLUMES_MAX)
		return -E2BIG;
	while (is_port_taken(i, port))
		port++;
	*to = *v;
	to->port = port;
	i->nvolumes++;
	return 0;
}

bool
instance_volume_keep(struct instance *i, const char *id, bool keep)
{
	for (size_t n = 0; n < i->nvolumes; n++) {
		if (strcmp(i->volume[n].id, id) != 0 || i->volume[n].keep == keep)
			continue;
		i->volume[n].keep = keep;
		return true;
	}
	return false;
}

bool
instance_volume_drop(struct instance *i, const char *id)
{
	for (size_t n = 0; n < i->nvolumes; n++) {
		if (strcmp(i->volume[n].id, id) != 0)
			continue;
		i->nvolumes--;
		memmove(&i->volume[n], &i->volume[n + 1], (i->nvolumes - n) * sizeof(i->volume[0]));
		memset(&i->volume[i->nvolumes], 0, sizeof(i->volume[0]));
		return true;
	}
	return false;
}

static int
take_one(const cJSON *item, struct instance *i, char why[static JSON_WHY_MAX])
{
	struct instance_volume v = { 0 };
	int r = json_decode(item, volume_fields, ARRAY_LEN(volume_fields), JSON_LOOSE, &v, sizeof(v),
	    why);

	if (r < 0)
		return r;
	if (!ident_is_ec2(v.id, "vol") || is_port_taken(i, v.port) || instance_volume_find(i, v.id)) {
		snprintf(why, JSON_WHY_MAX, MEMBER ": expected ids of volumes and ports, each once");
		return -EINVAL;
	}
	i->volume[i->nvolumes++] = v;
	return 0;
}

int
instance_volumes_take(const cJSON *obj, struct instance *i, char why[static JSON_WHY_MAX])
{
	const cJSON *list = json_member(obj, MEMBER), *item;
	int r = 0;

	if (!list)
		return 0;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > INSTANCE_VOLUMES_MAX) {
		snprintf(why, JSON_WHY_MAX, MEMBER ": expected a list of at most %d",
		    INSTANCE_VOLUMES_MAX);
		return -EINVAL;
	}
	cJSON_ArrayForEach(item, list)
		if (r == 0)
			r = take_one(item, i, why);
	return r;
}

bool
instance_volumes_put(cJSON *obj, const struct instance *i)
{
	cJSON *list = i->nvolumes ? cJSON_AddArrayToObject(obj, MEMBER) : NULL;

	for (size_t n = 0; list && n < i->nvolumes; n++) {
		cJSON *item = json_encode(volume_fields, ARRAY_LEN(volume_fields), &i->volume[n]);

		if (!item || !cJSON_AddItemToArray(list, item)) {
			cJSON_Delete(item);
			return false;
		}
	}
	return list || i->nvolumes == 0;
}
