/*
 * object_store.h - the object store that section [objects] of the configuration names, for the
 * daemons that use it.
 *
 *	struct uefid_conf { struct conf_common common; struct object_store_conf store; ... };
 *	OBJECT_STORE_KEYS(offsetof(struct uefid_conf, store))		rows of its table
 */
#pragma once

#include "common/conf.h"
#include "common/kv.h"
#include "common/objects.h"
#include "common/objects_s3.h"

enum object_store_kind { OBJECT_STORE_JETSTREAM, OBJECT_STORE_S3 };

struct object_store_conf {
	uint32_t	 kind;		/* CONF_WORD */
	char		 url[CONF_TEXT_MAX + 1];
	char		 bucket[CONF_TEXT_MAX + 1];
	char		 region[CONF_TEXT_MAX + 1];
	char		 ca[CONF_TEXT_MAX + 1];
	char		 credentials_file[CONF_TEXT_MAX + 1];
};
extern const char *const object_store_words[];

#define OBJECT_STORE_AT(at, m)	((at) + offsetof(struct object_store_conf, m))
#define OBJECT_STORE_KEYS(at)								\
	{ "objects", "store", CONF_WORD, OBJECT_STORE_AT(at, kind), "jetstream", 0, 0,		\
	    object_store_words },							\
	{ "objects", "url", CONF_STR, OBJECT_STORE_AT(at, url), "", 0, 255, NULL },		\
	{ "objects", "bucket", CONF_STR, OBJECT_STORE_AT(at, bucket), "", 0, 63, NULL },	\
	{ "objects", "region", CONF_STR, OBJECT_STORE_AT(at, region), "us-east-1", 1, 64, NULL },	\
	{ "objects", "ca", CONF_PATH, OBJECT_STORE_AT(at, ca), "", 0, 255, NULL },		\
	{ "objects", "credentials_file", CONF_PATH, OBJECT_STORE_AT(at, credentials_file), "", 0,	\
	    255, NULL }

struct object_store {
	const struct objects	*objects;	/* the one that is meant */
	struct objects_jetstream jetstream;
	struct objects_s3	 s3;
};
/* What a table cannot say: -EINVAL with a sentence. */
int	 object_store_check(const struct object_store_conf *c, char *why, size_t size) MUST_CHECK;
/*
 * Before the daemon's jobs run; conf and clock stay.  The bucket of JetStream is opened where it
 * is the store.  0 or -errno; what is wrong with the credentials is logged.
 */
int	 object_store_open(struct object_store *s, const struct object_store_conf *c,
    struct kv *kv, struct bus *bus, const struct clock *clock) MUST_CHECK;
