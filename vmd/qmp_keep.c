#include "vmd/qmp_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#define MESSAGE_MAX	128

struct kept {
	TAILQ_ENTRY(kept)	 link;
	char			 instance[64];
	int			 fd;
};
TAILQ_HEAD(kept_list, kept);

struct qmp_keep {
	struct kept_list	 list;
};

static void
kept_free(struct qmp_keep *k, struct kept *e)
{
	TAILQ_REMOVE(&k->list, e, link);
	if (e->fd >= 0)
		close(e->fd);
	free(e);
}

static int
add(struct qmp_keep *k, const char *instance, int fd)
{
	struct kept *e = strlen(instance) < sizeof(e->instance) ? calloc(1, sizeof(*e)) : NULL;

	if (!e) {
		close(fd);
		return -ENOMEM;
	}
	e->fd = fd;
	memcpy(e->instance, instance, strlen(instance) + 1);
	TAILQ_INSERT_TAIL(&k->list, e, link);
	return 0;
}

/* All that the manager passed is closed or in the list. */
static int
take_over(struct qmp_keep *k)
{
	char **names = NULL;
	int n = sd_listen_fds_with_names(0, &names), r = 0;

	for (int i = 0; i < n; i++) {
		const int fd = SD_LISTEN_FDS_START + i;
		const int flags = fcntl(fd, F_GETFL);

		if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
		    sd_is_socket_unix(fd, SOCK_STREAM, 0, NULL, 0) > 0 && r == 0)
			r = add(k, names[i], fd);
		else
			close(fd);
		free(names[i]);
	}
	free(names);
	return n < 0 ? n : r;
}

int
qmp_keep_new(struct qmp_keep **ret)
{
	struct qmp_keep *k = calloc(1, sizeof(*k));
	int r;

	if (!k)
		return -ENOMEM;
	TAILQ_INIT(&k->list);
	r = take_over(k);
	if (r < 0) {
		qmp_keep_free(k);
		return r;
	}
	*ret = k;
	return 0;
}

void
qmp_keep_free(struct qmp_keep *k)
{
	struct kept *e;

	while (k && (e = TAILQ_FIRST(&k->list)))
		kept_free(k, e);
	free(k);
}

int
qmp_keep_take(struct qmp_keep *k, const char *instance)
{
	struct kept *e = k ? TAILQ_FIRST(&k->list) : NULL;
	int fd = -1;

	while (e && strcmp(e->instance, instance) != 0)
		e = TAILQ_NEXT(e, link);
	if (e) {
		fd = e->fd;
		e->fd = -1;
		kept_free(k, e);
	}
	return fd;
}

/* Without a manager nobody is told; what it does not take is connected anew. */
static void
tell(const char *what, const char *instance, const int *fds, unsigned n)
{
	char text[MESSAGE_MAX];
	int len = snprintf(text, sizeof(text), "%s\nFDNAME=%s", what, instance);

	if (len > 0 && (size_t)len < sizeof(text))
		(void)sd_pid_notify_with_fds(0, 0, text, fds, n);
}

void
qmp_keep_store(struct qmp_keep *k, const char *instance, int fd)
{
	if (k && fd >= 0)
		tell("FDSTORE=1", instance, &fd, 1);
}

void
qmp_keep_forget(struct qmp_keep *k, const char *instance)
{
	if (k)
		tell("FDSTOREREMOVE=1", instance, NULL, 0);
}

void
qmp_keep_give(struct qmp_keep *k, const char *instance, int fd)
{
	if (fd < 0)
		return;
	if (k)
		(void)add(k, instance, fd);	/* no memory: closed, and connected anew */
	else
		close(fd);
}
