#include "gwd/record_tags.h"

#include <stdlib.h>
#include <string.h>

#include "common/instance.h"
#include "common/volume.h"
#include "gwd/ask.h"
#include "gwd/fault.h"
#include "gwd/gwd.h"
#include "gwd/key_pair_find.h"
#include "gwd/tag_list.h"

#define TAGS_ATTEMPTS	5		/* of a write that meets another's */
#define TAGS_RECORD_MAX	(128 * 1024)	/* bytes of JSON */
#define TAGS_KEY_MAX	(KEY_PAIR_KEY_MAX > VOLUME_KEY_MAX ? KEY_PAIR_KEY_MAX : VOLUME_KEY_MAX)

static const struct {
	const char	*what, *code;
} tags_kinds[RECORD_TAGGED] = {
	[RECORD_VOLUMES]	= { "volume", "InvalidVolume" },
	[RECORD_KEY_PAIRS]	= { "key pair ID", "InvalidKeyPair" },
	[RECORD_IMAGES]		= { "image id", "InvalidAMIID" },
};

struct record_tags {
	struct call	*call;		/* not touched by the job, but for its input */
	enum record_tagged of;
	void		(*fn)(struct call *c);
	struct bucket	*bucket;
	struct id_list	 ids;		/* borrowed from the input */
	const cJSON	*tags;		/* the same */
	bool		 is_create, is_trial;
	bool		*found;		/* owned; of each id */
	struct fault	 fault;
};

static void
tags_free(void *arg)
{
	struct record_tags *t = arg;

	id_list_deinit(&t->ids);
	free(t->found);
	free(t);
}

/* ---- in the job ---- */

/* In the record of id.  CAS_INVALID with the fault: too many of them. */
static enum cas_result
tags_apply(struct record_tags *t, const char *id, cJSON *record)
{
	enum tag_list_result r = TAG_LIST_OK;
	cJSON *tags = cJSON_GetObjectItemCaseSensitive(record, "tags");

	if (!tags && !(tags = cJSON_AddArrayToObject(record, "tags")))
		return CAS_NOMEM;
	if (t->is_create)
		r = tag_list_set(tags, t->tags);
	else
		tag_list_drop(tags, t->tags);
	if (r == TAG_LIST_FULL)
		(void)fault_set(&t->fault, "TagLimitExceeded", TAG_LIST_FULL_SAID, INSTANCE_TAGS_MAX, id);
	return r == TAG_LIST_OK ? CAS_OK : r == TAG_LIST_FULL ? CAS_INVALID : CAS_NOMEM;
}

static enum cas_result
tags_key(const struct record_tags *t, const char *id, char ret[static TAGS_KEY_MAX])
{
	if (t->of == RECORD_KEY_PAIRS)
		return key_pair_find(t->bucket, t->call->account, id, ret);
	volume_key(t->call->account, id, ret);		/* an image's is made in the same way */
	return CAS_OK;
}

static enum cas_result
tags_attempt(struct record_tags *t, const char *id)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(json) cJSON *record = NULL;
	AUTO(str) char *text = NULL;
	char key[TAGS_KEY_MAX], why[JSON_WHY_MAX];
	enum cas_result r = tags_key(t, id, key);

	if (r == CAS_OK)
		r = kv_load_wait(t->bucket, key, CLOUD_READ_MS, &e);
	if (r == CAS_OK && json_parse(e.value, e.len, TAGS_RECORD_MAX, &record, why) < 0)
		r = CAS_INVALID;
	if (r == CAS_OK)
		r = tags_apply(t, id, record);
	if (r != CAS_OK || t->is_trial)
		return r;
	text = json_print(record);
	return text ? kv_put_wait(t->bucket, key, text, strlen(text), e.revision, CLOUD_READ_MS,
	    &e.revision) : CAS_NOMEM;
}

static void
tags_run(void *arg)
{
	struct record_tags *t = arg;

	for (size_t i = 0; i < t->ids.n && !fault_is_set(&t->fault); i++) {
		enum cas_result r = CAS_LOST;

		for (int n = 0; n < TAGS_ATTEMPTS && r == CAS_LOST; n++)
			r = tags_attempt(t, t->ids.id[i]);
		t->found[i] = r != CAS_NOT_FOUND;
		if (r != CAS_OK && r != CAS_NOT_FOUND && !fault_is_set(&t->fault))
			(void)fault_set_store(&t->fault, r);
	}
}

/* ---- on the loop ---- */

static void
tags_done(void *arg, void *job)
{
	struct record_tags *t = job;
	struct call *c = t->call;
	void (*fn)(struct call *) = t->fn;
	bool goes_on = false;

	if (fault_is_set(&t->fault))
		fault_tell(&t->fault, c);
	else
		goes_on = ask_found(c, &t->ids, t->found, tags_kinds[t->of].what, tags_kinds[t->of].code);
	tags_free(t);
	if (goes_on)
		fn(c);
}

void
record_tags_change(struct call *c, enum record_tagged of, const char *member, bool is_trial,
    void (*fn)(struct call *c))
{
	struct record_tags *t = calloc(1, sizeof(*t));
	const char *bad;

	if (t) {
		t->call = c;
		t->fn = fn;
		t->of = of;
		t->bucket = of == RECORD_VOLUMES ? c->gwd->cloud->volumes :
		    of == RECORD_IMAGES ? c->gwd->cloud->images : c->gwd->cloud->key_pairs;
		t->tags = json_member(c->in, "Tags");
		t->is_create = strcmp(c->action->name, "CreateTags") == 0;
		t->is_trial = is_trial;
		if (id_list_read(json_member(c->in, member), NULL, &t->ids, &bad) == ID_LIST_OK)
			t->found = calloc(t->ids.n + 1, sizeof(bool));
		if (t->found && jobs_submit(c->gwd->d.jobs, NULL, tags_run, tags_done, NULL, t,
		    tags_free) == 0)
			return;
		tags_free(t);
	}
	ask_fail_nomem(c);
}
