#include "vmd/guard_passt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "vmd/guard_io.h"
#include "vmd/net_dhcp.h"
#include "vmd/net_wire.h"

#define PASST_FD	"3"	/* where it has its end */
#define ASK_MS		500

struct text {
	char	 s[40];
};

static const char *
print_address(struct text *t, uint32_t a)
{
	(void)snprintf(t->s, sizeof(t->s), "%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255,
	    a & 255);
	return t->s;
}

static void __attribute__((noreturn))
become_passt(const char *path, const struct net_port *p, int fd, pid_t parent)
{
	const uint8_t *m = net_dhcp_router_mac;
	struct text address, bits, router, mac, forward;
	/* Its own DHCP is off, and the node is not to be found at the router's address. */
	const char *argv[] = { path, "-f", "-q", "-4", "--fd", PASST_FD, "--no-dhcp",
		"--no-map-gw", "-a", print_address(&address, p->address), "-n", bits.s, "-g",
		print_address(&router, net_port_router(p)), "-M", mac.s,
		p->forward_to ? "-t" : NULL, forward.s, NULL };
	const char *const env[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", NULL };

	(void)snprintf(bits.s, sizeof(bits.s), "%u", p->bits);
	(void)snprintf(mac.s, sizeof(mac.s), "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2],
	    m[3], m[4], m[5]);
	(void)snprintf(forward.s, sizeof(forward.s), "127.0.0.1/%u:%u", p->forward_from,
	    p->forward_to);
	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_DFL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent &&
	    (fd == 3 ? syscall(SYS_close_range, 4, ~0U, 0) == 0 : dup2(fd, 3) == 3 &&
	    syscall(SYS_close_range, 4, ~0U, 0) == 0))
		(void)execve(path, (char *const *)(uintptr_t)argv,
		    (char *const *)(uintptr_t)env);
	guard_io_say("start %s: %s", path, strerror(errno));
	_exit(127);
}

int
guard_passt_start(const char *path, const struct net_port *p, pid_t *ret_pid)
{
	const pid_t self = getpid();
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0)
		become_passt(path, p, pair[1], self);
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -1;
	}
	*ret_pid = pid;
	return pair[0];
}

/* true: it has said something; false with *ret_gone: it never will. */
static bool
hears(int fd, int timeout_ms, bool *ret_gone)
{
	struct pollfd f = { .fd = fd, .events = POLLIN };
	char byte;

	if (poll(&f, 1, timeout_ms) <= 0)
		return false;
	*ret_gone = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
	return !*ret_gone;
}

/* What it answers is left in fd: the guest was not there to ask, and ignores it. */
bool
guard_passt_answers(int fd, const struct net_port *p)
{
	uint8_t ask[4 + NET_DHCP_ARP];
	bool is_gone = false;

	net_wire_put32(ask, NET_DHCP_ARP);
	net_dhcp_arp(p, ask + 4);
	for (int ms = 0; ms < GUARD_PASST_MS && !is_gone; ms += ASK_MS) {
		if (send(fd, ask, sizeof(ask), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
		if (hears(fd, ASK_MS, &is_gone))
			return true;
	}
	guard_io_say("passt %s", is_gone ? "has ended" : "does not answer");
	return false;
}
