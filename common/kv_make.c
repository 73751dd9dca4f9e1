#include "common/kv_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"

#define CREATE_MS	10000
#define REFUSED_MS	20000	/* servers that have just begun refuse what needs them all */
#define GUARD_MS	3000
#define RAISE_MS	60000	/* from one attempt to the next */
#define DESCRIPTION_MAX	255

/* ---- making it ---- */

static void
refused(struct bucket *b, uint64_t code)
{
	uint64_t now = loop_now_ms(bus_loop(b->kv->bus));
	char why[KV_WHY_MAX];

	if (b->refused_ms == 0)
		b->refused_ms = now;
	if (now - b->refused_ms < REFUSED_MS)
		return;
	(void)snprintf(why, sizeof(why), "bucket %s cannot be made: NATS refuses a stream of %u "
	    "replicas, err_code %" PRIu64, bucket_name(b), b->kv->cluster_size, code);
	bucket_set_why(b, why);
}

static void
on_created(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct bucket *b = arg;
	struct kv_info i = { 0 };
	uint64_t code;

	b->ask_id = 0;
	/* Made by us, or at the same time by another.  Whatever else came of it, the next look
	 * says what is there. */
	if (kv_info_of(res, m, &i, &code) == KV_GOT) {
		bucket_there(b, &i);
	} else {
		if (code != 0)
			refused(b, code);
		bucket_look_again(b, BUCKET_RETRY_MS);
	}
	kv_info_deinit(&i);
}

/*
 * Nothing is known of the bucket, or it may be remade.  Each attempt asks for another
 * description: asked again for the same, nats-server gives the stream another time of creation,
 * which its replicas show once they have been started again.
 */
static void
create(struct bucket *b)
{
	char description[DESCRIPTION_MAX + 1], nonce[IDENT_NONCE_LEN + 1];

	ident_nonce(nonce);
	(void)snprintf(description, sizeof(description), "%s [%s]", b->spec->description, nonce);
	AUTO(str) char *config = kv_wire_config(&(struct kv_config){
		.bucket = bucket_name(b),
		.description = description,
		.ttl_ms = b->spec->ttl_ms,
		.replicas = b->kv->cluster_size,
		.may_erase = b->spec->may_erase,
	});
	char subject[KV_SUBJECT_SIZE];

	if (config && kv_wire_api("CREATE", bucket_name(b), subject))
		b->ask_id = bus_ask(b->kv->bus, &(struct bus_ask){ .subject = subject,
		    .data = config, .len = strlen(config), .timeout_ms = CREATE_MS },
		    on_created, b);
	if (b->ask_id == 0)
		bucket_look_again(b, BUCKET_RETRY_MS);
}

/* ---- whether it may be made ---- */

/* Any key of the guard, a marker too, but for the bucket's own. */
static bool
has_records(const struct bucket *b, const struct kv_info *i)
{
	char own[KV_SUBJECT_SIZE];

	if (i->total > i->n || !kv_wire_subject(b->spec->guard, "_", own))
		return true;
	for (size_t k = 0; k < i->n; k++)
		if (strncmp(i->subject[k], own, strlen(own)) != 0)
			return true;
	return false;
}

static void
on_guard(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct bucket *b = arg;
	struct kv_info i = { 0 };
	char why[KV_WHY_MAX];
	uint64_t code;
	enum kv_got got = kv_info_of(res, m, &i, &code);

	b->ask_id = 0;
	if (got == KV_LOST_STREAM || (got == KV_GOT && !has_records(b, &i))) {
		create(b);
	} else if (got == KV_GOT) {
		(void)snprintf(why, sizeof(why), "bucket %s is gone: %s has records, which need "
		    "it, and it is not made anew", bucket_name(b), b->spec->guard);
		bucket_set_state(b, BUCKET_LOST, why);
		bucket_look_again(b, BUCKET_LOST_MS);
	} else {
		bucket_look_again(b, BUCKET_RETRY_MS);
	}
	kv_info_deinit(&i);
}

static void
ask_guard(struct bucket *b)
{
	static const char body[] = "{\"subjects_filter\":\">\"}";
	char subject[KV_SUBJECT_SIZE];

	if (kv_wire_api("INFO", b->spec->guard, subject))
		b->ask_id = bus_ask(b->kv->bus, &(struct bus_ask){ .subject = subject,
		    .data = body, .len = strlen(body), .timeout_ms = GUARD_MS }, on_guard, b);
	if (b->ask_id == 0)
		bucket_look_again(b, BUCKET_RETRY_MS);
}

void
bucket_missing(struct bucket *b)
{
	struct kv_seen mark;
	char why[KV_WHY_MAX];

	kv_mark_get(b->mark, &mark);
	if (b->spec->loss == BUCKET_KEPT && *mark.created) {
		(void)snprintf(why, sizeof(why), "bucket %s is gone: its stream does not exist, "
		    "and it is not made anew", bucket_name(b));
		atomic_store(&b->acked_back, false);
		bucket_set_state(b, BUCKET_LOST, why);
		bucket_look_again(b, BUCKET_LOST_MS);
		return;
	}
	atomic_store(&b->state, BUCKET_OPENING);
	if (b->kv->cluster_size == 0) {
		(void)snprintf(why, sizeof(why), "bucket %s cannot be made: cluster_size is not "
		    "declared", bucket_name(b));
		bucket_set_why(b, why);
		bucket_look_again(b, BUCKET_LOST_MS);
	} else if (b->spec->guard) {
		ask_guard(b);
	} else {
		create(b);
	}
}

/* ---- more replicas, where there is room for them ---- */

static void
too_few(struct bucket *b, const char *why)
{
	if (!b->complained)
		log_warning("bucket %s has fewer replicas than the %u of cluster_size, and more "
		    "could not be had: %s", bucket_name(b), b->kv->cluster_size, why);
	b->complained = true;
}

static void
on_raised(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct bucket *b = arg;
	struct kv_info i = { 0 };
	uint64_t code;
	char text[64];

	b->raise_id = 0;
	if (kv_info_of(res, m, &i, &code) != KV_GOT) {
		(void)snprintf(text, sizeof(text), "%s, err_code %" PRIu64, bus_result_text(res),
		    code);
		too_few(b, text);
	}
	kv_info_deinit(&i);
}

/* A server alone would agree to any number (2.9.10), and has no room for more than one. */
void
bucket_raise_replicas(struct bucket *b, const void *info, size_t len, bool is_clustered)
{
	uint64_t now = loop_now_ms(bus_loop(b->kv->bus));
	AUTO(str) char *config = NULL;
	char subject[KV_SUBJECT_SIZE];

	if (b->raise_id != 0 || (b->raised_ms != 0 && now - b->raised_ms < RAISE_MS))
		return;
	b->raised_ms = now;
	if (!is_clustered) {
		too_few(b, "the server is alone");
		return;
	}
	config = kv_wire_more_replicas(info, len, b->kv->cluster_size);
	if (config && kv_wire_api("UPDATE", bucket_name(b), subject))
		b->raise_id = bus_ask(b->kv->bus, &(struct bus_ask){ .subject = subject,
		    .data = config, .len = strlen(config), .timeout_ms = CREATE_MS },
		    on_raised, b);
}
