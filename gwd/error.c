#include "gwd/error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

struct row {
	const char	*code;
	unsigned	 status;
};

/* Sorted by code.  What is not here is a 400. */
static const struct row rows[] = {
	{ "AuthFailure",			401 },
	{ "Blocked",				403 },
	{ "DryRunOperation",			412 },
	{ "InsufficientAddressCapacity",	500 },
	{ "InsufficientCapacity",		500 },
	{ "InsufficientHostCapacity",		500 },
	{ "InsufficientInstanceCapacity",	500 },
	{ "InternalError",			500 },
	{ "InternalFailure",			500 },
	{ "InvalidClientTokenId",		403 },
	{ "MissingAuthenticationToken",		403 },
	{ "OptInRequired",			403 },
	{ "PayloadTooLarge",			413 },
	{ "RequestHeaderTooLarge",		431 },
	{ "RequestLimitExceeded",		503 },
	{ "ServiceUnavailable",			503 },
	{ "SignatureDoesNotMatch",		403 },
	{ "UnauthorizedOperation",		403 },
	{ "Unavailable",			503 },
};

static int
compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct row *)row)->code);
}

unsigned
error_status(const char *code)
{
	const struct row *r = bsearch(code, rows, ARRAY_LEN(rows), sizeof(rows[0]), compare);

	return r ? r->status : 400;
}
