#include "vmd/guard_socket.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

union control {			/* room for one descriptor, aligned as its header wants */
	struct cmsghdr	 head;
	char		 room[CMSG_SPACE(sizeof(int))];
};

/* ---- vmd's side ---- */

static ssize_t
join(char text[static GUARD_SOCKET_BYTES], const char *const *argv)
{
	size_t n = 0;

	for (; *argv; argv++) {
		size_t len = strlen(*argv) + 1;

		if (len > GUARD_SOCKET_BYTES - n)
			return -E2BIG;
		memcpy(text + n, *argv, len);
		n += len;
	}
	return (ssize_t)n;
}

static int
connect_to(const char *path)
{
	AUTO(fd) int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int n = snprintf(sa.sun_path, sizeof(sa.sun_path), "%s", path);

	if (n < 0 || (size_t)n >= sizeof(sa.sun_path))
		return -ENAMETOOLONG;
	if (fd < 0 || connect(fd, (const struct sockaddr *)&sa, sizeof(sa)) < 0)
		return -errno;
	return steal_fd(&fd);
}

static int
send_line(int fd, const char *const *argv, int log_fd)
{
	char text[GUARD_SOCKET_BYTES];
	ssize_t n = join(text, argv);
	struct iovec iov = { .iov_base = text, .iov_len = (size_t)n };
	union control c = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)),
	    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &c,
	    .msg_controllen = sizeof(c.room) };

	if (n < 0)
		return (int)n;
	memcpy(CMSG_DATA(&c.head), &log_fd, sizeof(log_fd));
	return sendmsg(fd, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int
read_answer(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char code;
	ssize_t n;
	int r;

	do
		r = poll(&p, 1, timeout_ms);
	while (r < 0 && errno == EINTR);
	if (r <= 0)
		return r < 0 ? -errno : -ETIMEDOUT;
	n = recv(fd, &code, 1, 0);
	if (n < 0)
		return -errno;
	return n == 1 ? code : -ECONNRESET;
}

int
guard_socket_ask(const char *path, const char *const *argv, int log_fd, int timeout_ms)
{
	AUTO(fd) int fd = connect_to(path);
	int r = fd < 0 ? fd : send_line(fd, argv, log_fd);

	return r < 0 ? r : read_answer(fd, timeout_ms);
}

/* ---- vmguard's side ---- */

static int
split(char *text, size_t n, int *ret_argc, char ***ret_argv)
{
	AUTO(mem) void *room = calloc(GUARD_SOCKET_ARGS + 1, sizeof(char *));
	char **argv = room;
	int argc = 0;

	if (!room)
		return -ENOMEM;
	if (n == 0 || text[n - 1] != '\0')
		return -EBADMSG;
	for (char *p = text; p < text + n; p += strlen(p) + 1) {
		if (argc == GUARD_SOCKET_ARGS)
			return -EBADMSG;
		argv[argc++] = p;
	}
	*ret_argc = argc;
	*ret_argv = steal_mem(&room);
	return 0;
}

/* The one descriptor of a message, the caller's to close; -1: it has none. */
static int
descriptor_of(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd;

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

int
guard_socket_read(int fd, int *ret_argc, char ***ret_argv, int *ret_log_fd)
{
	AUTO(mem) void *text = malloc(GUARD_SOCKET_BYTES);
	struct iovec iov = { .iov_base = text, .iov_len = GUARD_SOCKET_BYTES };
	union control c;
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &c,
	    .msg_controllen = sizeof(c.room) };
	AUTO(fd) int log_fd = -1;
	ssize_t n;
	int r;

	if (!text)
		return -ENOMEM;
	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	log_fd = descriptor_of(&m);
	if (log_fd < 0 || m.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
		return -EBADMSG;
	r = split(text, (size_t)n, ret_argc, ret_argv);
	if (r < 0)
		return r;
	(void)steal_mem(&text);		/* the list points into it */
	*ret_log_fd = steal_fd(&log_fd);
	return 0;
}
