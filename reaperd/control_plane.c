#include "reaperd/control_plane.h"

#include <stdio.h>
#include <string.h>

#include "common/kv_peek.h"

#define META_MAX	(1u << 20)

static const char *
tag_of(const struct instance_tags *t, const char *key)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->tag[i].key, key) == 0)
			return t->tag[i].value;
	return "";
}

static bool
copy(char *ret, size_t size, const char *text)
{
	int n = snprintf(ret, size, "%s", text);

	return n > 0 && (size_t)n < size;
}

void
control_plane_of(const struct instance *i, struct control_plane *ret)
{
	const struct instance_tags *nic = &i->tags[INSTANCE_TAGS_NIC];
	struct control_plane c = { .launch_ms = i->launch_time_ms };

	*ret = (struct control_plane){ 0 };
	if (i->state != INSTANCE_RUNNING || !i->eni_id[0] ||
	    strcmp(tag_of(nic, CONTROL_PLANE_MANAGED_BY), "eks") != 0 ||
	    strcmp(tag_of(nic, CONTROL_PLANE_ROLE), "control-plane") != 0 ||
	    !copy(c.cluster, sizeof(c.cluster), tag_of(nic, CONTROL_PLANE_CLUSTER)) ||
	    !copy(c.account_id, sizeof(c.account_id), tag_of(nic, CONTROL_PLANE_ACCOUNT)))
		return;
	(void)snprintf(c.zone, sizeof(c.zone), "%s", i->zone);
	c.is_one = true;
	*ret = c;
}

enum cluster_record
control_plane_cluster(struct bus *b, const struct control_plane *c, uint64_t timeout_ms)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(json) cJSON *meta = NULL;
	char bucket[64], key[CAS_KEY_MAX + 1], why[JSON_WHY_MAX];
	enum cas_result res;

	(void)snprintf(bucket, sizeof(bucket), "eks-account-%s", c->account_id);
	(void)snprintf(key, sizeof(key), "cluster.%s.meta", c->cluster);
	res = kv_peek_exists_wait(b, bucket, timeout_ms);
	if (res != CAS_OK)
		return res == CAS_NOT_FOUND ? CLUSTER_NO_BUCKET : CLUSTER_BUCKET_UNREAD;
	res = kv_peek_load_wait(b, bucket, key, timeout_ms, &e);
	if (res != CAS_OK)
		return res == CAS_NOT_FOUND ? CLUSTER_NO_RECORD : CLUSTER_RECORD_UNREAD;
	return json_parse(e.value, e.len, META_MAX, &meta, why) == 0 && cJSON_IsObject(meta) ?
	    CLUSTER_PRESENT : CLUSTER_RECORD_UNREAD;
}
