/*
 * describe.h - one list of things, from wherever they come: each is matched against the names
 * and filters of the request, the named ones are all found or the call fails, and the page
 * that was asked for is cut out.  So a Describe is a table, and code that shows one thing.
 *
 *	d = describe_open(c, &kind);		or NULL: the call was failed
 *	describe_add(d, NULL, item);		any number, in any order
 *	describe_end(d);			answers
 *
 * The sources that take longer call back for each thing they find.  Loop thread only.
 */
#pragma once

#include "common/kv.h"
#include "gwd/action.h"
#include "gwd/inventory.h"

struct describe_names {		/* a member of the input that names what is wanted */
	const char	*member;	/* "KeyNames" */
	const char	*prefix;	/* of an id; NULL: any text */
	const char	*shown;		/* the member of what is shown that has it: "KeyName" */
	const char	*what;		/* "key pair", in the sentence that says what is unknown */
	const char	*code;		/* "InvalidKeyPair" */
};
#define DESCRIBE_NAMES	2

struct describe_kind {		/* static; filters and pages are those of the action's row */
	const char			*out;		/* the list in the answer: "KeyPairs" */
	struct describe_names		 names[DESCRIBE_NAMES];	/* member NULL: no such */
};

struct describe;
/* Reads ids and page of the call; NULL: it was failed. */
struct describe *describe_open(struct call *c, const struct describe_kind *kind);
/*
 * Takes item (NULL: no memory, which fails the call at the end).  key is what the list and its
 * pages are sorted by, unique and unchanging; NULL: what the first of kind's names shows.
 */
void	 describe_add(struct describe *d, const char *key, cJSON *item);
struct call *describe_call(const struct describe *d);
const char *describe_list(const struct describe *d);		/* its kind's */
/* What a source has to hand on to the next: owned by d; the one before goes. */
void	 describe_keep(struct describe *d, cJSON *tree);
cJSON	*describe_kept(const struct describe *d);	/* NULL: nothing */
/* Ends the call, and d with it. */
void	 describe_end(struct describe *d);

/* ---- sources ---- */

/* Adds what there is to show of the record at key. */
typedef void describe_record_fn(struct describe *d, const char *key, const struct cas_entry *e);
/* Adds what there is to show of one of the account's instances. */
typedef void describe_instance_fn(struct describe *d, const struct inventory_item *i);
/* What comes after a source that was read in full: another one, or the end. */
typedef void describe_then_fn(struct describe *d);

/*
 * Each ends the call itself where it cannot be read.  prefix: of the keys; NULL: the account's,
 * "<account>.".  each may be NULL: they are counted.
 */
void	 describe_read_records(struct describe *d, struct bucket *b, const char *prefix,
    describe_record_fn *each, describe_then_fn *then);
size_t	 describe_records_read(const struct describe *d);	/* so far */
void	 describe_read_instances(struct describe *d, describe_instance_fn *each,
    describe_then_fn *then);

/* Open, one source, end: takes the call. */
void	 describe_records(struct call *c, struct bucket *b, const char *prefix,
    const struct describe_kind *kind, describe_record_fn *each);
void	 describe_instances(struct call *c, const struct describe_kind *kind,
    describe_instance_fn *each);
