#include "vmd/qmp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "vmd/qmp_line.h"

#define OUT_MAX		(1024 * 1024)	/* bytes that wait to be sent */
#define READ_BYTES	(16 * 1024)
#define READS_A_TURN	8		/* then others have their turn */
#define ID_BITS		12		/* calls a millisecond, on average */
#define QUICK_RETRIES	(1000 / QMP_RETRY_MIN_MS)

enum state {
	DOWN,		/* waits to connect */
	GREETING,	/* connected; QEMU speaks first */
	NEGOTIATING,	/* qmp_capabilities is under way */
	READY,
};

struct call {
	TAILQ_ENTRY(call)	 link;
	uint64_t		 id;
	uint64_t		 deadline_ms;
	qmp_done_fn		*done;
	void			*arg;
};
TAILQ_HEAD(calls, call);
DEFINE_AUTO(struct call *, call, free)

struct qmp {
	struct loop		*loop;
	struct sockaddr_un	 address;
	pid_t			 pid;		/* expected peer; 0: any */
	struct qmp_handlers	 on;
	void			*arg;
	enum state		 state;
	int			 fd;
	struct loop_io		*io;
	struct loop_timer	*retry;		/* on while DOWN */
	struct loop_timer	*deadline;	/* of the greeting or the earliest call */
	uint64_t		 greeting_ms;	/* when it is overdue */
	unsigned		 attempts;	/* to connect, since it was READY */
	struct qmp_reader	 in;
	struct buf		 out;
	size_t			 sent;		/* of out */
	struct calls		 calls;
	size_t			 ncalls;
	uint64_t		 last_id;	/* unique over all connections */
	unsigned		 busy;		/* callbacks under way: free later */
	bool			 closed;
};

static void	 go_down(struct qmp *q, const char *why);

/* ---- lifetime ---- */

/* Of all its copies: somebody may keep one. */
static void
end_connection(int fd)
{
	if (fd < 0)
		return;
	(void)shutdown(fd, SHUT_RDWR);
	close(fd);
}

static void
destroy(struct qmp *q)
{
	struct call *c;

	while ((c = TAILQ_FIRST(&q->calls))) {
		TAILQ_REMOVE(&q->calls, c, link);
		free(c);
	}
	loop_io_free(q->io);
	end_connection(q->fd);
	loop_timer_free(q->retry);
	loop_timer_free(q->deadline);
	qmp_reader_deinit(&q->in);
	buf_deinit(&q->out);
	free(q);
}

/* Between enter and leave q stays in memory, though a callback may close it. */
static void
enter(struct qmp *q)
{
	q->busy++;
}

static void
leave(struct qmp *q)
{
	if (--q->busy == 0 && q->closed)
		destroy(q);
}

void
qmp_close(struct qmp *q)
{
	if (!q || q->closed)
		return;
	q->closed = true;
	if (q->busy == 0)
		destroy(q);
}

/* ---- calls ---- */

static void
arm_deadline(struct qmp *q)
{
	uint64_t at_ms = UINT64_MAX;
	const struct call *c;

	if (q->state == GREETING || q->state == NEGOTIATING)
		at_ms = q->greeting_ms;
	TAILQ_FOREACH(c, &q->calls, link)
		if (c->deadline_ms < at_ms)
			at_ms = c->deadline_ms;
	if (at_ms == UINT64_MAX)
		loop_timer_off(q->deadline);
	else
		loop_timer_at(q->deadline, at_ms);
}

static void
finish_call(struct qmp *q, struct call *c, int r, const cJSON *answer, const char *why)
{
	TAILQ_REMOVE(&q->calls, c, link);
	q->ncalls--;
	if (c->done && !q->closed)
		c->done(c->arg, r, answer, why);
	free(c);
}

static int
send_text(struct qmp *q, const char *text)
{
	const size_t n = strlen(text);

	if (q->sent > 0) {		/* make room for what is sent already */
		q->out.len -= q->sent;
		memmove(q->out.data, q->out.data + q->sent, q->out.len);
		q->sent = 0;
	}
	if (n + 1 > q->out.max - q->out.len)
		return -EAGAIN;
	if (buf_add(&q->out, text, n) < 0 || buf_add(&q->out, "\n", 1) < 0)
		return -ENOMEM;
	loop_io_events(q->io, EPOLLIN | EPOLLOUT);
	return 0;
}

static int
start_call(struct qmp *q, const char *command, cJSON *args, uint64_t timeout_ms,
    qmp_done_fn *done, void *arg)
{
	AUTO(str) char *text = qmp_command_print(command, args, ++q->last_id);
	AUTO(call) struct call *c = calloc(1, sizeof(*c));
	int r;

	if (!text || !c)
		return -ENOMEM;
	r = send_text(q, text);
	if (r < 0)
		return r;
	*c = (struct call){ .id = q->last_id, .done = done, .arg = arg,
	    .deadline_ms = loop_now_ms(q->loop) + timeout_ms };
	TAILQ_INSERT_TAIL(&q->calls, c, link);
	(void)steal_call(&c);
	q->ncalls++;
	arm_deadline(q);
	return 0;
}

