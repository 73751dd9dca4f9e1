/*
 * net_group.c - security groups and their rules: see net.h.  A rule is a thing of its own, with
 * an id and tags; the permissions that a group shows are put together from them.
 */
#include <string.h>

#include "gwd/net_impl.h"
#include "gwd/net_rule.h"

#define NAME_MAX_CHARS	255
#define NAME_CHARS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "	\
	"._-:/()#,@[]+=&;{}!$*"
#define RULES_MAX	60	/* of a group, in one direction */

/* ---- what a group shows ---- */

static bool
is_rule_of(const cJSON *rule, const char *group, bool is_egress)
{
	return net_text_is(rule, "GroupId", group) &&
	    cJSON_IsTrue(json_member(rule, "IsEgress")) == is_egress;
}

/* The permission of the same protocol and ports, made where there is none; NULL: no memory. */
static cJSON *
permission_of(cJSON *list, const cJSON *rule)
{
	static const char *const same[] = { "IpProtocol", "FromPort", "ToPort" };
	static const char json[] = "{\"IpRanges\":[],\"Ipv6Ranges\":[],\"PrefixListIds\":[],"
	    "\"UserIdGroupPairs\":[]}";
	const bool all = net_text_is(rule, "IpProtocol", "-1");
	cJSON *p;

	cJSON_ArrayForEach(p, list) {
		bool is_it = true;

		for (size_t i = 0; i < (all ? 1 : ARRAY_LEN(same)); i++)
			is_it = is_it && cJSON_Compare(json_member(p, same[i]), json_member(rule, same[i]),
			    true);
		if (is_it)
			return p;
	}
	p = cJSON_Parse(json);
	for (size_t i = 0; p && i < (all ? 1 : ARRAY_LEN(same)); i++) {
		if (net_set(p, same[i], cJSON_Duplicate(json_member(rule, same[i]), true)))
			continue;
		cJSON_Delete(p);
		return NULL;
	}
	if (p && cJSON_AddItemToArray(list, p))
		return p;
	cJSON_Delete(p);
	return NULL;
}

/* The rule's peer as an item of one of the permission's lists.  False: no memory. */
static bool
permission_add(cJSON *permission, const cJSON *rule)
{
	const char *v4 = json_text(rule, "CidrIpv4"), *v6 = json_text(rule, "CidrIpv6");
	const cJSON *info = json_member(rule, "ReferencedGroupInfo");
	const char *list = v4 ? "IpRanges" : v6 ? "Ipv6Ranges" : "UserIdGroupPairs";
	const struct template_value v[] = { { "v4", v4 }, { "v6", v6 },
		{ "group", json_text(info, "GroupId") }, { "account", json_text(info, "UserId") },
		{ "description", json_text(rule, "Description") } };
	cJSON *one = template_fill("{\"CidrIp\":\"$v4\",\"CidrIpv6\":\"$v6\",\"GroupId\":\"$group\","
	    "\"UserId\":\"$account\",\"Description\":\"$description\"}", v, ARRAY_LEN(v));

	if (one && cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(permission, list), one))
		return true;
	cJSON_Delete(one);
	return false;
}

static cJSON *
permissions_of(const struct net *n, const char *group, bool is_egress)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	const cJSON *rule;

	cJSON_ArrayForEach(rule, net_list(n, NET_RULE)) {
		cJSON *p;

		if (!is_rule_of(rule, group, is_egress))
			continue;
		if (!list || !(p = permission_of(list, rule)) || !permission_add(p, rule))
			return NULL;
	}
	return steal_json(&list);
}

cJSON *
net_view_group(const struct net *n, const cJSON *group)
{
	AUTO(json) cJSON *view = cJSON_Duplicate(group, true);
	const char *id = json_text(group, "GroupId");

	if (!view || !net_set(view, "IpPermissions", permissions_of(n, id, false)) ||
	    !net_set(view, "IpPermissionsEgress", permissions_of(n, id, true)))
		return NULL;
	return steal_json(&view);
}

