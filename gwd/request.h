/*
 * request.h - a request on its way through pipeline.c, verify.c and call.c; nobody else looks
 * inside.  It lives until the pipeline has refused it, or its handler has ended the call; the
 * client may be gone long before.
 */
#pragma once

#include <sys/queue.h>

#include "common/sigv4.h"
#include "gwd/action.h"
#include "gwd/http.h"
#include "gwd/metrics.h"
#include "gwd/pipeline.h"
#include "gwd/query.h"
#include "gwd/share.h"

struct request {
	struct call			 call;		/* first: a call is cast to its request */
	struct pipeline			*pipeline;
	struct http_exchange		*x;		/* NULL: nobody waits any more */
	const struct http_request	*r;		/* as long as x */
	enum action_api			 api;
	struct query			 q;
	struct sigv4_claim		 claim;
	const char			*cause;		/* of a refused signature, for the log */
	char				 peer[64];
	char				 name[72];	/* of the action, as far as it is known */
	uint64_t			 start_us;
	void				(*on_gone)(struct call *c);
	bool				 is_waiting;	/* in the pipeline's list */
	char				*question;	/* all that its answer depends on, until it
							   joins or leads; owned; NULL: none */
	struct share			 share;		/* of its question and answer */
	TAILQ_ENTRY(request)		 entry;
};
TAILQ_HEAD(requests, request);

struct pipeline {
	struct gwd		*gwd;
	struct loop_timer	*timer;		/* the deadline of the first that waits */
	struct requests		 waiting;	/* in order of arrival, so of deadline too */
	uint64_t		 counts[PIPELINE_COUNTS];
	struct metrics		*metrics;
	struct throttle		*throttle;
	struct shares		*shares;	/* those that only read */
};

/* verify.c: goes on with request_is_verified, or refuses it; maybe later. */
void	 request_verify(struct request *req);
/* Its account, user and key are known. */
void	 request_is_verified(struct request *req);

/* Answers with an error and frees req; its twins get the same. */
void	 request_fail(struct request *req, const char *code, const char *message);
/* Answers with a document of another's, but for the id of the request, which stands at id_at;
 * frees req. */
void	 request_answer_as(struct request *req, const struct buf *body, size_t id_at);
/* Tells the client, if there still is one; req and its twins go on. */
void	 request_abandon(struct request *req, const char *code, const char *message);
void	 request_free(struct request *req);
/* The handler has not ended the call in its own turn: the deadline starts to count. */
void	 request_wait(struct request *req);
void	 request_unwait(struct request *req);
uint64_t request_now_us(void);
