#include "vmd/guest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>

#include "common/file.h"
#include "vmd/guest_impl.h"

#define AGAIN_MS	500	/* to the next try when no job can be had */

static void	 submit_end(struct guest *g);

/* ---- Lifetime ---- */

void
guest_hold(struct guest *g)
{
	g->refs++;
}

/* noinline: gcc would see a free and not the count that guards it. */
void __attribute__((noinline))
guest_drop(struct guest *g)
{
	if (--g->refs > 0)
		return;
	loop_timer_free(g->limit);
	loop_timer_free(g->probe);
	free(g->dir);
	free(g->lock);
	free(g->deadline);
	free(g);
}

/* No process is watched any more. */
static void
detach(struct guest *g)
{
	loop_io_free(g->qemu_io);
	loop_io_free(g->guard_io);
	g->qemu_io = g->guard_io = NULL;
	if (g->qemu_fd >= 0)
		close(g->qemu_fd);
	if (g->guard_fd >= 0)
		close(g->guard_fd);
	g->qemu_fd = g->guard_fd = -1;
}

void
guest_free(struct guest *g)
{
	if (!g || g->freed)
		return;
	g->freed = true;
	guest_unmind(g);
	loop_timer_off(g->limit);
	detach(g);
	guest_drop(g);
}

bool
guest_tell(struct guest *g, const struct guest_news *n)
{
	bool is_there;

	guest_hold(g);
	g->news(g->arg, g, n);
	is_there = !g->freed;
	guest_drop(g);
	return is_there;
}

bool
guest_settled(struct guest *g, int r, const char *why)
{
	guest_done_fn *done = g->done;
	bool is_there;

	g->done = NULL;
	guest_hold(g);
	done(g->arg, g, r, why);
	is_there = !g->freed;
	guest_drop(g);
	return is_there;
}

static void
on_limit(void *arg)
{
	struct guest *g = arg;

	if (g->phase == GUEST_OPENING)
		guest_fail(g, -ETIMEDOUT, "QEMU did not answer on QMP in time");
	else if (!g->qemu_io && !g->guard_io)
		submit_end(g);
}

static int
new_timers(struct guest *g)
{
	int r = loop_timer_new(g->env->loop, on_limit, g, &g->limit);

	return r < 0 ? r : guest_mind_init(g);
}

int
guest_new(const struct guest_env *env, const struct guest_place *at, guest_news_fn *news,
    guest_done_fn *done, void *arg, struct guest **ret)
{
	struct guest *g = calloc(1, sizeof(*g));
	int r;

	if (!g)
		return -ENOMEM;
	*g = (struct guest){ .env = env, .news = news, .done = done, .arg = arg, .refs = 1,
	    .qemu_fd = -1, .guard_fd = -1, .dir = strdup(at->dir), .lock = strdup(at->lock),
	    .deadline = at->deadline ? strdup(at->deadline) : NULL };
	TAILQ_INIT(&g->commands);
	TAILQ_INIT(&g->pluggings);
	r = !g->dir || !g->lock || (at->deadline && !g->deadline) ? -ENOMEM : 0;
	if (r == 0)
		r = file_path(g->instance, sizeof(g->instance), "%s", at->instance);
	if (r == 0)
		r = file_path(g->console, sizeof(g->console), "%s/sock/console", at->dir);
	if (r == 0)
		r = file_path(g->monitor, sizeof(g->monitor), "%s/sock/monitor", at->dir);
	if (r == 0)
		r = new_timers(g);
	if (r < 0) {
		guest_drop(g);
		return r;
	}
	*ret = g;
	return 0;
}

/* ---- Jobs ---- */

void
guest_job_free(struct guest_job *j)
{
	free(j->qemu_argv);
	free(j->argv);
	free(j);
}

void
guest_job_drop(void *job)
{
	struct guest_job *j = job;

	if (j->found.qemu_fd >= 0)
		close(j->found.qemu_fd);
	if (j->found.guard_fd >= 0)
		close(j->found.guard_fd);
	guest_drop(j->g);
	guest_job_free(j);
}

struct guest_job *
guest_job_new(struct guest *g)
{
	struct guest_job *j = calloc(1, sizeof(*j));

	if (j) {
		j->found.qemu_fd = j->found.guard_fd = -1;
		j->g = g;
	}
	return j;
}