/* ---- groups ---- */

static const char *
default_vpc(const struct net *n)
{
	const cJSON *vpc;

	cJSON_ArrayForEach(vpc, net_list(n, NET_VPC)) {
		if (cJSON_IsTrue(json_member(vpc, "IsDefault")))
			return json_text(vpc, "VpcId");
	}
	return NULL;
}

static cJSON *
group_named(const struct net *n, const char *vpc, const char *name)
{
	cJSON *group;

	cJSON_ArrayForEach(group, net_list(n, NET_GROUP)) {
		if (net_text_is(group, "VpcId", vpc) && net_text_is(group, "GroupName", name))
			return group;
	}
	return NULL;
}

/* By GroupId, or GroupName in the default VPC.  NULL: refused. */
static cJSON *
group_need(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "GroupId"), *name = json_text(in, "GroupName");
	cJSON *group;

	if (id || !name)
		return net_need(n, NET_GROUP, id);
	group = group_named(n, default_vpc(n), name);
	return group ? group : net_need(n, NET_GROUP, name);
}

/* False: refused. */
static bool
check_words(struct net *n, const char *member, const char *text)
{
	if (*text && strlen(text) <= NAME_MAX_CHARS && strspn(text, NAME_CHARS) == strlen(text))
		return true;
	(void)net_fail(n, "InvalidParameterValue", "Value (%.64s) for parameter %s is invalid. Character "
	    "sets beyond ASCII are not supported, and it has 1 to 255 characters.", text, member);
	return false;
}

static cJSON *
create_security_group(struct net *n, const cJSON *in)
{
	static const char json[] = "{\"GroupId\":\"$id\",\"GroupName\":\"$name\","
	    "\"Description\":\"$description\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\"}";
	const char *name = json_text(in, "GroupName"), *about = json_text(in, "Description");
	const char *vpc = json_text(in, "VpcId") ? json_text(in, "VpcId") : default_vpc(n);
	char id[NET_ID_MAX];
	const struct template_value v[] = { { "id", id }, { "name", name }, { "description", about },
		{ "vpc", vpc }, { "account", n->account } };
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *made;

	if (!net_need(n, NET_VPC, vpc) || !check_words(n, "GroupName", name) ||
	    !check_words(n, "GroupDescription", about))
		return NULL;
	if (!strcmp(name, "default") || !strncmp(name, "sg-", 3))
		return net_fail(n, "InvalidParameterValue", "Invalid value '%.64s' for groupName. It is "
		    "reserved, or begins with 'sg-'.", name);
	if (group_named(n, vpc, name))
		return net_fail(n, "InvalidGroup.Duplicate", "The security group '%.255s' already exists "
		    "for VPC '%s'", name, vpc);
	net_new_id("sg", id);
	made = net_make(n, NET_GROUP, in, json, v, ARRAY_LEN(v));
	if (!made || !net_add_group_rules(n, id, false) || !out || !net_set_text(out, "GroupId", id) ||
	    !net_set(out, "Tags", cJSON_Duplicate(json_member(made, "Tags"), true)))
		return NULL;
	return steal_json(&out);
}

/* Another group's rule, or an interface, that has it. */
static const char *
group_dependent(const struct net *n, const char *id)
{
	const cJSON *thing, *g;

	if (net_is_used(n, id))
		return "an instance has it";
	cJSON_ArrayForEach(thing, net_list(n, NET_INTERFACE)) {
		cJSON_ArrayForEach(g, json_member(thing, "Groups")) {
			if (net_text_is(g, "GroupId", id))
				return "a network interface has it";
		}
	}
	cJSON_ArrayForEach(thing, net_list(n, NET_RULE)) {
		if (!net_text_is(thing, "GroupId", id) && !strcmp(net_rule_peer(thing), id))
			return "a rule of another group names it";
	}
	return NULL;
}

