/*
 * auth.h - from what is wrong with a signature to what the client is told, and to what the
 * log says: the client of a bad key learns nothing, the operator learns which of the causes
 * it was.  Pure.
 */
#pragma once

#include "common/sigv4.h"
#include "gwd/action.h"

#define AUTH_WHY_MAX	256

enum auth_fault {
	AUTH_NONE_GIVEN,	/* no signature */
	AUTH_INCOMPLETE,	/* malformed; why says how */
	AUTH_EXPIRED,		/* why names both times */
	AUTH_WRONG_SCOPE,	/* region, service or day; why names the expected one */
	AUTH_UNKNOWN_KEY,	/* or not active */
	AUTH_UNREADABLE_KEY,	/* sealed under another master key */
	AUTH_WRONG_SIGNATURE,
	AUTH_TOKEN,		/* a session token, which nobody here issues */
	AUTH_TOO_LARGE,
	AUTH_FAULTS
};
struct auth_error {
	const char	*code;		/* the client's */
	char		 message[AUTH_WHY_MAX];
	const char	*cause;		/* the operator's: "wrong signature" */
};

/* why: a sentence for the faults that have one, else NULL. */
struct auth_error auth_error(enum auth_fault f, enum action_api api, const char *why);
/* The fault of a claim that could not be read; res is not SIGV4_OK. */
enum auth_fault auth_fault_of(enum sigv4_result res);
/* The service that signs for an API: "ec2". */
const char *auth_service(enum action_api api);
/*
 * Is the claim's scope for this API and region?  STS also takes us-east-1, where its clients
 * sign by old habit.  False: why names what was expected.
 */
bool	 auth_scope_is_right(const struct sigv4_claim *c, enum action_api api, const char *region,
    char why[static AUTH_WHY_MAX]);
