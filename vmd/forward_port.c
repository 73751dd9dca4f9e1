#include "vmd/forward_port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/file.h"

static int
port_path(const struct vm *vm, char *ret, size_t size)
{
	return file_path(ret, size, "%s/vm/%s/forward", vm->d->conf->common.state_dir, vm->id);
}

/* One that was given to a launch is not bound yet. */
static bool
is_given(const struct vmd *d, uint16_t port)
{
	for (size_t n = 0; n < records_count(d->records); n++) {
		const struct vm *vm = record_owner(records_get(d->records, n));

		if (vm && vm->guest && vm->forward_port == port)
			return true;
	}
	return false;
}

static bool
is_free(uint16_t port)
{
	const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	AUTO(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/* As QEMU binds it: connections that have ended do not hold it. */
	return fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)) == 0 &&
	    bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0 && listen(fd, 1) == 0;
}

static int
write_port(const struct vm *vm, uint16_t port)
{
	char path[512], text[8];
	AUTO(fd) int fd = -1;
	int r = port_path(vm, path, sizeof(path));

	if (r < 0)
		return r;
	(void)snprintf(text, sizeof(text), "%u", port);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 ? -errno : file_write_all(fd, text, strlen(text));
}

uint16_t
forward_port_take(const struct vm *vm)
{
	const struct forward *f = &vm->d->forward;
	uint32_t port = f->first;
	char path[512];
	int r = port_path(vm, path, sizeof(path));

	if (r == 0 && unlink(path) < 0 && errno != ENOENT)
		vm_log(vm, LOG_WARNING, "%s: %s", path, strerror(errno));
	if (f->to == 0)
		return 0;
	while (port <= f->last && (is_given(vm->d, (uint16_t)port) || !is_free((uint16_t)port)))
		port++;
	if (port > f->last) {
		vm_log(vm, LOG_WARNING, "no port is free to be forwarded to it");
		return 0;
	}
	r = write_port(vm, (uint16_t)port);
	if (r < 0)
		vm_log(vm, LOG_WARNING, "port %u leads to it, which a later vmd will not know: %s",
		    port, strerror(-r));
	return (uint16_t)port;
}

uint16_t
forward_port_recall(const struct vm *vm)
{
	AUTO(buf) struct buf text = BUF_EMPTY(8);
	char path[512];

	if (port_path(vm, path, sizeof(path)) < 0 || file_read(path, &text) < 0)
		return 0;
	return (uint16_t)strtoul(buf_text(&text), NULL, 10);
}
