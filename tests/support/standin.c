/*
 * standin - in QEMU's place where a test or a bench needs very many: no machine at all, but its
 * sockets, and as much of QMP as vmd speaks.  Takes QEMU's arguments, of which it reads the
 * paths of the sockets.  A file `fault` beside it makes it fail, by its first word:
 *
 *	start	ends at once		silent	greets nobody
 *	refuse	does not take cont	die	ends when it is told cont
 *	disk	says that one has no room
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/json.h"

#define SOCKETS		3	/* console, qmp, monitor */
#define STANDIN_LINE	65536

struct line {
	int	 listener, fd;	/* fd -1: nobody is connected */
	bool	 is_qmp;
	size_t	 len;
	char	 in[STANDIN_LINE];
};

/* Is this the fault to be shown? */
static bool
fails(const char *program, const char *how)
{
	const char *slash = strrchr(program, '/');
	char path[512], word[16] = "";
	FILE *f;

	if (!slash || snprintf(path, sizeof(path), "%.*s/fault", (int)(slash - program), program) >=
	    (int)sizeof(path))
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(word, sizeof(word), f))
		word[0] = '\0';
	fclose(f);
	word[strcspn(word, "\n")] = '\0';
	return strcmp(word, how) == 0;
}

static const char *
run_state(bool is_running)
{
	return is_running ? "running" : "prelaunch";
}

static void
say(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t n = write(fd, text, left);

		if (n < 0 && errno != EINTR)
			return;		/* its end is seen by the next read */
		if (n > 0) {
			text += n;
			left -= (size_t)n;
		}
	}
}

/* "socket,id=NAME,path=PATH,..."; false: another kind. */
static bool
open_socket(const char *arg, struct line *ret)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	const char *path = strstr(arg, ",path=");
	size_t len = path ? strcspn(path + 6, ",") : 0;

	if (strncmp(arg, "socket,id=", 10) != 0 || len == 0 || len >= sizeof(sun.sun_path))
		return false;
	memcpy(sun.sun_path, path + 6, len);
	ret->fd = -1;
	ret->is_qmp = strncmp(arg + 10, "qmp,", 4) == 0;
	(void)unlink(sun.sun_path);	/* an earlier one's */
	ret->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ret->listener < 0 || bind(ret->listener, (struct sockaddr *)&sun, sizeof(sun)) < 0 ||
	    listen(ret->listener, 1) < 0) {
		perror(sun.sun_path);
		exit(1);
	}
	return true;
}

static void
answer(struct line *l, const char *text, const char *program, bool *is_running)
{
	AUTO(json) cJSON *in = cJSON_Parse(text);
	AUTO(str) char *id = json_print(json_member(in, "id"));
	const char *command = json_text(in, "execute");
	char out[512], result[128] = "{}";
	bool ends = command && strcmp(command, "quit") == 0;

	if (!command)
		return;
	if (strcmp(command, "cont") == 0 && fails(program, "die"))
		exit(1);
	if (strcmp(command, "cont") == 0 && fails(program, "refuse")) {
		snprintf(out, sizeof(out), "{\"error\":{\"class\":\"GenericError\","
		    "\"desc\":\"a fault\"},\"id\":%.200s}\r\n", id ? id : "null");
		say(l->fd, out);
		return;
	}
	if (strcmp(command, "query-status") == 0)
		snprintf(result, sizeof(result), "{\"status\":\"%s\",\"running\":%s,\"singlestep\":false}",
		    run_state(*is_running), *is_running ? "true" : "false");
	else if (strcmp(command, "query-block") == 0 && fails(program, "disk"))
		snprintf(result, sizeof(result),
		    "[{\"io-status\":\"ok\"},{\"io-status\":\"nospace\",\"inserted\":{\"node-name\":\"root\"}}]");
	else if (strncmp(command, "query-", 6) == 0 || strcmp(command, "qom-list") == 0)
		snprintf(result, sizeof(result), "[]");
	snprintf(out, sizeof(out), "{\"return\":%s,\"id\":%.200s}\r\n", result, id ? id : "null");
	say(l->fd, out);
	if (strcmp(command, "cont") == 0) {
		*is_running = true;
		say(l->fd, "{\"timestamp\":{\"seconds\":1,\"microseconds\":1},\"event\":\"RESUME\"}\r\n");
	} else if (ends || strcmp(command, "system_powerdown") == 0) {
		snprintf(out, sizeof(out), "{\"timestamp\":{\"seconds\":1,\"microseconds\":1},"
		    "\"event\":\"SHUTDOWN\",\"data\":{\"guest\":%s,\"reason\":\"%s\"}}\r\n",
		    ends ? "false" : "true", ends ? "host-qmp-quit" : "guest-shutdown");
		say(l->fd, out);
	}
	if (ends)
		exit(0);
}

static void
take(struct line *l, const char *program, bool *is_running)
{
	ssize_t n = read(l->fd, l->in + l->len, sizeof(l->in) - 1 - l->len);
	char *end;

	if (n <= 0) {
		close(l->fd);
		l->fd = -1;
		l->len = 0;
		return;
	}
	l->len = l->is_qmp ? l->len + (size_t)n : 0;
	l->in[l->len] = '\0';
	while ((end = strchr(l->in, '\n')) != NULL) {
		*end = '\0';
		answer(l, l->in, program, is_running);
		l->len -= (size_t)(end + 1 - l->in);
		memmove(l->in, end + 1, l->len + 1);
	}
}

static void
connected(struct line *l, const char *program)
{
	l->fd = accept(l->listener, NULL, NULL);
	if (l->fd >= 0 && l->is_qmp && !fails(program, "silent"))
		say(l->fd, "{\"QMP\":{\"version\":{\"qemu\":{\"micro\":0,\"minor\":2,\"major\":7},"
		    "\"package\":\"stand-in\"},\"capabilities\":[]}}\r\n");
}

int
main(int argc, char *argv[])
{
	static struct line lines[SOCKETS];
	bool is_running = false;
	nfds_t n = 0;

	signal(SIGPIPE, SIG_IGN);
	if (fails(argv[0], "start")) {
		fprintf(stderr, "a fault\n");
		return 1;
	}
	for (int i = 2; i < argc && n < SOCKETS; i++)
		if (strcmp(argv[i - 1], "-chardev") == 0 && open_socket(argv[i], &lines[n]))
			n++;
	for (;;) {
		struct pollfd p[SOCKETS];

		for (nfds_t i = 0; i < n; i++)
			p[i] = (struct pollfd){ lines[i].fd < 0 ? lines[i].listener : lines[i].fd, POLLIN, 0 };
		if (poll(p, n, -1) < 0 && errno != EINTR)
			return 1;
		for (nfds_t i = 0; i < n; i++) {
			if (p[i].revents && lines[i].fd < 0)
				connected(&lines[i], argv[0]);
			else if (p[i].revents)
				take(&lines[i], argv[0], &is_running);
		}
	}
}
