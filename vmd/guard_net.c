#include "vmd/guard_net.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vmd/guard_child.h"
#include "vmd/guard_io.h"
#include "vmd/guard_passt.h"
#include "vmd/guard_relay.h"
#include "vmd/guard_tap.h"

#define BEGIN_MS	(GUARD_PASST_MS + 1000)

/* In the child: its descriptors, which come after stdio and are all that it has. */
enum { RELAY_QEMU_FD = 3, RELAY_READY_FD, RELAY_TAP_FD, RELAY_END_FD };

static bool
keep_only(int qemu_fd, int ready_fd, int tap_fd)
{
	const bool has_tap = tap_fd >= 0;

	qemu_fd = fcntl(qemu_fd, F_DUPFD_CLOEXEC, RELAY_END_FD);
	ready_fd = fcntl(ready_fd, F_DUPFD_CLOEXEC, RELAY_END_FD);
	if (has_tap)
		tap_fd = fcntl(tap_fd, F_DUPFD_CLOEXEC, RELAY_END_FD);
	return qemu_fd >= 0 && ready_fd >= 0 &&
	    dup3(qemu_fd, RELAY_QEMU_FD, O_CLOEXEC) >= 0 &&
	    dup3(ready_fd, RELAY_READY_FD, O_CLOEXEC) >= 0 &&
	    (!has_tap || dup3(tap_fd, RELAY_TAP_FD, O_CLOEXEC) >= 0) &&
	    syscall(SYS_close_range, has_tap ? RELAY_END_FD : RELAY_TAP_FD, ~0U, 0) == 0;
}

/* Strangers' frames are read without the guard's rights, and without the guest's lock. */
static void __attribute__((noreturn))
become_relay(const struct guard *g, pid_t guard, int qemu_fd, int ready_fd,
    int tap_fd)
{
	const struct guard_relay r = { .port = &g->net, .passt = g->passt,
		.qemu_fd = RELAY_QEMU_FD, .tap_fd = tap_fd < 0 ? -1 : RELAY_TAP_FD };

	guard_io_oom_score("500");
	if (!keep_only(qemu_fd, ready_fd, tap_fd) || !guard_child_drop(g, false, guard)) {
		guard_io_say("the network's process cannot begin: %s", strerror(errno));
		_exit(1);
	}
	guard_relay_run(&r, RELAY_READY_FD);
}

static bool
has_begun(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;
	int r;

	do
		r = poll(&p, 1, BEGIN_MS);
	while (r < 0 && errno == EINTR);
	if (r <= 0)
		guard_io_say("the network's process does not answer");
	return r > 0 && read(fd, &byte, 1) == 1;	/* else it has said why */
}

static bool
start_relay(struct guard *g, int qemu_fd, int tap_fd)
{
	const pid_t self = getpid();
	int ready[2];
	bool ok;

	if (pipe2(ready, O_CLOEXEC) < 0) {
		guard_io_say("the network cannot begin: %s", strerror(errno));
		return false;
	}
	g->relay = fork();
	if (g->relay < 0)
		guard_io_say("the network cannot begin: %s", strerror(errno));
	if (g->relay == 0)
		become_relay(g, self, qemu_fd, ready[1], tap_fd);
	close(ready[1]);
	ok = g->relay > 0 && has_begun(ready[0]);
	close(ready[0]);
	return ok;
}

bool
guard_net_start(struct guard *g)
{
	int pair[2], tap_fd = -1;
	bool ok;

	if (g->net.mode == NET_ISOLATED)
		return true;
	/* passt is the relay's child; if the relay is killed, passt too is waited for here. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ||
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0) {
		guard_io_say("the network cannot begin: %s", strerror(errno));
		return false;
	}
	g->net_fd = pair[0];
	if (g->net.mode == NET_BRIDGE)
		tap_fd = guard_tap_open(&g->net);
	ok = (g->net.mode != NET_BRIDGE || tap_fd >= 0) && start_relay(g, pair[1], tap_fd);
	close(pair[1]);
	if (tap_fd >= 0)
		close(tap_fd);	/* the relay has it, and it goes with the relay */
	if (!ok)
		guard_net_end(g);
	return ok;
}

void
guard_net_hand_over(struct guard *g)
{
	if (g->net_fd >= 0)
		close(g->net_fd);
	g->net_fd = -1;
}

void
guard_net_end(struct guard *g)
{
	guard_net_hand_over(g);
	if (g->relay <= 0)
		return;
	(void)kill(g->relay, SIGKILL);		/* ours, and not yet waited for */
	g->relay = 0;
	while (waitpid(-1, NULL, 0) >= 0 || errno == EINTR)
		continue;
}
