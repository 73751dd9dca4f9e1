#include "vmd/guard_relay.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vmd/guard_io.h"
#include "vmd/guard_passt.h"
#include "vmd/net_dhcp.h"
#include "vmd/net_own.h"
#include "vmd/net_wire.h"

#define LENGTH		4		/* bytes before a frame in passt's stream */
#define IN_BYTES	(4 * (LENGTH + NET_FRAME_MAX))
#define AT_ONCE		64		/* frames, before the other side has its turn */
#define RETRY_MS	1000		/* passt has ended */

/* A frame waits where its reader is slow, and then nothing more is read for it: neither side
 * is waited for while the other has something to say. */
struct relay {
	const struct guard_relay *r;
	struct net_own	 own;
	int		 own_fd;
	int		 net_fd;		/* tap, or passt; -1: it has ended */
	pid_t		 passt;
	uint64_t	 retry_ms;		/* when it is started again */
	bool		 qemu_is_full;
	uint8_t		*in;			/* from the network: lengths and frames */
	size_t		 in_at, in_len;
	uint8_t		*out;			/* to it: one of both */
	size_t		 out_at, out_len;
};

static uint64_t
now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool
is_later(void)
{
	return errno == EAGAIN || errno == EINTR || errno == ENOBUFS || errno == ENOMEM;
}

/* ---- passt ---- */

static void
start_passt(struct relay *l)
{
	l->net_fd = guard_passt_start(l->r->passt, l->r->port, &l->passt);
	l->in_at = l->in_len = l->out_at = l->out_len = 0;
	if (l->net_fd < 0)
		guard_io_say("start passt: %s", strerror(errno));
	l->retry_ms = now_ms() + RETRY_MS;
}

static void
lose_passt(struct relay *l)
{
	int status = 0;

	close(l->net_fd);
	l->net_fd = -1;
	l->in_at = l->in_len = l->out_at = l->out_len = 0;
	(void)kill(l->passt, SIGKILL);		/* ours, and not yet waited for */
	while (waitpid(l->passt, &status, 0) < 0 && errno == EINTR)
		continue;
	guard_io_say("passt has ended (%d) and is started again", WIFSIGNALED(status) ?
	    -WTERMSIG(status) : WEXITSTATUS(status));
	l->retry_ms = now_ms() + RETRY_MS;
}

static void
lose_network(struct relay *l)
{
	if (l->r->tap_fd < 0) {
		lose_passt(l);
	} else {
		guard_io_say("the tap is gone: %s", strerror(errno));
		_exit(1);
	}
}

/* ---- To the network ---- */

