/*
 * inventory.h - everything that a sweep judges, read from the stream leaders: complete, or an
 * error and nothing.  For jobs.
 */
#pragma once

#include "common/ident.h"
#include "common/instance.h"
#include "common/kv.h"
#include "common/objects.h"
#include "common/remembered.h"
#include "common/volume.h"
#include "reaperd/asked.h"
#include "reaperd/control_plane.h"
#include "reaperd/judge.h"

#define INVENTORY_OWNER_MAX	21	/* "ami-" and 17 digits */

struct inv_instance {
	char			 id[INSTANCE_ID_MAX + 1];
	struct instance_facts	 facts;
	uint64_t		 revision;
	char			 node[CAS_HOLDER_MAX + 1];	/* empty: unreadable */
	char			 account_id[13];
	enum instance_state	 state;
	char			 end_request[IDENT_UUID_LEN + 1];	/* or empty */
	char			 kept_volume[22];	/* DeleteOnTermination=false; or empty */
	char			 volumes[INSTANCE_VOLUMES_MAX][22];	/* beside its root; "": no more */
	struct control_plane	 control_plane;
};
struct inv_gone {		/* an instance's delete marker, which stays for ever */
	char		 id[INSTANCE_ID_MAX + 1];
	uint64_t	 revision;
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
struct inv_volume {
	char			 id[22];
	char			 account_id[13];	/* of its key */
	char			 instance_id[INSTANCE_ID_MAX + 1];	/* empty: nobody's */
	char			 node[CAS_HOLDER_MAX + 1];	/* its disk's; empty: unread, or none yet */
	enum known		 known;
	enum volume_state	 state;
	uint64_t		 revision;
};
struct inv_image {
	char			 id[22];
	char			 account_id[13];	/* of its key */
	char			 object[101];		/* that it names; or empty */
	enum known		 known;
};
struct inventory {		/* each list sorted by id */
	struct inv_instance	*instances;	/* no markers among them */
	size_t			 ninstances;
	struct inv_gone		*gone;
	size_t			 ngone;
	struct inv_store	*stores;
	size_t			 nstores;
	struct inv_claim	*claims;	/* that somebody holds, or that cannot be read */
	size_t			 nclaims;
	struct inv_address	*addresses;	/* that somebody has, or that cannot be read */
	size_t			 naddresses;
	struct inv_volume	*volumes;	/* no markers among them */
	size_t			 nvolumes;
	struct inv_image	*images;
	size_t			 nimages;
	struct object_keys	 objects;	/* keys alone */
	struct asked		 asked;		/* nodes, as judges came to need them */
};
struct inventory_sources {
	struct bus	*bus;
	struct bucket	*instances, *stores, *sync, *addresses, *nodes, *beats;
	struct bucket	*volumes, *images;
	const struct objects *objects;
	uint64_t	 timeout_ms;		/* of each call */
	struct remembered *remembered;		/* delete markers; NULL: each record is read */
	uint64_t	 now_ms;		/* CLOCK_BOOTTIME, for what is remembered */
};

/* 0; -EIO with a sentence in why.  ret is empty on failure. */
int	 inventory_take(const struct inventory_sources *s, struct inventory *ret, char *why,
    size_t why_size) MUST_CHECK;
void	 inventory_deinit(struct inventory *i);
struct inv_object {
	uint64_t	 written_ms;		/* wall; 0: it cannot be told, or it is gone */
	char		 account_id[13];	/* that its image was to be of; empty: it does not say */
};
struct inv_object inventory_object(const struct inventory_sources *s, const char *key);
/* "i-..." or "ami-..." of "uefi/<owner>/..."; false where it has another form. */
bool	 inventory_object_owner(const char *key, const char *kind,
    char ret[static INVENTORY_OWNER_MAX + 1]);
/* By id; absent: known is KNOWN_NO_MESSAGE. */
struct instance_facts	 inventory_instance(const struct inventory *i, const char *id);
const struct inv_instance *inventory_find(const struct inventory *i, const char *id); /* or NULL */
/* Of its record or marker; 0: there is neither. */
uint64_t		 inventory_revision(const struct inventory *i, const char *id);
struct store_facts	 inventory_store(const struct inventory *i, const char *id);
const struct inv_image	*inventory_image(const struct inventory *i, const char *id);	/* or NULL */
const struct inv_claim	*inventory_claim(const struct inventory *i, const char *id);	/* or NULL */
/* Of an image's object; img NULL: no record. */
struct image_facts	 inventory_image_facts(const struct inv_image *img, const char *key,
    const char *account_id);
/* By a leader read of the node's own lease: it names another. */
bool	 inventory_is_buried(const struct inventory_sources *s, const char *node);
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
/* Of the account that the image is, or was to be, of. */
enum cas_result inventory_read_image(const struct inventory_sources *s, const char *account_id,
    const char *id, struct inv_image *ret, uint64_t *ret_revision) MUST_CHECK;
