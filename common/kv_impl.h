/*
 * kv_impl.h - how the files of kv hold together.  Private to common/kv*.c.
 *
 *	kv_wire.c	requests and answers as bytes (pure)
 *	kv_op.c		one load or write, with unknown outcomes resolved (pure)
 *	kv_list.c	one listing (pure)
 *	kv.c		drives them on the loop; kv.h's calls
 *	kv_wait.c	drives them in jobs
 *	kv_bucket.c	opening and watching over a bucket; alarms
 *	kv_make.c	making one that is not there, where that may be; more replicas
 *	kv_judge.c	is its stream the one this node knew
 *	kv_seen.c	marks told to the other daemons; the quiet after another server
 *	kv_reseed.c	an operator's end to a bucket that is gone or went back
 *	kv_marks.c	what was seen of each bucket, in files
 *	kv_watch.c	hints
 *	kv_store.c	the three calls of cas.h
 */
#pragma once

#include <stdatomic.h>
#include <sys/queue.h>

#include "common/kv.h"
#include "common/kv_list.h"
#include "common/kv_marks.h"
#include "common/kv_op.h"

#define KV_WHY_MAX	256

enum bucket_state {
	BUCKET_OPENING,		/* not seen yet by this process */
	BUCKET_OPEN,
	BUCKET_SUSPECT,		/* its stream seems to be another: read twice before it is said */
	BUCKET_LOST,		/* it was there and is not */
	BUCKET_BACK,		/* it went back */
};

#define BUCKET_RETRY_MS	500	/* from look to look at one that is opening */
#define BUCKET_LOST_MS	5000	/* ... that is not usable */
#define KV_SETTLE_MS	10000	/* from the first sight of a new stream until it is remembered */

struct bucket {
	struct kv			*kv;
	const struct bucket_spec	*spec;
	struct kv_mark			*mark;
	_Atomic int			 state;		/* enum bucket_state; set by the loop */
	atomic_bool			 keep_writing;
	atomic_bool			 doubt;		/* the stream may be gone: look now */
	atomic_bool			 acked_back;	/* an acknowledgement showed it: */
	_Atomic uint64_t		 back_seq, back_mark;	/* which, and the mark before it */
	/* loop only */
	uint64_t			 ask_id;	/* of the look that is on its way */
	bool				 looking;	/* ... or of what follows from it */
	uint64_t			 look_at_ms, looked_ms;
	char				 other[KV_CREATED_SIZE];	/* not the mark's: seen since */
	uint64_t			 other_since_ms;
	struct kv_seen			 now;		/* of this look: base from _epoch */
	uint64_t			 told_seq;	/* to the others; 0: not since the connect */
	bool				 ask_epoch;	/* another daemon knows of a newer one */
	uint64_t			 raise_id, raised_ms;	/* more replicas: on its way, last tried */
	bool				 complained;		/* of too few */
	uint64_t			 refused_ms;	/* since when it cannot be made; 0: it can */
	char				 why[KV_WHY_MAX];	/* of the alarm; empty: healthy */
	LIST_ENTRY(bucket)		 next;
};

struct kv_on_open {
	void			(*fn)(void *arg);
	void			*arg;
	LIST_ENTRY(kv_on_open)	 next;
};
struct kv_watch;
struct kv_call;

struct kv {
	struct bus			*bus;
	uint32_t			 cluster_size;
	struct kv_marks			*marks;
	uint64_t			 node_ttl_ms;
	_Atomic uint64_t		 quiet_until_ms;
	char				 server_id[BUS_SERVER_ID_SIZE];
	struct loop_timer		*tell_timer;	/* of marks */
	struct bus_sub			*seen_sub;
	struct loop_timer		*timer;		/* the next look at any bucket */
	int				 wake_fd;	/* doubts of other threads */
	struct loop_io			*wake_io;
	void				(*alarm)(void *arg, struct bucket *b, const char *why);
	void				*alarm_arg;
	void				(*change)(void *arg);
	void				*change_arg;
	LIST_HEAD(, bucket)		 buckets;
	LIST_HEAD(, kv_on_open)		 on_open;
	LIST_HEAD(, kv_call)		 calls;		/* on their way */
	LIST_HEAD(, kv_watch)		 watches;
};

