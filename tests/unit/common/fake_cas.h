/*
 * fake_cas.h - a cas_store in memory, with a hook before each write (to let a rival act between
 * a read and a write) and faults on demand.  It holds no pointers of its own making, so it may
 * lie in memory that processes share.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cas.h"

#define FAKE_KEYS	8
#define FAKE_VALUE_MAX	1023

struct fake_entry {
	char		 key[CAS_KEY_MAX + 1];
	char		 value[FAKE_VALUE_MAX + 1];
	bool		 has_value;
	uint64_t	 revision;
};
struct fake_cas {
	struct cas_store	 cas;
	struct fake_entry	 entries[FAKE_KEYS];
	uint64_t		 revision;	/* of the last write */
	bool			 takes_markers;	/* a swap at 0 also lands on a delete marker */
	unsigned		 loads, swaps;	/* swaps: writes that landed */
	enum cas_result		 load_fault, swap_fault;	/* CAS_OK: none */
	bool			 faults_land;	/* a write with swap_fault lands all the same */
	unsigned		 hooks;		/* how often the hook still runs */
	void			(*hook)(struct fake_cas *f);
};

static inline struct fake_entry *
fake_entry(struct fake_cas *f, const char *key)
{
	for (size_t i = 0; i < FAKE_KEYS; i++) {
		if (f->entries[i].key[0] == '\0')
			snprintf(f->entries[i].key, sizeof(f->entries[i].key), "%s", key);
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

	snprintf(e->value, sizeof(e->value), "%s", value ? value : "");
	e->has_value = value != NULL;
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
	if (!e->has_value) {
		ret->is_marker = e->revision != 0;
		return CAS_NOT_FOUND;
	}
	ret->value = strdup(e->value);
	ret->len = strlen(e->value);
	return CAS_OK;
}

/* The calls to getppid let a tracer stop before and after a write as it does at files. */
static inline enum cas_result
fake_write(struct fake_cas *f, const char *key, const char *value, uint64_t expected,
    uint64_t *ret)
{
	struct fake_entry *e = fake_entry(f, key);

	(void)getppid();
	if (f->hooks > 0) {
		f->hooks--;
		f->hook(f);
	}
	if (f->swap_fault != CAS_OK && !f->faults_land)
		return f->swap_fault;
	if (e->revision != expected && !(f->takes_markers && expected == 0 && !e->has_value))
		return CAS_LOST;
	*ret = fake_put(f, key, value);
	f->swaps++;
	(void)getppid();
	return f->swap_fault;
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
