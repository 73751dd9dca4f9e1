/*
 * ask.h - what many actions read of their input: ids and pages.  Each returns false after
 * it has failed the call with the code and the words that EC2 has for it.  Loop thread only.
 */
#pragma once

#include "common/kv.h"
#include "gwd/action.h"
#include "gwd/id_list.h"
#include "gwd/page.h"

/* member: "InstanceIds"; prefix: "i", or NULL for any text; code: "InvalidInstanceID". */
bool	 ask_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret) MUST_CHECK;
/* The same; none is MissingParameter. */
bool	 ask_some_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret) MUST_CHECK;
bool	 ask_page(struct call *c, bool has_ids, struct page *ret) MUST_CHECK;
/* All are found, or <code>.NotFound names those that are not. */
bool	 ask_found(struct call *c, const struct id_list *l, const bool *found, const char *what,
    const char *code) MUST_CHECK;

/* Adds the member NextToken to out.  False: no memory. */
bool	 ask_next(const struct call *c, const char *last_key, cJSON *out) MUST_CHECK;

void	 ask_fail_nomem(struct call *c);
/* The store did not do it: cloud_code says what that is for EC2. */
void	 ask_fail_store(struct call *c, enum cas_result r);
/* Nothing can be asked yet: the nodes are not known. */
void	 ask_fail_unready(struct call *c);
