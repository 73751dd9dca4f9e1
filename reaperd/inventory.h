/*
 * inventory.h - everything that a sweep judges, read from the stream leaders: complete, or an
 * error and nothing.  For jobs.
 */
#pragma once

#include "common/instance.h"
#include "common/kv.h"
#include "common/objects.h"
#include "reaperd/asked.h"
#include "reaperd/control_plane.h"
#include "reaperd/judge.h"

struct inv_instance {
	char			 id[INSTANCE_ID_MAX + 1];
	struct instance_facts	 facts;
	uint64_t		 revision;
	char			 node[CAS_HOLDER_MAX + 1];	/* empty: unreadable */
	char			 account_id[13];
	enum instance_state	 state;
	char			 kept_volume[22];	/* DeleteOnTermination=false; or empty */
	struct control_plane	 control_plane;
};
struct inv_store {
	char			 id[INSTANCE_ID_MAX + 1];
	char			 account_id[13];
	struct store_facts	 facts;
	uint64_t		 revision, generation;
};
struct inv_claim {
	char			 id[INSTANCE_ID_MAX + 1];
	char			 holder[CAS_HOLDER_MAX + 1];
	struct claim_facts	 facts;
	uint64_t		 revision, generation;
};
struct inv_address {
	char			 id[CAS_KEY_MAX + 1];	/* its key: "<account>.<a-b-c-d>" */
	char			 instance_id[INSTANCE_ID_MAX + 1];
	enum known		 known;
	uint64_t		 revision;
};
struct inventory {		/* each list sorted by id */
	struct inv_instance	*instances;
	size_t			 ninstances;
	struct inv_store	*stores;
	size_t			 nstores;
	struct inv_claim	*claims;	/* that somebody holds, or that cannot be read */
	size_t			 nclaims;
	struct inv_address	*addresses;	/* that somebody has, or that cannot be read */
	size_t			 naddresses;
	struct object_keys	 objects;	/* keys alone */
	struct asked		 asked;		/* nodes, as judges came to need them */
};
struct inventory_sources {
	struct bus	*bus;
	struct bucket	*instances, *stores, *sync, *addresses, *nodes, *beats;
	const struct objects *objects;
	uint64_t	 timeout_ms;		/* of each call */
};

/* 0; -EIO with a sentence in why.  ret is empty on failure. */
int	 inventory_take(const struct inventory_sources *s, struct inventory *ret, char *why,
    size_t why_size) MUST_CHECK;
void	 inventory_deinit(struct inventory *i);
/* When an object was written, wall ms; 0: it cannot be told, or it is gone. */
uint64_t inventory_written_ms(const struct inventory_sources *s, const char *key);
/* The instance of "uefi/i-.../..."; false for any other owner. */
bool	 inventory_object_owner(const char *key, char ret[static INSTANCE_ID_MAX + 1]);
/* By id; absent: known is KNOWN_NO_MESSAGE. */
struct instance_facts	 inventory_instance(const struct inventory *i, const char *id);
const struct inv_instance *inventory_find(const struct inventory *i, const char *id); /* or NULL */
struct store_facts	 inventory_store(const struct inventory *i, const char *id);
/* Asks the holder's node whether it has a guest of this instance; one that does not answer,
 * whether it is buried. */
void	 inventory_ask_holder(const struct inventory_sources *s, struct asked *a,
    struct inv_claim *c);

/* One record, read again at the leader before an act.  CAS_OK or CAS_NOT_FOUND fill *ret. */
enum cas_result inventory_read_instance(const struct inventory_sources *s, const char *id,
    struct inv_instance *ret) MUST_CHECK;
enum cas_result inventory_read_store(const struct inventory_sources *s, const char *id,
    struct inv_store *ret) MUST_CHECK;
enum cas_result inventory_read_claim(const struct inventory_sources *s, const char *id,
    struct inv_claim *ret) MUST_CHECK;
enum cas_result inventory_read_address(const struct inventory_sources *s, const char *key,
    struct inv_address *ret) MUST_CHECK;