int
guest_job_submit(struct guest_job *j, job_run_fn *run, job_done_fn *done)
{
	struct guest *g = j->g;
	int r = jobs_submit(g->env->jobs, g->instance, run, done, g, j, guest_job_drop);

	if (r < 0)
		guest_job_free(j);
	else
		guest_hold(g);
	return r;
}

/* ---- The end ---- */

static void
run_end(void *job)
{
	struct guest_job *j = job;

	guest_world_end(j->launch.dir, j->launch.lock, j->launch.launch_id, &j->end, j->why);
}

static void
on_end_known(void *arg, void *job)
{
	struct guest *g = arg;
	struct guest_job *j = job;
	struct guest_news n = { .what = GUEST_HAS_EXITED, .run = GUEST_RUN_ENDED,
	    .reason = j->why, .end = j->end };

	g->end = j->end;
	g->has_end = true;
	if (!g->freed && g->done)	/* a start; its own reason before QEMU's words */
		(void)!guest_settled(g, g->fail_r ? g->fail_r : -ECHILD,
		    g->fail_r ? g->fail_why : j->why);
	else if (!g->freed)
		(void)!guest_tell(g, &n);
	guest_drop(g);
	guest_job_free(j);
}

static void
submit_end(struct guest *g)
{
	struct guest_job *j = guest_job_new(g);

	if (j) {
		j->launch.dir = g->dir;
		j->launch.lock = g->lock;
		j->launch.launch_id = g->launch_id;
	}
	if (!j || guest_job_submit(j, run_end, on_end_known) < 0)
		loop_timer_in(g->limit, AGAIN_MS);
}

/* Both processes are gone, so the lock is free and the status written, or never will be. */
static void
take_end(struct guest *g)
{
	guest_hold(g);
	loop_timer_off(g->limit);
	if (guest_mind_ended(g)) {
		g->phase = GUEST_OVER;
		submit_end(g);
	}
	guest_drop(g);
}

static void
on_qemu_gone(void *arg, uint32_t revents)
{
	struct guest *g = arg;

	loop_io_free(g->qemu_io);
	g->qemu_io = NULL;
	if (!g->guard_io)
		take_end(g);
}

static void
on_guard_gone(void *arg, uint32_t revents)
{
	struct guest *g = arg;

	loop_io_free(g->guard_io);
	g->guard_io = NULL;
	if (!g->qemu_io)
		take_end(g);
}

int
guest_attach(struct guest *g, const struct guest_found *f)
{
	int r = 0;

	g->qemu_fd = f->qemu_fd;
	g->guard_fd = f->guard_fd;
	g->pid = (pid_t)f->id.pid;
	memcpy(g->launch_id, f->id.launch_id, sizeof(g->launch_id));
	if (g->qemu_fd >= 0)
		r = loop_io_new(g->env->loop, g->qemu_fd, EPOLLIN, on_qemu_gone, g, &g->qemu_io);
	if (r == 0 && g->guard_fd >= 0)
		r = loop_io_new(g->env->loop, g->guard_fd, EPOLLIN, on_guard_gone, g,
		    &g->guard_io);
	if (r == 0)
		r = guest_mind(g);
	if (r < 0)
		detach(g);
	return r;
}

void
guest_fail(struct guest *g, int r, const char *why)
{
	g->phase = GUEST_FAILING;
	g->fail_r = r;
	(void)snprintf(g->fail_why, sizeof(g->fail_why), "%s", why);
	loop_timer_off(g->limit);
	guest_unmind(g);
	(void)guest_kill(g);	/* gone already: its end is on the way */
}

int
guest_kill(struct guest *g)
{
	if (!g->qemu_io)
		return -ESRCH;
	return pidfd_send_signal(g->qemu_fd, SIGKILL, NULL, 0) < 0 ? -errno : 0;
}

/* ---- What is known ---- */

const char *
guest_launch_id(const struct guest *g)
{
	return g->launch_id;
}

pid_t
guest_pid(const struct guest *g)
{
	return g->qemu_io ? g->pid : 0;
}

enum guest_run
guest_run_of(const struct guest *g)
{
	return g->run;
}

bool
guest_is_impaired(const struct guest *g)
{
	return g->is_impaired;
}

const char *
guest_console_path(const struct guest *g)
{
	return g->console;
}

const char *
guest_monitor_path(const struct guest *g)
{
	return g->monitor;
}

bool
guest_end_of(const struct guest *g, struct guest_end *ret)
{
	if (g->has_end)
		*ret = g->end;
	return g->has_end;
}
