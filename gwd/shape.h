/*
 * shape.h - the shapes of requests and answers, as data.  One table of a structure serves all
 * three of its forms: the Query parameters of a request, our JSON (keys are EC2's member
 * names), and the XML of an answer.  The tables are made from AWS's own descriptions; see
 * shapes_ec2.h.  No state: any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
#include "gwd/query.h"

enum shape_kind {
	SHAPE_STRUCT,
	SHAPE_LIST,
	SHAPE_STRING,	/* JSON string */
	SHAPE_INT,	/* JSON number, within min..max */
	SHAPE_DOUBLE,
	SHAPE_BOOL,	/* JSON true, false */
	SHAPE_TIME,	/* JSON string, RFC 3339 */
	SHAPE_BLOB,	/* JSON string, base64 as it came */
};

struct shape;
struct shape_member {
	const char		*name;	/* EC2's member name: the JSON key */
	const char		*query;	/* its name in a request */
	const char		*xml;	/* its element in an answer */
	const struct shape	*shape;
	bool			 need;	/* absent from a request: MissingParameter */
};
struct shape {
	const char			*name;		/* AWS's: "RunInstancesRequest" */
	enum shape_kind			 kind;
	size_t				 n;		/* members, or words */
	const struct shape_member	*members;	/* SHAPE_STRUCT */
	const struct shape		*item;		/* SHAPE_LIST */
	const char			*item_xml;	/* SHAPE_LIST: element of an item */
	const char *const		*words;		/* SHAPE_STRING: all it may be; or NULL */
	int64_t				 min, max;	/* SHAPE_INT; both 0: an int32 */
	const char			*id_prefix;	/* SHAPE_STRING: "i"; NULL: no id */
	const char			*id_code;	/* "InvalidInstanceID": .Malformed is said */
};

#define SHAPE_LIST_MAX		1000	/* highest index of a list in a request */
#define SHAPE_DEPTH_MAX		16
#define SHAPE_MESSAGE_MAX	400
struct shape_error {
	char	code[64];			/* an EC2 code */
	char	message[SHAPE_MESSAGE_MAX];
};

/* Fills e; always -EINVAL. */
int	 shape_refuse(struct shape_error *e, const char *code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/*
 * The parameters as a JSON object.  q is sorted here.  Parameters that every request has
 * (Action, Version, and what signs it) are passed over.  0; -EINVAL with the error: the first
 * of UnknownParameter, InvalidParameterValue, <id_code>.Malformed, MissingParameter that a
 * walk in the order of names meets, unknown parameters before all; -ENOMEM.
 */
int	 shape_from_query(const struct shape *in, struct query *q, cJSON **ret,
    struct shape_error *ret_error) MUST_CHECK;
/* Member of a structure by JSON name; NULL: none. */
const struct shape_member *shape_member(const struct shape *s, const char *name);
