/*
 * answer.h - what a node answered, held by all who read it: nobody changes it, and it goes with
 * the last of them.  Loop thread only.
 */
#pragma once

#include "common/json.h"

struct answer;

void	 answer_unref(struct answer *a);		/* NULL is fine */
/* Takes tree, also on failure. */
OWNED_BY(answer_unref) struct answer *answer_new(cJSON *tree);
struct answer *answer_ref(struct answer *a);
/* Not to be changed; not const, since cJSON's references are not. */
cJSON	*answer_json(const struct answer *a);

DEFINE_AUTO(struct answer *, answer, answer_unref)