int
qmp_call(struct qmp *q, const char *command, cJSON *args, uint64_t timeout_ms,
    qmp_done_fn *done, void *arg)
{
	int r = q->state != READY ? -ENOTCONN : q->ncalls >= QMP_CALLS_MAX ? -EAGAIN : 0;

	if (r < 0) {
		cJSON_Delete(args);
		return r;
	}
	return start_call(q, command, args, timeout_ms, done, arg);
}

/* ---- messages ---- */

static void
on_capabilities(void *arg, int r, const cJSON *answer, const char *why)
{
	struct qmp *q = arg;

	if (r == -ECONNRESET)
		return;			/* going down already */
	if (r < 0) {
		go_down(q, why);
		return;
	}
	q->state = READY;
	q->attempts = 0;
	arm_deadline(q);
	if (q->on.on_ready)
		q->on.on_ready(q->arg);
}

/* QEMU's own answer to a call; what nobody waits for any more is dropped. */
static void
take_answer(struct qmp *q, const struct qmp_message *m)
{
	struct call *c;

	TAILQ_FOREACH(c, &q->calls, link)
		if (m->has_id && c->id == m->id)
			break;
	if (!c)
		return;
	if (m->kind == QMP_RETURN)
		finish_call(q, c, 0, m->body, "");
	else
		finish_call(q, c, -EREMOTEIO, NULL, m->text);
}

static int
take_greeting(struct qmp *q)
{
	if (q->state != GREETING)
		return -EPROTO;
	q->state = NEGOTIATING;
	return start_call(q, "qmp_capabilities", NULL, QMP_GREETING_MS, on_capabilities, q);
}

/* 0, or -errno when the connection is of no more use. */
static int
take_line(struct qmp *q, const char *line, size_t len)
{
	char why[JSON_WHY_MAX];
	struct qmp_message m;
	int r = qmp_message_parse(line, len, &m, why);

	if (r < 0)
		return r;
	switch (m.kind) {
	case QMP_GREETING:
		r = take_greeting(q);
		break;
	case QMP_RETURN:
	case QMP_ERROR:
		take_answer(q, &m);
		break;
	case QMP_EVENT:
		if (q->on.on_event)
			q->on.on_event(q->arg, m.name, m.body);
		break;
	}
	qmp_message_deinit(&m);
	return r;
}

/* All whole lines, unless a callback ends the connection that they came on. */
static int
take_lines(struct qmp *q)
{
	const int fd = q->fd;
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && !q->closed && q->fd == fd &&
	    qmp_reader_next(&q->in, &line, &len) == 1)
		r = take_line(q, line, len);
	return r;
}

/* ---- the connection ---- */

static int
read_some(struct qmp *q)
{
	const int fd = q->fd;
	char data[READ_BYTES];

	for (int i = 0; i < READS_A_TURN && !q->closed && q->fd == fd; i++) {
		ssize_t n = read(fd, data, sizeof(data));
		int r;

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		if (n == 0)
			return -ECONNRESET;
		r = qmp_reader_feed(&q->in, data, (size_t)n);
		if (r == 0)
			r = take_lines(q);
		if (r < 0)
			return r;
	}
	return 0;
}

