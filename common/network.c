#include "common/network.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"

void
network_id(const char *prefix, const char *seed, char *ret, size_t size)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	char text[256];
	char hex[2 * SHA256_DIGEST_LENGTH + 1];
	int n = snprintf(text, sizeof(text), "%s/%s", prefix, seed);

	if (n < 0 || (size_t)n >= sizeof(text))
		abort();
	SHA256((const unsigned char *)text, (size_t)n, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	n = snprintf(ret, size, "%s-%.*s", prefix, IDENT_EC2_LEN, hex);
	if (n < 0 || (size_t)n >= size)
		abort();
}

void
network_of(const char *account_id, struct network *ret)
{
	network_id("vpc", account_id, ret->vpc_id, sizeof(ret->vpc_id));
	network_id("subnet", account_id, ret->subnet_id, sizeof(ret->subnet_id));
	network_id("sg", account_id, ret->group_id, sizeof(ret->group_id));
	network_id("igw", account_id, ret->gateway_id, sizeof(ret->gateway_id));
	network_id("rtb", account_id, ret->route_table_id, sizeof(ret->route_table_id));
	network_id("acl", account_id, ret->acl_id, sizeof(ret->acl_id));
	network_id("dopt", account_id, ret->dhcp_options_id, sizeof(ret->dhcp_options_id));
}

void
network_subnet_of(const char *account_id, const char *zone, struct network_subnet *ret)
{
	const size_t len = strlen(zone);
	const char last = len > 0 ? zone[len - 1] : 'a';
	const unsigned at = last >= 'a' && last <= 'z' ? (unsigned)(last - 'a') % 16 : 0;
	char seed[64];

	if (at == 0)
		snprintf(seed, sizeof(seed), "%.20s", account_id);
	else
		snprintf(seed, sizeof(seed), "%.20s/%u", account_id, at);
	network_id("subnet", seed, ret->id, sizeof(ret->id));
	snprintf(ret->cidr, sizeof(ret->cidr), "172.31.%u.0/20", at * 16);
}

int
network_private_name(const char *ip, const char *region, char *ret, size_t size)
{
	char dashed[16];
	size_t n = strlen(ip);
	int r;

	if (n == 0 || n >= sizeof(dashed))
		return -ENAMETOOLONG;
	for (size_t i = 0; i <= n; i++)
		dashed[i] = ip[i] == '.' ? '-' : ip[i];
	r = strcmp(region, "us-east-1") == 0 ?
	    snprintf(ret, size, "ip-%s.ec2.internal", dashed) :
	    snprintf(ret, size, "ip-%s.%s.compute.internal", dashed, region);
	return r < 0 || (size_t)r >= size ? -ENAMETOOLONG : 0;
}
