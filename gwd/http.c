#include "gwd/http_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/log.h"

#define SWEEPS		12	/* in the time that a request may take */
#define TURN_STEPS	4	/* before others of the loop have their turn */

/* ---- turns of the library ---- */

/* Does the library want to go on at once?  Else its next turn is left to the timer. */
static bool
goes_on(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG wait_ms;

	if (MHD_get_timeout(h->mhd, &wait_ms) != MHD_YES) {
		loop_timer_off(h->timer);
		return false;
	}
	if (wait_ms > 0)
		loop_timer_in(h->timer, wait_ms);
	return wait_ms == 0;
}

/* The library takes several steps to send a reply and to look for the next request. */
static void
turn(struct http *h)
{
	bool more = !h->stopping;

	for (int i = 0; more && i < TURN_STEPS; i++) {
		(void)MHD_run(h->mhd);
		more = goes_on(h);
	}
	if (more)
		loop_soon(h->soon);
}

/* Not a turn at once: it could run other handlers inside the one that has just replied. */
void
http_wake(struct http *h)
{
	loop_soon(h->soon);
}

static void
on_ready(void *arg, uint32_t revents)
{
	turn(arg);
}

static void
on_turn(void *arg)
{
	turn(arg);
}

/* The library does not look at a suspended connection.  Most are suspended for so short a time
 * that it would cost more to watch them than it can save. */
static void
on_look(void *arg)
{
	struct http *h = arg;
	struct http_exchange *x;

	LIST_FOREACH(x, &h->exchanges, entry)
		http_exchange_watch(x);
}

static void PRINTF_LIKE(2, 0)
on_log(void *arg, const char *fmt, va_list ap)
{
	char text[256];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	log_debug("http: %s", text);
}

/* ---- connections ---- */

/* Ends those whose request, or whose taking of the reply, has gone on for too long. */
static void
on_sweep(void *arg)
{
	struct http *h = arg;
	const uint64_t now = loop_now_ms(h->loop);
	struct connection *c;

	LIST_FOREACH(c, &h->connections, entry)
		if (c->since_ms && now > c->since_ms + h->conf.request_ms)
			(void)shutdown(c->fd, SHUT_RDWR);	/* the library sees its end */
	if (h->before && !http_connections(h->before)) {
		http_free(h->before);
		h->before = NULL;
	}
	if (h->nconnections || h->before)
		loop_timer_in(h->sweep, h->conf.request_ms / SWEEPS);
}

static void
name_peer(struct MHD_Connection *mhd, struct connection *c)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *sa = info ? info->client_addr : NULL;
	const void *from = NULL;

	if (sa && sa->sa_family == AF_INET)
		from = &((const struct sockaddr_in *)(const void *)sa)->sin_addr;
	else if (sa && sa->sa_family == AF_INET6)
		from = &((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr;
	if (!from || !inet_ntop(sa->sa_family, from, c->peer, sizeof(c->peer)))
		(void)snprintf(c->peer, sizeof(c->peer), "?");
}

static void
on_connection(void *arg, struct MHD_Connection *mhd, void **socket_context,
    enum MHD_ConnectionNotificationCode code)
{
	struct http *h = arg;
	struct connection *c = *socket_context;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (c) {
			LIST_REMOVE(c, entry);
			h->nconnections--;
			free(c);
		}
		return;
	}
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (!info || !(c = calloc(1, sizeof(*c))))
		return;		/* without one, its requests are refused below */
	c->http = h;
	c->fd = info->connect_fd;
	c->since_ms = loop_now_ms(h->loop);
	name_peer(mhd, c);
	LIST_INSERT_HEAD(&h->connections, c, entry);
	if (!h->nconnections++)
		loop_timer_in(h->sweep, h->conf.request_ms / SWEEPS);
	*socket_context = c;
}

/* ---- the server ---- */

/* Paths and parameters are read as they were sent: the library's decoding would lose that. */
static size_t
keep_as_sent(void *arg, struct MHD_Connection *mhd, char *text)
{
	return strlen(text);
}

