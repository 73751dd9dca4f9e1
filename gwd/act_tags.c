/*
 * act_tags.c - CreateTags and DeleteTags.  The tags of an instance, of its root volume and of its
 * network interface live in its record, which its owner changes; those of other volumes and of key
 * pairs and images in records of their own, those of a network's things in the account's document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/command.h"
#include "gwd/device_view.h"
#include "gwd/gwd.h"
#include "gwd/inventory.h"
#include "gwd/net_job.h"
#include "gwd/record_tags.h"
#include "gwd/tag_list.h"
#include "gwd/tag_rule.h"

/* ---- what can be tagged ---- */

static const struct tags_kind {
	enum instance_tagged	 tagged;
	const char		*prefix;	/* of its ids */
	const char		*malformed, *missing;	/* codes */
	const char		*what;
} tags_kinds[INSTANCE_TAGGED] = {
	[INSTANCE_TAGS_OWN]	= { INSTANCE_TAGS_OWN, "i", "InvalidInstanceID.Malformed",
				    "InvalidInstanceID", "instance ID" },
	[INSTANCE_TAGS_VOLUME]	= { INSTANCE_TAGS_VOLUME, "vol", "InvalidVolumeID.Malformed",
				    "InvalidVolume", "volume" },
	[INSTANCE_TAGS_NIC]	= { INSTANCE_TAGS_NIC, "eni",
				    "InvalidNetworkInterfaceId.Malformed",
				    "InvalidNetworkInterfaceID", "networkInterface ID" },
};

/* By what stands before the dash; NULL: none of these. */
static const struct tags_kind *
tags_kind_of(const char *id)
{
	for (size_t i = 0; i < INSTANCE_TAGGED; i++) {
		const size_t len = strlen(tags_kinds[i].prefix);

		if (strncmp(id, tags_kinds[i].prefix, len) == 0 && id[len] == '-')
			return &tags_kinds[i];
	}
	return NULL;
}

/* What has a record of its own, and its tags in it. */
static const struct tags_record {
	const char	*list;		/* that we write into the input */
	const char	*prefix, *malformed;
} tags_records[RECORD_TAGGED] = {
	/* Some volumes: which, is only found. */
	[RECORD_VOLUMES]	= { "volume-records",	NULL,	NULL },
	[RECORD_KEY_PAIRS]	= { "key-pairs",	"key",	"InvalidKeyPair.Malformed" },
	[RECORD_IMAGES]		= { "images",		"ami",	"InvalidAMIID.Malformed" },
};

static const struct tags_record *
tags_record_of(const char *id)
{
	for (size_t i = RECORD_VOLUMES + 1; i < RECORD_TAGGED; i++) {
		const size_t len = strlen(tags_records[i].prefix);

		if (strncmp(id, tags_records[i].prefix, len) == 0 && id[len] == '-')
			return &tags_records[i];
	}
	return NULL;
}

static int
tags_check_resources(const cJSON *in, struct shape_error *e)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		const char *text = cJSON_IsString(id) ? id->valuestring : "";
		const struct tags_kind *k = tags_kind_of(text);
		const struct tags_record *r = tags_record_of(text);

		if ((k && ident_is_ec2(text, k->prefix)) || (r && ident_is_ec2(text, r->prefix)) ||
		    net_kind_of(text) != NET_KINDS)
			continue;
		if (k || r)
			return shape_refuse(e, k ? k->malformed : r->malformed,
			    "Invalid id: \"%.64s\"", text);
		if (!strchr(text, '-'))
			return shape_refuse(e, "InvalidID", "The ID '%.64s' is not valid", text);
		return shape_refuse(e, "UnsupportedOperation", "Tags of '%.64s' cannot be "
		    "changed: only those of instances, volumes, key pairs, images and a network's "
		    "things can.", text);
	}
	return 0;
}

