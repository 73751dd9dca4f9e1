/*
 * page.h - MaxResults and NextToken.  Things are sorted by a key that never moves (their id),
 * and a token says the last key that was given: a walk returns each thing that existed all
 * along exactly once, whatever came or went meanwhile.  Tokens are opaque to clients and name
 * their action, so that another action's is refused.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define PAGE_KEY_MAX	560	/* bytes of a sort key */
#define PAGE_TOKEN_MAX	1024	/* bytes of a token's text */

struct page_rule {
	const char	*action;	/* "DescribeInstances" */
	uint32_t	 min, max;	/* of MaxResults */
};
struct page_ask {			/* as the request has it */
	bool		 has_max;
	int64_t		 max;
	const char	*token;		/* NULL: none */
	bool		 has_ids;	/* it also names what it wants */
};
struct page {
	uint32_t	 max;		/* 0: all */
	char		 after[PAGE_KEY_MAX + 1];	/* only keys above it; "": from the first */
};

enum page_result {
	PAGE_OK,
	PAGE_TOO_SMALL,		/* MaxResults below the rule's min */
	PAGE_TOO_LARGE,
	PAGE_WITH_IDS,		/* MaxResults or NextToken beside ids */
	PAGE_BAD_TOKEN,
	PAGE_RESULTS
};
enum page_result page_open(const struct page_rule *rule, const struct page_ask *ask,
    struct page *ret) MUST_CHECK;

struct page_item {
	const char	*key;
	void		*item;
};
/*
 * Sorts items by key and finds the page: *ret_first and the count returned.  *ret_more: there
 * are more after it.
 */
size_t	 page_cut(const struct page *p, struct page_item *items, size_t n, size_t *ret_first,
    bool *ret_more);

/* The token of the page that follows last_key.  0, or -ENAMETOOLONG. */
int	 page_token(const char *action, const char *last_key,
    char ret[static PAGE_TOKEN_MAX]) MUST_CHECK;
