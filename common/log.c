#include "common/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include "common/clock.h"
#include "common/log_repeat.h"

#define TEXT_MAX	1024	/* bytes of a sentence; more is cut */
#define LINE_MAX_BYTES	2048	/* of a line on stderr */
#define FIELD_MAX	320	/* of a field of the journal, its name included */
#define LIMIT_MS	60000
#define JOURNAL_SOCKET	"/run/systemd/journal/socket"

/*
 * Where lines go.  The one mutable object at file scope in the tree: a process has one
 * standard error and one journal, and every thread speaks there.  Written by log_open and
 * log_register before threads start; the level is atomic, and what was said lately is mu's.
 */
static struct {
	const char	*ident;
	bool		 to_journal;
	atomic_int	 max_priority;
	log_sink_fn	*sink;
	void		*sink_arg;
	pthread_mutex_t	 mu;
	struct log_repeat lately;
} out = { .ident = NULL, .max_priority = LOG_INFO, .mu = PTHREAD_MUTEX_INITIALIZER };

static const struct {
	const char	*journal, *line;
	size_t		 offset;
} fields[] = {
	{ "INSTANCE",	"instance",	offsetof(struct log_ctx, instance) },
	{ "LEASE",	"lease",	offsetof(struct log_ctx, lease) },
	{ "NODE",	"node",		offsetof(struct log_ctx, node) },
	{ "SUBJECT",	"subject",	offsetof(struct log_ctx, subject) },
	{ "REQUEST_ID",	"request",	offsetof(struct log_ctx, request_id) },
	{ "HOLDER",	"holder",	offsetof(struct log_ctx, holder) },
	{ "CODE",	"code",		offsetof(struct log_ctx, code) },
	{ "OBJECT",	"object",	offsetof(struct log_ctx, object) },
	{ "ACTION",	"action",	offsetof(struct log_ctx, action) },
	{ "ACCOUNT",	"account",	offsetof(struct log_ctx, account) },
	{ "DURATION_US", "us",		offsetof(struct log_ctx, duration_us) },
	{ "MESSAGE_ID",	NULL,		offsetof(struct log_ctx, message_id) },
};

/* Its iovecs point into text, so it stays where it was made. */
struct entry {
	struct iovec	 iov[ARRAY_LEN(fields) + 4];
	int		 n;
	char		 text[ARRAY_LEN(fields) + 4][FIELD_MAX];
	char		 message[sizeof("MESSAGE=") + TEXT_MAX];
};

static const char *
field_of(const struct log_ctx *ctx, size_t i)
{
	const char *v;

	if (!ctx)
		return NULL;
	memcpy(&v, (const char *)ctx + fields[i].offset, sizeof(v));
	return v && v[0] != '\0' ? v : NULL;
}

static bool
journal_listens(void)
{
	const struct sockaddr_un sa = { .sun_family = AF_UNIX, .sun_path = JOURNAL_SOCKET };
	AUTO(fd) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return fd >= 0 && connect(fd, (const struct sockaddr *)&sa, sizeof(sa)) == 0;
}

void
log_open(const char *ident, int to_stderr)
{
	out.ident = ident;
	out.to_journal = !to_stderr && journal_listens();
}

void
log_level(int max_priority)
{
	atomic_store(&out.max_priority, max_priority);
}

void
log_register(log_sink_fn *sink, void *arg)
{
	out.sink = sink;
	out.sink_arg = arg;
}

/* Foreign text must not forge a line or move an operator's cursor. */
static void
flatten(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = ' ';
}

