#include "gwd/auth.h"

#include <stdio.h>
#include <string.h>

static const char not_validated[] =
    "AWS was not able to validate the provided access credentials";

struct row {
	const char	*code[ACTION_APIS];
	const char	*message;	/* where there is no why */
	const char	*cause;
};
static const struct row rows[AUTH_FAULTS] = {
	[AUTH_NONE_GIVEN] = { { "MissingAuthenticationToken", "MissingAuthenticationToken" },
	    "Request is missing Authentication Token", "no signature" },
	[AUTH_INCOMPLETE] = { { "IncompleteSignature", "IncompleteSignature" },
	    "The request signature does not conform to AWS standards", "malformed signature" },
	[AUTH_EXPIRED] = { { "RequestExpired", "RequestExpired" },
	    "Request has expired", "clock skew or expired" },
	[AUTH_WRONG_SCOPE] = { { "AuthFailure", "SignatureDoesNotMatch" },
	    "Credential should be scoped otherwise", "wrong scope" },
	[AUTH_UNKNOWN_KEY] = { { "AuthFailure", "InvalidClientTokenId" },
	    not_validated, "unknown or inactive key" },
	[AUTH_UNREADABLE_KEY] = { { "AuthFailure", "InvalidClientTokenId" },
	    not_validated, "key sealed under another master key" },
	[AUTH_WRONG_SIGNATURE] = { { "AuthFailure", "SignatureDoesNotMatch" },
	    not_validated, "wrong signature" },
	[AUTH_TOKEN] = { { "AuthFailure", "InvalidClientTokenId" },
	    "The request carries a session token, which this endpoint does not issue: unset "
	    "AWS_SESSION_TOKEN", "session token" },
	[AUTH_TOO_LARGE] = { { "InvalidRequest", "InvalidRequest" },
	    "The request is too large to be signed", "too large" },
};

struct auth_error
auth_error(enum auth_fault f, enum action_api api, const char *why)
{
	struct auth_error e = { .code = rows[f].code[api], .cause = rows[f].cause };

	(void)snprintf(e.message, sizeof(e.message), "%s", why && *why ? why : rows[f].message);
	return e;
}

enum auth_fault
auth_fault_of(enum sigv4_result res)
{
	switch (res) {
	case SIGV4_NONE:
		return AUTH_NONE_GIVEN;
	case SIGV4_INCOMPLETE:
		return AUTH_INCOMPLETE;
	case SIGV4_EXPIRED:
		return AUTH_EXPIRED;
	case SIGV4_TOO_LARGE:
		return AUTH_TOO_LARGE;
	case SIGV4_OK:
	case SIGV4_MISMATCH:
	case SIGV4_RESULTS:
		break;
	}
	return AUTH_WRONG_SIGNATURE;
}

const char *
auth_service(enum action_api api)
{
	return api == API_STS ? "sts" : "ec2";
}

bool
auth_scope_is_right(const struct sigv4_claim *c, enum action_api api, const char *region,
    char why[static AUTH_WHY_MAX])
{
	const char *service = auth_service(api);

	if (strcmp(c->service, service)) {
		(void)snprintf(why, AUTH_WHY_MAX, "Credential should be scoped to correct service: "
		    "'%s', not '%s'.", service, c->service);
		return false;
	}
	if (!strcmp(c->region, region) || (api == API_STS && !strcmp(c->region, "us-east-1")))
		return true;
	(void)snprintf(why, AUTH_WHY_MAX, "Credential should be scoped to a valid region: '%.100s', "
	    "not '%s'.", region, c->region);
	return false;
}
