/*
 * bus.h - NATS, seen from the loop.  bus_nats*.c alone include nats.h and with bus.c alone know
 * that threads exist: a delivery thread moves a message into a bounded inbox and wakes the loop.
 *
 * Deadlines are ours, on CLOCK_BOOTTIME; nats.c's own waits follow the wall clock.  There is
 * no reconnect buffer: what is sent while the connection is down fails at once and never
 * leaves later.  Loop thread only, but for the functions named _wait and bus_publish.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
#include "common/loop.h"

#define BUS_SUBJECT_MAX	255	/* bytes */
#define BUS_HEADERS_MAX	16	/* four of a conditional write, and an object's metadata */
#define BUS_INBOX_MAX	4096	/* messages waiting for the loop; more are counted and dropped */

struct bus;

struct bus_conf {
	const char	*name;		/* of the client, as the server shows it */
	const char	*url;		/* one or more, with commas */
	const char	*user;		/* empty or NULL: none */
	const char	*password;
	const char	*ca_file;	/* empty or NULL: no TLS */
};
/* Returns at once; connects, and reconnects for ever, in the background. */
int	 bus_new(struct loop *l, const struct bus_conf *conf, struct bus **ret) MUST_CHECK;
/* Outstanding requests are dropped without a call; publishes are flushed up to 1 s.  NULL is
 * fine.  After everything that holds a bus_sub, a bus_req or a kv. */
void	 bus_free(struct bus *b);
bool	 bus_is_up(const struct bus *b);		/* any thread */
/* fn(arg, up) on the loop at each change, and once soon after registering.  Up to 8. */
int	 bus_on_state(struct bus *b, void (*fn)(void *arg, bool up), void *arg) MUST_CHECK;
struct loop *bus_loop(const struct bus *b);
uint64_t bus_max_payload(const struct bus *b);		/* of this server; 0: not known yet */
/* Of the server met last; it makes another at each of its starts.  Empty: none yet. */
#define BUS_SERVER_ID_SIZE	64
void	 bus_server_id(const struct bus *b, char ret[static BUS_SERVER_ID_SIZE]);

/* ---- messages ---- */

struct bus_header { const char *name, *value; };	/* values: printable ASCII, no CR/LF */

struct bus_msg;		/* received, immutable */
const char	*bus_msg_subject(const struct bus_msg *m);
const void	*bus_msg_data(const struct bus_msg *m, size_t *ret_len);
/* Exact, case-sensitive name; NULL when absent. */
const char	*bus_msg_header(const struct bus_msg *m, const char *name);
void		 bus_msg_free(struct bus_msg *m);	/* NULL is fine */
DEFINE_AUTO(struct bus_msg *, bus_msg, bus_msg_free)

/* Any thread.  0; -ENOTCONN when down (nothing will leave later); -EIO when the connection broke
 * while sending (it may have left); -EMSGSIZE; -EINVAL; -ENOMEM. */
int	 bus_publish(struct bus *b, const char *subject, const struct bus_header *h, size_t nh,
    const void *data, size_t len) MUST_CHECK;
int	 bus_publish_json(struct bus *b, const char *subject, const cJSON *tree) MUST_CHECK;

/* ---- asking ---- */

enum bus_result {
	BUS_OK,
	BUS_NO_RESPONDERS,	/* nobody serves the subject: nothing was done */
	BUS_NOT_SENT,		/* down, or too large: nothing was done */
	BUS_TIMEOUT,		/* unknown: it may have been done, or may be done yet */
	BUS_RESULTS
};
const char *bus_result_text(enum bus_result r);

struct bus_ask {
	const char		*subject;
	const struct bus_header	*headers;
	size_t			 nheaders;
	const void		*data;		/* copied */
	size_t			 len;
	uint64_t		 timeout_ms;
};

/* m is NULL unless BUS_OK, and borrowed for the call. */
typedef void bus_answer_fn(void *arg, enum bus_result res, const struct bus_msg *m);
/*
 * fn is called exactly once, later on the loop, never from inside this call; not at all after
 * bus_ask_cancel.  Returns an id (never 0), or 0 without memory (fn is then not called).
 */
uint64_t bus_ask(struct bus *b, const struct bus_ask *a, bus_answer_fn *fn, void *arg);
void	 bus_ask_cancel(struct bus *b, uint64_t id);	/* 0 and ended ids are fine */

/*
 * A gather: each(arg, BUS_OK, m) per answer; it returns true when no more are wanted.  Then
 * end(arg, res): BUS_OK if it said so or timeout_ms passed, else why nothing could come.
 */
typedef bool bus_each_fn(void *arg, const struct bus_msg *m);
typedef void bus_end_fn(void *arg, enum bus_result res);
uint64_t bus_gather(struct bus *b, const struct bus_ask *a, bus_each_fn *each, bus_end_fn *end,
    void *arg);

/* Any thread but the loop's: waits.  *ret is the caller's on BUS_OK. */
enum bus_result bus_ask_wait(struct bus *b, const struct bus_ask *a, struct bus_msg **ret)
    MUST_CHECK;

