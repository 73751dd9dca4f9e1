/*
 * action.h - an action is a row, and a request that has passed every common check is a call.
 *
 * Before a handler runs, the pipeline has checked the signature, that the action exists, each
 * parameter against the input shape (names, forms, ids, ranges), pages and filters against the
 * row, and has answered DryRun.  What is left is existence, state and capacity.
 *
 *	void
 *	act_describe_regions(struct gwd *g, struct call *c)
 *	{
 *		const cJSON *names = json_member(c->in, "RegionNames");
 *		...
 *		call_answer(c, out);		or call_fail(c, "InvalidParameterValue", ...)
 *	}
 *
 * Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ident.h"
#include "common/json.h"
#include "gwd/shape.h"

struct filter_table;
struct gwd;
struct call;

enum action_api {
	API_EC2,	/* 2016-11-15 */
	API_STS,	/* 2011-06-15 */
	ACTION_APIS
};
#define API_EC2_VERSION	"2016-11-15"
#define API_STS_VERSION	"2011-06-15"

enum action_flag {
	ACTION_MUTATES	= 1 << 0,	/* changes something: DryRun and tokens matter */
	ACTION_TOKEN	= 1 << 1,	/* has ClientToken */
	ACTION_PAGES	= 1 << 2,	/* has MaxResults and NextToken */
	ACTION_DRY_RUN	= 1 << 3,	/* has DryRun */
};

typedef void action_fn(struct gwd *g, struct call *c);
/* What a shape cannot say of the parameters (MinCount above MaxCount, two that exclude each
 * other, one of two must be given), asked before DryRun is answered.  Pure.  0, or -EINVAL
 * with the error filled by shape_refuse. */
typedef int action_check_fn(const cJSON *in, struct shape_error *ret_error);

/*
 * Rows stand in actions.c, sorted by API and name.  All but the functions and ACTION_MUTATES
 * comes from the generated tables, as one macro:
 *
 *	{ EC2_RunInstances | ACTION_MUTATES,	act_run_instances,	act_run_instances_check },
 *	{ EC2_DescribeVpcs,	act_describe_vpcs,	NULL,	&act_filters_vpcs },
 */
struct action {
	const char		*name;
	enum action_api		 api;
	const struct shape	*in;
	const struct shape	*out;		/* NULL: <return>true</return> */
	unsigned		 flags;
	action_fn		*fn;
	action_check_fn		*check;		/* NULL: none */
	const struct filter_table *filters;	/* for "Filters"; NULL: the action has none */
};
extern const struct action actions[];
extern const size_t nactions;
/* NULL: not served. */
const struct action *action_find(enum action_api api, const char *name);
/* AWS has an action of this name, served here or not. */
bool	 action_is_known(enum action_api api, const char *name);

#define CALL_ACCOUNT_MAX	12	/* an account is 12 digits */
#define CALL_USER_MAX		64
#define CALL_DEADLINE_MS	60000	/* unanswered by then: Unavailable is said for it */

struct call {
	const struct action	*action;
	struct gwd		*gwd;
	char			 account[CALL_ACCOUNT_MAX + 1];
	char			 user[CALL_USER_MAX + 1];
	char			 access_key[129];
	char			 host[256];	/* as the client called us, with its port */
	char			 request_id[IDENT_UUID_LEN + 1];	/* send as HEADER_REQUEST_ID */
	cJSON			*in;		/* owned by the call; EC2 member names */
	uint64_t		 received_ms;	/* CLOCK_BOOTTIME, when the request was complete */
	const void		*state;		/* the handler's own; not freed */
};

/*
 * Exactly one of these ends a call, in the handler or any time later on the loop; c is gone
 * for the handler from then on.  They may be called though the client has gone away or the
 * deadline has passed: then nobody is told.
 */
/* Takes out; NULL: InternalError.  What out refers to has to be there for the call only. */
void	 call_answer(struct call *c, cJSON *out);
/* The HTTP status follows from the code: error.h. */
void	 call_fail(struct call *c, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * fn(c) is called at most once if the client goes away, or the deadline passes, before the
 * call has ended.  A handler that only reads frees what it has in flight and ends the call
 * with call_fail (nobody is told); one that changes something sets none and goes on.
 */
void	 call_on_gone(struct call *c, void (*fn)(struct call *c));