int
act_create_tags_check(const cJSON *in, struct shape_error *e)
{
	char why[TAG_MESSAGE_MAX];
	const char *code = tag_rule_check(json_member(in, "Tags"), why);

	if (code)
		return shape_refuse(e, code, "%s", why);
	if (cJSON_GetArraySize(json_member(in, "Tags")) == 0)
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter Tags");
	return tags_check_resources(in, e);
}

int
act_delete_tags_check(const cJSON *in, struct shape_error *e)
{
	const cJSON *tag;

	cJSON_ArrayForEach(tag, json_member(in, "Tags")) {
		if (!json_text(tag, "Key"))
			return shape_refuse(e, "MissingParameter",
			    "The request must contain the parameter Tag.Key");
	}
	return tags_check_resources(in, e);
}

/* ---- what an owner is told ---- */

static enum instance_tagged	 tags_of(const struct command_spec *spec);

/* {"of", member: {} or []}: that member. */
static cJSON *
tags_data(const struct command *c, cJSON *command, const char *member, bool is_list)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_tags_data");

	if (!data || !cJSON_AddStringToObject(data, "of", instance_tagged_name(tags_of(c->spec))))
		return NULL;
	return is_list ? cJSON_AddArrayToObject(data, member) : cJSON_AddObjectToObject(data, member);
}

static bool
tags_fill_set(const struct command *c, const struct instance *i, cJSON *command)
{
	cJSON *tags = tags_data(c, command, "tags", false);
	const cJSON *tag;

	if (!tags)
		return false;
	cJSON_ArrayForEach(tag, json_member(c->call->in, "Tags")) {
		const char *value = json_text(tag, "Value");

		if (!cJSON_AddStringToObject(tags, json_text(tag, "Key"), value ? value : ""))
			return false;
	}
	return true;
}

/* EC2: a tag with a value goes only while it has that value; without one, whatever it has. */
static bool
tags_goes(const struct instance_tags *has, const cJSON *tag)
{
	const char *key = json_text(tag, "Key"), *value = json_text(tag, "Value");

	for (size_t n = 0; n < has->n; n++) {
		if (strcmp(has->tag[n].key, key) == 0)
			return !value || strcmp(has->tag[n].value, value) == 0;
	}
	return false;
}

static bool
tags_add_key(cJSON *keys, const char *key)
{
	cJSON *one = cJSON_CreateString(key);

	if (one && cJSON_AddItemToArray(keys, one))
		return true;
	cJSON_Delete(one);
	return false;
}

/* Without a list of tags all go, but for those that EC2 itself has put. */
static bool
tags_fill_remove(const struct command *c, const struct instance *i, cJSON *command)
{
	const cJSON *wanted = json_member(c->call->in, "Tags"), *tag;
	const struct instance_tags *has = &i->tags[tags_of(c->spec)];
	cJSON *keys = tags_data(c, command, "tag_keys", true);

	if (!keys)
		return false;
	for (size_t n = 0; !wanted && n < has->n; n++) {
		if (strncmp(has->tag[n].key, "aws:", 4) != 0 && !tags_add_key(keys, has->tag[n].key))
			return false;
	}
	cJSON_ArrayForEach(tag, wanted) {
		if (tags_goes(has, tag) && !tags_add_key(keys, json_text(tag, "Key")))
			return false;
	}
	return true;
}

/* ---- create and delete ---- */

/*
 * First every resource is found: each is, or belongs to, an instance, or has a record of its own, or
 * is of the network.  The instances are written in the input, as lists under the names of what of
 * them is tagged.  Then the steps, those whose list is there: what would be refused for any of the
 * things is refused by a look at all of them, before anything is done.
 */
static void	 tags_next(struct call *call);

#define TAGS_ALL	"instances"	/* lists that we write into the input: all instances */
#define TAGS_NETWORK	"network"	/* ids of the network's things */

