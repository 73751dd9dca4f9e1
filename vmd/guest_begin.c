#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/ident.h"
#include "vmd/guest_impl.h"

/* ---- The start ---- */

static void
run_start(void *job)
{
	struct guest_job *j = job;

	j->r = guest_world_start(&j->launch, &j->found, j->why);
}

static void
on_started(void *arg, void *job)
{
	struct guest *g = arg;
	struct guest_job *j = job;
	int r = j->r;

	if (g->freed) {		/* nobody minds it: as after a death of vmd */
		guest_job_drop(j);
		return;
	}
	if (r == 0) {
		g->phase = GUEST_OPENING;
		loop_timer_in(g->limit, GUEST_START_MS);
		r = guest_attach(g, &j->found);
		j->found.qemu_fd = j->found.guard_fd = -1;
		if (r < 0) {
			(void)snprintf(j->why, sizeof(j->why), "QEMU runs, but cannot be watched");
			r = -EBUSY;
		}
	}
	if (r < 0) {
		loop_timer_off(g->limit);
		g->phase = GUEST_OVER;
		(void)!guest_settled(g, r, j->why);
	}
	guest_job_drop(j);
}

/* One option with its value; the value stays in the job. */
static size_t PRINTF_LIKE(4, 5)
add_option(struct guest_net_args *a, const char **head, const char *option, const char *fmt, ...)
{
	char *value = a->text[a->n++];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(value, sizeof(a->text[0]), fmt, ap);
	va_end(ap);
	head[0] = option;
	head[1] = value;
	return 2;
}

/* How many of head were written. */
static size_t
add_network(struct guest_net_args *a, const char **head, const struct guest_env *env,
    const struct qemu_spec *spec)
{
	const struct net_port *p = spec->net;
	size_t n = 0;

	if (!p || p->mode == NET_ISOLATED)
		return 0;
	n += add_option(a, head + n, "-n", "%s%s", p->mode == NET_BRIDGE ? "bridge:" : "outbound",
	    p->bridge);
	n += add_option(a, head + n, "-m", "%s", spec->mac);
	n += add_option(a, head + n, "-a", "%s/%u", spec->address, spec->prefix);
	if (p->dns)
		n += add_option(a, head + n, "-r", "%u.%u.%u.%u", p->dns >> 24,
		    p->dns >> 16 & 255, p->dns >> 8 & 255, p->dns & 255);
	if (spec->forward_to)
		n += add_option(a, head + n, "-f", "%u:%u", spec->forward_from,
		    spec->forward_to);
	for (uint32_t i = 0; i < p->ndeny; i++) {
		char block[CIDR_TEXT_MAX];

		cidr_print(&p->deny[i], block);
		n += add_option(a, head + n, "-x", "%s", block);
	}
	head[n++] = "-p";
	head[n++] = env->passt;
	return n;
}

/* vmguard's command line: its own options, then QEMU's. */
static int
build_argv(struct guest_job *j, const struct guest_env *env, const struct qemu_spec *spec)
{
	const struct guest *g = j->g;
	const char *head[16 + GUEST_NET_ARGS], *status = j->text[0];
	size_t n = 0, nqemu = 0;

	if (file_path(j->text[0], sizeof(j->text[0]), "%s/status", g->dir) < 0)
		return -ENAMETOOLONG;
	(void)snprintf(j->text[1], sizeof(j->text[1]), "%u", env->uid);
	(void)snprintf(j->text[2], sizeof(j->text[2]), "%u", env->gid);
	(void)snprintf(j->text[3], sizeof(j->text[3]), "%u", env->kvm_gid);
	const char *const own[] = { env->guard, "-i", g->launch_id, "-l", g->lock, "-s", status,
	    "-u", j->text[1], "-g", j->text[2] };

	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		head[n++] = own[i];
	if (spec->accel == ACCEL_WITH_KVM && env->kvm_gid != (gid_t)-1) {
		head[n++] = "-G";
		head[n++] = j->text[3];
	}
	if (g->deadline) {
		head[n++] = "-d";
		head[n++] = g->deadline;
	}
	n += add_network(&j->net, head + n, env, spec);
	head[n++] = "--";
	while (j->qemu_argv[nqemu])
		nqemu++;
	j->argv = calloc(n + nqemu + 1, sizeof(*j->argv));
	if (!j->argv)
		return -ENOMEM;
	memcpy(j->argv, head, n * sizeof(*head));
	memcpy(j->argv + n, j->qemu_argv, nqemu * sizeof(*j->argv));
	return 0;
}

