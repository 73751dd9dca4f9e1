#include "gwd/net_rule.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct { const char *name, *number; } protocols[] = {
	{ "-1", "all" }, { "icmp", "1" }, { "tcp", "6" }, { "udp", "17" }, { "icmpv6", "58" },
};

struct permission {
	const char	*group;
	const char	*protocol;
	int		 from, to;
	bool		 is_egress;
};

/* ---- protocol and ports ---- */

static const char *
protocol_of(const char *text)
{
	char *end;
	long number;

	for (size_t i = 0; i < ARRAY_LEN(protocols); i++)
		if (!strcasecmp(text, protocols[i].name) || !strcmp(text, protocols[i].number))
			return protocols[i].name;
	errno = 0;
	number = strtol(text, &end, 10);
	return !errno && end != text && !*end && number >= 0 && number <= 255 ? text : NULL;
}

static bool
has_ports(const char *protocol)
{
	return !strcmp(protocol, "tcp") || !strcmp(protocol, "udp");
}

/* False: refused. */
static bool
read_ports(struct net *n, const cJSON *in, struct permission *p)
{
	const cJSON *from = json_member(in, "FromPort"), *to = json_member(in, "ToPort");
	const bool given = cJSON_IsNumber(from) && cJSON_IsNumber(to);

	p->from = p->to = -1;
	if (!strcmp(p->protocol, "-1"))
		return true;
	if (given) {
		p->from = from->valueint;
		p->to = to->valueint;
	}
	if (has_ports(p->protocol) && !given) {
		(void)net_fail(n, "InvalidParameterValue", "Invalid value 'Must specify both from and to "
		    "ports with TCP/UDP.' for portRange.");
		return false;
	}
	if (has_ports(p->protocol) ? p->from < 0 || p->to > 65535 || p->from > p->to :
	    p->from < -1 || p->from > 255 || p->to < -1 || p->to > 255) {
		(void)net_fail(n, "InvalidParameterValue", "Invalid value '%d-%d' for portRange.",
		    p->from, p->to);
		return false;
	}
	return true;
}

/* ---- peers ---- */

static const char *
canonical_v6(const char *text, char ret[static INET6_ADDRSTRLEN + 4])
{
	char address[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	struct in6_addr a;
	char *end;
	long bits;

	if (!slash || (size_t)(slash - text) >= sizeof(address))
		return NULL;
	memcpy(address, text, (size_t)(slash - text));
	address[slash - text] = '\0';
	bits = strtol(slash + 1, &end, 10);
	if (end == slash + 1 || *end || bits < 0 || bits > 128 ||
	    inet_pton(AF_INET6, address, &a) != 1 || !inet_ntop(AF_INET6, &a, address, sizeof(address)))
		return NULL;
	(void)snprintf(ret, INET6_ADDRSTRLEN + 4, "%s/%ld", address, bits);
	return ret;
}

/* Takes rule: gives it what is the same for a permission's rules and puts it into list. */
static bool
rule_put(const struct net *n, const struct permission *p, cJSON *list, cJSON *rule,
    const cJSON *source)
{
	AUTO(json) cJSON *mine = rule;
	const char *description = json_text(source, "Description");

	return rule && cJSON_AddStringToObject(rule, "GroupId", p->group) &&
	    cJSON_AddStringToObject(rule, "GroupOwnerId", n->account) &&
	    cJSON_AddBoolToObject(rule, "IsEgress", p->is_egress) &&
	    cJSON_AddStringToObject(rule, "IpProtocol", p->protocol) &&
	    cJSON_AddNumberToObject(rule, "FromPort", p->from) &&
	    cJSON_AddNumberToObject(rule, "ToPort", p->to) &&
	    (!description || !*description ||
	    cJSON_AddStringToObject(rule, "Description", description)) &&
	    cJSON_AddItemToArray(list, steal_json(&mine));
}

static bool
put_text_peer(struct net *n, const struct permission *p, cJSON *list, const char *member,
    const char *text, const cJSON *source)
{
	cJSON *rule = cJSON_CreateObject();

	if (rule && cJSON_AddStringToObject(rule, member, text))
		return rule_put(n, p, list, rule, source);
	cJSON_Delete(rule);
	return false;
}

static bool
put_v4(struct net *n, const struct permission *p, cJSON *list, const cJSON *range)
{
	const char *text = json_text(range, "CidrIp");
	char canonical[CIDR_TEXT_MAX];
	struct cidr c;

	if (!text || cidr_read(text, &c) < 0) {
		(void)net_fail(n, "InvalidParameterValue", "CIDR block %.64s is malformed",
		    text ? text : "");
		return false;
	}
	cidr_print(&c, canonical);
	return put_text_peer(n, p, list, "CidrIpv4", canonical, range);
}

static bool
put_v6(struct net *n, const struct permission *p, cJSON *list, const cJSON *range)
{
	const char *text = json_text(range, "CidrIpv6");
	char canonical[INET6_ADDRSTRLEN + 4];

	if (!text || !canonical_v6(text, canonical)) {
		(void)net_fail(n, "InvalidParameterValue", "CIDR block %.64s is malformed",
		    text ? text : "");
		return false;
	}
	return put_text_peer(n, p, list, "CidrIpv6", canonical, range);
}

static bool
put_prefix(struct net *n, const struct permission *p, cJSON *list, const cJSON *range)
{
	(void)net_fail(n, "InvalidPrefixListID.NotFound", "The prefix list ID '%.64s' does not exist",
	    json_text(range, "PrefixListId") ? json_text(range, "PrefixListId") : "");
	return false;
}

/* A group of the account, by id, or by name beside the group that the rule is of. */
static const cJSON *
peer_group(struct net *n, const struct permission *p, const cJSON *pair)
{
	const cJSON *own = net_find(n, NET_GROUP, p->group), *group;
	const char *id = json_text(pair, "GroupId"), *name = json_text(pair, "GroupName");

	if (id)
		return net_need(n, NET_GROUP, id);
	cJSON_ArrayForEach(group, net_list(n, NET_GROUP)) {
		if (name && net_text_is(group, "GroupName", name) &&
		    net_text_is(group, "VpcId", json_text(own, "VpcId")))
			return group;
	}
	return net_need(n, NET_GROUP, name ? name : "");
}

static bool
put_group(struct net *n, const struct permission *p, cJSON *list, const cJSON *pair)
{
	const cJSON *group = peer_group(n, p, pair);
	const struct template_value v[] = { { "group", json_text(group, "GroupId") },
		{ "account", n->account } };

	return group && rule_put(n, p, list, template_fill(
	    "{\"ReferencedGroupInfo\":{\"GroupId\":\"$group\",\"UserId\":\"$account\"}}", v,
	    ARRAY_LEN(v)), pair);
}

static const struct {
	const char	*member;
	bool		(*put)(struct net *n, const struct permission *p, cJSON *list,
			    const cJSON *peer);
} peers[] = {
	{ "IpRanges",		put_v4 },
	{ "Ipv6Ranges",		put_v6 },
	{ "PrefixListIds",	put_prefix },
	{ "UserIdGroupPairs",	put_group },
};

/* ---- permissions ---- */

/* False: refused, or no memory. */
static bool
read_permission(struct net *n, const cJSON *in, const char *group, bool is_egress, cJSON *list)
{
	const char *protocol = json_text(in, "IpProtocol");
	struct permission p = { .group = group, .is_egress = is_egress };
	const int before = cJSON_GetArraySize(list);
	const cJSON *peer;

	if (!protocol || !(p.protocol = protocol_of(protocol))) {
		(void)net_fail(n, "InvalidParameterValue", "Invalid value '%.32s' for IP protocol. "
		    "Unknown protocol.", protocol ? protocol : "");
		return false;
	}
	if (!read_ports(n, in, &p))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(peers); i++) {
		cJSON_ArrayForEach(peer, json_member(in, peers[i].member))
			if (!peers[i].put(n, &p, list, peer))
				return false;
	}
	if (cJSON_GetArraySize(list) > before)
		return true;
	(void)net_fail(n, "MissingParameter", "The request must say for whom the rule is: a CIDR "
	    "block, or a security group");
	return false;
}

