/*
 * query.h - the parameters of a Query API request: application/x-www-form-urlencoded text,
 * from a body or a URL.  Decoding is strict: a bad escape, a NUL, text that is not UTF-8 or
 * holds characters that XML cannot carry is refused, never repaired.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/cleanup.h"

#define QUERY_PARAMS_MAX	8192	/* of one request, URL and body together */
#define QUERY_NAME_MAX		255	/* bytes of a decoded name */
#define QUERY_WHY_MAX		160

struct query_param {		/* decoded, NUL-terminated, borrowed from the query */
	const char	*name, *value;
};
struct query {			/* zero is an empty one */
	struct query_param	*params;
	size_t			 n;
	char			*text[2];	/* what the params point into */
};

/*
 * Adds the parameters of text (len bytes) to q; at most twice: once for the URL, once for the
 * body.  0; -EINVAL with a sentence in why; -ENOMEM.  On failure q is as before.
 * An empty text has none; "a" and "a=" are a parameter with an empty value.
 */
int	 query_parse(struct query *q, const char *text, size_t len,
    char why[static QUERY_WHY_MAX]) MUST_CHECK;
/* Sorts by name: component by component (split at dots), numbers by value, so that the
 * parameters of one list item stand together and items stand in order. */
void	 query_sort(struct query *q);
/* Value of the first parameter of that exact name; NULL: none. */
const char *query_get(const struct query *q, const char *name);
void	 query_deinit(struct query *q);
static inline void __attribute__((unused))
auto_query(struct query *q)
{
	query_deinit(q);
}
