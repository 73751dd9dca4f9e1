/*
 * store.h - uefid of this node, asked from a job about one instance's variable store.  Each
 * call waits; 0, or -EIO with the answer in *ret_error, where retryable means that the same
 * call may succeed later (also when uefid was not there).  Any thread but the loop's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/bus.h"

#define STORE_TIMEOUT_MS	20000
#define STORE_PATH_MAX		255

struct store {			/* all borrowed */
	struct bus	*bus;
	const char	*node;
	const char	*instance_id;
	const char	*account_id;
	const char	*arch;
	const char	*launch_id;
	const char	*image_id;	/* seed: with its variables, in image_object */
	const char	*image_object;	/* NULL or empty: the firmware's template */
	const char	*request_id;	/* of the client for whom it is; may be empty */
};

struct store_files {		/* what an open answers */
	char	 vars[STORE_PATH_MAX + 1];
	char	 code[STORE_PATH_MAX + 1];
	char	 code_format[9];
	char	 lock[STORE_PATH_MAX + 1];
	bool	 secure_boot;
};

/* The first store of a new instance; repeated, the same one. */
int	 store_seed(const struct store *s, struct bus_error *ret_error) MUST_CHECK;
/* The local copy, ready for QEMU; repeated with the launch id, the same answer. */
int	 store_open(const struct store *s, struct store_files *ret, struct bus_error *ret_error)
    MUST_CHECK;
/* QEMU has exited: written back, claim given up.  What another node holds is not ours to
 * close: a success. */
int	 store_close(const struct store *s, struct bus_error *ret_error) MUST_CHECK;
/* QEMU never ran.  *ret_kept: something may be owed after all, so close it. */
int	 store_rollback(const struct store *s, bool *ret_kept, struct bus_error *ret_error)
    MUST_CHECK;
/* The instance is terminated; without a store, none can come to be. */
int	 store_delete(const struct store *s, struct bus_error *ret_error) MUST_CHECK;