static int
write_some(struct qmp *q)
{
	while (q->sent < q->out.len) {
		ssize_t n = send(q->fd, q->out.data + q->sent, q->out.len - q->sent,
		    MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		q->sent += (size_t)n;
	}
	q->out.len = q->sent = 0;
	loop_io_events(q->io, EPOLLIN);
	return 0;
}

static void
on_socket(void *arg, uint32_t revents)
{
	struct qmp *q = arg;
	const int fd = q->fd;
	int r = 0;

	enter(q);
	if (revents & EPOLLOUT)
		r = write_some(q);
	if (r == 0 && (revents & (EPOLLIN | EPOLLHUP | EPOLLERR)))
		r = read_some(q);
	if (r < 0 && !q->closed && q->fd == fd) {
		char why[QMP_WHY_MAX];

		(void)snprintf(why, sizeof(why), "QMP: %s", r == -EINVAL ?
		    "what came is no QMP message" : strerror(-r));
		go_down(q, why);
	}
	leave(q);
}

static void
wait_to_connect(struct qmp *q)
{
	uint64_t in_ms = QMP_RETRY_MIN_MS;

	for (unsigned i = QUICK_RETRIES; i < q->attempts && in_ms < QMP_RETRY_MAX_MS; i++)
		in_ms *= 2;
	q->attempts++;
	loop_timer_in(q->retry, in_ms < QMP_RETRY_MAX_MS ? in_ms : QMP_RETRY_MAX_MS);
}

/* Ends the connection and everything that waits for an answer on it; another follows. */
static void
go_down(struct qmp *q, const char *why)
{
	const bool was_ready = q->state == READY;
	struct calls dead = TAILQ_HEAD_INITIALIZER(dead);
	struct call *c;

	enter(q);
	loop_io_free(q->io);
	q->io = NULL;
	end_connection(q->fd);
	q->fd = -1;
	q->state = DOWN;
	qmp_reader_deinit(&q->in);
	q->out.len = q->sent = 0;
	TAILQ_CONCAT(&dead, &q->calls, link);
	arm_deadline(q);
	wait_to_connect(q);
	while ((c = TAILQ_FIRST(&dead))) {
		TAILQ_REMOVE(&dead, c, link);
		q->ncalls--;
		if (c->done && !q->closed)
			c->done(c->arg, -ECONNRESET, NULL, why);
		free(c);
	}
	if (was_ready && !q->closed && q->on.on_lost)
		q->on.on_lost(q->arg, why);
	leave(q);
}

void
qmp_reconnect(struct qmp *q, const char *why)
{
	if (q->fd >= 0 && !q->closed)
		go_down(q, why);
}

/* The process at the other end: who called listen. */
static bool
is_expected_peer(const struct qmp *q, int fd)
{
	struct ucred peer;
	socklen_t n = sizeof(peer);

	return q->pid == 0 || (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
	    peer.pid == q->pid);
}

static int
try_connect(struct qmp *q)
{
	AUTO(fd) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int r;

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&q->address, sizeof(q->address)) < 0)
		return -errno;
	if (!is_expected_peer(q, fd))
		return -EPERM;
	r = loop_io_new(q->loop, fd, EPOLLIN, on_socket, q, &q->io);
	if (r < 0)
		return r;
	q->fd = steal_fd(&fd);
	q->state = GREETING;
	q->greeting_ms = loop_now_ms(q->loop) + QMP_GREETING_MS;
	arm_deadline(q);
	return 0;
}

static void
on_retry(void *arg)
{
	struct qmp *q = arg;

	if (q->fd >= 0) {		/* resumed */
		q->attempts = 0;
		if (q->on.on_ready)
			q->on.on_ready(q->arg);
	} else if (try_connect(q) < 0)
		wait_to_connect(q);
}

static void
on_deadline(void *arg)
{
	struct qmp *q = arg;
	const uint64_t now_ms = loop_now_ms(q->loop);
	struct call *c;

	enter(q);
	if ((q->state == GREETING || q->state == NEGOTIATING) && q->greeting_ms <= now_ms)
		go_down(q, "QMP: no greeting in time");
	do {	/* from the start again after each: done may change the list */
		TAILQ_FOREACH(c, &q->calls, link)
			if (c->deadline_ms <= now_ms)
				break;
		if (c)
			finish_call(q, c, -ETIMEDOUT, NULL, "QMP: no answer in time");
	} while (c && !q->closed);
	if (!q->closed)
		arm_deadline(q);
	leave(q);
}

int
qmp_open(struct loop *l, const char *path, pid_t pid, const struct qmp_handlers *h, void *arg,
    struct qmp **ret)
{
	const size_t n = strlen(path);
	struct qmp *q;
	int r;

	if (n >= sizeof(q->address.sun_path))
		return -ENAMETOOLONG;
	q = calloc(1, sizeof(*q));
	if (!q)
		return -ENOMEM;
	*q = (struct qmp){ .loop = l, .pid = pid, .on = *h, .arg = arg, .fd = -1,
	    .in = QMP_READER_INIT(QMP_LINE_MAX), .out = BUF_EMPTY(OUT_MAX) };
	q->address.sun_family = AF_UNIX;
	memcpy(q->address.sun_path, path, n + 1);
	TAILQ_INIT(&q->calls);
	r = loop_timer_new(l, on_retry, q, &q->retry);
	if (r == 0)
		r = loop_timer_new(l, on_deadline, q, &q->deadline);
	if (r < 0) {
		destroy(q);
		return r;
	}
	loop_timer_in(q->retry, 0);
	*ret = q;
	return 0;
}

bool
qmp_is_ready(const struct qmp *q)
{
	return q->state == READY && !q->closed;
}

int
qmp_fd(const struct qmp *q)
{
	return qmp_is_ready(q) ? q->fd : -1;
}

int
qmp_leave(struct qmp *q)
{
	int fd = -1;

	if (q && qmp_is_ready(q) && q->out.len == 0 && q->in.at == q->in.in.len) {
		loop_io_free(q->io);
		q->io = NULL;
		fd = q->fd;
		q->fd = -1;
	}
	qmp_close(q);
	return fd;
}

void
qmp_resume(struct qmp *q, int fd)
{
	if (!is_expected_peer(q, fd) ||
	    loop_io_new(q->loop, fd, EPOLLIN, on_socket, q, &q->io) < 0) {
		end_connection(fd);
		return;
	}
	q->fd = fd;
	q->state = READY;
	/* What the one before asked may still be answered: no id of ours is one of its own. */
	q->last_id = loop_now_ms(q->loop) << ID_BITS;
}
