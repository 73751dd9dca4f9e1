/*
 * xml.h - answers and errors in the envelopes that AWS's clients parse.  Text that XML cannot
 * carry (control characters, broken UTF-8) leaves as U+FFFD, so an answer always parses.
 * No state: any thread.
 */
#pragma once

#include "common/buf.h"
#include "common/json.h"
#include "gwd/action.h"

#define XML_ANSWER_MAX	(32u * 1024 * 1024)	/* bytes; larger is -EMSGSIZE */

/*
 * <{Action}Response> with the members of out that the action's output shape has, in the
 * shape's order.  Members that are not in the shape or have another kind are left out.  An
 * action without an output shape says <return>true</return>; out may then be NULL.
 * Into ret, which is empty.  0, -EMSGSIZE, -ENOMEM.
 */
int	 xml_answer(const struct action *a, const char *request_id, const cJSON *out,
    struct buf *ret) MUST_CHECK;
int	 xml_error(enum action_api api, const char *request_id, const char *code,
    const char *message, bool is_server_fault, struct buf *ret) MUST_CHECK;
