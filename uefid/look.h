/*
 * look.h - what an operator sees of one store: record, claim, objects, local copy, and the
 * variables in it.  Changes nothing.  For jobs.
 */
#pragma once

#include "uefid/store.h"
#include "uefid/version.h"

struct look {
	bool			 has_record, is_deleting, is_gone;	/* gone: a final marker */
	struct uefi_record	 record;
	bool			 has_claim;
	struct cas_token	 claim;
	bool			 has_local;
	struct seeded		 local;
	enum copy_state		 local_state;
	bool			 is_locked;
	struct version		*versions;	/* owned */
	size_t			 nversions;
	struct buf		 region;	/* vars: the bytes */
	bool			 from_local;	/* vars: of the local copy, else of the object */
};
void	 look_deinit(struct look *l);

/* Everything but region. */
enum store_result look_at(struct store_call *c, struct look *ret) MUST_CHECK;
/* The region: of c->version; without one the local copy's if there is one, else that of the
 * pointer's object. */
enum store_result look_vars(struct store_call *c, struct look *ret) MUST_CHECK;
/* The region of c->image_key. */
enum store_result look_image(struct store_call *c, struct look *ret) MUST_CHECK;
