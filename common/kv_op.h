/*
 * kv_op.h - one load, or one conditional write with the resolution of its unknown outcomes, as
 * a pure state machine: it says what to ask next, and is told each answer.  The loop and jobs
 * drive the same machine.  The table of outcomes is in kv.h.  Private to common/kv*.c.
 */
#pragma once

#include <stdatomic.h>

#include "common/ident.h"
#include "common/kv_wire.h"

enum kv_do {
	KV_ASK,			/* *ret; then tell the answer */
	KV_PAUSE,		/* until *ret_until_ms, then ask next again */
	KV_END,
};

/* One ask with its words, which are made when it is sent: thousands of tasks may wait, and each
 * holds only what it is about.  The driver's; to be used before its task runs again. */
struct kv_request {
	struct bus_ask		 ask;
	struct bus_header	 header[BUS_HEADERS_MAX];
	char			 api[KV_SUBJECT_SIZE];
	char			 body[KV_BODY_SIZE];
	char			 stream[KV_STREAM_SIZE];
	char			 expected[24];
	char			 msg_id[KV_SUBJECT_SIZE + 24];
	char			 nonce[IDENT_NONCE_LEN + 16];	/* "<nonce>.<attempt>" */
};

/* What a driver runs.  now_ms is CLOCK_BOOTTIME. */
struct kv_task {
	enum kv_do	(*next)(struct kv_task *t, uint64_t now_ms, struct kv_request *ret,
			    uint64_t *ret_until_ms);
	void		(*answer)(struct kv_task *t, uint64_t now_ms, enum bus_result res,
			    const void *data, size_t len);
};

#define KV_PAUSE_MIN_MS		20
#define KV_PAUSE_MAX_MS		500
#define KV_ATTEMPT_MIN_MS	250
#define KV_ATTEMPT_MAX_MS	2000

/* How long one attempt may take within a call of timeout_ms. */
uint64_t kv_attempt_ms(uint64_t timeout_ms);

struct kv_op {
	struct kv_task		 task;		/* first */

	/* what is asked: fixed by kv_op_load or kv_op_write */
	bool			 is_write, is_marker;
	const char		*bucket;			/* borrowed, as the next two */
	const struct bus_header	*header;			/* the caller's */
	const void		*value;
	char			 subject[KV_SUBJECT_SIZE];	/* of the key */
	size_t			 nheaders, len;
	uint64_t		 expected;
	uint64_t		 deadline_ms, attempt_ms;
	const _Atomic uint64_t	*mark;		/* the highest sequence seen; NULL: none */
	char			 nonce[IDENT_NONCE_LEN + 1];	/* of this write */

	/* where it is */
	bool			 reading;	/* next is a leader read, not a send */
	bool			 is_behind;	/* the last read showed less than is expected */
	bool			 unsure;	/* an attempt may have landed, or may land yet */
	unsigned		 attempts;
	uint64_t		 mark_at_send;
	uint64_t		 pause_until_ms, pause_ms;

	/* what came of it */
	bool			 ended;
	enum cas_result		 res;
	uint64_t		 revision;
	struct kv_message	 message;	/* a load's */
	uint64_t		 seen;		/* the highest sequence an answer showed */
	bool			 went_back;	/* an acknowledgement at or below mark_at_send */
	bool			 stream_doubt;	/* the stream may be gone: worth a look */
};

/* bucket is borrowed for the op's life.  False: the key's subject is too long.  kv_op_deinit in
 * either case. */
bool	 kv_op_load(struct kv_op *o, const char *bucket, const char *key, uint64_t now_ms,
    uint64_t timeout_ms);
/* h[0..nh-1] and value are borrowed for the op's life.  False also for too many headers. */
bool	 kv_op_write(struct kv_op *o, const char *bucket, const char *key, bool is_marker,
    const struct bus_header *h, size_t nh, const void *value, size_t len, uint64_t expected,
    uint64_t now_ms, uint64_t timeout_ms, const _Atomic uint64_t *mark);
/* The store is known to have gone back: what is expected will not be there by waiting. */
void	 kv_op_give_up(struct kv_op *o);
void	 kv_op_deinit(struct kv_op *o);
