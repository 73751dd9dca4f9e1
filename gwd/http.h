/*
 * http.h - an HTTP/1.1 server on the loop, by libmicrohttpd without threads of its own.  It
 * reads a request whole, within its bounds, and hands it over; what it refuses itself it
 * refuses in the words of its user (http_conf.refuse).  Knows nothing of EC2.
 * Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/loop.h"

#define HTTP_CONNECTIONS_MAX	512
#define HTTP_PER_ADDRESS_MAX	64
#define HTTP_HEADER_MAX		(16 * 1024)		/* request line and headers */
#define HTTP_HEADERS_MAX	64			/* how many */
#define HTTP_BODY_MAX		(10 * 1024 * 1024)
#define HTTP_BODIES_MAX		(128 * 1024 * 1024)	/* all bodies being held */
#define HTTP_IDLE_MS		30000			/* nothing came or went */
#define HTTP_REQUEST_MS		60000			/* for a request to come in whole */

struct http;
struct http_exchange;	/* one request and its reply */

struct http_header { const char *name, *value; };
struct http_request {			/* borrowed until the reply */
	const char		*method;
	const char		*path, *query;	/* as sent, still encoded; query "" when none */
	const struct http_header *headers;	/* as sent, in order, no NUL in them */
	size_t			 nheaders;
	const char		*body;		/* NUL-terminated */
	size_t			 body_len;
	const char		*peer;		/* address without port */
};

struct http_conf {
	int		 listen_fd;		/* taken, also on failure */
	const char	*tls_cert, *tls_key;	/* PEM text, read by http_new alone; NULL: plain */
	uint64_t	 request_ms;	/* 0: HTTP_REQUEST_MS; tests are in more of a hurry */
	const char	*refusal_type;	/* of a refusal's body; NULL: XML */
	void		*arg;
	/* A whole request.  Answered by http_reply, now or later. */
	void		(*handle)(void *arg, struct http_exchange *x, const struct http_request *r);
	/* Writes the body of a refusal. */
	void		(*refuse)(void *arg, unsigned status, const char *message, struct buf *ret);
};

/* A listening socket on "127.0.0.1:8443" or "[::1]:8443"; port 0: any.  An address that no interface
 * has yet, as at a boot, is listened at from when one has it.  fd, or -errno. */
int	 http_listen(const char *address) MUST_CHECK;
/* Has an interface of this machine that address now? */
bool	 http_is_here(const char *address);
/* Is that address a loopback one?  -EINVAL: not an address and port. */
int	 http_is_loopback(const char *address) MUST_CHECK;

/* Who connects before http_admit waits in the socket's backlog. */
int	 http_new(struct loop *l, const struct http_conf *conf, struct http **ret) MUST_CHECK;
/* Begins to serve, once; 0 or -errno. */
int	 http_admit(struct http *h) MUST_CHECK;
/*
 * The server at *h with another certificate, for who connects from now on: the one before takes
 * nobody more, closes each connection after the answer that it owes, and goes by itself.  0, or
 * -EINVAL (that certificate and key cannot be used) or -errno: then nothing has changed.
 */
int	 http_renew(struct http **h, const char *tls_cert, const char *tls_key) MUST_CHECK;
/* Stops listening; open exchanges end without a reply, their on_gone is called. */
void	 http_free(struct http *h);
size_t	 http_connections(const struct http *h);	/* those before a renewal too */

/* Ends x.  body is taken (empty afterwards); a close is asked for with close. */
void	 http_reply(struct http_exchange *x, unsigned status, const char *content_type,
    struct buf *body, bool close);
/* One header more for the reply, up to HTTP_REPLY_HEADERS_MAX; borrowed until http_reply, which
 * copies it. */
#define HTTP_REPLY_HEADERS_MAX	4
void	 http_reply_header(struct http_exchange *x, const char *name, const char *value);
/* fn(arg) once if the client goes away before the reply; x is then gone. */
void	 http_on_gone(struct http_exchange *x, void (*fn)(void *arg), void *arg);
