/*
 * act_net.c - what changes an account's network: each action is a rule of net_*.c by its name,
 * and a check of what its shape cannot say.
 */
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/gwd.h"
#include "gwd/net_job.h"
#include "gwd/run_check.h"
#include "gwd/tag_rule.h"

static const struct net_change *
change_of(const char *action)
{
	static const struct net_change *const tables[] = { net_changes_vpc, net_changes_group,
		net_changes_route, net_changes_interface };

	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (const struct net_change *ch = tables[t]; ch->action; ch++)
			if (!strcmp(ch->action, action))
				return ch;
	abort();		/* a row of actions.c without a rule: a test finds it */
}

void
act_net(struct gwd *g, struct call *c)
{
	net_job_start(g, c, change_of(c->action->name), cJSON_Duplicate(c->in, true), NULL);
}

/* ---- checks ---- */

/* What is not kept is refused where it says something. */
static const char *const refused[] = { "AmazonProvidedIpv6CidrBlock", "Ipv4IpamPoolId",
	"Ipv4NetmaskLength", "Ipv6CidrBlock", "Ipv6CidrBlockNetworkBorderGroup", "Ipv6IpamPoolId",
	"Ipv6NetmaskLength", "Ipv6Pool", "OutpostArn", "Ipv6Native", "CustomerOwnedIpv4Pool",
	"EnableLniAtDeviceIndex", "DestinationIpv6CidrBlock", "DestinationPrefixListId",
	"VpcEndpointId", "EgressOnlyInternetGatewayId", "NatGatewayId", "TransitGatewayId",
	"LocalGatewayId", "LocalTarget", "CarrierGatewayId", "VpcPeeringConnectionId",
	"CoreNetworkArn", "Ipv6AddressCount", "Ipv6Addresses", "PrivateIpAddresses",
	"SecondaryPrivateIpAddressCount", "Ipv4Prefixes", "Ipv4PrefixCount", "Ipv6Prefixes",
	"Ipv6PrefixCount", "InterfaceType", "EnaSrdSpecification", "Attachment" };

int
act_net_check(const cJSON *in, struct shape_error *e)
{
	static const char *const types[] = { "vpc", "subnet", "security-group", "security-group-rule",
		"route-table", "internet-gateway", "network-interface", NULL };
	const char *tenancy = json_text(in, "InstanceTenancy"), *code;
	char why[TAG_MESSAGE_MAX];

	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		if (run_is_set(json_member(in, refused[i])) &&
		    !(strcmp(refused[i], "InterfaceType") == 0 &&
		    strcmp(json_text(in, "InterfaceType"), "interface") == 0))
			return shape_refuse(e, "UnsupportedOperation", "%s is not supported.", refused[i]);
	if (tenancy && *tenancy && strcmp(tenancy, "default") != 0)
		return shape_refuse(e, "UnsupportedOperation", "The tenancy '%.32s' is not supported.",
		    tenancy);
	code = tag_rule_check_specs(json_member(in, "TagSpecifications"), types, why);
	return code ? shape_refuse(e, code, "%s", why) : 0;
}

int
act_net_group_check(const cJSON *in, struct shape_error *e)
{
	if (!json_text(in, "GroupId") && !json_text(in, "GroupName"))
		return shape_refuse(e, "MissingParameter", "The request must contain the parameter "
		    "GroupName or GroupId");
	return act_net_check(in, e);
}