/* ids: instance_tagged_name. */
#define TAGS_SPECS(v, f)	{							\
	[INSTANCE_TAGS_OWN] = { .verb = (v), .ids = "instance", .fill = (f), .then = tags_next }, \
	[INSTANCE_TAGS_VOLUME] = { .verb = (v), .ids = "volume", .fill = (f),		\
	    .then = tags_next },							\
	[INSTANCE_TAGS_NIC] = { .verb = (v), .ids = "network-interface", .fill = (f),	\
	    .then = tags_next },							\
}
static const struct command_spec tags_set[INSTANCE_TAGGED] =
    TAGS_SPECS(&verb_set_tags, tags_fill_set);
static const struct command_spec tags_remove[INSTANCE_TAGGED] =
    TAGS_SPECS(&verb_remove_tags, tags_fill_remove);

static enum instance_tagged
tags_of(const struct command_spec *spec)
{
	int t = 0;

	while (t + 1 < INSTANCE_TAGGED && spec != &tags_set[t] && spec != &tags_remove[t])
		t++;
	return (enum instance_tagged)t;
}

static bool
tags_is_create(const struct call *call)
{
	return strcmp(call->action->name, "CreateTags") == 0;
}

/* Adds text to the list of that name in obj, which is made.  False: no memory. */
static bool
tags_note(cJSON *obj, const char *name, const char *text)
{
	cJSON *list = cJSON_GetObjectItemCaseSensitive(obj, name);

	if (!list)
		list = cJSON_AddArrayToObject(obj, name);
	return list && tags_add_key(list, text);
}

static const struct instance *
tags_record(const struct command *c, const char *id)
{
	const int at = id_list_find(&c->ids, id);

	return at < 0 ? NULL : &c->items[at].record;
}

/* How many it would have. */
static size_t
tags_after(const struct instance_tags *has, const cJSON *tags)
{
	size_t n = has->n;
	const cJSON *tag;

	cJSON_ArrayForEach(tag, tags) {
		bool is_new = true;

		for (size_t i = 0; i < has->n; i++)
			is_new &= strcmp(has->tag[i].key, json_text(tag, "Key")) != 0;
		n += is_new;
	}
	return n;
}

/* Is there room for the tags in each?  False: the call was failed. */
static bool
tags_may(const struct command *c)
{
	const cJSON *tags = json_member(c->call->in, "Tags"), *id;

	for (int t = 0; tags_is_create(c->call) && t < INSTANCE_TAGGED; t++) {
		cJSON_ArrayForEach(id, json_member(c->call->in,
		    instance_tagged_name((enum instance_tagged)t))) {
			const struct instance *i = tags_record(c, id->valuestring);

			if (!i || tags_after(&i->tags[t], tags) <= INSTANCE_TAGS_MAX)
				continue;
			call_fail(c->call, "TagLimitExceeded", TAG_LIST_FULL_SAID, INSTANCE_TAGS_MAX, i->id);
			return false;
		}
	}
	return true;
}

/* ---- the steps ---- */

struct tags_step {
	const char	*member;	/* of the input: the ids; absent: the step is left out */
	void		(*fn)(struct call *call);	/* takes the call; then tags_next */
};

static void
tags_look(struct call *call)
{
	static const struct command_spec look = { .ids = TAGS_ALL, .may = tags_may, .then = tags_next };

	command_start(call->gwd, call, &look);
}

/* The step that the call is at is of one of the tags_records. */
static void
tags_record_change(struct call *call, bool is_trial)
{
	const struct tags_step *s = call->state;
	int of = RECORD_VOLUMES;

	while (of + 1 < RECORD_TAGGED && strcmp(tags_records[of].list, s->member) != 0)
		of++;
	record_tags_change(call, (enum record_tagged)of, s->member, is_trial, tags_next);
}

static void
tags_in_record_try(struct call *call)
{
	tags_record_change(call, true);
}

static void
tags_in_record(struct call *call)
{
	tags_record_change(call, false);
}

static void
tags_network_done(struct call *call, const cJSON *out)
{
	tags_next(call);
}

