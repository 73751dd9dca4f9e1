/*
 * kv.h - JetStream key-value buckets over the documented request API: reads by the stream's
 * leader, writes conditional on a sequence.  One implementation of encoding, classification
 * and of resolving an unknown outcome serves the loop (kv_*) and jobs (kv_*_wait).
 *
 * The one write path.  Every write carries Nats-Expected-Last-Subject-Sequence,
 * Nats-Expected-Stream, Nats-Msg-Id "<key>@<expected>" and a nonce of its own (header
 * Spinifex-Nonce).  Without the Msg-Id a replicated stream of nats-server before 2.9.21 lets
 * several writers win one revision.
 *
 *	answer					outcome
 *	ack, not a duplicate			won
 *	10071 with a higher sequence		lost
 *	10008, no responders, down		unavailable: nothing was written
 *	10077 10023 10047 10028 10002		refused: space or limits
 *	10059 10060, no stream			bucket lost
 *	timeout, disconnect, duplicate,		unknown: read at the leader until deadline:
 *	10164, 10158				 our nonce -> won; the expected sequence still ->
 *						 send again, new nonce; a higher sequence -> lost
 *						 (it can land no more); lower -> a stale reader,
 *						 read again; no end by the deadline -> unknown
 *
 * What the Msg-Id costs on three servers (measured on nats-server 2.10.27): a leader that noted
 * the id of a write, lost that write with its followers and leads again later answers every write
 * at that revision as a duplicate (seq 0) until the id's window is over, 2 min from the write;
 * in two of two tries the key could be written after 100 s more.  Until then such a write is
 * unknown and ends in CAS_UNKNOWN at its deadline; a holder of that key stops by its own clock and
 * the key is won again after the window.  It takes a crash of both followers within the round trip
 * of one write, and a return of that leader within 2 min.  Nothing is lost and nobody wins twice,
 * so it is borne: a shorter window would give up ids of writes that can land yet.
 */
#pragma once

#include "common/bus.h"
#include "common/cas.h"

struct kv;	/* one per process: bucket table, cluster size, marks */
struct bucket;

enum bucket_loss {
	BUCKET_KEPT,		/* never recreated silently: an alarm and CAS_BUCKET_LOST */
	BUCKET_REMADE,		/* recreated */
};

struct bucket_spec {
	const char		*name;		/* "spinifex-sync"; stream KV_<name> */
	const char		*description;
	uint64_t		 ttl_ms;	/* 0: none */
	enum bucket_loss	 loss;
	bool			 may_erase;	/* see kv_erase_wait */
	const char		*guard;		/* a bucket whose having any record means that this
						   one was there; NULL: none */
};

struct kv_conf {
	const char	*state_dir;	/* of the marker files: seen/<bucket>, servers */
	uint32_t	 cluster_size;	/* 0, not declared: an alarm when a bucket has to be made, and
					   it is not */
	uint64_t	 node_ttl_ms;	/* a beat is a sixth of it, the quiet a third */
};
int	 kv_new(struct bus *b, const struct kv_conf *conf, struct kv **ret) MUST_CHECK;
void	 kv_free(struct kv *k);		/* NULL is fine; its buckets with it */

/*
 * Attaches to (STREAM.INFO), or makes, the bucket; retried in the background for ever.  spec is
 * borrowed.  Operations before it is open answer CAS_UNAVAILABLE.  Loop thread, at start.
 */
int	 bucket_open(struct kv *k, const struct bucket_spec *spec, struct bucket **ret) MUST_CHECK;
bool	 bucket_is_open(const struct bucket *b);		/* any thread */
/* fn(arg) on the loop once every bucket opened so far is open (at once later if they are). */
int	 kv_on_open(struct kv *k, void (*fn)(void *arg), void *arg) MUST_CHECK;
const char *bucket_name(const struct bucket *b);
/*
 * The store went back: a revision was given out again, or the stream is another than the one
 * this node knew.  Writes then answer CAS_BUCKET_LOST; reads go on.  Any thread.
 */
bool	 bucket_went_back(const struct bucket *b);
/*
 * Something new may be begun: it is open, did not go back, and no server was met for the first
 * time just now (see kv_seen.c).  Otherwise writes are answered CAS_UNAVAILABLE or BUCKET_LOST,
 * unless the bucket keeps writing; who does that asks here first.  Any thread.
 */
bool	 bucket_is_sound(const struct bucket *b);
/* Until when (CLOCK_BOOTTIME) the server is doubted that was met for the first time last: another
 * value says that another server was.  Any thread. */
uint64_t bucket_doubted_ms(const struct bucket *b);
/* For who renews what it holds (leases, beats): writes go on all the same, and the caller asks
 * bucket_is_sound before it takes, creates or deletes anything. */
void	 bucket_keep_writing(struct bucket *b);

/* An array of what this process has seen of its kept buckets: {bucket, created, base, seq, state},
 * the state being "open", "opening", "suspect", "lost" or "back".  Loop.  NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *kv_marks_json(const struct kv *k);

/* Alarms: a kept bucket is gone or went back.  fn(arg, bucket, sentence) on the loop, once a
 * change; NULL sentence: healthy again. */
void	 kv_on_alarm(struct kv *k, void (*fn)(void *arg, struct bucket *b, const char *why),
    void *arg);

/* What keeps this daemon from its buckets: an alarm's sentence, or that one is not open yet;
 * NULL: nothing.  Loop thread, borrowed until the next turn. */
