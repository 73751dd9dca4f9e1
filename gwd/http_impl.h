/*
 * http_impl.h - between http.c, which has the server and its connections, and
 * http_exchange.c, which has a request and its reply.
 */
#pragma once

#include <arpa/inet.h>
#include <microhttpd.h>
#include <sys/queue.h>

#include "gwd/http.h"

/* A connection, from accept to close.  The library times out a silent one; this is for the
 * one that is never silent and never done. */
struct connection {
	struct http		*http;
	int			 fd;		/* the library's */
	uint64_t		 since_ms;	/* waits for the client since; 0: does not */
	char			 peer[INET6_ADDRSTRLEN];
	LIST_ENTRY(connection)	 entry;
};

struct http {
	struct loop		*loop;
	struct http_conf	 conf;
	struct MHD_Daemon	*mhd;
	struct loop_io		*io;		/* its epoll descriptor */
	struct loop_timer	*timer;		/* what it waits for */
	struct loop_soon	*soon;		/* an exchange goes on: another turn */
	struct loop_timer	*look;		/* at suspended ones: is the client there? */
	struct loop_timer	*sweep;
	LIST_HEAD(, connection)	 connections;
	size_t			 nconnections;
	LIST_HEAD(, http_exchange) exchanges;
	size_t			 bodies;	/* bytes held by all exchanges */
	bool			 stopping;
	struct http		*before;	/* has connections yet; NULL: none */
	bool			 is_retired;	/* is somebody's before */
};

enum step {
	STEP_START,	/* only the request line has been seen */
	STEP_BODY,
	STEP_REFUSED,	/* too large: the rest is read and dropped, then it is said */
	STEP_HANDLED,	/* the handler has it */
	STEP_REPLIED,	/* the library has the reply */
};

struct http_exchange {
	struct http		*http;
	struct connection	*connection;
	struct MHD_Connection	*mhd;
	enum step		 step;
	char			*path, *query;	/* one allocation, at path */
	struct http_header	 headers[HTTP_HEADERS_MAX];
	struct http_request	 request;
	struct buf		 body;
	size_t			 dropped;
	struct MHD_Response	*response;	/* waits to be given to the library */
	unsigned		 status;
	bool			 replied;	/* there is a response, or no memory for one */
	bool			 suspended;
	struct loop_io		*watch;		/* of one that is suspended for long */
	void			(*on_gone)(void *arg);
	void			*on_gone_arg;
	struct http_header	 reply_headers[HTTP_REPLY_HEADERS_MAX];
	size_t			 nreply_headers;
	LIST_ENTRY(http_exchange) entry;
};

/* Callbacks of the library: the first sight of a request, its parts, its end. */
void	*http_exchange_begin(void *arg, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result http_exchange_access(void *arg, struct MHD_Connection *mhd, const char *url,
    const char *method, const char *version, const char *upload_data, size_t *upload_data_size,
    void **con_cls);
void	 http_exchange_end(void *arg, struct MHD_Connection *mhd, void **con_cls,
    enum MHD_RequestTerminationCode why);
/* Something was resumed: the library will not say so on its descriptor. */
void	 http_wake(struct http *h);
/* MHD_queue_response for what is ours: see http_page.c. */
enum MHD_Result http_queue(struct MHD_Connection *mhd, unsigned status, struct MHD_Response *r);
/* A refusal in the words of the server's user; NULL without memory. */
struct MHD_Response *http_refusal(const struct http *h, unsigned status, const char *message);
/* A suspended one goes on. */
void	 http_exchange_wake(struct http_exchange *x);
/* From now on a suspended one is told that its client goes away. */
void	 http_exchange_watch(struct http_exchange *x);
