/*
 * net_rule.h - a rule of a security group, out of the many ways in which a request may say it.
 * Pure.
 */
#pragma once

#include "gwd/net_impl.h"

/*
 * The rules that in says (IpPermissions, or the old flat members) for a group: a list of
 * SecurityGroupRule without ids, owned.  NULL: refused, or no memory.
 */
OWNED_BY(cJSON_Delete) cJSON *net_rules_read(struct net *n, const cJSON *in, const char *group,
    bool is_egress);
/* The same direction, group, protocol, ports and peer, whatever they are called. */
bool	 net_rule_is_same(const cJSON *a, const cJSON *b);
/* "0.0.0.0/0", "sg-1": who is let through. */
const char *net_rule_peer(const cJSON *rule);
