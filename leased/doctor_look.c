#include "leased/doctor_look.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"

#define SERVER_MS	3000		/* for a server's greeting */
#define GREETING_MAX	32768
#define PORT		"4222"

/* ---- the greeting of a server: it comes before TLS, and before anybody says who he is ---- */

/* nats://[user:password@]host[:port] */
static bool
split_url(const char *url, char host[static DOCTOR_TEXT], char port[static 16])
{
	const char *at = strstr(url, "://"), *end;
	int n;

	at = at ? at + 3 : url;
	end = strchr(at, '@');
	at = end ? end + 1 : at;
	end = *at == '[' ? strchr(at, ']') : at + strcspn(at, ":/");
	if (!end || end == at)
		return false;
	n = snprintf(host, DOCTOR_TEXT, "%.*s", (int)(end - at - (*at == '[')), at + (*at == '['));
	end += *end == ']';
	(void)snprintf(port, 16, "%.*s", *end == ':' ? (int)strcspn(end + 1, "/") : (int)strlen(PORT),
	    *end == ':' ? end + 1 : PORT);
	return n > 0 && n < DOCTOR_TEXT;
}

static int
wait_for(int fd, short events, uint64_t until_ms)
{
	uint64_t now = clock_now_ms(&clock_system);
	struct pollfd p = { .fd = fd, .events = events };

	return now < until_ms && poll(&p, 1, (int)(until_ms - now)) == 1 ? 0 : -ETIMEDOUT;
}

static int
connect_to(const struct addrinfo *a, uint64_t until_ms)
{
	AUTO(fd) int fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int error = 0, r;
	socklen_t size = sizeof(error);

	if (fd < 0)
		return -errno;
	if (connect(fd, a->ai_addr, a->ai_addrlen) < 0 && errno != EINPROGRESS)
		return -errno;
	r = wait_for(fd, POLLOUT, until_ms);
	if (r == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		r = -errno;
	return r < 0 ? r : error ? -error : steal_fd(&fd);
}

/* The first line; it ends the greeting. */
static int
read_line(int fd, uint64_t until_ms, char ret[static GREETING_MAX])
{
	size_t n = 0;

	while (n + 1 < GREETING_MAX) {
		int r = wait_for(fd, POLLIN, until_ms);
		ssize_t got = r < 0 ? r : recv(fd, ret + n, GREETING_MAX - 1 - n, 0);

		if (got <= 0)
			return r < 0 ? r : got == 0 ? -ECONNRESET : -errno;
		n += (size_t)got;
		ret[n] = '\0';
		if (strchr(ret, '\n'))
			return 0;
	}
	return -EMSGSIZE;
}

static int
read_greeting(const char *line, struct doctor_server *s)
{
	AUTO(json) cJSON *info = NULL;
	char why[JSON_WHY_MAX];
	const char *name, *version;

	if (strncmp(line, "INFO ", 5) != 0 || json_parse(line + 5, strcspn(line + 5, "\r\n"),
	    GREETING_MAX, &info, why) < 0)
		return -EPROTO;
	name = json_text(info, "server_name");
	version = json_text(info, "version");
	if (!version)
		return -EPROTO;
	(void)snprintf(s->name, sizeof(s->name), "%s", name ? name : "the server");
	(void)snprintf(s->version, sizeof(s->version), "%s", version);
	s->has_jetstream = cJSON_IsTrue(json_member(info, "jetstream"));
	return 0;
}

static int
greet(const struct addrinfo *a, struct doctor_server *s)
{
	uint64_t until_ms = clock_now_ms(&clock_system) + SERVER_MS;
	char line[GREETING_MAX];
	AUTO(fd) int fd = connect_to(a, until_ms);
	int r = fd < 0 ? fd : read_line(fd, until_ms, line);

	return r < 0 ? r : read_greeting(line, s);
}

static void
look_at_server(const char *url, struct doctor_server *s)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *all = NULL;
	char host[DOCTOR_TEXT], port[16];
	int r = -EINVAL;

	(void)snprintf(s->at, sizeof(s->at), "%s", url);
	if (!split_url(url, host, port) || getaddrinfo(host, port, &hints, &all) != 0) {
		(void)snprintf(s->why, sizeof(s->why), "no such host");
		return;
	}
	(void)snprintf(s->at, sizeof(s->at), strchr(host, ':') ? "[%.200s]:%s" : "%.200s:%s", host,
	    port);
	for (const struct addrinfo *a = all; a && r < 0; a = a->ai_next)
		r = greet(a, s);
	freeaddrinfo(all);
	if (r < 0)
		(void)snprintf(s->why, sizeof(s->why), "%s", strerror(-r));
}

static void
look_at_servers(const struct conf_common *c, struct doctor_facts *f)
{
	char urls[sizeof(c->nats_url)], *save = NULL;

	(void)snprintf(urls, sizeof(urls), "%s", c->nats_url);
	for (char *p = strtok_r(urls, ", ", &save); p && f->nservers < DOCTOR_SERVERS;
	    p = strtok_r(NULL, ", ", &save))
		look_at_server(p, &f->server[f->nservers++]);
}

/* ---- how the server here syncs ---- */

/* The value of the first line of text that has key, without quotes; false: none has. */
static bool
value_of(const char *text, const char *key, char *ret, size_t size)
{
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *v = p + strspn(p, " \t");

		if (strncmp(v, key, strlen(key)) != 0)
			continue;
		v += strlen(key);
		v += strspn(v, " \t:=\"'");
		(void)snprintf(ret, size, "%.*s", (int)strcspn(v, "\"'\r\n \t"), v);
		return true;
	}
	return false;
}

static enum doctor_sync
sync_of_folder(const char *path)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int flags = 0;

	if (fd < 0)
		return DOCTOR_SYNC_HIDDEN;
	/* A file system without flags syncs nothing by them. */
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0 || !(flags & FS_SYNC_FL) ||
	    !(flags & FS_DIRSYNC_FL))
		return DOCTOR_SYNC_LAZY;
	return DOCTOR_SYNC_FOLDER;
}

static enum doctor_sync
look_at_sync(struct doctor_facts *f)
{
	AUTO(buf) struct buf text = BUF_EMPTY(1 << 20);
	char interval[64] = "";
	int r = file_read(f->nats_conf, &text);

	if (r < 0)
		return r == -ENOENT ? DOCTOR_SYNC_NONE : DOCTOR_SYNC_HIDDEN;
	if (!value_of(buf_text(&text), "store_dir", f->store, sizeof(f->store)))
		return DOCTOR_SYNC_HIDDEN;
	if (value_of(buf_text(&text), "sync_interval", interval, sizeof(interval)) &&
	    strcmp(interval, "always") == 0)
		return DOCTOR_SYNC_ALWAYS;
	return sync_of_folder(f->store);
}

void
doctor_look_around(const struct conf_common *c, const char *nats_conf, struct doctor_facts *ret)
{
	ret->cluster_size = c->cluster_size;
	ret->node_ttl_ms = c->node_ttl_ms;
	ret->self = c->node;
	ret->nats_conf = nats_conf;
	look_at_servers(c, ret);
	ret->sync = look_at_sync(ret);
}
