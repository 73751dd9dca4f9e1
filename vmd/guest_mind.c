#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/json.h"
#include "vmd/guest_impl.h"
#include "vmd/qmp_keep.h"

#define REASON_MAX	64
#define AGAIN_MS	1000	/* to the next question after one without an answer */
#define UNANSWERED_MAX	3	/* then a new connection is tried */

static void	 ask(struct guest *g);

/* ---- News ---- */

/* QEMU's word, made harmless. */
static const char *
word(char buf[static REASON_MAX], const char *s)
{
	size_t n = 0;

	for (; s && s[n] && n + 1 < REASON_MAX; n++)
		buf[n] = isalnum((unsigned char)s[n]) || s[n] == '-' ? s[n] : '?';
	buf[n] = '\0';
	return buf;
}

static bool
tell(struct guest *g, enum guest_what what, bool by_guest, const char *reason)
{
	return guest_tell(g, &(struct guest_news){ .what = what, .run = g->run,
	    .by_guest = by_guest, .reason = reason });
}

static bool MUST_CHECK
set_impaired(struct guest *g, bool is_impaired, const char *reason)
{
	if (g->is_impaired == is_impaired || g->phase != GUEST_MINDED)
		return true;
	g->is_impaired = is_impaired;
	return tell(g, is_impaired ? GUEST_IS_IMPAIRED : GUEST_ANSWERS, false, reason);
}

/* A start ends well here: halted before its first instruction. */
static bool
take_first_status(struct guest *g, const char *status)
{
	char why[GUEST_WHY_MAX], w[REASON_MAX];

	g->run = guest_run_from_status(status);
	if (g->run == GUEST_RUN_PRELAUNCH) {
		g->phase = GUEST_MINDED;
		loop_timer_off(g->limit);
		return guest_settled(g, 0, "");
	}
	(void)snprintf(why, sizeof(why), "QEMU began in run state %s", word(w, status));
	guest_fail(g, -ECHILD, why);
	return false;
}

static bool MUST_CHECK
take_status(struct guest *g, const char *status)
{
	const enum guest_run run = guest_run_from_status(status);
	char w[REASON_MAX];

	if (g->phase == GUEST_OPENING)
		return take_first_status(g, status);
	if (run == g->run)
		return true;
	g->run = run;
	if (run == GUEST_RUN_RUNNING)
		return tell(g, GUEST_IS_RUNNING, false, "");
	/* Its event was sent while nobody was connected.  A host's quit ends the process, so
	 * one that waits here was shut down from inside. */
	if (run == GUEST_RUN_SHUTDOWN)
		return tell(g, GUEST_HAS_SHUT_DOWN, true, "missed");
	return tell(g, GUEST_HAS_STOPPED, false, word(w, status));
}

/* ---- query-status: after each connect, after events, and when it has been quiet ---- */

static void
take_silence(struct guest *g)
{
	if (!set_impaired(g, true, "QEMU does not answer"))
		return;
	loop_timer_in(g->probe, AGAIN_MS);
	if (++g->unanswered >= UNANSWERED_MAX) {
		g->unanswered = 0;
		qmp_reconnect(g->qmp, "QMP: no answers");
	}
}

static void
take_answer(struct guest *g, const char *status)
{
	g->unanswered = 0;
	loop_timer_in(g->probe, GUEST_PROBE_MS);
	if (!status) {
		qmp_reconnect(g->qmp, "QMP: query-status tells no status");
		return;
	}
	if (!set_impaired(g, false, "") || !take_status(g, status))
		return;
	if (g->ask_again)
		ask(g);
}

static void
on_status(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest *g = arg;

	g->is_asking = false;
	guest_hold(g);
	if (r == -ETIMEDOUT)
		take_silence(g);
	else if (r != -ECONNRESET)	/* on_lost has that */
		take_answer(g, r == 0 ? json_text(answer, "status") : NULL);
	guest_drop(g);
}

static void
ask(struct guest *g)
{
	g->ask_again = g->is_asking;
	if (g->is_asking)
		return;
	/* When it cannot be asked now, the probe's turn comes. */
	g->is_asking = qmp_call(g->qmp, "query-status", NULL, QMP_CALL_MS, on_status, g) == 0;
}

/* ---- query-block: after each connect, and when a disk has failed ---- */

static void
on_disks(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest *g = arg;
	char reason[2 * REASON_MAX + 2], name[REASON_MAX], what[REASON_MAX];
	const cJSON *disk, *disks = r == 0 ? answer : NULL;

	g->is_asking_disks = false;
	guest_hold(g);
	cJSON_ArrayForEach(disk, disks) {
		const char *status = json_text(disk, "io-status");

		if (!status || strcmp(status, "ok") == 0 || g->freed || g->phase != GUEST_MINDED)
			continue;
		(void)snprintf(reason, sizeof(reason), "%s: %s",
		    word(name, json_text(json_member(disk, "inserted"), "node-name")),
		    word(what, status));
		(void)!tell(g, GUEST_DISK_IS_BAD, false, reason);
	}
	guest_drop(g);
}

/* Without an answer: the next connection, or error, asks again. */
static void
ask_disks(struct guest *g)
{
	if (!g->is_asking_disks)
		g->is_asking_disks = qmp_call(g->qmp, "query-block", NULL, QMP_CALL_MS, on_disks,
		    g) == 0;
}

static void
on_probe(void *arg)
{
	struct guest *g = arg;

	guest_hold(g);
	if (!qmp_is_ready(g->qmp)) {
		if (!set_impaired(g, true, "no QMP connection"))
			goto out;
	} else {
		ask(g);
	}
	loop_timer_in(g->probe, GUEST_PROBE_MS);
out:
	guest_drop(g);
}

