/*
 * objects.h - an object store as one table of functions: immutable bytes with metadata under a
 * key.  For jobs (each call may block); any thread, as many at once as there are.
 *
 * A key is path-like, "uefi/<owner>/<uuid>", and is never used for a second thing: put does not
 * replace, and nobody puts a deleted key again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/json.h"

#define OBJECT_KEY_MAX		128	/* bytes; [A-Za-z0-9_-] in parts with '/' between */
#define OBJECT_META_MAX		10	/* entries */
#define OBJECT_META_NAME_MAX	32	/* bytes of [a-z0-9-], without the prefix x-amz-meta- */
#define OBJECT_META_VALUE_MAX	255	/* bytes of printable ASCII */
#define OBJECT_META_ACCOUNT	"account-id"	/* of an image's: whose the image is to be */
#define OBJECT_BYTES_MAX	(64u << 20)	/* whatever the store */
#define OBJECT_LIST_MAX		4096		/* more in one list is an error */

struct object_meta {
	char	name[OBJECT_META_NAME_MAX + 1];
	char	value[OBJECT_META_VALUE_MAX + 1];
};
struct object_info {
	char			 key[OBJECT_KEY_MAX + 1];
	uint64_t		 bytes;		/* stored; set by the store */
	uint64_t		 written_ms;	/* wall; set by the store; 0: unknown */
	struct object_meta	 meta[OBJECT_META_MAX];
	size_t			 nmeta;
};
const char *object_meta(const struct object_info *o, const char *name);	/* NULL: none */
/* -EINVAL: does not fit its limits.  An empty value adds nothing. */
int	 object_meta_add(struct object_info *o, const char *name, const char *value) MUST_CHECK;
bool	 object_key_is_valid(const char *key);

struct object_list {
	struct object_info	*v;	/* owned: object_list_deinit */
	size_t			 n;
};
void	 object_list_deinit(struct object_list *l);
static inline void __attribute__((unused))
auto_object_list(struct object_list *l)
{
	object_list_deinit(l);
}

struct object_keys {
	char	**v;		/* owned: object_keys_deinit */
	size_t	 n;
};
void	 object_keys_deinit(struct object_keys *k);

enum object_result {
	OBJECT_OK,
	OBJECT_NOT_FOUND,
	OBJECT_EXISTS,		/* put: the key is or was used */
	OBJECT_UNAVAILABLE,	/* not reachable; nothing was written; try again */
	OBJECT_UNKNOWN,		/* it may have been done or may be done yet */
	OBJECT_REFUSED,		/* too large, no space, not allowed: an operator's case */
	OBJECT_LOST,		/* the bucket is gone: an operator's case */
	OBJECT_INVALID,		/* a key or metadata that can never be right */
	OBJECT_NOMEM,
	OBJECT_RESULTS
};
const char *object_result_text(enum object_result r);

struct objects {
	void	*ctx;
	/* o names key and metadata. */
	enum object_result (*put)(void *ctx, const struct object_info *o, const void *p,
	    size_t n, char why[static JSON_WHY_MAX]);
	/* ret_body is empty, with its ceiling: more is OBJECT_REFUSED.  ret_info may be NULL. */
	enum object_result (*get)(void *ctx, const char *key, struct buf *ret_body,
	    struct object_info *ret_info, char why[static JSON_WHY_MAX]);
	/* All objects whose key begins with prefix, which ends in '/', with their metadata:
	 * complete, or an error. */
	enum object_result (*list)(void *ctx, const char *prefix, struct object_list *ret,
	    char why[static JSON_WHY_MAX]);
	/* The same, of which only the keys are wanted: cheap, and of any number. */
	enum object_result (*keys)(void *ctx, const char *prefix, struct object_keys *ret,
	    char why[static JSON_WHY_MAX]);
	/* One that is not there is OBJECT_NOT_FOUND. */
	enum object_result (*remove)(void *ctx, const char *key,
	    char why[static JSON_WHY_MAX]);
};

/*
 * In the bucket spinifex-objects: a message per object, '/' in the key as '.', metadata as
 * headers x-amz-meta-<name>.  A removed object's message is deleted for good: a marker for each
 * object that ever was would fill the server.  An object that the server's max_payload has no room for is
 * refused, with the limit.
 */
struct bucket;
struct bus;
struct objects_jetstream {
	struct objects	 objects;	/* ctx is this struct */
	struct bus	*bus;
	struct bucket	*bucket;
	uint64_t	 timeout_ms;	/* of one request */
};
void	 objects_jetstream_init(struct objects_jetstream *s, struct bus *bus,
    struct bucket *bucket, uint64_t timeout_ms);