static cJSON *
delete_security_group(struct net *n, const cJSON *in)
{
	cJSON *group = group_need(n, in);
	const char *id = json_text(group, "GroupId"), *why;

	if (!group)
		return NULL;
	if (net_text_is(group, "GroupName", "default"))
		return net_fail(n, "CannotDelete", "the specified group: \"%s\" name: \"default\" cannot "
		    "be deleted by a user", id);
	if ((why = group_dependent(n, id)))
		return net_fail(n, "DependencyViolation", "resource %s has a dependent object: %s", id, why);
	(void)net_drop(net_list(n, NET_RULE), "GroupId", id);
	net_remove(n, NET_GROUP, group);
	return net_done();
}

/* ---- rules ---- */

static cJSON *
rule_same_as(const struct net *n, const cJSON *rule)
{
	cJSON *other;

	cJSON_ArrayForEach(other, net_list(n, NET_RULE)) {
		if (net_rule_is_same(other, rule))
			return other;
	}
	return NULL;
}

static int
count_rules(const struct net *n, const char *group, bool is_egress)
{
	const cJSON *rule;
	int count = 0;

	cJSON_ArrayForEach(rule, net_list(n, NET_RULE))
		count += is_rule_of(rule, group, is_egress);
	return count;
}

/* Takes rule.  The one in the document; NULL: refused, or no memory. */
static cJSON *
rule_enter(struct net *n, const cJSON *in, cJSON *rule)
{
	AUTO(json) cJSON *mine = rule;
	char id[NET_ID_MAX];
	cJSON *made;

	if (rule_same_as(n, rule))
		return net_fail(n, "InvalidPermission.Duplicate", "the specified rule \"peer: %s, %s, from "
		    "port: %d, to port: %d, ALLOW\" already exists", net_rule_peer(rule),
		    json_text(rule, "IpProtocol"), json_member(rule, "FromPort")->valueint,
		    json_member(rule, "ToPort")->valueint);
	if (count_rules(n, json_text(rule, "GroupId"), cJSON_IsTrue(json_member(rule, "IsEgress"))) >=
	    RULES_MAX)
		return net_fail(n, net_rows[NET_RULE].limit, "The maximum number of rules per security "
		    "group, %d, is reached.", RULES_MAX);
	net_new_id("sgr", id);
	made = net_make(n, NET_RULE, in, "{\"SecurityGroupRuleId\":\"$id\"}",
	    &(struct template_value){ "id", id }, 1);
	while (made && mine->child) {
		cJSON *member = cJSON_DetachItemViaPointer(mine, mine->child);

		if (cJSON_AddItemToObject(made, member->string, member))
			continue;
		cJSON_Delete(member);
		return NULL;
	}
	return made;
}

static cJSON *
authorize(struct net *n, const cJSON *in, bool is_egress)
{
	cJSON *group = group_need(n, in);
	AUTO(json) cJSON *rules = group ? net_rules_read(n, in, json_text(group, "GroupId"), is_egress) :
	    NULL;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *shown = cJSON_AddArrayToObject(out, "SecurityGroupRules");

	if (!rules || !shown || !net_set_bool(out, "Return", true))
		return NULL;
	while (rules->child) {
		cJSON *made = rule_enter(n, in, cJSON_DetachItemViaPointer(rules, rules->child));
		cJSON *copy = made ? cJSON_Duplicate(made, true) : NULL;

		if (!copy || !cJSON_AddItemToArray(shown, copy))
			return NULL;
	}
	return steal_json(&out);
}

static cJSON *
authorize_ingress(struct net *n, const cJSON *in)
{
	return authorize(n, in, false);
}

static cJSON *
authorize_egress(struct net *n, const cJSON *in)
{
	return authorize(n, in, true);
}