static struct MHD_Daemon *
start_library(struct http *h)
{
	const struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)h->conf.tls_cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)h->conf.tls_key },
		{ MHD_OPTION_END, 0, NULL },
	};
	const struct MHD_OptionItem plain[] = { { MHD_OPTION_END, 0, NULL } };
	const unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
	    (h->conf.tls_cert ? MHD_USE_TLS : 0u);

	return MHD_start_daemon(flags, 0, NULL, NULL, http_exchange_access, h,
	    MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL,
	    MHD_OPTION_LISTEN_SOCKET, h->conf.listen_fd,
	    MHD_OPTION_URI_LOG_CALLBACK, http_exchange_begin, h,
	    MHD_OPTION_UNESCAPE_CALLBACK, keep_as_sent, NULL,
	    MHD_OPTION_NOTIFY_COMPLETED, http_exchange_end, h,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS_MAX,
	    MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)HTTP_PER_ADDRESS_MAX,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(HTTP_IDLE_MS / 1000),
	    /* Well above our own bound, so that what passes that is refused in our words: the
	     * library also keeps some 60 bytes beside each parameter of a URL.  No more, since
	     * it clears all of it after each request. */
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(4 * HTTP_HEADER_MAX),
	    MHD_OPTION_ARRAY, h->conf.tls_cert ? tls : plain,
	    MHD_OPTION_END);
}

int
http_new(struct loop *l, const struct http_conf *conf, struct http **ret)
{
	struct http *h = calloc(1, sizeof(*h));
	int r;

	if (!h) {
		close(conf->listen_fd);
		return -ENOMEM;
	}
	h->loop = l;
	h->conf = *conf;
	if (!h->conf.request_ms)
		h->conf.request_ms = HTTP_REQUEST_MS;
	LIST_INIT(&h->connections);
	LIST_INIT(&h->exchanges);
	r = loop_timer_new(l, on_turn, h, &h->timer);
	if (r == 0)
		r = loop_soon_new(l, on_turn, h, &h->soon);
	if (r == 0)
		r = loop_timer_new(l, on_look, h, &h->look);
	if (r == 0)
		r = loop_timer_new(l, on_sweep, h, &h->sweep);
	if (r == 0 && !(h->mhd = start_library(h))) {
		/* With these options it fails for a bad certificate or key, or memory. */
		r = conf->tls_cert ? -EINVAL : -ENOMEM;
	}
	if (r < 0) {
		if (!h->mhd)
			close(conf->listen_fd);
		http_free(h);
		return r;
	}
	*ret = h;
	return 0;
}

int
http_admit(struct http *h)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->mhd, MHD_DAEMON_INFO_EPOLL_FD);
	int r;

	if (!info || info->epoll_fd < 0)
		return -EINVAL;
	r = loop_io_new(h->loop, info->epoll_fd, EPOLLIN, on_ready, h, &h->io);
	if (r == 0)
		turn(h);
	return r;
}

void
http_free(struct http *h)
{
	struct http_exchange *x;

	if (!h)
		return;
	h->stopping = true;
	/* The library does not stop with connections that are suspended. */
	LIST_FOREACH(x, &h->exchanges, entry)
		http_exchange_wake(x);
	loop_io_free(h->io);
	if (h->mhd) {
		(void)MHD_run(h->mhd);
		MHD_stop_daemon(h->mhd);	/* completes what is open; closes the listener */
	}
	loop_timer_free(h->timer);
	loop_timer_free(h->look);
	loop_timer_free(h->sweep);
	loop_soon_free(h->soon);
	http_free(h->before);
	free(h);
}

int
http_renew(struct http **h, const char *tls_cert, const char *tls_key)
{
	struct http_conf conf = (*h)->conf;
	struct http *next;
	int r, fd;

	conf.tls_cert = tls_cert;
	conf.tls_key = tls_key;
	if ((conf.listen_fd = fcntl((*h)->conf.listen_fd, F_DUPFD_CLOEXEC, 3)) < 0)
		return -errno;
	if ((r = http_new((*h)->loop, &conf, &next)) < 0)
		return r;
	if ((r = http_admit(next)) < 0) {
		http_free(next);
		return r;
	}
	if ((fd = MHD_quiesce_daemon((*h)->mhd)) >= 0)
		close(fd);
	(*h)->is_retired = true;
	next->before = *h;
	loop_timer_in(next->sweep, next->conf.request_ms / SWEEPS);
	*h = next;
	return 0;
}

size_t
http_connections(const struct http *h)
{
	return h->nconnections + (h->before ? http_connections(h->before) : 0);
}