static void
tags_network_change(struct call *call, bool is_trial)
{
	static const struct net_change set[] = { { "CreateTags", net_tags_set, false, false },
		{ "CreateTags", net_tags_set, false, true } };
	static const struct net_change drop[] = { { "DeleteTags", net_tags_drop, false, false },
		{ "DeleteTags", net_tags_drop, false, true } };
	cJSON *in = cJSON_Duplicate(call->in, true);

	if (in)
		cJSON_ReplaceItemInObjectCaseSensitive(in, "Resources",
		    cJSON_Duplicate(json_member(call->in, TAGS_NETWORK), true));
	net_job_start(call->gwd, call, tags_is_create(call) ? &set[is_trial] : &drop[is_trial], in,
	    tags_network_done);
}

static void
tags_network_try(struct call *call)
{
	tags_network_change(call, true);
}

static void
tags_network(struct call *call)
{
	tags_network_change(call, false);
}

static void
tags_instance(struct call *call)
{
	const struct tags_step *s = call->state;
	enum instance_tagged of;

	if (instance_tagged_from_name(s->member, &of) < 0)
		ask_fail_nomem(call);
	else
		command_start(call->gwd, call, tags_is_create(call) ? &tags_set[of] : &tags_remove[of]);
}

/* The looks first; then what a silent node may fail, before what only the store may. */
static const struct tags_step tags_steps[] = {
	{ TAGS_ALL,		tags_look },
	{ "volume-records",	tags_in_record_try },
	{ "key-pairs",		tags_in_record_try },
	{ "images",		tags_in_record_try },
	{ TAGS_NETWORK,		tags_network_try },
	{ "instance",		tags_instance },
	{ "volume",		tags_instance },
	{ "network-interface",	tags_instance },
	{ "volume-records",	tags_in_record },
	{ "key-pairs",		tags_in_record },
	{ "images",		tags_in_record },
	{ TAGS_NETWORK,		tags_network },
	{ NULL,			NULL },
};

/* The call's state is the step at which it is. */
static void
tags_next(struct call *call)
{
	const struct tags_step *s = call->state;

	for (s = s ? s + 1 : tags_steps; s->member && !json_member(call->in, s->member); )
		s++;
	call->state = s;
	if (s->member)
		s->fn(call);
	else
		call_answer(call, cJSON_CreateObject());	/* no output shape: <return>true</return> */
}

/* Everything was found. */
static void
tags_begin(struct call *call)
{
	const cJSON *id;

	for (int t = 0; t < INSTANCE_TAGGED; t++) {
		cJSON_ArrayForEach(id, json_member(call->in,
		    instance_tagged_name((enum instance_tagged)t))) {
			if (tags_note(call->in, TAGS_ALL, id->valuestring))
				continue;
			ask_fail_nomem(call);
			return;
		}
	}
	tags_next(call);
}

struct tags_search {
	struct call	*call;
	struct id_list	 all;				/* empty: every instance is looked at */
	struct id_list	 wanted[INSTANCE_TAGGED];	/* borrowed from devices */
	bool		*found[INSTANCE_TAGGED];
	cJSON		*devices;			/* {"volume": [ids], ...} */
	bool		 nomem;
};

static void
tags_search_free(struct tags_search *s)
{
	for (size_t t = 0; t < INSTANCE_TAGGED; t++) {
		id_list_deinit(&s->wanted[t]);
		free(s->found[t]);
	}
	cJSON_Delete(s->devices);
	free(s);
}

static void
tags_match(struct tags_search *s, enum instance_tagged t, const char *id, const char *instance)
{
	int at = id ? id_list_find(&s->wanted[t], id) : -1;

	if (at < 0)
		return;
	s->found[t][at] = true;
	s->nomem |= !tags_note(s->call->in, instance_tagged_name(t), instance);
}

