/*
 * network.h - the network that every account has: its default VPC, a subnet of each zone, and a
 * security group.  Their ids follow from the account's id, so that every node and every daemon names
 * the same ones without asking.  Pure.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define NETWORK_VPC_CIDR	"172.31.0.0/16"
#define NETWORK_SUBNET_CIDR	"172.31.0.0/20"
#define NETWORK_GROUP_NAME	"default"

struct network {
	char	 vpc_id[22];		/* "vpc-..." */
	char	 subnet_id[25];		/* "subnet-..." */
	char	 group_id[21];		/* "sg-..." */
	char	 gateway_id[22];	/* "igw-..." */
	char	 route_table_id[22];	/* "rtb-..." */
	char	 acl_id[22];		/* "acl-..." */
	char	 dhcp_options_id[23];	/* "dopt-..." */
};
void	 network_of(const char *account_id, struct network *ret);

/*
 * The default subnet of a zone.  Zones go by their letter: a has NETWORK_SUBNET_CIDR and the id
 * of network_of, b the next block, and so on to p, which is followed by a again.
 */
struct network_subnet {
	char	 id[25];
	char	 cidr[19];
};
void	 network_subnet_of(const char *account_id, const char *zone, struct network_subnet *ret);

/* "prefix-" and 17 digits that follow from seed; size holds it all, or the process aborts. */
void	 network_id(const char *prefix, const char *seed, char *ret, size_t size);

/* "172.31.0.4" to "ip-172-31-0-4.ec2.internal" (us-east-1) or
 * "ip-172-31-0-4.<region>.compute.internal".  -ENAMETOOLONG. */
int	 network_private_name(const char *ip, const char *region, char *ret, size_t size)
    MUST_CHECK;