/* ---- kv_bucket.c ---- */

enum bucket_state bucket_state(const struct bucket *b);		/* any thread */
/* Any thread.  CAS_OK when an operation may go on. */
enum cas_result bucket_gate(const struct bucket *b, bool is_write);
/* Any thread: what an operation's answers showed. */
void	 bucket_saw(struct bucket *b, uint64_t seq, bool doubt);
/* Any thread: seq was acknowledged, at or below the mark of its send.  True: the write counts all
 * the same. */
bool	 bucket_acked_back(struct bucket *b, uint64_t seq, uint64_t mark);
/* Loop: the alarm's sentence, "" when well; said once a change. */
void	 bucket_set_why(struct bucket *b, const char *why);
void	 bucket_set_state(struct bucket *b, enum bucket_state state, const char *why);
/* Each look ends in one of these: the next is in_ms from now, or the stream is the one we know. */
void	 bucket_look_again(struct bucket *b, uint64_t in_ms);
void	 bucket_known(struct bucket *b);
/* What came of STREAM.INFO, CREATE or UPDATE; m NULL: nothing.  Any thread. */
enum kv_got kv_info_of(enum bus_result res, const struct bus_msg *m, struct kv_info *ret,
    uint64_t *ret_code);
/* Loop: looks at every bucket soon (the connection is back). */
void	 bucket_look_all(struct kv *k);
void	 bucket_free(struct bucket *b);
void	 bucket_on_timer(void *arg);			/* kv's timer and wake */

/* ---- kv_make.c: loop ---- */

/* A look found no stream: it is made, or said to be lost. */
void	 bucket_missing(struct bucket *b);
/* Best effort: a cluster that grew.  info is an answer to STREAM.INFO; what comes of it changes
 * nothing for the bucket. */
void	 bucket_raise_replicas(struct bucket *b, const void *info, size_t len, bool is_clustered);

/* ---- kv_judge.c ---- */

void	 bucket_there(struct bucket *b, const struct kv_info *i);	/* a look found its stream */
void	 bucket_judge_ack(struct bucket *b);				/* after bucket_acked_back */

/* ---- kv_seen.c ---- */

int	 kv_seen_begin(struct kv *k) MUST_CHECK;
void	 kv_seen_end(struct kv *k);
void	 kv_seen_tell(struct kv *k);		/* loop: our marks, soon */
void	 kv_seen_connected(struct kv *k);	/* loop: it may be to another server */
bool	 kv_is_quiet(const struct kv *k);	/* any thread */

/* ---- kv.c ---- */

/* Any thread: what every driver does with an answer, and with the end of an operation. */
void	 kv_tell(struct kv_task *t, uint64_t now_ms, enum bus_result res,
    const struct bus_msg *m);
void	 kv_note_op(struct bucket *b, struct kv_op *o);
void	 kv_op_entry(struct kv_op *o, struct cas_entry *ret);	/* takes the value */
bool	 kv_fits(const struct bucket *b, size_t len);

/* Without the gate, and for the bucket's own keys too.  NULL: no memory. */
struct kv_call *kv_load_own(struct bucket *b, const char *key, uint64_t timeout_ms,
    kv_loaded_fn *fn, void *arg);
struct kv_call *kv_put_own(struct bucket *b, const char *key, const void *value, size_t len,
    uint64_t expected, uint64_t timeout_ms, kv_written_fn *fn, void *arg);

/* ---- kv_wait.c ---- */

/* In a job: to the task's end.  op is the task's, if it is one; b NULL: nobody notes it. */
void	 kv_run_wait(struct bus *bus, struct bucket *b, struct kv_task *t, struct kv_op *op);

/* ---- kv_watch.c ---- */

void	 kv_watch_missed_all(struct kv *k);		/* after a reconnect */
void	 kv_watch_free_all(struct kv *k);
