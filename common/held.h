/*
 * held.h - what this daemon knows of the buckets when they know it no more: its marks, and what it
 * holds.  Asked by a reseed (kv.v1.<node>.<daemon>.held).  Loop thread.
 */
#pragma once

#include "common/kv.h"

struct held;		/* what is being said */
/* rank: of two that hold one key the higher is later.  value is JSON text.  False: no memory. */
bool	 held_add(struct held *h, const char *bucket, const char *key, const char *value,
    uint64_t rank);
/* Adds all that the daemon holds; false: it cannot tell. */
typedef bool held_fn(void *arg, struct held *h);

struct held_service;
int	 held_new(struct bus *b, struct kv *k, const char *node, const char *daemon,
    struct held_service **ret) MUST_CHECK;
void	 held_free(struct held_service *s);		/* NULL is fine */
/* From now on fn is asked too; before, a daemon has marks alone. */
void	 held_by(struct held_service *s, held_fn *fn, void *arg);
