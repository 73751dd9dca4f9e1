/*
 * id_list.h - the ids that a request names: well formed, each once, and the sentences that
 * refuse them.  One unknown id fails the whole call and all unknown ones are named, before
 * anything is done.  Pure; any thread.
 */
#pragma once

#include "common/json.h"

#define ID_LIST_MAX	1000	/* ids of one request */

struct id_list {
	const char	**id;		/* the array is owned, the texts are borrowed */
	size_t		  n;
};
void	 id_list_deinit(struct id_list *l);
static inline void __attribute__((unused))
auto_id_list(struct id_list *l)
{
	id_list_deinit(l);
}

enum id_list_result {
	ID_LIST_OK,
	ID_LIST_MALFORMED,	/* *ret_bad is no id of the kind; borrowed */
	ID_LIST_TOO_MANY,
	ID_LIST_NOMEM,
	ID_LIST_RESULTS
};
/*
 * names: a JSON list of texts, or NULL (empty).  prefix: "i" for instance ids; NULL: any text.
 * A name given twice counts once, at its first place.
 */
enum id_list_result id_list_read(const cJSON *names, const char *prefix, struct id_list *ret,
    const char **ret_bad) MUST_CHECK;

/* Where id is, or -1. */
int	 id_list_find(const struct id_list *l, const char *id);

/*
 * Is every id found?  If not, fills why: "The instance ID 'i-1' does not exist", or "The
 * instance IDs 'i-1, i-2' do not exist".  what: "instance ID".  A list too long for why ends
 * with "...".
 */
bool	 id_list_complete(const struct id_list *l, const bool *found, const char *what, char *why,
    size_t why_size);
