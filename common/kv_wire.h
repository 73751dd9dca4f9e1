/*
 * kv_wire.h - the JetStream request API as bytes: what a write, a leader read and a listing
 * carry, and what their answers mean.  Private to common/kv*.c.  Pure; any thread.
 */
#pragma once

#include "common/bus.h"
#include "common/cas.h"
#include "common/kv.h"

#define KV_BUCKET_MAX	40		/* bytes of a bucket's name */
#define KV_STREAM_SIZE	(KV_BUCKET_MAX + 4)
#define KV_SUBJECT_SIZE	(BUS_SUBJECT_MAX + 1)
#define KV_BODY_SIZE	(KV_SUBJECT_SIZE + 64)

#define KV_HEADER_NONCE	"Spinifex-Nonce"
#define KV_HEADER_OP	"KV-Operation"

/* ---- answers to a write ---- */

enum kv_class {
	KV_WON,			/* seq: where it landed */
	KV_BEHIND,		/* 10071 naming a higher sequence (seq): this one did not land */
	KV_REREAD,		/* 10071 otherwise: it did not land, but the answer proves no loss */
	KV_UNAVAILABLE,		/* nothing was written */
	KV_REFUSED,		/* nothing was written: space, limits */
	KV_GONE,		/* no such stream, or another */
	KV_UNSURE,		/* it may have landed, or may land yet */
};
struct kv_ack {
	enum kv_class	 class;
	uint64_t	 seq;
};
void	 kv_wire_ack(enum bus_result res, const void *data, size_t len, uint64_t expected,
    struct kv_ack *ret);

/* ---- answers to a leader read ---- */

enum kv_got {
	KV_GOT,
	KV_NONE,		/* the key has no message */
	KV_AWAY,		/* no answer that says anything: read again */
	KV_LOST_STREAM,
};
struct kv_message {		/* zero, or owned: kv_message_deinit */
	uint64_t	 seq;
	bool		 is_marker;
	char		*value;		/* NUL-terminated; "" for a marker */
	size_t		 len;
	char		*headers;	/* as on the wire, NUL-terminated; NULL: none */
	uint64_t	 wall_ms;
};
void	 kv_message_deinit(struct kv_message *m);
enum kv_got kv_wire_message(enum bus_result res, const void *data, size_t len,
    const char *subject, struct kv_message *ret);
/* The first message after a sequence whose subject begins with start, whoever's key it is: where its
 * subject goes on, as the key's end, and its sequence.  KV_NONE: nothing there is newer. */
enum kv_got kv_wire_next(enum bus_result res, const void *data, size_t len, const char *start,
    uint64_t after, char ret_rest[static KV_SUBJECT_SIZE], uint64_t *ret_seq);
/* The value of the first header of that name into ret; false: none, or too long. */
bool	 kv_headers_find(const char *headers, const char *name, char *ret, size_t size);
void	 kv_headers_each(const char *headers,
    void (*fn)(void *arg, const char *name, const char *value), void *arg);

/* ---- answers to STREAM.INFO and STREAM.CREATE ---- */

struct kv_info {		/* zero, or owned: kv_info_deinit */
	char		 created[KV_CREATED_SIZE];	/* as the server prints it */
	uint64_t	 last_seq;
	uint64_t	 replicas;
	bool		 is_clustered;		/* its server is one of several */
	uint64_t	 total, offset;		/* of the listing */
	char		**subject;		/* of this page */
	size_t		 n;
};
void	 kv_info_deinit(struct kv_info *i);
/* *ret_code: the server's err_code, 0 when it gave none. */
enum kv_got kv_wire_info(enum bus_result res, const void *data, size_t len,
    struct kv_info *ret, uint64_t *ret_code);

/* ---- requests ---- */

/* "$KV.<bucket>.<rest>"; false: too long. */
bool	 kv_wire_subject(const char *bucket, const char *rest, char ret[static KV_SUBJECT_SIZE]);
/* "$JS.API.STREAM.<verb>.KV_<bucket>" */
bool	 kv_wire_api(const char *verb, const char *bucket, char ret[static KV_SUBJECT_SIZE]);

struct kv_config {
	const char	*bucket, *description;
	uint64_t	 ttl_ms;
	uint32_t	 replicas;
	bool		 may_erase;
	uint64_t	 first_seq;	/* 0: as it comes; servers before 2.10 pass it over */
};
/* The answer to STREAM.MSG.DELETE of one sequence. */
enum cas_result kv_wire_erased(enum bus_result res, const void *data, size_t len);
OWNED_BY(free) char *kv_wire_config(const struct kv_config *c);
/* The configuration in an answer to STREAM.INFO, as it is but for its replicas. */
OWNED_BY(free) char *kv_wire_more_replicas(const void *info, size_t len, uint32_t replicas);
