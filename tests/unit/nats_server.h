/*
 * nats_server.h - a private nats-server for one test: its own folder, a port of the kernel's
 * choice, JetStream on disk.  nats_server_stop ends it and removes the folder; it also dies
 * with the test.
 */
#pragma once

#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/json.h"
#include "tests/unit/unit.h"

#define NATS_SERVER_PATIENCE_MS	10000

struct nats_server {
	char	dir[64];
	pid_t	pid;
	char	url[64];
};

/* The server writes where it listens once it does. */
static inline int
nats_server_read_url(struct nats_server *s)
{
	AUTO(buf) struct buf b = BUF_EMPTY(4096);
	AUTO(json) cJSON *ports = NULL;
	char path[128], why[JSON_WHY_MAX];
	const cJSON *first;

	if (file_path(path, sizeof(path), "%s/nats-server_%d.ports", s->dir, s->pid) < 0 ||
	    file_read(path, &b) < 0 || json_parse(b.data, b.len, b.max, &ports, why) < 0)
		return -EAGAIN;
	first = cJSON_GetArrayItem(json_member(ports, "nats"), 0);
	if (!cJSON_IsString(first))
		return -EAGAIN;
	return file_path(s->url, sizeof(s->url), "%s", first->valuestring);
}

/* more: the rest of its configuration. */
static inline void
nats_server_start_with(struct nats_server *s, const char *more)
{
	pid_t parent = getpid();
	char conf[128], text[512];
	int waited = 0;

	snprintf(s->dir, sizeof(s->dir), "/tmp/nats_server.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(s->dir));
	ck_assert_int_eq(file_path(conf, sizeof(conf), "%s/conf", s->dir), 0);
	ck_assert_int_eq(file_path(text, sizeof(text), "listen: 127.0.0.1:-1\n"
	    "ports_file_dir: \"%s\"\nlog_file: \"%s/log\"\njetstream { store_dir: \"%s/store\" }\n%s",
	    s->dir, s->dir, s->dir, more), 0);
	ck_assert_int_eq(file_write(conf, text, strlen(text), 0600), 0);
	s->pid = fork();
	ck_assert_int_ge(s->pid, 0);
	if (s->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			execlp("nats-server", "nats-server", "-c", conf, (char *)NULL);
		_exit(127);
	}
	while (nats_server_read_url(s) < 0) {
		ck_assert_int_eq(waitpid(s->pid, NULL, WNOHANG), 0);
		ck_assert_int_lt(waited, NATS_SERVER_PATIENCE_MS);
		waited += 10;
		(void)poll(NULL, 0, 10);
	}
}

static inline void
nats_server_start(struct nats_server *s)
{
	nats_server_start_with(s, "");
}

static inline void
nats_server_stop(struct nats_server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	unit_remove_tree(s->dir);
}