static void
flush_out(struct relay *l)
{
	const bool is_tap = l->r->tap_fd >= 0;
	const uint8_t *from = l->out + (is_tap ? LENGTH : l->out_at);
	const size_t n = l->out_len - (is_tap ? LENGTH : l->out_at);
	ssize_t w = is_tap ? write(l->net_fd, from, n) :
	    send(l->net_fd, from, n, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (w < 0 && !is_later() && !is_tap) {
		lose_network(l);
		return;
	}
	if (is_tap)		/* taken, or a frame that a bridge which is down does not take */
		l->out_at = w < 0 && errno == EAGAIN ? 0 : l->out_len;
	else if (w > 0)
		l->out_at += (size_t)w;
	if (l->out_at == l->out_len)
		l->out_at = l->out_len = 0;
}

static void
answer_dhcp(struct relay *l, const uint8_t *frame, size_t n)
{
	uint8_t answer[NET_DHCP_MAX];
	size_t len = net_dhcp_answer(l->r->port, frame, n, answer);

	/* One that finds no room is asked for again. */
	if (len)
		(void)!send(l->r->qemu_fd, answer, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* false: there is none. */
static bool
take_from_guest(struct relay *l)
{
	uint8_t *frame = l->out + LENGTH;
	ssize_t n = recv(l->r->qemu_fd, frame, NET_FRAME_MAX, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0 && !is_later()) {
		guard_io_say("the guest's end is gone: %s", strerror(errno));
		_exit(1);
	}
	if (n < 0)
		return false;
	switch (net_frame_out(l->r->port, &l->own, frame, (size_t)n)) {
	case NET_DROP:
		break;
	case NET_ASK_DHCP:
		answer_dhcp(l, frame, (size_t)n);
		break;
	case NET_PASS:
		if (l->net_fd < 0)
			break;
		net_wire_put32(l->out, (uint32_t)n);
		l->out_len = LENGTH + (size_t)n;
		flush_out(l);
		break;
	}
	return true;
}

/* ---- From the network ---- */

/* The frames that are whole; false: this is no stream of frames. */
static bool
give_to_guest(struct relay *l)
{
	l->qemu_is_full = false;
	while (l->in_len - l->in_at >= LENGTH) {
		const uint8_t *frame = l->in + l->in_at + LENGTH;
		const size_t n = net_wire_get32(l->in + l->in_at);

		if (n > NET_FRAME_MAX)
			return false;
		if (l->in_len - l->in_at - LENGTH < n)
			break;
		if (net_frame_in(l->r->port, frame, n) &&
		    send(l->r->qemu_fd, frame, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
		    errno == EAGAIN) {
			l->qemu_is_full = true;
			return true;
		}
		l->in_at += LENGTH + n;
	}
	l->in_len -= l->in_at;		/* less than a frame */
	memmove(l->in, l->in + l->in_at, l->in_len);
	l->in_at = 0;
	return true;
}

static void
take_from_network(struct relay *l)
{
	const bool is_tap = l->r->tap_fd >= 0;
	const size_t head = is_tap ? LENGTH : 0;
	ssize_t n = read(l->net_fd, l->in + l->in_len + head, IN_BYTES - l->in_len - head);

	if (n < 0 && is_later())
		return;
	if (n <= 0) {
		lose_network(l);
		return;
	}
	if (is_tap)
		net_wire_put32(l->in + l->in_len, (uint32_t)n);
	l->in_len += head + (size_t)n;
	if (!give_to_guest(l))
		lose_network(l);
}

/* ---- The turn of each ---- */

static void
wait_for_work(struct relay *l, struct pollfd p[static 3])
{
	int timeout_ms = -1;

	p[0] = (struct pollfd){ .fd = l->r->qemu_fd, .events = (short)
	    ((l->out_len ? 0 : POLLIN) | (l->qemu_is_full ? POLLOUT : 0)) };
	p[1] = (struct pollfd){ .fd = l->net_fd, .events = (short)
	    ((l->qemu_is_full ? 0 : POLLIN) | (l->out_len ? POLLOUT : 0)) };
	p[2] = (struct pollfd){ .fd = l->own_fd, .events = POLLIN };
	if (!p[0].events)
		p[0].fd = -1;
	if (!p[1].events)
		p[1].fd = -1;
	if (l->net_fd < 0) {
		const uint64_t now = now_ms();

		timeout_ms = now < l->retry_ms ? (int)(l->retry_ms - now) : 0;
	}
	if (poll(p, 3, timeout_ms) <= 0)
		p[0].revents = p[1].revents = p[2].revents = 0;
}

static void
take_turns(struct relay *l)
{
	struct pollfd p[3];

	wait_for_work(l, p);
	if (p[2].revents) {
		net_own_drain(l->own_fd);
		net_own_read(&l->own);
	}
	if (p[1].revents & POLLOUT)
		flush_out(l);
	if (p[0].revents & POLLOUT && !give_to_guest(l))
		lose_network(l);
	if (l->net_fd >= 0 && p[1].revents & (POLLIN | POLLHUP | POLLERR) && !l->qemu_is_full)
		take_from_network(l);
	if (p[0].revents & (POLLIN | POLLHUP | POLLERR))
		for (int n = 0; n < AT_ONCE && !l->out_len && take_from_guest(l); n++)
			continue;
	if (l->net_fd < 0 && now_ms() >= l->retry_ms)
		start_passt(l);
}

void
guard_relay_run(const struct guard_relay *r, int ready_fd)
{
	struct relay l = { .r = r, .own_fd = net_own_open(), .net_fd = r->tap_fd,
		.in = malloc(IN_BYTES), .out = malloc(LENGTH + NET_FRAME_MAX) };

	if (!l.in || !l.out || l.own_fd < 0) {
		guard_io_say("the node's own addresses cannot be watched: %s", strerror(errno));
		_exit(1);
	}
	net_own_read(&l.own);
	if (r->tap_fd < 0) {
		start_passt(&l);
		if (l.net_fd < 0 || !guard_passt_answers(l.net_fd, r->port))
			_exit(1);
	}
	(void)guard_io_write(ready_fd, "g", 1);
	close(ready_fd);
	for (;;)
		take_turns(&l);
}
