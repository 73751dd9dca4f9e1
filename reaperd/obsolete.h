/*
 * obsolete.h - the buckets that earlier versions had and none uses any more: these names and no
 * others.  For jobs.
 */
#pragma once

#include "reaperd/inventory.h"

#define OBSOLETE_BUCKETS	11
const char *obsolete_name(size_t i);		/* i below OBSOLETE_BUCKETS */
/* KNOWN_NO_MESSAGE: there is none, which is well. */
enum known obsolete_look(const struct inventory_sources *s, size_t i);
/* By its name, which has to be one of them.  CAS_NOT_FOUND: it was gone. */
enum cas_result obsolete_discard(const struct inventory_sources *s, const char *name) MUST_CHECK;
