#include "gwd/ask.h"

#include <stdio.h>

#include "gwd/cloud.h"
#include "gwd/params.h"

#define ASK_WHY_MAX	512

void
ask_fail_nomem(struct call *c)
{
	call_fail(c, "InternalError", "An internal error has occurred.");
}

void
ask_fail_store(struct call *c, enum cas_result r)
{
	const char *message, *code = cloud_code(r, &message);

	call_fail(c, code, "%s", message);
}

void
ask_fail_unready(struct call *c)
{
	call_fail(c, "Unavailable", "The nodes of the cluster are not known yet. Try again.");
}

static bool
ask_fail_malformed(struct call *c, const char *code, const char *bad)
{
	char full[96];

	snprintf(full, sizeof(full), "%s.Malformed", code);
	call_fail(c, full, "Invalid id: \"%.64s\"", bad);
	return false;
}

bool
ask_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret)
{
	const char *bad = "";

	switch (id_list_read(json_member(c->in, member), prefix, ret, &bad)) {
	case ID_LIST_OK:
		return true;
	case ID_LIST_MALFORMED:
		return ask_fail_malformed(c, code, bad);
	case ID_LIST_TOO_MANY:
		call_fail(c, "InvalidParameterValue", "%s may hold at most %d items.", member,
		    ID_LIST_MAX);
		return false;
	case ID_LIST_NOMEM:
	case ID_LIST_RESULTS:
		break;
	}
	ask_fail_nomem(c);
	return false;
}

bool
ask_some_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret)
{
	if (!ask_ids(c, member, prefix, code, ret))
		return false;
	if (ret->n > 0)
		return true;
	id_list_deinit(ret);
	call_fail(c, "MissingParameter", "The request must contain the parameter %s", member);
	return false;
}

bool
ask_page(struct call *c, bool has_ids, struct page *ret)
{
	struct shape_error e;

	if (params_page(c->action, c->in, has_ids, ret, &e) == 0)
		return true;
	call_fail(c, e.code, "%s", e.message);
	return false;
}

bool
ask_found(struct call *c, const struct id_list *l, const bool *found, const char *what,
    const char *code)
{
	char why[ASK_WHY_MAX], full[96];

	if (id_list_complete(l, found, what, why, sizeof(why)))
		return true;
	snprintf(full, sizeof(full), "%s.NotFound", code);
	call_fail(c, full, "%s", why);
	return false;
}

bool
ask_next(const struct call *c, const char *last_key, cJSON *out)
{
	char token[PAGE_TOKEN_MAX];

	return page_token(c->action->name, last_key, token) == 0 &&
	    cJSON_AddStringToObject(out, "NextToken", token) != NULL;
}
