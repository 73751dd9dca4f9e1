/*
 * params.h - what the parameters of every action must satisfy, beyond their shapes.  Pure.
 */
#pragma once

#include "gwd/action.h"
#include "gwd/page.h"

#define PARAMS_PAGE_MIN		5
#define PARAMS_PAGE_MAX		1000
#define PARAMS_TOKEN_MAX	64	/* characters of a ClientToken: printable ASCII */

/*
 * The parameters as JSON (see shape_from_query), with the rules of pages, of filters, of client
 * tokens and the action's own check applied.  DryRun is taken out and returned.  0, -EINVAL with
 * the error, -ENOMEM.
 */
int	 params_read(const struct action *a, struct query *q, cJSON **ret, bool *ret_dry_run,
    struct shape_error *ret_error) MUST_CHECK;
/* The page that the input asks for; has_ids: it names what it wants.  0, or -EINVAL. */
int	 params_page(const struct action *a, const cJSON *in, bool has_ids, struct page *ret,
    struct shape_error *ret_error) MUST_CHECK;
/* The API that Version names; false: no such one. */
bool	 params_api(const char *version, enum action_api *ret);
