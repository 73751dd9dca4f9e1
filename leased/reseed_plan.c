#include "leased/reseed_plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/instance.h"
#include "common/subjects.h"
#include "common/uefi_record.h"

static void
item_deinit(struct reseed_item *i)
{
	free(i->bucket);
	free(i->key);
	free(i->value);
	free(i->node);
	*i = (struct reseed_item){ .rank = 0 };
}

void
reseed_plan_deinit(struct reseed_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		item_deinit(&p->item[i]);
	free(p->item);
	*p = (struct reseed_plan){ .n = 0 };
}

static int
item_init(struct reseed_item *i, const char *node, const char *bucket, const char *key,
    const char *value, uint64_t rank)
{
	*i = (struct reseed_item){ .bucket = strdup(bucket), .key = strdup(key),
	    .value = strdup(value), .node = strdup(node), .rank = rank };
	if (i->bucket && i->key && i->value && i->node)
		return 0;
	item_deinit(i);
	return -ENOMEM;
}

static struct reseed_item *
find(struct reseed_plan *p, const char *bucket, const char *key)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->item[i].key, key) == 0 && strcmp(p->item[i].bucket, bucket) == 0)
			return &p->item[i];
	return NULL;
}

int
reseed_plan_add(struct reseed_plan *p, const char *node, const char *bucket, const char *key,
    const char *value, uint64_t rank)
{
	struct reseed_item one, *there = find(p, bucket, key);
	int r;

	if (there && there->rank == rank && strcmp(there->node, node) != 0)
		there->is_unclear = true;
	if (there && there->rank >= rank)
		return 0;
	r = item_init(&one, node, bucket, key, value, rank);
	if (r < 0)
		return r;
	if (there) {
		item_deinit(there);
		*there = one;
		return 0;
	}
	if (p->n == p->room) {
		size_t room = p->room ? p->room * 2 : 64;
		struct reseed_item *item = reallocarray(p->item, room, sizeof(*item));

		if (!item) {
			item_deinit(&one);
			return -ENOMEM;
		}
		p->item = item;
		p->room = room;
	}
	p->item[p->n++] = one;
	return 0;
}

/* ---- what the buckets have ---- */

uint64_t
reseed_generation(const char *bucket, const char *key, const struct cas_entry *e)
{
	struct cas_token t;
	struct uefi_record r;
	char why[JSON_WHY_MAX];

	if (!e->value)
		return 0;
	if (strcmp(bucket, BUCKET_SYNC) == 0)
		return cas_token_parse(e->value, e->len, e->revision, &t) == 0 ? t.generation : 0;
	if (strcmp(bucket, BUCKET_UEFI_STORES) == 0)
		return uefi_record_parse(e->value, e->len, key, &r, why) == 0 ? r.generation : 0;
	return 0;
}

static bool
is_final(const char *bucket)
{
	return strcmp(bucket, BUCKET_INSTANCES) == 0 || strcmp(bucket, BUCKET_UEFI_STORES) == 0;
}

/* The account that the instance's record names, where a node holds that. */
static bool
find_account(struct reseed_plan *p, const char *id, char ret[static 13])
{
	char key[CAS_KEY_MAX + 1], why[JSON_WHY_MAX];
	const struct reseed_item *i;
	struct instance instance;

	(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", id);
	i = find(p, BUCKET_INSTANCES, key);
	if (!i || instance_from_json(i->value, strlen(i->value), id, &instance, why) < 0)
		return false;
	memcpy(ret, instance.account_id, 13);
	instance_deinit(&instance);
	return true;
}

/* What uefid holds of a store has no account, which only the bucket or the instance knows. */
static int
judge_store(struct reseed_plan *p, struct reseed_item *i, const struct cas_entry *e)
{
	struct uefi_record there = { .generation = 0 }, ours;
	char why[JSON_WHY_MAX], *text;

	if (uefi_record_parse(i->value, strlen(i->value), i->key, &ours, why) < 0 ||
	    (e->value ? uefi_record_parse(e->value, e->len, i->key, &there, why) < 0 :
	    !find_account(p, i->key, there.account_id))) {
		i->is_unclear = true;
		return 0;
	}
	if (there.deleting || there.generation > ours.generation ||
	    (there.generation == ours.generation &&
	    strcmp(there.pointer.key, ours.pointer.key) == 0))
		return 0;
	memcpy(ours.account_id, there.account_id, sizeof(ours.account_id));
	text = uefi_record_print(&ours);
	if (!text)
		return -ENOMEM;
	free(i->value);
	i->value = text;
	i->is_written = true;
	return 0;
}

static void
judge_token(struct reseed_item *i, const struct cas_entry *e)
{
	struct cas_token there, ours;

	if (cas_token_parse(e->value, e->len, e->revision, &there) < 0 ||
	    cas_token_parse(i->value, strlen(i->value), i->rank, &ours) < 0)
		i->is_unclear = true;
	else if (there.generation == ours.generation && strcmp(there.holder, ours.holder) != 0)
		i->is_unclear = true;
	else
		i->is_written = there.generation <= ours.generation;
}

int
reseed_plan_judge(struct reseed_plan *p, struct reseed_item *i, enum cas_result res,
    const struct cas_entry *e)
{
	i->expected = e->revision;
	i->is_unclear |= e->is_marker && is_final(i->bucket);
	if (strcmp(i->bucket, BUCKET_UEFI_STORES) == 0)
		return judge_store(p, i, e);
	if (res == CAS_OK && strcmp(i->bucket, BUCKET_SYNC) == 0)
		judge_token(i, e);
	else
		i->is_written = true;
	return 0;
}
