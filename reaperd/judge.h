/*
 * judge.h - may it go, and why?  One pure function per class, told everything it needs.
 *
 * The creed: uncertainty never acts.  A record that cannot be read, a key without any message, a
 * node that does not answer are reasons to keep.  Gone is proved by a delete marker or by a
 * record that says so (terminated, deleting).  A judge creates nothing and deletes nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reap_class {
	REAP_UEFI_STORE,		/* a store that is deleting, or whose instance is gone */
	REAP_UEFI_OBJECT,		/* an object whose store's record is a delete marker */
	REAP_UEFI_CLAIM,		/* a claim whose store's record is a delete marker */
	REAP_UEFI_IMAGE,		/* an object of an image that no record names */
	REAP_ADDRESS,			/* an address whose instance is gone */
	REAP_INSTANCE_TERMINATED,	/* a terminated record past its time of being listed */
	REAP_TEARDOWN_STUCK,		/* reported: an end that takes too long */
	REAP_GUEST,			/* reported: a QEMU that its node has to end */
	REAP_VOLUME_ORPHAN,		/* reported: a volume that waits for what does not come */
	REAP_BUCKET_OBSOLETE,		/* a bucket that no version uses any more */
	REAP_CONTROL_PLANE_ORPHAN,	/* reported: it runs, and its cluster's record is gone */
	REAP_CLASSES
};
const char *reap_class_name(enum reap_class c);			/* "uefi-store" */
int	 reap_class_from_name(const char *name, enum reap_class *ret)
    __attribute__((warn_unused_result));			/* 0 or -EINVAL */

/* What is known of a record. */
enum known {
	KNOWN_UNREADABLE,	/* it is there and cannot be judged */
	KNOWN_NO_MESSAGE,	/* the key never had a message: proves nothing */
	KNOWN_MARKER,		/* deleted, provably */
	KNOWN_PRESENT,
};

enum verdict {
	KEEP_IN_USE,		/* alive */
	KEEP_YOUNG,		/* may go later */
	KEEP_DEPENDENT,		/* something else has to go first */
	KEEP_UNKNOWN,		/* not proved */
	KEEP_ASK,		/* it stays, and its node is asked to finish it */
	KEEP_REPORT,		/* it stays, and an operator has to look */
	REAP_MARK,		/* a live store of a gone instance: mark it deleting first */
	REAP_NOW,
};
bool	 verdict_is_reap(enum verdict v);
const char *verdict_word(enum verdict v);	/* "keep", "unknown", "report", "reap" */

/* Reasons are constant sentences; they outlive everything. */
struct judgement {
	enum verdict	 verdict;
	const char	*reason;
};

/* An age by the wall clock counts only if that clock was steady for as long. */
struct judge_time {
	uint64_t	 wall_ms;
	uint64_t	 steady_ms;		/* UINT64_MAX: no step was ever noticed */
};

struct instance_facts {
	enum known	 known;
	bool		 is_terminated;
	uint64_t	 terminated_ms;		/* wall; 0: no date */
	bool		 has_pending;		/* a dependent is not done */
	bool		 is_ending;		/* shutting-down */
	bool		 freed_address;		/* it says that its address is torn down */
};
/* Terminated records stay listed for keep_ms. */
struct judgement judge_instance(const struct instance_facts *i, const struct judge_time *t,
    uint64_t keep_ms);

/* The node that has to end something, and for how long it could; the node alone ends it. */
struct node_facts {
	uint64_t	 seen_ms;	/* this reaperd has seen it so, by CLOCK_BOOTTIME */
	uint64_t	 limit_ms;	/* then it is asked, and then reported */
	bool		 was_asked;	/* to finish it, by a sweep before */
	bool		 answered;	/* its vmd, in this sweep */
	bool		 has_it;	/* ... and knows of it */
};
struct judgement judge_teardown(const struct instance_facts *i, const struct node_facts *n);
/* Of a QEMU that a node has; names_node: its record names that one. */
struct judgement judge_guest(const struct instance_facts *i, bool names_node,
    const struct node_facts *n);
/* known: of the address's own key. */
struct judgement judge_address(enum known known, const struct instance_facts *i);

struct judgement judge_bucket(enum known known);

/* What was found of the cluster that a control plane belongs to. */
enum cluster_record {
	CLUSTER_PRESENT,
	CLUSTER_NO_BUCKET,
	CLUSTER_NO_RECORD,	/* deleted, or never there: the same */
	CLUSTER_BUCKET_UNREAD,
	CLUSTER_RECORD_UNREAD,	/* undecodable too */
};
/* Never a reason to end an instance: an alarm, and it stays. */
struct judgement judge_control_plane(enum cluster_record r);

struct store_facts {
	enum known	 known;
	bool		 is_deleting;
};
struct judgement judge_store(const struct store_facts *s, const struct instance_facts *i);

/* written_ms 0: no date, young for ever.  Exactly grace_ms old is young still. */
struct judgement judge_object(const struct store_facts *s, uint64_t written_ms,
    const struct judge_time *t, uint64_t grace_ms);

/* What leaves a whole sweep in doubt: while there is any, nothing goes, of no class. */
enum doubt {
	DOUBT_NONE,
	DOUBT_CLOCK,		/* it was stepped, or is not the server's */
	DOUBT_NO_NODE,		/* none is known */
	DOUBT_SILENT,		/* a known node does not answer, and nobody has buried it */
	DOUBT_UNREAD,		/* a record is there and cannot be read */
};
struct judgement judge_doubt(struct judgement j, enum doubt d);

struct claim_facts {
	enum known	 known;			/* PRESENT: somebody holds it */
	bool		 holder_answered;	/* the holder's node, when it was asked */
	bool		 holder_runs_it;
	bool		 holder_buried;		/* by the lease rule: nothing runs there */
};
struct judgement judge_claim(const struct claim_facts *c, const struct store_facts *s);

struct image_facts {
	enum known	 known;
	bool		 names_it;		/* the record, this object */
	bool		 has_account;		/* the object says whose image it was to be */
};
/* An image's object is written before its record: grace_ms is longer than any copy of a disk
 * takes.  One without a record goes only where a marker can be put in the record's place. */
struct judgement judge_image(const struct image_facts *i, uint64_t written_ms,
    const struct judge_time *t, uint64_t grace_ms);

struct volume_facts {
	enum known	 known;
	bool		 is_deleting;
	bool		 is_somebodys;
	bool		 is_listed;		/* by the instance that it names */
	uint64_t	 seen_ms;		/* this reaperd has seen it so, by CLOCK_BOOTTIME */
	uint64_t	 limit_ms;		/* then it is reported */
};
/* Its data is a user's: never a reason to delete anything. */
struct judgement judge_volume(const struct volume_facts *v, const struct instance_facts *i);

/* At most this many of a class's n members go in one sweep: the larger of 5 and 1 %. */
size_t	 reap_ceiling(size_t n);
