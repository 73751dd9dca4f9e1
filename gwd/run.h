/*
 * run.h - RunInstances behind its checks: a job that decides by the client token, chooses
 * nodes and ids, and has the nodes launch.  run_token.c keeps the tokens, run_things.c looks
 * at what the request names, run_launch.c sends.  All of a run is touched by its job alone.
 *
 *	token's record, by CAS ---- before anything is sent
 *	ec2.RunInstances.<type>.<node> ---- the ids are in it: a repeat launches nothing twice
 *	answer ---- or, this gateway dead: the same token finds the same ids
 *
 * Who finds a token whose ids are not launched cannot tell a dead gateway from one that is at
 * it: it looks for RUN_PATIENCE_MS whether they appear, and only then sends them again.
 */
#pragma once

#include <sys/queue.h>

#include "common/kv.h"
#include "common/image.h"
#include "common/instance.h"
#include "common/types.h"
#include "gwd/action.h"
#include "gwd/fault.h"
#include "gwd/net_job.h"
#include "gwd/place.h"
#include "gwd/run_check.h"
#include "gwd/token.h"

/* For a node's answer, which has the records by then; under the deadline of the row that serves
 * it, so that a refusal says that nothing was launched. */
#define RUN_SEND_MS	20000
#define RUN_PATIENCE_MS	1500
#define RUN_NODES_MAX	256

struct run_slot {			/* one instance of the request */
	char			 id[INSTANCE_ID_MAX + 1];
	char			 node[PLACE_NAME_MAX + 1];
	enum token_instance	 found;	/* what its record said, where it was read */
	cJSON			*instance;	/* what is answered; owned; NULL: not launched */
};

struct run {
	struct call		*call;		/* not touched by the job */
	const struct gwd	*g;		/* bus, buckets, types: fixed after start */
	cJSON			*in;		/* owned; without the token and what says nothing */
	char			 account[CALL_ACCOUNT_MAX + 1];
	char			 request_id[IDENT_UUID_LEN + 1];
	char			*public_key;	/* KeyName's; owned; NULL: none */
	struct net		 net;		/* account, region and zones of it; no document */
	struct net_zones	 zones;
	cJSON			*network;	/* what the nodes are told of it; owned; NULL: nothing */
	char			 zone[PLACE_NAME_MAX + 1];	/* the subnet's; "": none was named */
	const struct type	*type;
	uint32_t		 min, max;
	uint32_t		 asked;		/* max, as the request has it; the loop's */
	uint64_t		 vcpus_used;	/* by the account, where there is a limit */
	LIST_ENTRY(run)		 entry;		/* in cloud.runs */
	bool			 is_listed;
	uint64_t		 wall_ms;	/* when the request came */
	struct place_node	 nodes[RUN_NODES_MAX];	/* as they answered */
	size_t			 nnodes;
	/* The token; key is empty without one. */
	char			 token_key[TOKEN_KEY_MAX];
	char			 params[TOKEN_HEX + 1];	/* sha256 */
	uint64_t		 token_revision;	/* of our last write; 0: none */
	/* The ids were chosen, and maybe sent, by another, who may be at it still. */
	bool			 is_resend;
	/* What is to be launched. */
	char			 reservation_id[20];
	struct run_slot		 slots[RUN_COUNT_MAX];
	bool			 is_away;	/* a node could not say whether it had room */
	size_t			 n;
	/* The outcome. */
	cJSON			*out;		/* the Reservation; owned */
	struct fault		 fault;
};

void	 run_free(void *run);

/* The job. */
void	 run_job(void *run);

/* ---- run_token.c ---- */

/*
 * What the token says: fills slots, reservation and revision from its record, and each slot's
 * found (and instance, where there is one).  False: the run has failed.
 */
bool	 run_token_read(struct run *r, enum token_verdict *ret);
/*
 * Writes slots and reservation at token_revision.  CAS_LOST: somebody else works on the token;
 * read again.
 */
enum cas_result run_token_write(struct run *r);
/*
 * Looks again for the records of the slots that have no instance yet, up to wait_ms while some
 * are missing.  False: the run has failed.
 */
bool	 run_token_look(struct run *r, unsigned wait_ms);
/* Nobody can send these ids again: the token may serve anew.  True without a token; false: it
 * is kept, since somebody else works on it or the bucket is away. */
bool	 run_token_forget(struct run *r);

/* ---- run_things.c ---- */

/* Image and key pair exist, and the image runs on the type.  False: the run has failed. */
bool	 run_things_check(struct run *r);
/* The key pair alone, whose public key is taken. */
bool	 run_key_check(struct run *r);

/* The account's limit of vCPUs leaves room for min at least, and max is cut to it.  False: the run
 * has failed. */
bool	 run_quota_check(struct run *r);

/* ---- run_network.c ---- */

/* Subnet and security groups exist and go together.  False: the run has failed. */
bool	 run_network_check(struct run *r);

/* ---- run_launch.c ---- */

/* Chooses nodes and ids for min to max instances into the slots.  False: it has failed. */
bool	 run_launch_place(struct run *r);
/*
 * Has the slots that were never launched launched on their nodes.  True: at least min are; the
 * slots without an instance are not.  False: the run has failed.  Then nothing was launched, and
 * the token is forgotten; but where that is not known, or where others may have sent the same
 * ids, all stays as it is.
 */
bool	 run_launch_send(struct run *r);
