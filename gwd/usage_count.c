#include "gwd/usage_count.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/quota.h"

static int
by_account(const void *a, const void *b)
{
	return strcmp(((const struct usage_sum *)a)->account, ((const struct usage_sum *)b)->account);
}

int
usage_sums(const struct instance *records, size_t n, const struct types *types,
    struct usage_sum **ret, size_t *ret_n)
{
	struct usage_sum *sums = calloc(n ? n : 1, sizeof(*sums));
	size_t last = 0;

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		memcpy(sums[i].account, records[i].account_id, sizeof(sums[i].account));
		sums[i].vcpus = quota_vcpus(&records[i], types);
	}
	if (n > 0)
		qsort(sums, n, sizeof(*sums), by_account);
	for (size_t i = 1; i < n; i++) {
		if (by_account(&sums[last], &sums[i]) == 0)
			sums[last].vcpus += sums[i].vcpus;
		else
			sums[++last] = sums[i];
	}
	*ret = sums;
	*ret_n = n ? last + 1 : 0;
	return 0;
}

uint64_t
usage_of(const struct usage_sum *sums, size_t n, const char *account)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(sums[i].account, account) == 0)
			return sums[i].vcpus;
	return 0;
}

enum cas_result
usage_set(const struct cas_store *store, const char *account, uint64_t vcpus, bool *ret_changed)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	uint64_t revision;
	char text[24];
	const int n = snprintf(text, sizeof(text), "%" PRIu64, vcpus);
	enum cas_result r = store->load(store->ctx, account, &e);

	*ret_changed = false;
	if (r != CAS_OK && r != CAS_NOT_FOUND)
		return r;
	if (r == CAS_OK && strcmp(e.value, text) == 0)
		return CAS_OK;
	r = store->swap(store->ctx, account, text, (size_t)n, r == CAS_OK ? e.revision : 0, &revision);
	*ret_changed = r == CAS_OK;
	return r;
}

/* False: no more is to be written. */
static bool
write_one(const struct cas_store *store, const struct usage_count *c, const char *account,
    enum cas_result *res)
{
	const uint64_t vcpus = usage_of(c->sums, c->n, account);
	bool changed;

	if (!c->may(c->arg))
		return false;
	*res = usage_set(store, account, vcpus, &changed);
	if (changed)
		c->changed(c->arg, account, vcpus);
	return *res == CAS_OK || *res == CAS_LOST;
}

enum cas_result
usage_write(const struct cas_store *store, const struct usage_count *c, char *const *keys,
    size_t nkeys)
{
	enum cas_result res = CAS_OK;
	bool more = true;

	for (size_t i = 0; more && i < c->n; i++)
		more = write_one(store, c, c->sums[i].account, &res);
	for (size_t i = 0; more && i < nkeys; i++)
		if (usage_of(c->sums, c->n, keys[i]) == 0)
			more = write_one(store, c, keys[i], &res);
	return res;
}
