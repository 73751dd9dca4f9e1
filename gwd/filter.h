/*
 * filter.h - EC2's Filter lists over the JSON of an answer.  An action brings a table of the
 * names it knows, each with the path of the value; several values of a filter are OR, several
 * filters AND, and a filter without values matches nothing.
 *
 * A path is members with dots between; a list on the way stands for any of its elements.  A
 * path that begins with '^' starts at the parent (an instance's reservation), and what follows
 * a '=' is the value itself, of everything.  Texts, numbers and booleans are compared as EC2
 * prints them.  No clock, no bus, no files; any thread.
 */
#pragma once

#include "common/json.h"

#define FILTERS_MAX		50	/* of a request, as AWS has it */
#define FILTER_VALUES_MAX	200	/* of all filters of a request, as AWS has it */
#define FILTER_VALUE_LEN_MAX	4096	/* bytes of one: it is tried on every item */

struct filter_name {
	const char	*name;		/* "instance-state-name" */
	const char	*path;		/* "State.Name"; NULL: nothing here has it */
};
struct filter_table {
	const struct filter_name	*rows;	/* sorted by name */
	size_t				 n;
	const char			*tags;	/* path of a list of {Key, Value} for tag:<key> and
						   tag-key; NULL: the action has none */
};

enum filter_result {
	FILTER_OK,
	FILTER_UNNAMED,		/* one has no Name */
	FILTER_UNKNOWN,		/* *ret_name is not in the table */
	FILTER_TOO_MANY,	/* filters, or values */
	FILTER_TOO_LONG,	/* a value of *ret_name */
	FILTER_RESULTS
};
/* filters: [{"Name", "Values": [...]}] or NULL.  *ret_name is borrowed from filters. */
enum filter_result filter_check(const struct filter_table *t, const cJSON *filters,
    const char **ret_name) MUST_CHECK;

/* filters passed filter_check.  parent may be NULL when no path begins with '^'. */
bool	 filter_match(const struct filter_table *t, const cJSON *filters, const cJSON *item,
    const cJSON *parent);
