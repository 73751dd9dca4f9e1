/*
 * operator.h - what leasectl asks: the leases of this node, one key as the bucket has it, and
 * the unlock of a key that nobody alive holds.  Loop thread.
 */
#pragma once

#include "leased/leased.h"

#define OPERATOR_PAGE	1000	/* leases in one answer */

struct operator_list_in {
	char		 after[CAS_KEY_MAX + 1];
};
#define OPERATOR_LIST_FIELDS	1
extern const struct json_field operator_list_fields[OPERATOR_LIST_FIELDS];

struct operator_show_in {
	char		 key[CAS_KEY_MAX + 1];
};
#define OPERATOR_SHOW_FIELDS	1
extern const struct json_field operator_show_fields[OPERATOR_SHOW_FIELDS];

struct operator_unlock_in {
	char		 key[CAS_KEY_MAX + 1];
	uint64_t	 generation;
};
#define OPERATOR_UNLOCK_FIELDS	2
extern const struct json_field operator_unlock_fields[OPERATOR_UNLOCK_FIELDS];

/* Each answers req. */
void	 operator_list(struct leased *d, struct bus_req *req, const struct operator_list_in *in);
void	 operator_show(struct leased *d, struct bus_req *req, const struct operator_show_in *in);
/*
 * Deletes the key at the revision that was read, if the generation there is the expected
 * one: so it frees that holder or nobody.  Never a node's lease or a claim.
 */
void	 operator_unlock(struct leased *d, struct bus_req *req,
    const struct operator_unlock_in *in);
