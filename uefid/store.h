/*
 * store.h - the sequences on one store: seed, open, save, close, rollback, delete, and what
 * the node's own loop does.  Linear code for jobs: each call may block, one call of an
 * instance runs at a time, and a crash between any two steps leaves what the next call, on
 * this node or another, carries on from.
 *
 * What holds the whole together: the claim `uefi.<instance>` says whose copy may be newest; the
 * record's generation is raised to the claim's before a guest may start, and the pointer moves
 * only at equality, so a holder that lost the claim can write nothing that counts.
 */
#pragma once

#include "common/clock.h"
#include "common/ident.h"
#include "common/objects.h"
#include "common/uefi_record.h"
#include "uefid/copy.h"
#include "uefid/firmware.h"

#define STORE_FIRMWARES		8	/* are remembered; two architectures, two sizes, two kinds */
#define STORE_LAUNCH_MAX	64	/* bytes of a launch id */
#define STORE_WHY_MAX		320	/* bytes of a sentence */

enum store_launch {		/* is this instance in launch on this node? */
	STORE_LAUNCH_NO,
	STORE_LAUNCH_YES,
	STORE_LAUNCH_UNKNOWN,	/* nobody could say: counts as yes */
};

/* What every sequence works with: fixed after start, shared by all jobs. */
struct store_env {
	const char		*node;
	const char		*state_dir;
	const char		*boot_id;
	const char		*firmware_dir;
	const struct clock	*clock;
	const struct cas_store	*sync;		/* claims */
	const struct cas_store	*records;	/* exact, see uefi_record.h */
	const struct objects	*objects;
	struct copy_owner	 owner;
	uint32_t		 keep_versions;
	bool			 exact_firmware;	/* other code of the same size does not fit */
	const char		*dictionary;	/* a file: what AWS compresses UefiData with; empty: none */
	/* Asks this node's vmd. */
	enum store_launch	(*launch)(void *world, const char *instance_id);
	/* Has node's own lease taken from it, if it is dead: 0; -EAGAIN with a sentence. */
	/* request_id: for whom; may be empty. */
	int			(*bury)(void *world, const char *node, const char *request_id,
				    char why[static STORE_WHY_MAX]);
	void			*world;
};

enum store_result {
	STORE_OK,
	STORE_NO_STORE,		/* no live record with a pointer */
	STORE_DELETING,		/* final */
	STORE_NO_FIRMWARE,	/* this node has none for the architecture */
	STORE_MISMATCH,		/* this node's firmware does not fit the store */
	STORE_HELD,		/* another node has the claim, and is not dead */
	STORE_BUSY,		/* a guest has the lock */
	STORE_UNREADABLE,	/* the local copy or its seeded.json cannot be relied on */
	STORE_UNAVAILABLE,	/* a bucket or the object store is not reachable; try again */
	STORE_NODE_LEASE,	/* this node does not hold its own lease */
	STORE_STALE,		/* another launch has the store */
	STORE_OWED,		/* what the guest wrote is not in an object yet */
	STORE_FULL,		/* this node has as many open stores as it may */
	STORE_FENCED,		/* the claim was lost: this copy counts for nothing */
	STORE_INVALID,		/* a record, claim or request that is not right: nothing was done */
	STORE_REFUSED,		/* no space, a lost bucket: an operator's case */
	STORE_RESULTS
};
bool	 store_may_retry(enum store_result r);

/* One call: what is asked, and what it came to. */
struct store_call {
	const struct store_env	*env;
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 account_id[13];
	char			 launch_id[STORE_LAUNCH_MAX + 1];	/* empty: any */
	char			 arch[17];
	char			 version[37];	/* of restore and look: the last part of its key */
	char			 image_id[22];	/* seed: made from it; the image's verbs: which */
	char			 request_id[IDENT_UUID_LEN + 1];	/* for whom; empty: nobody's */
	char			 image_key[UEFI_KEY_MAX + 1];	/* its object; empty: the template */
	const struct buf	*uefi_data;	/* import, image_make: borrowed */
	uint64_t		 lease_until_ms;	/* our node's own lease, CLOCK_BOOTTIME */
	bool			 keep_owed;	/* a claim that another has is not taken, dead or not */
	bool			 confirm;	/* mind: our node's lease is of another generation */
	bool			 prune;			/* save: also look for surplus objects */
	bool			 is_retry;		/* save, close: the last try failed */
	/* STORE_FIRMWARES of them, found before (arch empty: none); borrowed.  NULL: none. */
	const struct firmware	*known;
	/* Of has_firmware, without arch: what is looked for.  After a refusal: what this node lacks. */
	struct firmware_want	 want;
	bool			 is_enrolled;	/* image_make: of a template that has keys */

