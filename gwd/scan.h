/*
 * scan.h - many leader reads as one: the values of given keys, or of all keys under a prefix,
 * a bounded number at a time.  A scan is complete or an error.  Loop thread only.
 */
#pragma once

#include "common/kv.h"

#define SCAN_AT_ONCE	32	/* reads in flight of one scan */

struct scan_spec {
	struct bucket	*bucket;
	uint64_t	 timeout_ms;	/* of each request */
	/* Per key, in any order.  CAS_OK, or CAS_NOT_FOUND (revision 0: the key has no message;
	 * else its marker).  May steal the entry. */
	void		(*each)(void *arg, const char *key, enum cas_result res,
			    struct cas_entry *e);
	/* Once, last.  Anything but CAS_OK: the scan is not complete. */
	void		(*end)(void *arg, enum cas_result res);
	void		*arg;
};
/*
 * Both return false when there is no memory (or no key); then nothing is called.  Otherwise end is called
 * exactly once, later, never from inside the call; a scan cannot be cancelled.
 */
bool	 scan_keys(const struct scan_spec *spec, const char *const *keys, size_t n) MUST_CHECK;
/* prefix as kv_list has it. */
bool	 scan_prefix(const struct scan_spec *spec, const char *prefix) MUST_CHECK;
