#include "vmd/guard_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
guard_io_say(const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= 0)
		(void)dprintf(STDERR_FILENO, "vmguard: %s\n", line);
}

ssize_t
guard_io_read(const char *path, char *ret, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);
	int e = errno;

	if (fd >= 0)
		close(fd);
	errno = e;
	ret[n < 0 ? 0 : n] = '\0';
	return n;
}

bool
guard_io_write(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return false;
		p += w;
		n -= (size_t)w;
	}
	return true;
}

unsigned long long
guard_io_start_time(pid_t pid)
{
	char path[64], text[1024];
	const char *p;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (guard_io_read(path, text, sizeof(text)) <= 0 ||
	    (p = strrchr(text, ')')) == NULL)	/* the name may hold anything */
		return 0;
	for (int field = 2; field < 22; field++)
		if ((p = strchr(p + 1, ' ')) == NULL)
			return 0;
	return strtoull(p + 1, NULL, 10);
}

void
guard_io_oom_score(const char *score)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || !guard_io_write(fd, score, strlen(score)))
		guard_io_say("oom_score_adj stays as it is: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}
