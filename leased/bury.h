/*
 * bury.h - saying that a node is dead: its own lease `node.<name>` is swapped to our name.
 * Pure: one burial, step by step; the caller reads and writes what it needs and says what
 * came of it.
 *
 * Whoever has buried a node may take over what that node held, so this is the one place
 * where silence becomes a fact, and every way to be wrong is closed by the swap:
 *
 * - Only at a revision that we saw unchanged for T by reads that succeeded at both ends, or
 *   where another has buried it already.  The swap is at that revision, so the node's last
 *   landed renewal was sent T or more before: its leased ended its belief at 2T/3 and its
 *   guests' guards (on_isolation = stop) at T.
 * - Not while its heartbeat, which another daemon of it writes, is younger than T: such a
 *   node runs and has only lost its leased.  A beat vetoes; none proves nothing.  A stamp more than
 *   T in the future is a wrong clock, and none.
 * - A key without any message is never buried: nothing proves that the node ever lived.
 * - `fenced` is an operator's word that the machine is off: no T, no beat; and a key without
 *   a message is made, if spinifex-nodes has the node.  The word is about what was written
 *   before it: a revision that is first seen after it may come from a machine that has been
 *   switched on since, and is not buried on that word.  It holds for T, for the burials by which
 *   this node's other daemons take over what the dead one had: an older beat vetoes none.
 *
 * A node that is not dead swaps its key back, and every claim and record it thinks its own
 * is confirmed under that new generation before it acts (uefid, vmd).
 */
#pragma once

#include "leased/node_watch.h"

enum bury_need {
	BURY_LOAD_KEY,		/* node.<name>, then bury_saw */
	BURY_LOAD_BEAT,		/* heartbeat.<name>, then bury_beat */
	BURY_LOAD_RECORD,	/* spinifex-nodes, then bury_known */
	BURY_SWAP,		/* {self, generation} at expected, then bury_swapped */
	BURY_END,		/* the verdict stands */
};
enum bury_verdict {
	BURY_OPEN,
	BURY_BURIED,		/* under `generation` */
	BURY_ALIVE,		/* or not yet known to be dead: retryable, see seen_for_ms */
	BURY_MOVED,		/* the key moved under the swap: somebody is alive; retryable */
	BURY_STRANGER,		/* no such node */
	BURY_SELF,		/* nobody buries himself */
	BURY_CORRUPT,		/* its key has a value that is no token: an operator's case */
	BURY_UNAVAILABLE,	/* the store's answer is `why`; retryable */
	BURY_VERDICTS
};

struct bury {
	char			 node[CAS_HOLDER_MAX + 1];
	char			 self[CAS_HOLDER_MAX + 1];
	bool			 is_fenced;
	uint64_t		 ttl_ms;
	uint64_t		 begun_ms;
	enum bury_verdict	 verdict;
	enum cas_result		 why;
	uint64_t		 expected;
	uint64_t		 generation;	/* to be written; buried: that of the burial */
	uint64_t		 seen_for_ms;	/* ALIVE: unchanged for so long; 0 with a beat */
	bool			 has_beat;	/* ALIVE: a beat vetoed */
};

enum bury_need bury_begin(struct bury *b, const char *node, const char *self, bool is_fenced,
    uint64_t ttl_ms, uint64_t now_ms) MUST_CHECK;
/* seen is the read; sight what node_watch_saw made of it (NULL: nothing). */
enum bury_need bury_saw(struct bury *b, const struct lease_seen *seen,
    const struct node_sight *sight, uint64_t now_ms) MUST_CHECK;
/* result CAS_OK with the stamp in it (0: none), CAS_NOT_FOUND, or why it could not be read. */
enum bury_need bury_beat(struct bury *b, enum cas_result result, uint64_t stamp_ms,
    uint64_t wall_ms) MUST_CHECK;
enum bury_need bury_known(struct bury *b, enum cas_result result) MUST_CHECK;
enum bury_need bury_swapped(struct bury *b, enum cas_result result, uint64_t revision)
    MUST_CHECK;