static bool
tags_search_round(void *arg, struct inventory_item *items, size_t n)
{
	struct tags_search *s = arg;
	const cJSON *m;

	for (size_t i = 0; i < n; i++) {
		const cJSON *instance = items[i].instance;

		tags_match(s, INSTANCE_TAGS_VOLUME, device_volume_id(instance), items[i].id);
		cJSON_ArrayForEach(m, json_member(instance, "NetworkInterfaces"))
			tags_match(s, INSTANCE_TAGS_NIC, json_text(m, "NetworkInterfaceId"),
			    items[i].id);
	}
	return s->nomem;
}

/* What no instance has may be elsewhere: it is noted under member instead. */
static void
tags_pass_on(struct tags_search *s, enum instance_tagged t, const char *member)
{
	const struct id_list *l = &s->wanted[t];

	for (size_t i = 0; i < l->n; i++) {
		if (s->found[t][i])
			continue;
		s->found[t][i] = true;
		s->nomem |= !tags_note(s->call->in, member, l->id[i]);
	}
}

/* False: the call was failed. */
static bool
tags_found_all(struct tags_search *s)
{
	for (size_t t = 0; t < INSTANCE_TAGGED; t++) {
		if (s->wanted[t].n > 0 && !ask_found(s->call, &s->wanted[t], s->found[t],
		    tags_kinds[t].what, tags_kinds[t].missing))
			return false;
	}
	return true;
}

static void
tags_search_end(void *arg, const struct inventory_error *e)
{
	struct tags_search *s = arg;
	struct call *call = s->call;
	bool goes_on = false;

	if (!e) {
		tags_pass_on(s, INSTANCE_TAGS_NIC, TAGS_NETWORK);
		tags_pass_on(s, INSTANCE_TAGS_VOLUME, tags_records[RECORD_VOLUMES].list);
	}
	if (e)
		call_fail(call, e->code, "%s", e->message);
	else if (s->nomem)
		ask_fail_nomem(call);
	else
		goes_on = tags_found_all(s);
	tags_search_free(s);
	if (goes_on)
		tags_begin(call);
}

/* Instances go on as they are; of the others it has to be found whose they are. */
static bool
tags_sort(struct tags_search *s)
{
	const char *bad;
	const cJSON *id;

	s->devices = cJSON_CreateObject();
	cJSON_ArrayForEach(id, json_member(s->call->in, "Resources")) {
		const struct tags_kind *k = tags_kind_of(id->valuestring);
		cJSON *to = !k || k->tagged == INSTANCE_TAGS_OWN ? s->call->in : s->devices;
		const struct tags_record *r = tags_record_of(id->valuestring);
		const char *list = k ? instance_tagged_name(k->tagged) : r ? r->list : TAGS_NETWORK;

		if (!to || !tags_note(to, list, id->valuestring))
			return false;
	}
	for (size_t t = 0; t < INSTANCE_TAGGED; t++) {
		if (id_list_read(json_member(s->devices, instance_tagged_name(tags_kinds[t].tagged)),
		    NULL, &s->wanted[t], &bad) != ID_LIST_OK)
			return false;
		s->found[t] = calloc(s->wanted[t].n + 1, sizeof(bool));
		if (!s->found[t])
			return false;
	}
	return true;
}

static void
tags_change(struct gwd *g, struct call *c)
{
	struct tags_search *s = calloc(1, sizeof(*s));
	struct inventory_ask ask = { .call = c, .after = "", .round = tags_search_round,
	    .end = tags_search_end, .arg = s };

	if (!s) {
		ask_fail_nomem(c);
		return;
	}
	s->call = c;
	ask.ids = &s->all;
	if (!tags_sort(s))
		ask_fail_nomem(c);
	else if (!s->devices->child) {
		tags_search_free(s);
		tags_begin(c);
		return;
	} else if (inventory_start(g, &ask))
		return;
	else
		ask_fail_unready(c);
	tags_search_free(s);
}

void
act_create_tags(struct gwd *g, struct call *c)
{
	tags_change(g, c);
}

void
act_delete_tags(struct gwd *g, struct call *c)
{
	tags_change(g, c);
}
