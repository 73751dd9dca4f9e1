/*
 * records.h - the instance records that name this node: cached, and written by nobody else.
 * Read at start by a complete listing; later by hints, and each RECORDS_REREAD_MS.  Every
 * write is a compare-and-swap at the revision that is cached; "still mine" is a swap that
 * landed.  A record that names another node is not ours.  Loop thread only.
 */
#pragma once

#include "common/cas.h"
#include "common/instance.h"
#include "common/kv.h"
#include "common/loop.h"

#define RECORDS_REREAD_MS	30000
#define RECORDS_TIMEOUT_MS	5000	/* of one read or write */
#define RECORDS_RETRY_MS	1000	/* before a write that has to be made is tried again */
#define RECORDS_ATTEMPTS	5	/* of a write that need not be made */

struct records;
struct record;

/* None is called from inside a records_* or record_* call that the handler's owner makes. */
struct records_handlers {
	/* First seen, made or taken over: it names this node. */
	void	(*owned)(void *arg, struct record *r);
	/* Somebody else's write; it still names this node. */
	void	(*changed)(void *arg, struct record *r);
	/* It names another node, or was removed.  r is freed after the call. */
	void	(*lost)(void *arg, struct record *r, const char *why);
	/* The confirming swap of this generation landed. */
	void	(*confirmed)(void *arg, struct record *r);
	/* Once: the first complete listing is read. */
	void	(*listed)(void *arg);
};

int	 records_new(struct loop *l, struct bucket *b, const char *node,
    const struct records_handlers *h, void *arg, struct records **ret) MUST_CHECK;
void	 records_free(struct records *rs);	/* NULL is fine; no handler is called */
/* Begins to read; again until it is complete. */
void	 records_start(struct records *rs);
bool	 records_are_listed(const struct records *rs);

size_t	 records_count(const struct records *rs);
/* n below the count, in the order of ids.  Borrowed, as is what find returns (NULL: none). */
struct record *records_get(const struct records *rs, size_t n);
struct record *records_find(const struct records *rs, const char *id);
/* The first whose id is greater than after; the count when there is none. */
size_t	 records_index_after(const struct records *rs, const char *after);

const struct instance *record_instance(const struct record *r);
uint64_t record_revision(const struct record *r);	/* of the last write that is known */
void	 record_set_owner(struct record *r, void *owner);	/* the caller's own */
void	*record_owner(const struct record *r);

/*
 * A new generation of the node's lease: every record that is not terminated is written again
 * as it is, until that has landed or it is known to be another's.  Any landed write confirms.
 */
void	 records_confirm(struct records *rs, uint64_t generation);
bool	 record_is_confirmed(const struct record *r);

/* ---- writing ---- */

/* Changes a copy of the record.  0: write it; 1: it is so already, nothing to write; a
 * negative errno: refused, nothing is written.  May be called again after a lost race. */
typedef int record_change_fn(void *arg, struct instance *i);
/*
 * r = 0; the change's own negative answer; -EPERM: no longer ours (r is about to go);
 * -EAGAIN: the store was not there, nothing was written; -ETIMEDOUT: it may have been, or may
 * be yet; -EIO: the store refused; -ENOMEM.
 */
typedef void record_done_fn(void *arg, int r);

enum record_effort {
	RECORD_ONCE,		/* for an answer to a client */
	RECORD_UNTIL_DONE,	/* never -EAGAIN, -ETIMEDOUT, -EIO: tried until it is so */
};

/* Queued behind earlier ones of this record; done (may be NULL) is called exactly once, later,
 * unless the records are freed.  0 or -ENOMEM. */
int	 record_change(struct record *r, enum record_effort e, record_change_fn *change,
    record_done_fn *done, void *arg) MUST_CHECK;

/* r is NULL unless res is 0.  -EEXIST: there is or was one of that id. */
typedef void record_made_fn(void *arg, int res, struct record *r);
/* At expected 0; a copy of i, which names this node.  0 or -ENOMEM. */
int	 records_create(struct records *rs, const struct instance *i, record_made_fn *fn,
    void *arg) MUST_CHECK;
/* i is borrowed for the call, NULL unless r is 0.  -ENOENT: there is none, and revision is that
 * of its delete marker, 0: it has no message at all; -EBADMSG: cannot be read; -EAGAIN, -ETIMEDOUT, -EIO as above. */
typedef void record_looked_fn(void *arg, int r, const struct instance *i, uint64_t revision);
/* Anybody's record by its id.  0 or -ENOMEM. */
int	 records_look(struct records *rs, const char *id, record_looked_fn *fn, void *arg)
    MUST_CHECK;
/*
 * Another node's record, as it was at revision but for what makes it ours; a copy of i.
 * fn: 0 and the record; -EAGAIN: raced or the store was not there, nothing was written; else
 * as above.
 */
int	 records_take(struct records *rs, const struct instance *i, uint64_t revision,
    record_made_fn *fn, void *arg) MUST_CHECK;
/* A delete marker at its revision, for a launch that is taken back.  lost is called. */
int	 record_remove(struct record *r, record_done_fn *done, void *arg) MUST_CHECK;
