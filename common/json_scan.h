/*
 * json_scan.h - the strict scan that comes before cJSON, which accepts more than RFC 8259 and
 * keeps numbers as doubles.  It also notes the number tokens whose text a double, or cJSON's
 * printing of it, would not keep.  json.c is its only caller.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/json.h"

#define JSON_NUMBER_MAX		60	/* bytes of a number; cJSON reads no more than 63 */
#define JSON_PLAIN_DIGITS	15	/* integers up to here print exactly from a double */

struct json_number {
	size_t		 ordinal;	/* among all numbers of the text, from 0 */
	const char	*text;		/* borrowed from the data scanned; no NUL */
	size_t		 len;
	bool		 is_integer;	/* no fraction, no exponent */
};
struct json_numbers {
	struct json_number	*v;
	size_t			 n, room;
	size_t			 total;		/* numbers seen, plain ones too */
};
void	 json_numbers_deinit(struct json_numbers *n);

/*
 * 0 when data is exactly one value with a depth of JSON_DEPTH_MAX at most; ret then has the
 * numbers that are not plain integers, in order.  -EINVAL with a sentence; -ENOMEM.
 * Duplicate keys are not its business: they are compared after decoding.
 */
int	 json_scan(const void *data, size_t len, struct json_numbers *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
