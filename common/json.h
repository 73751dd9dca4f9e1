/*
 * json.h - JSON at the door.  A strict scan first (RFC 8259: UTF-8, no duplicate keys, no raw
 * control characters, no \u0000, no leading zeros, nothing after the value, depth at most
 * JSON_DEPTH_MAX), then cJSON; a static table maps keys to the fields of a struct.  Rules
 * never see cJSON.  Integers are exact over all of uint64, never through a double.
 * No state: any thread.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define JSON_DEPTH_MAX	16
#define JSON_WHY_MAX	160	/* bytes of a sentence that says what was expected */

DEFINE_AUTO(cJSON *, json, cJSON_Delete)

/*
 * 0 and a tree that the caller owns (cJSON_Delete, or AUTO(json)); -EMSGSIZE over max_bytes;
 * -EINVAL with a sentence in why; -ENOMEM.  data needs no NUL.
 */
int	 json_parse(const void *data, size_t len, size_t max_bytes, cJSON **ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;

enum json_type {
	JSON_STR,	/* char[max + 1] in the struct; min and max are its length in bytes, and max
			   is always given.  Elsewhere a max of 0 is the type's own */
	JSON_DUP,	/* char *, owned: json_release frees it; NULL when absent */
	JSON_U64,	/* uint64_t; a JSON number, exact */
	JSON_U64_STR,	/* uint64_t; a string of decimal digits (our own subjects) */
	JSON_U32,	/* uint32_t; a JSON number */
	JSON_BOOL,	/* bool; min and max unused */
	JSON_TIME,	/* uint64_t wall ms; an RFC 3339 string; 0 when absent */
	JSON_TREE,	/* cJSON *, owned; a copy of any value; NULL when absent */
	JSON_OBJECT,	/* struct in place, described by the field's own table (sub, nsub) */
};

struct json_field {
	const char		*key;
	enum json_type		 type;
	size_t			 offset;
	uint64_t		 min, max;	/* length of text, or range of a number */
	bool			 need;		/* absent or null is an error */
	const struct json_field	*sub;		/* JSON_OBJECT only */
	size_t			 nsub;
};

enum json_mode {
	JSON_LOOSE,	/* unknown keys are passed over: events, records of newer nodes */
	JSON_STRICT,	/* unknown keys are refused: requests */
};

/*
 * Fills out, a zeroed struct, from obj.  0; -EINVAL with a sentence naming the key and what
 * was expected; -ENOMEM.  On failure out is released and zero again.
 */
int	 json_decode(const cJSON *obj, const struct json_field *f, size_t n, enum json_mode mode,
    void *out, size_t out_size, char why[static JSON_WHY_MAX]) MUST_CHECK;

/* parse and decode in one. */
int	 json_read(const void *data, size_t len, size_t max_bytes, const struct json_field *f,
    size_t n, enum json_mode mode, void *out, size_t out_size,
    char why[static JSON_WHY_MAX]) MUST_CHECK;

/*
 * The reverse: an object with a member per field.  A field without need that is empty (no
 * text, 0, false, NULL, an object all of whose members are empty) is left out.
 * Caller owns; NULL: no memory.
 */
OWNED_BY(cJSON_Delete) cJSON *json_encode(const struct json_field *f, size_t n, const void *in);

/* Frees what JSON_DUP and JSON_TREE own in s, and zeroes these members. */
void	 json_release(const struct json_field *f, size_t n, void *s);

/* Compact text, caller frees.  NULL: no memory (or tree NULL). */
OWNED_BY(free) char *json_print(const cJSON *tree);

/* Exact integers in trees made by json_parse or by json_add_*. */
bool	 json_get_u64(const cJSON *item, uint64_t *ret) MUST_CHECK;	/* a number, no string */
bool	 json_get_u64_str(const cJSON *item, uint64_t *ret) MUST_CHECK;
/* Member by exact name (cJSON's plain look-up folds case).  NULL when absent. */
const cJSON *json_member(const cJSON *obj, const char *key);
/* Its text, or NULL when absent or not a string. */
const char *json_text(const cJSON *obj, const char *key);

/* Adders: false only without memory. */
bool	 json_add_u64(cJSON *obj, const char *key, uint64_t v);		/* a number */
bool	 json_add_u64_str(cJSON *obj, const char *key, uint64_t v);	/* a string */
bool	 json_add_time(cJSON *obj, const char *key, uint64_t wall_ms);	/* RFC 3339 with ms */
