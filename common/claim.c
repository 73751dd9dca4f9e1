#include "common/claim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS		3
#define VALUE_SIZE	512	/* a token's JSON, its holder escaped */

static enum claim_result
store(enum cas_result res, enum cas_result *ret_store)
{
	*ret_store = res;
	return CLAIM_STORE;
}

/* Swaps holder with generation in at exactly expected.  The store's answer. */
static enum cas_result
swap(const struct cas_store *s, const char *key, const char *holder, uint64_t generation,
    uint64_t expected, uint64_t *ret_revision)
{
	struct cas_token t = { .generation = generation };
	char value[VALUE_SIZE];
	int n = snprintf(t.holder, sizeof(t.holder), "%s", holder);

	if (n <= 0 || (size_t)n >= sizeof(t.holder))
		return CAS_INVALID;
	n = cas_token_print(&t, value, sizeof(value));
	if (n < 0)
		return n == -ENOMEM ? CAS_NOMEM : CAS_INVALID;
	return s->swap(s->ctx, key, value, (size_t)n, expected, ret_revision);
}

enum claim_result
claim_read(const struct cas_store *s, const char *key, struct cas_token *ret_token,
    uint64_t *ret_revision, enum cas_result *ret_store)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct cas_token t = { 0 };
	enum cas_result res = s->load(s->ctx, key, &e);
	int r = 0;

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return store(res, ret_store);
	if (res == CAS_OK)
		r = cas_token_parse(e.value, e.len, e.revision, &t);
	if (r == -ENOMEM)
		return store(CAS_NOMEM, ret_store);
	if (r < 0)
		return CLAIM_CORRUPT;
	*ret_token = t;
	*ret_revision = e.revision;
	return CLAIM_OK;
}

static void
won(const char *holder, uint64_t generation, struct cas_token *ret)
{
	*ret = (struct cas_token){ .generation = generation };
	(void)snprintf(ret->holder, sizeof(ret->holder), "%s", holder);	/* fits: swap said so */
}

/*
 * One round: create, else read, else adopt.  CLAIM_LOST: the key moved in between, another
 * round may tell.  A read alone never adopts, it may be stale: the confirming swap does.
 */
static enum claim_result
lock_round(const struct cas_store *s, const char *key, const char *holder,
    struct cas_token *ret_token, enum cas_result *ret_store)
{
	struct cas_token t;
	uint64_t revision;
	enum cas_result res = swap(s, key, holder, 0, 0, &revision);
	enum claim_result r;

	if (res == CAS_OK) {
		won(holder, revision, ret_token);
		return CLAIM_OK;
	}
	if (res != CAS_LOST)
		return store(res, ret_store);
	*ret_store = CAS_LOST;
	r = claim_read(s, key, &t, &revision, ret_store);
	if (r != CLAIM_OK)
		return r;
	if (!*t.holder)
		return CLAIM_LOST;
	if (strcmp(t.holder, holder) != 0) {
		*ret_token = t;
		return CLAIM_HELD;
	}
	res = swap(s, key, holder, t.generation, revision, &revision);
	if (res == CAS_LOST)
		return CLAIM_LOST;
	if (res != CAS_OK)
		return store(res, ret_store);
	*ret_token = t;
	return CLAIM_OK;
}

enum claim_result
claim_lock(const struct cas_store *s, const char *key, const char *holder,
    struct cas_token *ret_token, enum cas_result *ret_store)
{
	enum claim_result r = CLAIM_LOST;

	for (int i = 0; i < ROUNDS && r == CLAIM_LOST; i++)
		r = lock_round(s, key, holder, ret_token, ret_store);
	return r == CLAIM_LOST ? store(CAS_LOST, ret_store) : r;
}

/* The present holder, after a swap that lost. */
static enum claim_result
name_winner(const struct cas_store *s, const char *key, struct cas_token *ret_token,
    enum cas_result *ret_store)
{
	uint64_t revision;
	enum claim_result r = claim_read(s, key, ret_token, &revision, ret_store);

	return r == CLAIM_OK ? CLAIM_HELD : r;
}

static bool
is_same(const struct cas_token *a, const struct cas_token *b)
{
	return a->generation == b->generation && strcmp(a->holder, b->holder) == 0;
}

enum claim_result
claim_take_over(const struct cas_store *s, const char *key, const struct cas_token *from,
    uint64_t revision, const char *holder, struct cas_token *ret_token,
    enum cas_result *ret_store)
{
	struct cas_token t;
	uint64_t at;
	enum cas_result res;
	enum claim_result r = claim_read(s, key, &t, &at, ret_store);

	if (r != CLAIM_OK)
		return r;
	if (!*t.holder || !is_same(&t, from) || at != revision) {
		*ret_token = t;
		return CLAIM_HELD;
	}
	res = swap(s, key, holder, 0, revision, &revision);
	if (res == CAS_LOST)
		return name_winner(s, key, ret_token, ret_store);
	if (res != CAS_OK)
		return store(res, ret_store);
	won(holder, revision, ret_token);
	return CLAIM_OK;
}

/* One round of a confirm.  CLAIM_HELD: the key moved in between, another round may tell. */
static enum claim_result
confirm_round(const struct cas_store *s, const char *key, const struct cas_token *token,
    struct cas_token *ret_now, enum cas_result *ret_store)
{
	struct cas_token t;
	uint64_t revision;
	enum cas_result res;
	enum claim_result r = claim_read(s, key, &t, &revision, ret_store);

	if (r != CLAIM_OK)
		return r;
	if (!is_same(&t, token) || !*t.holder) {
		/* The generation is the revision of our first write there: at or below it
		 * speaks a stale reader, or a key that has no message. */
		if (revision <= token->generation)
			return store(CAS_UNAVAILABLE, ret_store);
		*ret_now = t;
		return CLAIM_LOST;
	}
	res = swap(s, key, token->holder, token->generation, revision, &revision);
	if (res == CAS_LOST)
		return CLAIM_HELD;
	return res == CAS_OK ? CLAIM_OK : store(res, ret_store);
}

enum claim_result
claim_confirm(const struct cas_store *s, const char *key, const struct cas_token *token,
    struct cas_token *ret_now, enum cas_result *ret_store)
{
	enum claim_result r = CLAIM_HELD;

	for (int i = 0; i < ROUNDS && r == CLAIM_HELD; i++)
		r = confirm_round(s, key, token, ret_now, ret_store);
	return r == CLAIM_HELD ? store(CAS_LOST, ret_store) : r;
}

enum claim_result
claim_unlock(const struct cas_store *s, const char *key, const struct cas_token *token,
    enum cas_result *ret_store)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct cas_token t;
		uint64_t revision;
		enum claim_result r = claim_read(s, key, &t, &revision, ret_store);
		enum cas_result res;

		if (r != CLAIM_OK)
			return r;
		if (!*t.holder || !is_same(&t, token))
			return CLAIM_LOST;
		res = s->remove(s->ctx, key, revision);
		if (res == CAS_OK)
			return CLAIM_OK;
		if (res != CAS_LOST)
			return store(res, ret_store);
	}
	return CLAIM_LOST;
}
