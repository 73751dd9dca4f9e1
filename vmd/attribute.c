/* Commands that change what a record says and nothing else; see command.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vmd/command.h"

static void
on_written(void *arg, int r)
{
	command_written(arg, r);
}

static void
change(struct command *c, struct vm *vm, record_change_fn *fn)
{
	if (record_change(vm->r, RECORD_ONCE, fn, on_written, c) < 0)
		command_written(c, -ENOMEM);
}

/* ---- switches ---- */

static int
set_flag(bool *flag, bool value)
{
	if (*flag == value)
		return 1;
	*flag = value;
	return 0;
}

static int
set_termination(void *arg, struct instance *i)
{
	return set_flag(&i->disable_api_termination, ((struct command *)arg)->value);
}

static int
set_stop(void *arg, struct instance *i)
{
	return set_flag(&i->disable_api_stop, ((struct command *)arg)->value);
}

static int
set_monitoring(void *arg, struct instance *i)
{
	return set_flag(&i->monitoring, ((struct command *)arg)->value);
}

/* in.<data>.<member> is a boolean, and there. */
static void
set_switch(struct command *c, struct vm *vm, const cJSON *in, const char *data,
    const char *member, record_change_fn *fn)
{
	const cJSON *value = json_member(json_member(in, data), member);

	if (!cJSON_IsBool(value)) {
		command_end(c, "InvalidParameterValue", false, "expected a value, true or false");
		return;
	}
	c->value = cJSON_IsTrue(value);
	change(c, vm, fn);
}

void
attribute_set_termination(struct command *c, struct vm *vm, const cJSON *in)
{
	set_switch(c, vm, in, "disable_api_termination_data", "value", set_termination);
}

void
attribute_set_stop(struct command *c, struct vm *vm, const cJSON *in)
{
	set_switch(c, vm, in, "disable_api_stop_data", "value", set_stop);
}

void
attribute_set_monitoring(struct command *c, struct vm *vm, const cJSON *in)
{
	set_switch(c, vm, in, "instance_monitoring_data", "enabled", set_monitoring);
}

/* ---- tags ---- */

static struct instance_tag *
find_tag(struct instance *i, const char *key)
{
	for (size_t n = 0; n < i->ntags; n++)
		if (strcmp(i->tags[n].key, key) == 0)
			return &i->tags[n];
	return NULL;
}

static int
set_tag(struct instance *i, const char *key, const char *value)
{
	struct instance_tag *t = find_tag(i, key);
	struct instance_tag *more;
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	if (t) {
		free(t->value);
		t->value = copy;
		return 0;
	}
	more = i->ntags == INSTANCE_TAGS_MAX ? NULL :
	    realloc(i->tags, (i->ntags + 1) * sizeof(*more));
	if (!more) {
		free(copy);
		return i->ntags == INSTANCE_TAGS_MAX ? -E2BIG : -ENOMEM;
	}
	i->tags = more;
	more[i->ntags] = (struct instance_tag){ .key = strdup(key), .value = copy };
	if (!more[i->ntags].key) {
		free(copy);
		return -ENOMEM;
	}
	i->ntags++;
	return 0;
}

static int
set_tags(void *arg, struct instance *i)
{
	struct command *c = arg;
	const cJSON *t;

	cJSON_ArrayForEach(t, c->tags) {
		int r = set_tag(i, t->string, t->valuestring);

		if (r < 0)
			return r;
	}
	return 0;
}

static int
drop_tags(void *arg, struct instance *i)
{
	struct command *c = arg;
	size_t before = i->ntags;
	const cJSON *k;

	cJSON_ArrayForEach(k, c->tags) {
		struct instance_tag *t = find_tag(i, k->valuestring);

		if (!t)
			continue;
		free(t->key);
		free(t->value);
		i->ntags--;
		memmove(t, t + 1, (size_t)(i->tags + i->ntags - t) * sizeof(*t));
	}
	return i->ntags == before;
}

/* Every item is text of at most `most` bytes, and so is its name where it has one. */
static bool
are_texts(const cJSON *list, size_t most)
{
	const cJSON *t;

	cJSON_ArrayForEach(t, list)
		if (!cJSON_IsString(t) || strlen(t->valuestring) > most ||
		    (t->string && (!*t->string || strlen(t->string) > 512)))
			return false;
	return true;
}

static void
change_tags(struct command *c, struct vm *vm, const cJSON *list, bool ok,
    record_change_fn *fn)
{
	if (!ok || !are_texts(list, 1024)) {
		command_end(c, "InvalidParameterValue", false,
		    "instance_tags_data: expected texts");
		return;
	}
	c->tags = cJSON_Duplicate(list, true);
	if (!c->tags)
		command_written(c, -ENOMEM);
	else
		change(c, vm, fn);
}

void
attribute_tag(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *tags = json_member(json_member(in, "instance_tags_data"), "tags");

	change_tags(c, vm, tags, cJSON_IsObject(tags), set_tags);
}

void
attribute_untag(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *keys = json_member(json_member(in, "instance_tags_data"), "tag_keys");

	change_tags(c, vm, keys, cJSON_IsArray(keys), drop_tags);
}