/* By SecurityGroupRuleIds.  False: refused. */
static bool
revoke_ids(struct net *n, const char *group, const cJSON *ids, bool is_egress)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, ids) {
		cJSON *rule = net_need(n, NET_RULE, id->valuestring);

		if (!rule)
			return false;
		if (!is_rule_of(rule, group, is_egress)) {
			(void)net_fail(n, "InvalidSecurityGroupRuleId.NotFound", "The security group rule ID "
			    "'%s' does not exist in this group and direction", id->valuestring);
			return false;
		}
		net_remove(n, NET_RULE, rule);
	}
	return true;
}

static cJSON *
take_back(struct net *n, const cJSON *in, bool is_egress)
{
	const cJSON *ids = json_member(in, "SecurityGroupRuleIds"), *rule;
	cJSON *group = group_need(n, in);
	AUTO(json) cJSON *rules = NULL;

	if (!group)
		return NULL;
	if (cJSON_GetArraySize(ids) > 0)
		return revoke_ids(n, json_text(group, "GroupId"), ids, is_egress) ? net_true() : NULL;
	if (!(rules = net_rules_read(n, in, json_text(group, "GroupId"), is_egress)))
		return NULL;
	cJSON_ArrayForEach(rule, rules) {
		cJSON *has = rule_same_as(n, rule);

		if (!has)
			return net_fail(n, "InvalidPermission.NotFound", "The specified rule does not exist "
			    "in this security group.");
		net_remove(n, NET_RULE, has);
	}
	return net_true();
}

static cJSON *
revoke_ingress(struct net *n, const cJSON *in)
{
	return take_back(n, in, false);
}

static cJSON *
revoke_egress(struct net *n, const cJSON *in)
{
	return take_back(n, in, true);
}

/* ---- descriptions ---- */

static bool
describe_rule(struct net *n, cJSON *rule, const char *text)
{
	if (!rule) {
		if (!*n->code)
			(void)net_fail(n, "InvalidPermission.NotFound", "The specified rule does not exist in "
			    "this security group.");
		return false;
	}
	if (text && *text)
		return net_set_text(rule, "Description", text);
	cJSON_DeleteItemFromObjectCaseSensitive(rule, "Description");
	return true;
}

static cJSON *
update_descriptions(struct net *n, const cJSON *in, bool is_egress)
{
	const cJSON *given = json_member(in, "SecurityGroupRuleDescriptions"), *d;
	cJSON *group = group_need(n, in);
	AUTO(json) cJSON *rules = NULL;

	if (!group)
		return NULL;
	if (cJSON_GetArraySize(given) == 0 &&
	    !(rules = net_rules_read(n, in, json_text(group, "GroupId"), is_egress)))
		return NULL;
	cJSON_ArrayForEach(d, given) {
		if (!describe_rule(n, net_need(n, NET_RULE, json_text(d, "SecurityGroupRuleId")),
		    json_text(d, "Description")))
			return NULL;
	}
	cJSON_ArrayForEach(d, rules) {
		if (!describe_rule(n, rule_same_as(n, d), json_text(d, "Description")))
			return NULL;
	}
	return net_true();
}

static cJSON *
update_ingress(struct net *n, const cJSON *in)
{
	return update_descriptions(n, in, false);
}

static cJSON *
update_egress(struct net *n, const cJSON *in)
{
	return update_descriptions(n, in, true);
}

const struct net_change net_changes_group[] = {
	{ "AuthorizeSecurityGroupEgress",	authorize_egress,	false, false },
	{ "AuthorizeSecurityGroupIngress",	authorize_ingress,	false, false },
	{ "CreateSecurityGroup",		create_security_group,	false, false },
	{ "DeleteSecurityGroup",		delete_security_group,	true, false },
	{ "RevokeSecurityGroupEgress",		revoke_egress,		false, false },
	{ "RevokeSecurityGroupIngress",		revoke_ingress,		false, false },
	{ "UpdateSecurityGroupRuleDescriptionsEgress", update_egress,	false, false },
	{ "UpdateSecurityGroupRuleDescriptionsIngress", update_ingress,	false, false },
	{ NULL, NULL, false, false },
};
