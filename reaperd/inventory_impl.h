/* inventory_impl.h - what inventory*.c share. */
#pragma once

#include "reaperd/inventory.h"

/* -EINVAL: empty, or too long for one. */
int	 inventory_copy_id(char ret[static INSTANCE_ID_MAX + 1], const char *id) MUST_CHECK;
/* As kv_load_wait, but that a delete marker which is remembered costs nothing. */
enum cas_result inventory_load(const struct inventory_sources *s, struct bucket *b, const char *key,
    struct cas_entry *ret) MUST_CHECK;
/* A value, a marker, or never anything; errors are the caller's. */
enum known inventory_known_of(enum cas_result res, const struct cas_entry *e);
/* -EIO with a sentence. */
int	 inventory_fail(char *why, size_t size, const char *what, enum cas_result res);

/* inventory_ec2.c: addresses, volumes and images. */
int	 inventory_take_ec2(const struct inventory_sources *s, struct inventory *inv, char *why,
    size_t size) MUST_CHECK;
