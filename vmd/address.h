/*
 * address.h - an instance's private address and MAC in its subnet.  An address is a key `<account>.<a-b-c-d>` in spinifex-ec2-address, made by compare-and-swap, so
 * that no two instances of an account have one; it stays over stop and start and is freed by a
 * delete marker.  The rules are pure; the calls over a store are for jobs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/cas.h"

#define ADDRESS_TEXT_MAX	16	/* "172.31.15.254" and its NUL */
#define ADDRESS_MAC_MAX		18

struct address_range {		/* what a subnet gives out: not its first four, nor its last */
	uint32_t	 first, count;
	uint8_t		 prefix;	/* bits */
};
/* Of "10.0.1.0/24"; "": the default network's first subnet.  0, or -EINVAL. */
int	 address_range_of(const char *cidr, struct address_range *ret) MUST_CHECK;

/* Does the subnet give it out? */
bool	 address_is_in(const struct address_range *r, const char *address);

/*
 * The nth address (below r->count) to try for an instance: the same sequence each time, over
 * all addresses, begun and stepped by the instance's id.
 */
void	 address_candidate(const struct address_range *r, const char *instance_id, unsigned n,
    char ret[static ADDRESS_TEXT_MAX]);
/* Locally administered, unicast, from the instance's id. */
void	 address_mac(const char *instance_id, char ret[static ADDRESS_MAC_MAX]);

enum address_result {
	ADDRESS_OK,
	ADDRESS_FULL,		/* the subnet has no free one; the one that was asked for is another's */
	ADDRESS_STORE,		/* the store's answer is in *ret_store */
};
/*
 * Takes the first free candidate, or the one that the instance has already; *ret_made: it was
 * taken now.
 */
enum address_result address_take(const struct cas_store *s, const struct address_range *r,
    const char *account_id, const char *instance_id, char ret[static ADDRESS_TEXT_MAX], bool *ret_made,
    enum cas_result *ret_store) MUST_CHECK;
/* That one, and no other. */
enum address_result address_take_this(const struct cas_store *s, const char *account_id,
    const char *instance_id, const char *address, enum cas_result *ret_store) MUST_CHECK;
/* Frees what the instance has; nothing is a success.  address "": looked for among the first
 * ADDRESS_LOOK candidates, for a launch that was cut short before its record said it. */
#define ADDRESS_LOOK	64
enum address_result address_free(const struct cas_store *s, const struct address_range *r,
    const char *account_id, const char *instance_id, const char *address, enum cas_result *ret_store) MUST_CHECK;
