/* Commands that change what a record says and nothing else; see command.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vmd/command.h"
#include "vmd/volume.h"

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

/* ---- what a record says of the instance ---- */

/* Of one that has to be stopped: the guest was given the old ones. */
static bool
is_for_stopped(const struct command *c)
{
	return json_member(c->data, "instance_type") || json_member(c->data, "user_data");
}

static int
set_text(char *member, size_t size, const char *text)
{
	if (!text || strcmp(member, text) == 0)
		return 0;
	snprintf(member, size, "%s", text);
	return 1;
}

/* "" takes it away. */
static int
set_user_data(struct instance *i, const char *text)
{
	char *copy;

	if (!text || strcmp(text, i->user_data ? i->user_data : "") == 0)
		return 0;
	copy = *text ? strdup(text) : NULL;
	if (*text && !copy)
		return -ENOMEM;
	free(i->user_data);
	i->user_data = copy;
	return 1;
}

static int
set_groups(struct instance *i, const char *text)
{
	char *copy;

	if (!text || (i->groups && strcmp(text, i->groups) == 0))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(i->groups);
	i->groups = copy;
	snprintf(i->group_id, sizeof(i->group_id), "%.*s", (int)strcspn(text, " "), text);
	return 1;
}

static int
set_data(void *arg, struct instance *i)
{
	struct command *c = arg;
	const cJSON *keep = json_member(c->data, "keep_volume");
	int changed, r;

	if (is_for_stopped(c) && i->state != INSTANCE_STOPPED)
		return -EBUSY;
	changed = set_user_data(i, json_text(c->data, "user_data"));
	if (changed < 0)
		return changed;
	if ((r = set_groups(i, json_text(c->data, "groups"))) < 0)
		return r;
	changed += r;
	changed += set_text(i->instance_type, sizeof(i->instance_type),
	    json_text(c->data, "instance_type"));
	changed += set_text(i->shutdown_behavior, sizeof(i->shutdown_behavior),
	    json_text(c->data, "shutdown_behavior"));
	if (keep && i->keep_volume != cJSON_IsTrue(keep)) {
		i->keep_volume = cJSON_IsTrue(keep);
		changed++;
	}
	return changed == 0;
}

static bool
is_text_up_to(const cJSON *item, size_t most)
{
	return !item || (cJSON_IsString(item) && strlen(item->valuestring) <= most);
}

/* Why it cannot be; NULL: it can. */
static const char *
check_data(const struct command *c, const struct instance *i, const cJSON *data)
{
	const char *type = json_text(data, "instance_type");
	const char *behavior = json_text(data, "shutdown_behavior");
	const cJSON *keep = json_member(data, "keep_volume"), *groups = json_member(data, "groups");
	const cJSON *device = json_member(data, "device");
	const struct type *t = type ? types_find(&c->d->types, type) : NULL;

	if (!cJSON_IsObject(data) || !data->child)
		return "instance_attribute_data: expected what to set";
	if (!is_text_up_to(json_member(data, "instance_type"), sizeof(i->instance_type) - 1) ||
	    (type && (!t || !t->offered || strcmp(t->arch, i->arch) != 0)))
		return "instance_type: expected one that is offered, of the same architecture";
	if (!is_text_up_to(json_member(data, "shutdown_behavior"),
	    sizeof(i->shutdown_behavior) - 1) ||
	    (behavior && strcmp(behavior, "stop") != 0 && strcmp(behavior, "terminate") != 0))
		return "shutdown_behavior: expected stop or terminate";
	if (groups && (!cJSON_IsString(groups) || !instance_groups_are_valid(groups->valuestring)))
		return "groups: expected up to 16 lines of an id and a name";
	if (!is_text_up_to(json_member(data, "user_data"), 2 * INSTANCE_USER_DATA_MAX))
		return "user_data: expected base64";
	if (keep && !cJSON_IsBool(keep))
		return "keep_volume: expected true or false";
	if (device && (!cJSON_IsString(device) || !keep || data->child->next->next))
		return "device: expected a text, beside keep_volume alone";
	return NULL;
}

void
attribute_set_data(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *data = json_member(in, "instance_attribute_data");
	const char *device = json_text(data, "device");
	const char *why = check_data(c, vm_instance(vm), data);

	if (why) {
		command_end(c, "InvalidParameterValue", false, why);
		return;
	}
	if (device && strcmp(device, vm_instance(vm)->root_device) != 0) {
		volume_keep(c, vm, in);
		return;
	}
	c->data = cJSON_Duplicate(data, true);
	if (!c->data)
		command_written(c, -ENOMEM);
	else
		change(c, vm, set_data);
}

