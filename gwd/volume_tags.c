#include "gwd/volume_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance.h"
#include "common/volume.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"

#define TAGS_ATTEMPTS	5	/* of a write that meets another's */

struct volume_tags {
	struct call	*call;		/* not touched by the job, but for its input */
	void		(*fn)(struct call *c);
	struct bucket	*bucket;
	struct id_list	 ids;		/* borrowed from the input */
	const cJSON	*tags;		/* the same */
	bool		 is_create;
	bool		*found;		/* owned; of each id */
	enum cas_result	 res;
	bool		 is_too_many;
};

static void
tags_free(void *arg)
{
	struct volume_tags *t = arg;

	id_list_deinit(&t->ids);
	free(t->found);
	free(t);
}

/* ---- the lists ---- */

static cJSON *
tags_find(cJSON *list, const char *key)
{
	cJSON *tag;

	cJSON_ArrayForEach(tag, list) {
		const char *text = json_text(tag, "Key");

		if (text && strcmp(text, key) == 0)
			return tag;
	}
	return NULL;
}

/* Of a tag without a value the value is empty. */
static bool
tags_set(cJSON *list, const cJSON *tag)
{
	const char *key = json_text(tag, "Key"), *value = json_text(tag, "Value");
	cJSON *was = tags_find(list, key), *copy = cJSON_CreateObject();

	if (copy && cJSON_AddStringToObject(copy, "Key", key) &&
	    cJSON_AddStringToObject(copy, "Value", value ? value : "") &&
	    (was ? cJSON_ReplaceItemViaPointer(list, was, copy) : cJSON_AddItemToArray(list, copy)))
		return true;
	cJSON_Delete(copy);
	return false;
}

/* EC2: a tag with a value goes only while it has that value. */
static void
tags_drop(cJSON *list, const cJSON *tag)
{
	const char *value = json_text(tag, "Value");
	cJSON *was = tags_find(list, json_text(tag, "Key"));
	const char *has = json_text(was, "Value");

	if (was && (!value || (has && strcmp(has, value) == 0)))
		cJSON_Delete(cJSON_DetachItemViaPointer(list, was));
}

/* All but those that EC2 itself has put. */
static void
tags_clear(cJSON *list)
{
	cJSON *tag = list->child;

	while (tag) {
		cJSON *next = tag->next;
		const char *key = json_text(tag, "Key");

		if (!key || strncmp(key, "aws:", 4) != 0)
			cJSON_Delete(cJSON_DetachItemViaPointer(list, tag));
		tag = next;
	}
}

/* False: no memory, or too many of them. */
static bool
tags_apply(struct volume_tags *t, struct volume *v)
{
	const cJSON *tag;

	if (!v->tags && !(v->tags = cJSON_CreateArray()))
		return false;
	if (!t->tags)
		tags_clear(v->tags);
	cJSON_ArrayForEach(tag, t->tags) {
		if (!t->is_create)
			tags_drop(v->tags, tag);
		else if (!tags_set(v->tags, tag))
			return false;
	}
	t->is_too_many = cJSON_GetArraySize(v->tags) > INSTANCE_TAGS_MAX;
	return !t->is_too_many;
}

/* ---- the job ---- */

static enum cas_result
tags_load(const struct volume_tags *t, size_t i, char key[static VOLUME_KEY_MAX], struct volume *v,
    uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char why[JSON_WHY_MAX];
	enum cas_result r;

	volume_key(t->call->account, t->ids.id[i], key);
	r = kv_load_wait(t->bucket, key, CLOUD_READ_MS, &e);
	*ret_revision = e.revision;
	return r == CAS_OK && volume_from_json(e.value, e.len, v, why) < 0 ? CAS_INVALID : r;
}

static enum cas_result
tags_write(struct volume_tags *t, size_t i)
{
	AUTO(volume) struct volume v = { 0 };
	AUTO(str) char *text = NULL;
	char key[VOLUME_KEY_MAX];
	uint64_t revision;
	enum cas_result r = tags_load(t, i, key, &v, &revision);

	if (r != CAS_OK)
		return r;
	if (!tags_apply(t, &v))
		return t->is_too_many ? CAS_INVALID : CAS_NOMEM;
	text = volume_to_json(&v);
	return text ? kv_put_wait(t->bucket, key, text, strlen(text), revision, CLOUD_READ_MS,
	    &revision) : CAS_NOMEM;
}

static void
tags_run(void *arg)
{
	struct volume_tags *t = arg;
	bool all = true;

	t->res = CAS_OK;
	for (size_t i = 0; i < t->ids.n && t->res == CAS_OK; i++) {
		AUTO(volume) struct volume v = { 0 };
		char key[VOLUME_KEY_MAX];
		uint64_t revision;

		t->res = tags_load(t, i, key, &v, &revision);
		t->found[i] = t->res == CAS_OK;
		all &= t->found[i];
		if (t->res == CAS_NOT_FOUND)
			t->res = CAS_OK;
	}
	for (size_t i = 0; all && i < t->ids.n && t->res == CAS_OK; i++) {
		t->res = CAS_LOST;
		for (int n = 0; n < TAGS_ATTEMPTS && t->res == CAS_LOST; n++)
			t->res = tags_write(t, i);
	}
}

static void
tags_done(void *arg, void *job)
{
	struct volume_tags *t = job;
	struct call *c = t->call;
	void (*fn)(struct call *) = t->fn;
	const char *message, *code;
	bool goes_on = false;

	if (t->is_too_many) {
		call_fail(c, "TagLimitExceeded", "More than %d tags", INSTANCE_TAGS_MAX);
	} else if (t->res != CAS_OK) {
		code = cloud_code(t->res, &message);
		call_fail(c, code, "%s", message);
	} else {
		goes_on = ask_found(c, &t->ids, t->found, "volume", "InvalidVolume");
	}
	tags_free(t);
	if (goes_on)
		fn(c);
}

void
volume_tags_change(struct call *c, const char *member, void (*fn)(struct call *c))
{
	struct volume_tags *t = calloc(1, sizeof(*t));
	const char *bad;

	if (t) {
		t->call = c;
		t->fn = fn;
		t->bucket = c->gwd->cloud->volumes;
		t->tags = json_member(c->in, "Tags");
		t->is_create = strcmp(c->action->name, "CreateTags") == 0;
		if (id_list_read(json_member(c->in, member), NULL, &t->ids, &bad) == ID_LIST_OK)
			t->found = calloc(t->ids.n + 1, sizeof(bool));
		if (t->found && jobs_submit(c->gwd->d.jobs, NULL, tags_run, tags_done, NULL, t,
		    tags_free) == 0)
			return;
		tags_free(t);
	}
	ask_fail_nomem(c);
}