static void entry_add(struct entry *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void
entry_add(struct entry *e, const char *fmt, ...)
{
	va_list ap;
	char *at = e->text[e->n];
	int n;

	va_start(ap, fmt);
	n = vsnprintf(at, FIELD_MAX, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if (n >= FIELD_MAX)
		n = FIELD_MAX - 1;
	e->iov[e->n++] = (struct iovec){ .iov_base = at, .iov_len = (size_t)n };
}

static int
to_journal(int priority, const struct log_ctx *ctx, const char *text)
{
	struct entry e = { .n = 0 };

	(void)snprintf(e.message, sizeof(e.message), "MESSAGE=%s", text);
	entry_add(&e, "PRIORITY=%d", priority);
	entry_add(&e, "SYSLOG_IDENTIFIER=%s", out.ident);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const char *v = field_of(ctx, i);

		if (v)
			entry_add(&e, "%s=%s", fields[i].journal, v);
	}
	if (ctx && ctx->generation != 0)
		entry_add(&e, "GENERATION=%llu", (unsigned long long)ctx->generation);
	e.iov[e.n++] = (struct iovec){ .iov_base = e.message, .iov_len = strlen(e.message) };
	return sd_journal_sendv(e.iov, e.n);
}

static const char *
level_word(int priority)
{
	static const char *const words[] = {
		"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
	};

	return words[priority & LOG_PRIMASK];
}

static void line_add(char *line, size_t *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void
line_add(char *line, size_t *at, const char *fmt, ...)
{
	size_t room = LINE_MAX_BYTES - 1 - *at;		/* one byte is the newline's */
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line + *at, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		*at += (size_t)n < room ? (size_t)n : room - 1;
}

/* One write, so that the lines of threads and of daemons in one terminal do not mix. */
static void
to_stderr(int priority, const struct log_ctx *ctx, const char *text)
{
	const char *ident = out.ident ? out.ident : program_invocation_short_name;
	char stamp[CLOCK_TEXT_MAX], line[LINE_MAX_BYTES];
	const char *gap = " [";
	size_t n = 0;

	clock_to_text(clock_wall_ms(&clock_system), stamp);
	line_add(line, &n, "%s %s %s: %s", stamp, ident, level_word(priority), text);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const char *v = field_of(ctx, i);

		if (!v || !fields[i].line)
			continue;
		line_add(line, &n, "%s%s=%.*s", gap, fields[i].line, FIELD_MAX, v);
		gap = " ";
	}
	if (ctx && ctx->generation != 0) {
		line_add(line, &n, "%sgeneration=%llu", gap, (unsigned long long)ctx->generation);
		gap = " ";
	}
	if (gap[1] == '\0')
		line_add(line, &n, "]");
	flatten(line);
	line[n++] = '\n';
	/* There is nowhere to say that standard error is gone. */
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

/* One line of each request is what its subject or action says; its id makes it another's. */
static bool
may_repeat(int priority, const struct log_ctx *ctx)
{
	return priority < LOG_DEBUG && !(ctx && ctx->request_id && (ctx->subject || ctx->action));
}

/* How often this very line, its fields too, has come within a minute: see log_repeat.h. */
static struct log_count
count_line(int priority, const struct log_ctx *ctx, const char *text)
{
	uint64_t hash = log_repeat_hash(0, text);
	struct log_count n;

	if (!may_repeat(priority, ctx))
		return (struct log_count){ .times = 1 };
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const char *v = field_of(ctx, i);

		hash = log_repeat_hash(hash, v ? v : "");
	}
	pthread_mutex_lock(&out.mu);
	n = log_repeat_add(&out.lately, hash, clock_now_ms(&clock_system));
	pthread_mutex_unlock(&out.mu);
	return n;
}

/* At the end of a text that may fill all of its room. */
static void
say_count(char *text, struct log_count n)
{
	char count[sizeof(" (4294967295 times within a minute)")];
	size_t len = strlen(text), more;

	if (n.times > 1)
		(void)snprintf(count, sizeof(count), " (%u times within a minute)", n.times);
	else if (n.withheld > 0)
		(void)snprintf(count, sizeof(count), " (%u more like it)", n.withheld);
	else
		return;
	more = strlen(count);
	if (len + more >= TEXT_MAX)
		len = TEXT_MAX - 1 - more;
	memcpy(text + len, count, more + 1);
}

void
log_fields(int priority, const struct log_ctx *ctx, const char *fmt, ...)
{
	int saved_errno = errno;
	char text[TEXT_MAX];
	struct log_count n;
	va_list ap;

	if (priority > atomic_load_explicit(&out.max_priority, memory_order_relaxed))
		return;
	va_start(ap, fmt);
	if (vsnprintf(text, sizeof(text), fmt, ap) < 0)
		text[0] = '\0';
	va_end(ap);
	flatten(text);
	n = count_line(priority, ctx, text);
	errno = saved_errno;
	if (n.times == 0)
		return;
	say_count(text, n);
	if (out.sink)
		out.sink(out.sink_arg, priority, ctx, text);
	else if (!out.to_journal || to_journal(priority, ctx, text) < 0)
		to_stderr(priority, ctx, text);
	errno = saved_errno;
}

bool
log_may(struct log_limit *l, uint64_t now_ms, uint32_t *ret_withheld)
{
	if (now_ms < l->until_ms) {
		l->withheld++;
		return false;
	}
	*ret_withheld = l->withheld;
	*l = (struct log_limit){ .until_ms = now_ms + LIMIT_MS };
	return true;
}
