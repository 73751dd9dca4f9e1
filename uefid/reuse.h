/*
 * reuse.h - may the local copy that lies there be used by the next guest?  It may be newer
 * than any object, so throwing it away wrongly loses what a guest wrote; using it wrongly
 * boots from what another node has overtaken.  Pure: a table, see reuse.c.
 */
#pragma once

#include <stdbool.h>

#include "uefid/seeded.h"

enum reuse_seeded {		/* seeded.json */
	REUSE_ABSENT,
	REUSE_UNREADABLE,	/* cannot be read or parsed */
	REUSE_PRESENT,
};

struct reuse_facts {
	enum reuse_seeded	 state;
	struct seeded		 seeded;	/* when present */
	bool			 has_vars;	/* vars.fd is there */
	const char		*vars_sha256;	/* its digest; unused without vars.fd */
	bool			 is_complete;	/* it has the right size and parses completely */
	uint64_t		 generation;	/* of the claim that we hold now */
	const char		*boot_id;	/* of this host, now */
	const char		*pointer_key;	/* of the record that the stamp returned */
};

enum reuse {
	REUSE_COPY,		/* take vars.fd as it is */
	REUSE_FETCH,		/* replace whatever is there by the pointer's object */
	REUSE_SET_ASIDE,	/* keep vars.fd as a version first, then fetch */
	REUSE_REFUSE,		/* retryable; keep files and claim */
};
enum reuse reuse_judge(const struct reuse_facts *f);
