/*
 * account.h - what an account still holds: complete, or with the reasons why it is not.  Clean
 * is only what has neither an item nor a reason.
 */
#pragma once

#include "reaperd/nodes.h"

struct account_item {
	char		 resource_id[CAS_KEY_MAX + 1];
	const char	*kind;		/* "instance", "volume", "address", "uefi-store" */
	const char	*state;
	const char	*reason;	/* "record-remains", "terminating", "volume-deleting" */
};
struct account_teardown {		/* of ec2.AccountTeardownOutstanding */
	char		 instance_id[INSTANCE_ID_MAX + 1];
	enum instance_state state;
	bool		 is_done;	/* terminated, and no dependent is left */
	bool		 holds_volume;	/* its volume is being deleted */
};
#define ACCOUNT_REASONS_MAX	4
struct account {
	char			 account_id[13];
	struct account_item	*items;		/* owned: account_deinit */
	size_t			 nitems, room;
	const char		*reasons[ACCOUNT_REASONS_MAX];
	size_t			 nreasons;
	char			 why[160];	/* of the last reason, for a human */
	bool			 no_memory;
};
void	 account_deinit(struct account *a);
bool	 account_is_clean(const struct account *a);
/* Pure.  teardowns NULL: they could not be read; strict false: the instances are not all. */
void	 account_judge(struct account *a, const struct inventory *inv, bool strict,
    const struct account_teardown *teardowns, size_t n);
/* For jobs: a names the account; -ENOMEM, or 0 with everything filled. */
int	 account_take(struct account *a, const struct inventory_sources *s) MUST_CHECK;
