/*
 * describe.h - a Describe of things that are records in a bucket of their own: all under a
 * prefix are read, shown as EC2 shows them, matched, and the named ones are all found or the
 * call fails.  Loop thread only.
 */
#pragma once

#include "common/kv.h"
#include "gwd/action.h"
#include "gwd/filter.h"

struct describe_names {		/* a member of the input that names what is wanted */
	const char	*member;	/* "KeyNames" */
	const char	*prefix;	/* of an id; NULL: any text */
	const char	*shown;		/* the member of what is shown that has it: "KeyName" */
	const char	*what;		/* "key pair", in the sentence that says what is unknown */
	const char	*code;		/* "InvalidKeyPair" */
};
#define DESCRIBE_NAMES	2

struct describe_kind {		/* static */
	const char			*out;		/* the list in the answer: "KeyPairs" */
	struct describe_names		 names[DESCRIBE_NAMES];	/* member NULL: no such */
	const struct filter_table	*filters;
	/* What the record at key is to this call, owned: NULL: nothing of it is shown. */
	cJSON				*(*show)(const struct call *c, const char *key,
					    const struct cas_entry *e);
};
/* Takes the call. */
void	 describe_start(struct gwd *g, struct call *c, struct bucket *b, const char *prefix,
    const struct describe_kind *kind);