static int
submit_start(struct guest *g, const struct qemu_spec *spec, char why[static GUEST_WHY_MAX])
{
	struct guest_job *j = guest_job_new(g);
	int r;

	if (!j)
		return -ENOMEM;
	r = qemu_args_new(spec, &j->qemu_argv, why);
	if (r == 0)
		r = build_argv(j, g->env, spec);
	if (r < 0) {
		guest_job_free(j);
		return r;
	}
	j->launch = (struct guest_launch){ .dir = g->dir, .lock = g->lock,
	    .launch_id = g->launch_id, .boot_id = g->env->boot_id, .uid = g->env->uid,
	    .gid = g->env->gid, .argv = j->argv };
	return guest_job_submit(j, run_start, on_started);
}

int
guest_start(const struct guest_env *env, const struct guest_place *at, const char *launch_id,
    const struct qemu_spec *spec, guest_news_fn *news, guest_done_fn *done, void *arg,
    struct guest **ret, char why[static GUEST_WHY_MAX])
{
	struct guest *g;
	int r;

	if (!ident_is_token(launch_id) || strlen(launch_id) >= sizeof(g->launch_id) ||
	    strcmp(at->dir, spec->dir) != 0) {
		(void)snprintf(why, GUEST_WHY_MAX, "a launch id has 1 to 36 of A-Z a-z 0-9 _ -");
		return -EINVAL;
	}
	r = guest_new(env, at, news, done, arg, &g);
	if (r == 0) {
		memcpy(g->launch_id, launch_id, strlen(launch_id) + 1);
		why[0] = '\0';
		r = submit_start(g, spec, why);
		if (r < 0)
			guest_free(g);
	}
	if (r < 0) {
		if (why[0] == '\0')
			(void)snprintf(why, GUEST_WHY_MAX, "%s", strerror(-r));
		return r;
	}
	*ret = g;
	return 0;
}

/* ---- Adoption ---- */

static void
run_find(void *job)
{
	struct guest_job *j = job;

	j->r = guest_world_find(j->launch.lock, j->launch.boot_id, &j->found);
	if (j->r == -ESRCH)
		j->has_end = guest_world_last_end(j->launch.dir, &j->end);
}

static const char *
find_why(int r)
{
	return r == 0 ? "" : r == -ESRCH ? "no QEMU runs" :
	    r == -EAGAIN ? "the lock is held, but names no process" : strerror(-r);
}

static void
on_found(void *arg, void *job)
{
	struct guest *g = arg;
	struct guest_job *j = job;
	int r = j->r;

	if (g->freed) {
		guest_job_drop(j);
		return;
	}
	if (r == 0) {
		g->phase = GUEST_MINDED;
		r = guest_attach(g, &j->found);
		j->found.qemu_fd = j->found.guard_fd = -1;
	}
	if (r < 0)
		g->phase = GUEST_OVER;
	g->end = j->end;
	g->has_end = j->has_end;
	(void)!guest_settled(g, r, find_why(r));
	guest_job_drop(j);
}

int
guest_adopt(const struct guest_env *env, const struct guest_place *at, guest_news_fn *news,
    guest_done_fn *done, void *arg, struct guest **ret)
{
	struct guest_job *j;
	struct guest *g;
	int r = guest_new(env, at, news, done, arg, &g);

	if (r < 0)
		return r;
	j = guest_job_new(g);
	r = -ENOMEM;
	if (j) {
		j->launch = (struct guest_launch){ .dir = g->dir, .lock = g->lock,
		    .boot_id = env->boot_id };
		r = guest_job_submit(j, run_find, on_found);
	}
	if (r < 0) {
		guest_free(g);
		return r;
	}
	*ret = g;
	return 0;
}