	/* set by the call */
	char			 why[STORE_WHY_MAX];	/* a sentence, unless STORE_OK */
	struct cas_token	 other;			/* whose claim or which generation why names */
	struct firmware		 firmware;		/* which it is for */
	struct firmware		 found;			/* was looked up anew; arch empty: none */
	struct copy		 copy;
	uint64_t		 generation;
	char			 key[UEFI_KEY_MAX + 1];	/* of the pointer */
	bool			 is_locked;		/* a guest has the lock */
	bool			 has_copy;		/* afterwards */
	bool			 has_dropped;		/* a copy that had lost was removed */
	bool			 has_saved;		/* a pointer was moved */
	bool			 has_taken_over;	/* from taken_from */
	char			 taken_from[CAS_HOLDER_MAX + 1];
	bool			 is_other_code;		/* open: firmware of the same size, another build */
	bool			 is_store_lost;		/* the record vanished without a marker */
	bool			 had_none;		/* delete: there was no record */
	bool			 is_in_launch;		/* mind: nothing was done, a launch may be on */
	bool			 is_confirmed;		/* the claim, by a swap that landed */
};

/* The copy's paths.  STORE_INVALID: no instance's id.  Each of the calls below begins so. */
enum store_result store_begin(struct store_call *c) MUST_CHECK;

/* Is there firmware here for arch and want? */
enum store_result store_has_firmware(struct store_call *c) MUST_CHECK;
/* A store for a new instance from its firmware's template, its claim held: generation, key. */
enum store_result store_seed(struct store_call *c) MUST_CHECK;
/* Would an open succeed here, as far as can be seen?  The copy is not looked at. */
enum store_result store_probe(struct store_call *c) MUST_CHECK;
/* The local copy, ready for a guest of this launch: firmware, generation, copy. */
enum store_result store_open(struct store_call *c) MUST_CHECK;
/*
 * What vars.fd holds into an object, and the pointer there, if they differ.  STORE_OK: the
 * pointer's object is the copy as it was when the call began, or there is no copy.
 * STORE_FENCED and STORE_DELETING are marked beside the copy.
 */
enum store_result store_save(struct store_call *c) MUST_CHECK;
/* The end of a launch: saved, copy removed, claim free; of a store that is gone the folder too. */
enum store_result store_close(struct store_call *c) MUST_CHECK;
/* The end of a launch whose guest never ran.  STORE_OWED: the copy and the claim are kept. */
enum store_result store_rollback(struct store_call *c) MUST_CHECK;
/* The pointer to a new object with the bytes of version, while no guest has the store: key,
 * generation.  What another node holds is not taken over. */
enum store_result store_restore(struct store_call *c) MUST_CHECK;
/* As restore, with the variables of uefi_data in place of all that were there. */
enum store_result store_import(struct store_call *c) MUST_CHECK;
/* Marks the store deleting, for ever.  account_id empty: any. */
enum store_result store_delete(struct store_call *c) MUST_CHECK;
/*
 * The node's loop: a guest that runs is reported (is_locked; STORE_FENCED or STORE_DELETING
 * when its copy has lost) and with confirm its claim confirmed, a store that nothing uses is
 * closed, a claim without a record is settled, the folder of a store that is gone is removed.
 */
enum store_result store_mind(struct store_call *c) MUST_CHECK;

/*
 * An image's variables: one object under its own prefix, which a seed copies.  Make: of arch's
 * template with uefi_data; of one that has keys alone, without data; copy: what instance_id has now; both set key.  Drop: all of them.
 */
enum store_result store_image_make(struct store_call *c) MUST_CHECK;
enum store_result store_image_copy(struct store_call *c) MUST_CHECK;
enum store_result store_image_drop(struct store_call *c) MUST_CHECK;