const char *kv_trouble(const struct kv *k);
/* fn(arg) on the loop whenever kv_trouble may say something else. */
void	 kv_on_change(struct kv *k, void (*fn)(void *arg), void *arg);

/* ---- on the loop.  Callbacks come later, exactly once, never from inside the call; a false
 * return (no memory, invalid key) means that none will come. ---- */

typedef void kv_loaded_fn(void *arg, enum cas_result res, struct cas_entry *e); /* may steal e */
typedef void kv_written_fn(void *arg, enum cas_result res, uint64_t revision);

bool	 kv_load(struct bucket *b, const char *key, uint64_t timeout_ms, kv_loaded_fn *fn,
    void *arg);
/* expected is exact: 0 only where the key never had a message; a marker by its sequence. */
bool	 kv_put(struct bucket *b, const char *key, const void *value, size_t len,
    uint64_t expected, uint64_t timeout_ms, kv_written_fn *fn, void *arg);
bool	 kv_remove(struct bucket *b, const char *key, uint64_t expected, uint64_t timeout_ms,
    kv_written_fn *fn, void *arg);		/* a delete marker at expected */

/* The keys under prefix ("" for all; a prefix ends in a dot) that have a message, markers
 * too; "_version" left out.  Complete, or an error. */
#define KV_CREATED_SIZE	40
struct kv_keys {
	char		**key;		/* owned: kv_keys_deinit */
	size_t		 n;
	char		 created[KV_CREATED_SIZE];	/* the stream, as its server prints it */
	uint64_t	 last_seq;	/* of the stream, when the listing began */
};
void	 kv_keys_deinit(struct kv_keys *k);
typedef void kv_listed_fn(void *arg, enum cas_result res, struct kv_keys *keys); /* may steal */
bool	 kv_list(struct bucket *b, const char *prefix, uint64_t timeout_ms, kv_listed_fn *fn,
    void *arg);

/* ---- in jobs: the same, waiting ---- */

enum cas_result kv_load_wait(struct bucket *b, const char *key, uint64_t timeout_ms,
    struct cas_entry *ret) MUST_CHECK;
enum cas_result kv_put_wait(struct bucket *b, const char *key, const void *value, size_t len,
    uint64_t expected, uint64_t timeout_ms, uint64_t *ret_revision) MUST_CHECK;
enum cas_result kv_remove_wait(struct bucket *b, const char *key, uint64_t expected,
    uint64_t timeout_ms, uint64_t *ret_revision) MUST_CHECK;
enum cas_result kv_list_wait(struct bucket *b, const char *prefix, uint64_t timeout_ms,
    struct kv_keys *ret) MUST_CHECK;

/*
 * The first message, value or marker, under prefix whose sequence is above after: CAS_OK, its key
 * and its sequence.  CAS_NOT_FOUND: since after nothing was written there.  As a bucket keeps the
 * last message of each key, these, from one to the next, are all the keys that have changed.  By
 * the leader, in one attempt; anything else than these two says nothing.
 */
enum cas_result kv_next_wait(struct bucket *b, const char *prefix, uint64_t after,
    uint64_t timeout_ms, char ret_key[static CAS_KEY_MAX + 1], uint64_t *ret_seq) MUST_CHECK;

/*
 * In a bucket whose spec says may_erase, and which holds things under names that are never used
 * again: the message at revision goes for good, without a marker that would stay for ever.
 * CAS_NOT_FOUND: it was gone.
 */
enum cas_result kv_erase_wait(struct bucket *b, uint64_t revision, uint64_t timeout_ms)
    MUST_CHECK;

/* The three calls that locks need, over b; each waits at most timeout_ms. */
struct kv_store {
	struct cas_store	 cas;		/* cas.ctx is this struct */
	struct bucket		*bucket;
	uint64_t		 timeout_ms;
};
void	 kv_store_init(struct kv_store *s, struct bucket *b, uint64_t timeout_ms);
/* The same, but expected 0 is exact: only where the key never had a message.  For records
 * whose delete marker is final; remove at 0 puts such a marker. */
void	 kv_store_init_exact(struct kv_store *s, struct bucket *b, uint64_t timeout_ms);

/* Hints: fn(arg, key) for each message under $KV.<bucket>.> (key "" when many were missed,
 * and after each reconnect).  At once, which may be before the stream has the message, and,
 * of several of one key the last, KV_HINT_AGAIN_MS later.  Never a source of truth.  Loop
 * thread. */
#define KV_HINT_AGAIN_MS	500
typedef void kv_hint_fn(void *arg, const char *key);
int	 kv_watch(struct bucket *b, kv_hint_fn *fn, void *arg) MUST_CHECK;

/* Objects and anything else that wants a header with the value: extra headers on a put
 * (names "x-amz-meta-..."), and on a load. */
enum cas_result kv_put_headers_wait(struct bucket *b, const char *key,
    const struct bus_header *h, size_t nh, const void *value, size_t len, uint64_t expected,
    uint64_t timeout_ms, uint64_t *ret_revision) MUST_CHECK;
/* want(arg, name, value) is called for each header of the entry. */
enum cas_result kv_load_headers_wait(struct bucket *b, const char *key, uint64_t timeout_ms,
    struct cas_entry *ret, uint64_t *ret_written_wall_ms,
    void (*want)(void *arg, const char *name, const char *value), void *arg) MUST_CHECK;
