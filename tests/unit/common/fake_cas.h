/*
 * fake_cas.h - a cas_store in memory, exact about expected 0, with a hook before each swap (to
 * let a rival act between a read and a write) and faults on demand.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "common/cas.h"

#define FAKE_KEYS	8

struct fake_entry {
	char		 key[CAS_KEY_MAX + 1];
	char		*value;
	size_t		 len;
	uint64_t	 revision;
};
struct fake_cas {
	struct cas_store	 cas;
	struct fake_entry	 entries[FAKE_KEYS];
	uint64_t		 revision;	/* of the last write */
	unsigned		 loads, swaps;	/* swaps: those that landed */
	enum cas_result		 load_fault, swap_fault;	/* CAS_OK: none */
	unsigned		 hooks;		/* how often the hook still runs */
	void			(*hook)(struct fake_cas *f);
};

static inline struct fake_entry *
fake_entry(struct fake_cas *f, const char *key)
{
	for (size_t i = 0; i < FAKE_KEYS; i++) {
		if (f->entries[i].key[0] == '\0')
			memcpy(f->entries[i].key, key, strlen(key) + 1);
		if (strcmp(f->entries[i].key, key) == 0)
			return &f->entries[i];
	}
	abort();
}

/* Writes whatever is there; value NULL: a delete marker. */
static inline uint64_t
fake_put(struct fake_cas *f, const char *key, const char *value)
{
	struct fake_entry *e = fake_entry(f, key);

	free(e->value);
	e->value = value ? strdup(value) : NULL;
	e->len = value ? strlen(value) : 0;
	e->revision = ++f->revision;
	return e->revision;
}

static inline enum cas_result
fake_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct fake_cas *f = ctx;
	struct fake_entry *e = fake_entry(f, key);

	f->loads++;
	if (f->load_fault != CAS_OK)
		return f->load_fault;
	*ret = (struct cas_entry){ .revision = e->revision };
	if (!e->value) {
		ret->is_marker = e->revision != 0;
		return CAS_NOT_FOUND;
	}
	ret->value = strdup(e->value);
	ret->len = e->len;
	return CAS_OK;
}

static inline enum cas_result
fake_write(struct fake_cas *f, const char *key, const char *value, uint64_t expected,
    uint64_t *ret)
{
	if (f->hooks > 0) {
		f->hooks--;
		f->hook(f);
	}
	if (f->swap_fault != CAS_OK)
		return f->swap_fault;
	if (fake_entry(f, key)->revision != expected)
		return CAS_LOST;
	*ret = fake_put(f, key, value);
	f->swaps++;
	return CAS_OK;
}

static inline enum cas_result
fake_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	char *text = strndup(value, len);
	enum cas_result c = fake_write(ctx, key, text, expected, ret_revision);

	free(text);
	return c;
}

static inline enum cas_result
fake_remove(void *ctx, const char *key, uint64_t expected)
{
	uint64_t revision;

	return fake_write(ctx, key, NULL, expected, &revision);
}

static inline void
fake_init(struct fake_cas *f)
{
	*f = (struct fake_cas){ .cas = { f, fake_load, fake_swap, fake_remove } };
}

static inline void
fake_deinit(struct fake_cas *f)
{
	for (size_t i = 0; i < FAKE_KEYS; i++)
		free(f->entries[i].value);
}
