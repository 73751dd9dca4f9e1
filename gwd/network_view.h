/*
 * network_view.h - the default network of an account, as EC2 shows it: each of its things as
 * the JSON of its shape.  All ids follow from the account's, so every gateway shows the same
 * for ever, and the same that its instances are launched into.  Pure; any thread.
 */
#pragma once

#include "common/json.h"
#include "common/network.h"

enum network_thing {
	NETWORK_ACL,
	NETWORK_DHCP_OPTIONS,
	NETWORK_GATEWAY,
	NETWORK_GROUP,
	NETWORK_ROUTE_TABLE,
	NETWORK_RULE_EGRESS,
	NETWORK_RULE_INGRESS,
	NETWORK_SUBNET,		/* without AvailableIpAddressCount */
	NETWORK_VPC,
	NETWORK_THINGS
};
struct network_view {
	const char	*account, *region, *zone;
};
#define NETWORK_ADDRESSES	4091u	/* of a default subnet: EC2 keeps the first four and the last */

/* Owned; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *network_view(enum network_thing t, const struct network_view *v);
/* "us-east-1a" of the region "us-east-1" to "use1-az1". */
#define NETWORK_ZONE_ID_MAX	32
void	 network_zone_id(const char *region, const char *zone,
    char ret[static NETWORK_ZONE_ID_MAX]);
