#include "common/kv_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
kv_keys_deinit(struct kv_keys *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->key[i]);
	free(k->key);
	*k = (struct kv_keys){ 0 };
}

static void
end(struct kv_listing *l, enum cas_result res)
{
	l->ended = true;
	l->res = res;
}

static void
pause_from(struct kv_listing *l, uint64_t now_ms)
{
	l->pause_ms = l->pause_ms ? l->pause_ms * 2 : KV_PAUSE_MIN_MS;
	if (l->pause_ms > KV_PAUSE_MAX_MS)
		l->pause_ms = KV_PAUSE_MAX_MS;
	l->pause_until_ms = now_ms + l->pause_ms;
}

static void
begin_again(struct kv_listing *l, uint64_t now_ms)
{
	kv_keys_deinit(&l->all);
	l->room = 0;
	l->got = l->total = 0;
	pause_from(l, now_ms);
}

static enum kv_do
listing_next(struct kv_task *t, uint64_t now_ms, struct kv_request *ret,
    uint64_t *ret_until_ms)
{
	struct kv_listing *l = (struct kv_listing *)t;
	uint64_t left;

	if (!l->ended && now_ms >= l->deadline_ms)
		end(l, CAS_UNAVAILABLE);
	if (l->ended)
		return KV_END;
	if (l->pause_until_ms > now_ms) {
		*ret_until_ms = l->pause_until_ms < l->deadline_ms ? l->pause_until_ms
								   : l->deadline_ms;
		return KV_PAUSE;
	}
	left = l->deadline_ms - now_ms;
	(void)kv_wire_api("INFO", l->bucket, ret->api);	/* as kv_listing_init has seen */
	(void)snprintf(ret->body, sizeof(ret->body),
	    "{\"subjects_filter\":\"%s\",\"offset\":%" PRIu64 "}", l->filter, l->got);
	ret->ask = (struct bus_ask){
		.subject = ret->api,
		.data = ret->body,
		.len = strlen(ret->body),
		.timeout_ms = left < l->attempt_ms ? left : l->attempt_ms,
	};
	return KV_ASK;
}

/* 0; -EBADMSG when a subject is not of this bucket; -ENOMEM. */
static int
add_key(struct kv_listing *l, const char *subject)
{
	char *key;

	if (strncmp(subject, l->filter, l->skip) != 0)
		return -EBADMSG;
	if (l->all.n == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		char **v = reallocarray(l->all.key, room, sizeof(*v));

		if (!v)
			return -ENOMEM;
		l->all.key = v;
		l->room = room;
	}
	key = strdup(subject + l->skip);
	if (!key)
		return -ENOMEM;
	l->all.key[l->all.n++] = key;
	return 0;
}

static int
by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Sorts; false when a key was listed twice, so that another was listed not at all. */
static bool
sort_unique(struct kv_keys *k)
{
	if (k->n > 0)
		qsort(k->key, k->n, sizeof(*k->key), by_text);
	for (size_t i = 1; i < k->n; i++)
		if (strcmp(k->key[i - 1], k->key[i]) == 0)
			return false;
	return true;
}

static void
take_page(struct kv_listing *l, uint64_t now_ms, const struct kv_info *page)
{
	int r = 0;

	if (page->total > KV_KEYS_MAX) {
		end(l, CAS_REFUSED);
		return;
	}
	if ((l->got > 0 && (page->total != l->total || strcmp(page->created, l->all.created) != 0)) ||
	    page->offset != l->got ||
	    l->got + page->n > page->total || (page->n == 0 && page->total > l->got)) {
		begin_again(l, now_ms);
		return;
	}
	l->total = page->total;
	if (l->got == 0) {
		memcpy(l->all.created, page->created, sizeof(l->all.created));
		l->all.last_seq = page->last_seq;
	}
	for (size_t i = 0; r == 0 && i < page->n; i++)
		r = add_key(l, page->subject[i]);
	l->got += page->n;
	if (r == -ENOMEM)
		end(l, CAS_NOMEM);
	else if (r < 0 || (l->got == l->total && !sort_unique(&l->all)))
		begin_again(l, now_ms);
	else if (l->got == l->total)
		end(l, CAS_OK);
}

static void
listing_answer(struct kv_task *t, uint64_t now_ms, enum bus_result res, const void *data,
    size_t len)
{
	struct kv_listing *l = (struct kv_listing *)t;
	struct kv_info page = { 0 };
	uint64_t code;
	enum kv_got got = kv_wire_info(res, data, len, &page, &code);

	if (got == KV_LOST_STREAM) {
		l->stream_doubt = true;
		end(l, CAS_BUCKET_LOST);
	} else if (got == KV_GOT) {
		l->seen = page.last_seq;
		take_page(l, now_ms, &page);
	} else if (res == BUS_NOT_SENT) {
		end(l, CAS_UNAVAILABLE);
	} else {
		l->stream_doubt |= res == BUS_NO_RESPONDERS;
		pause_from(l, now_ms);
	}
	kv_info_deinit(&page);
}

bool
kv_listing_init(struct kv_listing *l, const char *bucket, const char *prefix, uint64_t now_ms,
    uint64_t timeout_ms)
{
	char rest[CAS_KEY_MAX + 2], api[KV_SUBJECT_SIZE];
	int n = snprintf(rest, sizeof(rest), "%s>", prefix);

	*l = (struct kv_listing){
		.task = { .next = listing_next, .answer = listing_answer },
		.bucket = bucket,
		.deadline_ms = now_ms + timeout_ms,
		/* A page of a large bucket takes the server a while. */
		.attempt_ms = timeout_ms / 2 + 1,
	};
	l->skip = strlen("$KV.") + strlen(bucket) + 1;
	return n > 0 && (size_t)n < sizeof(rest) && kv_wire_subject(bucket, rest, l->filter) &&
	    kv_wire_api("INFO", bucket, api);
}

struct kv_keys
kv_listing_take(struct kv_listing *l)
{
	struct kv_keys all = l->all, ret = all;

	l->all = (struct kv_keys){ 0 };
	ret.n = 0;
	for (size_t i = 0; i < all.n; i++)
		if (*all.key[i] == '_')
			free(all.key[i]);
		else
			ret.key[ret.n++] = all.key[i];
	return ret;
}

void
kv_listing_deinit(struct kv_listing *l)
{
	kv_keys_deinit(&l->all);
}