/* ---- metadata options ---- */

static int
set_metadata(void *arg, struct instance *i)
{
	struct command *c = arg;
	uint64_t hops;
	int changed = set_text(i->metadata_endpoint, sizeof(i->metadata_endpoint),
	    json_text(c->data, "http_endpoint"));

	changed += set_text(i->metadata_tokens, sizeof(i->metadata_tokens),
	    json_text(c->data, "http_tokens"));
	if (json_get_u64(json_member(c->data, "http_put_response_hop_limit"), &hops) &&
	    hops != i->metadata_hops) {
		i->metadata_hops = (uint32_t)hops;
		changed++;
	}
	return changed == 0;
}

/* Absent, or one of the words. */
static bool
is_one_of(const cJSON *data, const char *member, const char *a, const char *b)
{
	const cJSON *item = json_member(data, member);

	return !item || (cJSON_IsString(item) && (strcmp(item->valuestring, a) == 0 ||
	    (b && strcmp(item->valuestring, b) == 0)));
}

static const char *
check_metadata(const cJSON *data)
{
	const cJSON *hops = json_member(data, "http_put_response_hop_limit");
	uint64_t n;

	if (!cJSON_IsObject(data) || !data->child)
		return "instance_metadata_options_data: expected what to set";
	if (!is_one_of(data, "http_tokens", "optional", "required"))
		return "http_tokens: expected optional or required";
	if (!is_one_of(data, "http_endpoint", "enabled", "disabled"))
		return "http_endpoint: expected enabled or disabled";
	if (hops && (!json_get_u64(hops, &n) || n < 1 || n > 64))
		return "http_put_response_hop_limit: expected 1 to 64";
	/* Neither is there to be had. */
	if (!is_one_of(data, "http_protocol_ipv6", "disabled", NULL) ||
	    !is_one_of(data, "instance_metadata_tags", "disabled", NULL))
		return "http_protocol_ipv6, instance_metadata_tags: expected disabled";
	return NULL;
}

void
attribute_set_metadata(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *data = json_member(in, "instance_metadata_options_data");
	const char *why = check_metadata(data);

	if (why) {
		command_end(c, "InvalidParameterValue", false, why);
		return;
	}
	c->data = cJSON_Duplicate(data, true);
	if (!c->data)
		command_written(c, -ENOMEM);
	else
		change(c, vm, set_metadata);
}

/* ---- tags ---- */

static int
set_tags(void *arg, struct instance *i)
{
	struct command *c = arg;
	const cJSON *t;
	int r = 0;

	cJSON_ArrayForEach(t, c->data) {
		if (r == 0)
			r = instance_tags_set(&i->tags[c->tagged], t->string, t->valuestring);
	}
	return r;
}

static int
drop_tags(void *arg, struct instance *i)
{
	struct command *c = arg;
	bool dropped = false;
	const cJSON *k;

	cJSON_ArrayForEach(k, c->data)
		dropped |= instance_tags_drop(&i->tags[c->tagged], k->valuestring);
	return !dropped;
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

/* "of" names whose tags: the instance's own without it.  list: what to set, or to drop. */
static void
change_tags(struct command *c, struct vm *vm, const cJSON *data, const cJSON *list, bool ok,
    record_change_fn *fn)
{
	const cJSON *of = json_member(data, "of");

	if (!ok || !are_texts(list, 1024) || (of && (!cJSON_IsString(of) ||
	    instance_tagged_from_name(of->valuestring, &c->tagged) < 0))) {
		command_end(c, "InvalidParameterValue", false,
		    "instance_tags_data: expected texts, of what an instance has tags for");
		return;
	}
	c->data = cJSON_Duplicate(list, true);
	if (!c->data)
		command_written(c, -ENOMEM);
	else
		change(c, vm, fn);
}

void
attribute_tag(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *data = json_member(in, "instance_tags_data");
	const cJSON *tags = json_member(data, "tags");

	change_tags(c, vm, data, tags, cJSON_IsObject(tags), set_tags);
}

void
attribute_untag(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *data = json_member(in, "instance_tags_data");
	const cJSON *keys = json_member(data, "tag_keys");

	change_tags(c, vm, data, keys, cJSON_IsArray(keys), drop_tags);
}