/* ---- The connection ---- */

static void
on_ready(void *arg)
{
	struct guest *g = arg;

	g->unanswered = 0;
	loop_timer_in(g->probe, GUEST_PROBE_MS);
	qmp_keep_store(g->env->keep, g->instance, qmp_fd(g->qmp));
	ask(g);
	ask_disks(g);
}

static void
on_lost(void *arg, const char *why)
{
	struct guest *g = arg;

	qmp_keep_forget(g->env->keep, g->instance);
	loop_timer_in(g->probe, GUEST_SILENT_MS);
}

static void
on_event(void *arg, const char *name, const cJSON *data)
{
	static const char *const asked[] = { "BLOCK_IO_ERROR", "GUEST_PANICKED", "RESUME", "STOP",
	    "SUSPEND", "WAKEUP" };
	struct guest *g = arg;
	const char *reason = json_text(data, "reason");
	const bool by_guest = cJSON_IsTrue(json_member(data, "guest"));
	char w[REASON_MAX];

	if (g->phase != GUEST_MINDED)
		return;
	guest_hold(g);
	if (strcmp(name, "SHUTDOWN") == 0 && g->run != GUEST_RUN_SHUTDOWN) {
		g->run = GUEST_RUN_SHUTDOWN;
		(void)!tell(g, GUEST_HAS_SHUT_DOWN, by_guest, word(w, reason));
	} else if (strcmp(name, "RESET") == 0) {
		(void)!tell(g, GUEST_WAS_RESET, by_guest, word(w, reason));
	} else if (strcmp(name, "DEVICE_DELETED") == 0) {
		guest_disk_deleted(g);
	} else if (strcmp(name, "BLOCK_IO_ERROR") == 0) {
		ask_disks(g);
	}
	for (size_t i = 0; !g->freed && i < ARRAY_LEN(asked); i++)
		if (strcmp(name, asked[i]) == 0)
			ask(g);
	guest_drop(g);
}

int
guest_mind_init(struct guest *g)
{
	return loop_timer_new(g->env->loop, on_probe, g, &g->probe);
}

int
guest_mind(struct guest *g)
{
	static const struct qmp_handlers handlers = {
		.on_ready = on_ready, .on_event = on_event, .on_lost = on_lost,
	};
	char path[QEMU_SOCKET_MAX + 1];
	int r = file_path(path, sizeof(path), "%s/sock/qmp", g->dir), fd;

	if (r == 0)
		r = qmp_open(g->env->loop, path, g->pid, &handlers, g, &g->qmp);
	if (r < 0)
		return r;
	fd = qmp_keep_take(g->env->keep, g->instance);
	if (fd >= 0)
		qmp_resume(g->qmp, fd);
	loop_timer_in(g->probe, GUEST_SILENT_MS);
	return 0;
}

void
guest_unmind(struct guest *g)
{
	struct guest_command *c;

	loop_timer_off(g->probe);
	qmp_keep_give(g->env->keep, g->instance, qmp_leave(g->qmp));
	g->qmp = NULL;
	g->is_asking = g->ask_again = g->is_asking_disks = false;
	while ((c = TAILQ_FIRST(&g->commands))) {
		TAILQ_REMOVE(&g->commands, c, link);
		free(c);
	}
	guest_disk_forget(g);
}

bool
guest_mind_ended(struct guest *g)
{
	bool is_there;

	g->run = GUEST_RUN_ENDED;
	guest_hold(g);
	if (g->qmp)
		qmp_reconnect(g->qmp, "QEMU has ended");	/* who waits is told */
	if (!g->freed)
		guest_disk_ended(g);
	is_there = !g->freed;
	if (is_there)
		guest_unmind(g);
	guest_drop(g);
	return is_there;
}

/* ---- Commands ---- */

static void
on_command(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_command *c = arg;
	struct guest *g = c->g;
	guest_done_fn *done = c->done;
	void *done_arg = c->arg;

	TAILQ_REMOVE(&g->commands, c, link);
	free(c);
	if (done)
		done(done_arg, g, r == -ECONNRESET && g->run == GUEST_RUN_ENDED ? -ESRCH : r, why);
}

/* 0, or why no command can be given. */
int
guest_check_minded(const struct guest *g)
{
	if (g->phase == GUEST_OVER || g->run == GUEST_RUN_ENDED)
		return -ESRCH;
	return g->qmp && g->phase == GUEST_MINDED ? 0 : -ENOTCONN;
}

static int
command(struct guest *g, const char *name, guest_done_fn *done, void *arg)
{
	struct guest_command *c;
	int r = guest_check_minded(g);

	if (r < 0)
		return r;
	c = malloc(sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct guest_command){ .g = g, .done = done, .arg = arg };
	r = qmp_call(g->qmp, name, NULL, QMP_CALL_MS, on_command, c);
	if (r < 0)
		free(c);
	else
		TAILQ_INSERT_TAIL(&g->commands, c, link);
	return r;
}

int
guest_cont(struct guest *g, guest_done_fn *done, void *arg)
{
	return command(g, "cont", done, arg);
}

int
guest_power_down(struct guest *g, guest_done_fn *done, void *arg)
{
	return command(g, "system_powerdown", done, arg);
}

int
guest_reset(struct guest *g, guest_done_fn *done, void *arg)
{
	return command(g, "system_reset", done, arg);
}

int
guest_quit(struct guest *g, guest_done_fn *done, void *arg)
{
	return command(g, "quit", done, arg);
}