/* IpProtocol, FromPort, ToPort, CidrIp, SourceSecurityGroupName: as one permission; owned. */
static cJSON *
flat_permission(const cJSON *in)
{
	const char *cidr = json_text(in, "CidrIp"), *name = json_text(in, "SourceSecurityGroupName");
	static const char *const copied[] = { "IpProtocol", "FromPort", "ToPort" };
	const struct template_value v[] = { { "cidr", cidr }, { "name", name } };
	AUTO(json) cJSON *p = template_fill(cidr ? "{\"IpRanges\":[{\"CidrIp\":\"$cidr\"}]}" :
	    name ? "{\"UserIdGroupPairs\":[{\"GroupName\":\"$name\"}]}" : "{}", v, ARRAY_LEN(v));

	for (size_t i = 0; p && i < ARRAY_LEN(copied); i++) {
		const cJSON *member = json_member(in, copied[i]);
		cJSON *copy = member ? cJSON_Duplicate(member, true) : NULL;

		if (member && !net_set(p, copied[i], copy))
			return NULL;
	}
	return steal_json(&p);
}

cJSON *
net_rules_read(struct net *n, const cJSON *in, const char *group, bool is_egress)
{
	const cJSON *permissions = json_member(in, "IpPermissions"), *p;
	AUTO(json) cJSON *flat = NULL;
	AUTO(json) cJSON *list = cJSON_CreateArray();
	bool ok = list != NULL;

	if (cJSON_GetArraySize(permissions) == 0) {
		flat = flat_permission(in);
		ok = ok && flat && read_permission(n, flat, group, is_egress, list);
	}
	cJSON_ArrayForEach(p, permissions)
		ok = ok && read_permission(n, p, group, is_egress, list);
	return ok ? steal_json(&list) : NULL;
}

/* ---- comparing ---- */

const char *
net_rule_peer(const cJSON *rule)
{
	const char *v4 = json_text(rule, "CidrIpv4"), *v6 = json_text(rule, "CidrIpv6");
	const char *group = json_text(json_member(rule, "ReferencedGroupInfo"), "GroupId");

	return v4 ? v4 : v6 ? v6 : group ? group : "";
}

bool
net_rule_is_same(const cJSON *a, const cJSON *b)
{
	static const char *const members[] = { "GroupId", "IsEgress", "IpProtocol", "FromPort", "ToPort" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (!cJSON_Compare(json_member(a, members[i]), json_member(b, members[i]), true))
			return false;
	return strcmp(net_rule_peer(a), net_rule_peer(b)) == 0;
}
