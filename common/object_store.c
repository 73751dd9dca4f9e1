#include "common/object_store.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/buckets.h"
#include "common/log.h"

#define TIMEOUT_MS	10000	/* of one call: rule 121 */

const char *const object_store_words[] = { "jetstream", "s3", NULL };

static struct s3_conf
s3_of(const struct object_store_conf *c, const struct clock *clock)
{
	return (struct s3_conf){
		.url = c->url, .bucket = c->bucket, .region = c->region, .ca = c->ca,
		.credentials_file = c->credentials_file, .clock = clock,
		.timeout_ms = TIMEOUT_MS, .page = S3_PAGE,
	};
}

int
object_store_check(const struct object_store_conf *c, char *why, size_t size)
{
	const struct s3_conf s3 = s3_of(c, NULL);

	return c->kind == OBJECT_STORE_S3 ? s3_conf_check(&s3, why, size) : 0;
}

static int
open_s3(struct object_store *s, const struct s3_conf *conf)
{
	char why[JSON_WHY_MAX];
	struct s3_credentials c;
	int r;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return -ENOMEM;
	/* Read again for each call, so that they may be changed; wrong ones are told at once. */
	r = s3_credentials_load(conf->credentials_file, &c, why, sizeof(why));
	explicit_bzero(&c, sizeof(c));
	if (r < 0) {
		log_err("%s", why);
		return r;
	}
	objects_s3_init(&s->s3, conf);
	s->objects = &s->s3.objects;
	return 0;
}

int
object_store_open(struct object_store *s, const struct object_store_conf *c, struct kv *kv,
    struct bus *bus, const struct clock *clock)
{
	const struct s3_conf s3 = s3_of(c, clock);
	struct bucket *bucket;
	int r;

	*s = (struct object_store){ 0 };
	if (c->kind == OBJECT_STORE_S3)
		return open_s3(s, &s3);
	r = bucket_open(kv, &bucket_specs[SPEC_OBJECTS], &bucket);
	if (r < 0)
		return r;
	objects_jetstream_init(&s->jetstream, bus, bucket, TIMEOUT_MS);
	s->objects = &s->jetstream.objects;
	return 0;
}
