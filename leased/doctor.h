/*
 * doctor.h - what is wrong with how a cluster is set up, and what to do about it: the rules of
 * `leasectl doctor`.  Pure: doctor_look.h gathers the facts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/bus.h"

#define DOCTOR_SERVERS	16
#define DOCTOR_BUCKETS	16
#define DOCTOR_NODES	64
#define DOCTOR_DAEMONS	5
#define DOCTOR_FINDINGS	256		/* the last says that there were more */
#define DOCTOR_TEXT	256

extern const char *const doctor_daemons[DOCTOR_DAEMONS];

struct doctor_server {			/* of [nats] url */
	char	 at[DOCTOR_TEXT];
	char	 why[64];		/* it does not answer; empty: it did */
	char	 name[DOCTOR_TEXT], version[32];
	bool	 has_jetstream;
};

enum doctor_seen { DOCTOR_UNKNOWN, DOCTOR_MISSING, DOCTOR_THERE };
struct doctor_bucket {
	const char		*name;
	enum doctor_seen	 seen;
	bool			 was_there;	/* by this node's own marks */
	bool			 is_remade;	/* when it is gone */
	bool			 may_erase;
	bool			 in_files, denies_delete, denies_purge;
	uint64_t		 replicas, current;	/* current: those that have it all, its leader too */
	uint64_t		 per_key, duplicates_ms;
};

struct doctor_node {
	char		 name[BUS_NODE_MAX + 1];
	bool		 is_known;			/* it has a record */
	unsigned	 answers[DOCTOR_DAEMONS];	/* how many processes of each daemon */
	bool		 is_other_version;		/* of the subjects */
	bool		 has_clock;
	uint64_t	 rate_low, rate_high;		/* of its CLOCK_BOOTTIME, ours being 1000 */
	int64_t		 ahead_ms;			/* its wall clock, of ours */
	uint64_t	 unsure_ms;			/* of ahead_ms */
};

enum doctor_sync {
	DOCTOR_SYNC_NONE,		/* no server's configuration is here */
	DOCTOR_SYNC_HIDDEN,		/* it is, and may not be read */
	DOCTOR_SYNC_ALWAYS,		/* sync_interval */
	DOCTOR_SYNC_FOLDER,		/* the folder's attributes */
	DOCTOR_SYNC_LAZY,
};

struct doctor_facts {
	uint32_t		 cluster_size;
	uint64_t		 node_ttl_ms;
	const char		*self;
	const char		*nats_conf;
	enum doctor_sync	 sync;
	char			 store[DOCTOR_TEXT];
	bool			 is_connected;
	struct doctor_server	 server[DOCTOR_SERVERS];
	size_t			 nservers;
	struct doctor_bucket	 bucket[DOCTOR_BUCKETS];
	size_t			 nbuckets;
	struct doctor_node	 node[DOCTOR_NODES];
	size_t			 nnodes;
};

enum doctor_level { DOCTOR_OK, DOCTOR_WARNING, DOCTOR_WRONG, DOCTOR_LEVELS };
struct doctor_finding {
	enum doctor_level	 level;
	const char		*about;		/* servers, sync, buckets, clocks, nodes */
	char			 what[2 * DOCTOR_TEXT];
	const char		*act;		/* what to do; NULL: nothing */
};
struct doctor_report {
	struct doctor_finding	 finding[DOCTOR_FINDINGS];
	size_t			 n;
	enum doctor_level	 worst;
};
void	 doctor_judge(const struct doctor_facts *f, struct doctor_report *ret);