/*
 * An answer's JSON.  0 and the tree; or -EBADMSG with code and why filled: the answer is an
 * error ({"Code", "Message"}), or no JSON (code "internal").
 */
#define BUS_CODE_MAX	64
struct bus_error {
	char	code[BUS_CODE_MAX + 1];
	char	message[JSON_WHY_MAX + 96];
	bool	retryable;
};
int	 bus_msg_json(const struct bus_msg *m, cJSON **ret, struct bus_error *ret_error) MUST_CHECK;
/* The same for one of our own subjects in one call, from a job.  0, or -EIO with the error
 * filled for every way it can fail (code "bus.timeout", "bus.no_responders", ...). */
int	 bus_call_wait(struct bus *b, const char *subject, const cJSON *in, uint64_t timeout_ms,
    cJSON **ret, struct bus_error *ret_error) MUST_CHECK;
/* The same on behalf of a client's request; request_id may be empty or NULL: nobody's. */
int	 bus_call_follow_wait(struct bus *b, const char *subject, const char *request_id,
    const cJSON *in, uint64_t timeout_ms, cJSON **ret, struct bus_error *ret_error) MUST_CHECK;

/* ---- answering: a subject is a row ---- */

enum bus_kind {
	BUS_REQUEST,	/* one of us serves it */
	BUS_QUEUE,	/* whichever of the queue group BUS_WORKERS gets it */
	BUS_FANOUT,	/* every node answers */
	BUS_HINT,	/* no answer is expected; one is never sent */
};
#define BUS_WORKERS	"spinifex-workers"

struct bus_req;
/* in: the decoded struct of the row's table (zeroed where absent), or, for a row without a
 * table, the cJSON object; borrowed until the request is answered. */
typedef void bus_handler_fn(void *arg, struct bus_req *req, const void *in);

struct bus_route {
	const char		*subject;	/* "<node>" stands for this node's name; * and > work */
	bus_handler_fn		*handler;
	enum bus_kind		 kind;
	size_t			 max_bytes;	/* larger: refused */
	uint32_t		 deadline_ms;	/* unanswered by then: refused as retryable */
	unsigned		 needs;		/* bits: all must be in bus_ready, else retryable;
						   a BUS_QUEUE row is left to the others then */
	const struct json_field	*in;		/* decoded strictly; NULL: any JSON object */
	size_t			 nin;
	size_t			 in_size;
	const char		*code_prefix;	/* NULL: "request"; EC2 subjects: "" (EC2's codes) */
};
/*
 * Serves rows[0..n-1], sorted by subject, for the bus's life; a refused message is answered
 * {"Code","Message"[,"Retryable":true]} and logged once a minute a row.  Also serves
 * $SRV.{PING,INFO,STATS} for service `name` with counters per row.
 */
struct bus_service {
	const char		*name;		/* "leased" */
	const char		*description;
	const char		*node;
	const struct bus_route	*rows;
	size_t			 n;
	void			*arg;		/* of every handler */
	const char *const	*counters;	/* names, NULL-terminated; or NULL */
	const uint64_t		*counts;	/* as many; read on the loop for STATS */
};
int	 bus_serve(struct bus *b, const struct bus_service *s) MUST_CHECK;
/* The node of a service that answered $SRV.PING; false: the answer names none. */
#define BUS_NODE_MAX	64
bool	 bus_pong_node(const struct bus_msg *m, char ret[static BUS_NODE_MAX + 1]);
void	 bus_ready(struct bus *b, unsigned bits);	/* what is ready now: see needs */

/* A row more while running (ec2.cmd.<id>): subject as it is, row borrowed. */
struct bus_sub;
int	 bus_sub_new(struct bus *b, const char *subject, const struct bus_route *row, void *arg,
    struct bus_sub **ret) MUST_CHECK;
void	 bus_sub_free(struct bus_sub *s);		/* NULL is fine */

/* A plain subscription to hints: fn is called with each message. */
typedef void bus_hint_fn(void *arg, const struct bus_msg *m);
int	 bus_hint_new(struct bus *b, const char *subject, bus_hint_fn *fn, void *arg,
    struct bus_sub **ret) MUST_CHECK;

const struct bus_msg *bus_req_msg(const struct bus_req *r);
/* What the client was told and follows its request everywhere; NULL: nobody's. */
const char *bus_req_id(const struct bus_req *r);
#define BUS_REQUEST_ID_MAX	36
/* Exactly one of these ends a request; req is gone afterwards.  The tree is borrowed. */
void	 bus_reply(struct bus_req *r, const cJSON *tree);
void	 bus_reply_raw(struct bus_req *r, const struct bus_header *h, size_t nh,
    const void *data, size_t len);
void	 bus_refuse(struct bus_req *r, const char *code, bool retryable, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* What only the handler can see: the request is not what its subject takes.  Answered (code
 * "invalid") and logged like one that could not be decoded. */
void	 bus_refuse_input(struct bus_req *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* For EC2's handled header and the like: added to whichever reply follows. */
void	 bus_req_header(struct bus_req *r, const char *name, const char *value);
