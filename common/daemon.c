#include "common/daemon.h"

#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sysexits.h>
#include <systemd/sd-daemon.h>

#include "common/connect.h"
#include "common/file.h"
#include "common/msgid.h"

#define CONF_DEFAULT	"/etc/spinifex/spinifex.conf"
#define JOBS_QUEUED_MAX	4096
#define STACK_BYTES	(512 * 1024)	/* of a library's threads; ours say their own */
#define MMAP_THRESHOLD	(1024 * 1024)
#define TRIM_THRESHOLD	(2048 * 1024)

struct options {
	const char	*conf;
	bool		 to_stderr, check, print, verbose, mode, help;
	int		 argc;		/* what follows the options */
	char		**argv;
};

/* One run of one daemon. */
struct run {
	const struct daemon_spec	*spec;
	struct options			 opt;
	struct conf_table		 tables[2];
	void				*conf;
	void				*self;		/* the daemon's struct */
	struct daemon			*d;		/* its first member */
	char				*why;		/* of a step that failed; NULL: errno says it */
	int				 lock_fd;	/* of this daemon on this node; -1: none */
	bool				 told_nats;	/* the log has said how NATS is */
	bool				 is_serving;	/* the loop turns for the daemon */
	bool				 is_stopping;	/* by its own stop */
};

/* ---- options and configuration ---- */

static void
print_usage(FILE *f, const struct daemon_spec *spec)
{
	fprintf(f, "usage: %s [-dhnpv]%s%s%s [-c file]\n", spec->name,
	    spec->mode_option ? " [-" : "", spec->mode_option ? spec->mode_option : "",
	    spec->mode_option ? " ...]" : "");
}

static bool
take_option(struct options *o, int c, const struct daemon_spec *spec)
{
	switch (c) {
	case 'c':
		o->conf = optarg;
		return true;
	case 'd':
		return o->to_stderr = true;
	case 'h':
		return o->help = true;
	case 'n':
		return o->check = true;
	case 'p':
		return o->print = true;
	case 'v':
		return o->verbose = true;
	default:
		if (!spec->mode_option || c != spec->mode_option[0])
			return false;
		return o->mode = true;
	}
}

static bool
parse_options(int argc, char **argv, const struct daemon_spec *spec, struct options *ret)
{
	char letters[16];
	int c;

	if (file_path(letters, sizeof(letters), "+c:dhnpv%s",
	    spec->mode_option ? spec->mode_option : "") < 0)
		abort();
	*ret = (struct options){ .conf = CONF_DEFAULT };
	while ((c = getopt(argc, argv, letters)) != -1)
		if (!take_option(ret, c, spec))
			return false;
	ret->argc = argc - optind;
	ret->argv = argv + optind;
	return (!ret->print || ret->check) && (ret->mode || ret->argc == 0);
}

static int
load_conf(struct run *r)
{
	AUTO(str) char *why = NULL;
	char doubt[256] = "";
	int e = conf_load(r->opt.conf, r->spec->name, r->tables, 2, r->conf, &why);

	if (e < 0) {
		fprintf(stderr, "%s\n", why ? why : strerror(-e));
		return e;
	}
	if (!r->spec->check)
		return 0;
	e = r->spec->check(r->conf, doubt, sizeof(doubt));
	if (e < 0)
		fprintf(stderr, "%s: %s\n", r->opt.conf, doubt);
	return e;
}

static int
check_only(const struct run *r)
{
	if (r->opt.print)
		conf_print(stdout, r->spec->name, r->tables, 2, r->conf);
	else
		fprintf(stderr, "%s: configuration OK\n", r->opt.conf);
	return fflush(stdout) == 0 ? EX_OK : EXIT_FAILURE;
}

/* ---- steps ---- */

/* Takes steps until one fails; *ret_done is how many did not. */
static int
go_up(const struct run *r, const struct daemon_step *steps, size_t n, void *self,
    size_t *ret_done)
{
	size_t i = 0;
	int e = 0;

	for (; i < n; i++) {
		e = steps[i].up(self);
		if (e < 0) {
			log_err("cannot %s: %s", steps[i].what,
			    r->why ? r->why : strerror(-e));
			break;
		}
	}
	*ret_done = i;
	return e;
}

static void
go_down(const struct daemon_step *steps, size_t done, void *self)
{
	while (done-- > 0)
		if (steps[done].down)
			steps[done].down(self);
}

static void
on_stop_signal(void *arg, int signo)
{
	struct run *r = arg;

	log_info("stopping on SIG%s", sigabbrev_np(signo));
	if (r->spec->stop && r->is_serving && !r->is_stopping) {
		r->is_stopping = true;
		r->spec->stop(r->self);
		return;
	}
	loop_exit(r->d->loop, 0);
}

/*
 * SIGHUP: the file is read again for log_level alone, and a file that would stop a start changes
 * nothing.  The line about it is let through by every level.  The daemon's own reload follows.
 */
static void
on_hangup(void *arg, int signo)
{
	struct run *r = arg;
	AUTO(mem) void *space = calloc(1, r->spec->conf_size);
	AUTO(str) char *why = NULL;
	const struct conf_common *now = space;
	int level;

	if (!space || conf_load(r->opt.conf, r->spec->name, r->tables, 2, space, &why) < 0) {
		log_err("the log level stays: %s", why ? why : strerror(ENOMEM));
		return;
	}
	if (r->spec->reload && r->is_serving)
		r->spec->reload(r->self);
	level = r->opt.verbose ? LOG_DEBUG : conf_log_priority(now);
	log_level(LOG_NOTICE);
	log_notice("the log level is %s; all else is read at a start",
	    r->opt.verbose ? "debug, by -v" : conf_log_word(now));
	log_level(level);
}

/* Before any thread, so that each inherits the mask. */
static int
open_loop(void *self)
{
	struct run *r = self;
	int e = loop_new(&r->d->loop);

	if (e == 0)
		e = loop_signal(r->d->loop, SIGTERM, on_stop_signal, r);
	if (e == 0)
		e = loop_signal(r->d->loop, SIGINT, on_stop_signal, r);
	if (e == 0)
		e = loop_signal(r->d->loop, SIGHUP, on_hangup, r);
	if (e < 0) {
		loop_free(r->d->loop);
		return e;
	}
	/* A peer that is gone is an error of write. */
	return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -errno : 0;
}

static void
close_loop(void *self)
{
	struct run *r = self;

	loop_free(r->d->loop);
}

/*
 * One daemon of a kind to a state folder: what it keeps there, and the order of its jobs, are
 * its own.  What it spawns does not inherit the lock, so it is free the moment it is gone.
 */
static int
lock_state(struct run *r)
{
	char path[PATH_MAX];
	int e = file_path(path, sizeof(path), "%s/%s.lock", r->d->conf->state_dir, r->spec->name);

	if (e == 0)
		e = r->lock_fd = file_lock(path);
	if (e == -EWOULDBLOCK && asprintf(&r->why, "%s: another %s is using it", path,
	    r->spec->name) < 0)
		r->why = NULL;
	return e < 0 ? e : 0;
}

static void
close_state(void *self)
{
	struct run *r = self;

	if (r->lock_fd >= 0)
		close(r->lock_fd);
}

static int
open_state(void *self)
{
	struct run *r = self;
	int e = file_make_dirs(r->d->conf->state_dir, 0755);

	if (e == 0 && !r->opt.mode)
		e = lock_state(r);
	if (e == 0)
		e = file_boot_id(r->d->boot_id);
	if (e < 0)
		close_state(r);
	return e;
}

/* One line for `systemctl status`: what the daemon waits for, or that it serves. */
static void
tell_status(void *arg)
{
	struct run *r = arg;
	const char *trouble = r->d->kv ? kv_trouble(r->d->kv) : NULL;

	(void)sd_notifyf(0, "STATUS=%s", !bus_is_up(r->d->bus) ?
	    "no connection to NATS; trying again until there is one" :
	    trouble ? trouble : "serving");
}

static void
on_nats(void *arg, bool up)
{
	struct run *r = arg;

	if (up)
		log_notice("connected to NATS");
	else if (r->told_nats)
		log_warning("no connection to NATS; trying again until there is one");
	else
		log_info("waiting for NATS");
	r->told_nats = true;
	tell_status(r);
}

static int
open_bus(void *self)
{
	struct run *r = self;
	int e = connect_new(r->d->loop, r->d->conf, r->spec->name, &r->d->bus, &r->why);

	if (e < 0)
		return e;
	e = bus_on_state(r->d->bus, on_nats, r);
	if (e < 0)
		bus_free(r->d->bus);
	return e;
}

static void
close_bus(void *self)
{
	struct run *r = self;

	bus_free(r->d->bus);
}

static void
on_alarm(void *arg, struct bucket *b, const char *why)
{
	const struct log_ctx ctx = { .object = bucket_name(b),
	    .message_id = bucket_went_back(b) ? MSG_STORE_WENT_BACK : MSG_BUCKET_LOST };

	if (why)
		log_fields(LOG_ERR, &ctx, "%s", why);
	else
		log_fields(LOG_NOTICE, &(const struct log_ctx){ .object = bucket_name(b) },
		    "bucket %s is well again", bucket_name(b));
}

static int
open_kv(void *self)
{
	struct run *r = self;
	struct kv_conf conf = { .state_dir = r->d->conf->state_dir,
	    .cluster_size = r->d->conf->cluster_size, .node_ttl_ms = r->d->conf->node_ttl_ms };
	int e = kv_new(r->d->bus, &conf, &r->d->kv);

	if (e < 0)
		return e;
	kv_on_alarm(r->d->kv, on_alarm, r);
	kv_on_change(r->d->kv, tell_status, r);
	return 0;
}

static void
close_kv(void *self)
{
	struct run *r = self;

	kv_free(r->d->kv);
	r->d->kv = NULL;
}

static int
open_held(void *self)
{
	struct run *r = self;

	return held_new(r->d->bus, r->d->kv, r->d->conf->node, r->spec->name, &r->d->held);
}

static void
close_held(void *self)
{
	struct run *r = self;

	held_free(r->d->held);
}

static int
open_jobs(void *self)
{
	struct run *r = self;

	if (r->spec->threads == 0)
		return 0;
	return jobs_new(r->d->loop, r->spec->threads, JOBS_QUEUED_MAX, &r->d->jobs);
}

static void
close_jobs(void *self)
{
	struct run *r = self;

	jobs_free(r->d->jobs);
}

static const struct daemon_step base[] = {
	{ "open the event loop",	open_loop,	close_loop },
	{ "use the state folder",	open_state,	close_state },
	{ "set up the bus",		open_bus,	close_bus },
	{ "set up the buckets",		open_kv,	close_kv },
	{ "say what is held",		open_held,	close_held },
	{ "start the job pool",		open_jobs,	close_jobs },
};

/* ---- the run ---- */

/* Memory that start-up alone needed goes back before the long wait. */
static int
serve(struct run *r)
{
	int e = loop_watchdog(r->d->loop);

	if (e < 0) {
		log_err("cannot feed the watchdog: %s", strerror(-e));
		return EXIT_FAILURE;
	}
	(void)sd_notify(0, "READY=1");		/* without a manager there is nobody to tell */
	tell_status(r);
	log_fields(LOG_INFO, &(const struct log_ctx){ .node = r->d->conf->node }, "ready on node %s",
	    r->d->conf->node);
	malloc_trim(0);
	r->is_serving = true;
	e = loop_run(r->d->loop);
	r->is_serving = false;
	(void)sd_notify(0, "STOPPING=1\nSTATUS=stopping");
	if (e < 0)
		log_err("the event loop failed: %s", strerror(-e));
	return e < 0 ? EXIT_FAILURE : e;
}

/* With the base up: the steps, the wait, the steps down. */
static int
run_steps(struct run *r)
{
	const struct daemon_spec *spec = r->spec;
	int status = EXIT_FAILURE;
	size_t done;

	if (go_up(r, spec->steps, spec->nsteps, r->self, &done) == 0)
		status = serve(r);
	if (r->d->jobs)
		jobs_stop(r->d->jobs);
	go_down(spec->steps, done, r->self);
	if (status == EX_OK)
		log_info("stopped");
	return status;
}

static int
run_mode(struct run *r)
{
	int status = r->spec->mode(r->self, r->opt.argc, r->opt.argv);

	if (r->d->jobs)
		jobs_stop(r->d->jobs);
	return status;
}

static int
run_up(struct run *r)
{
	int status = EXIT_FAILURE;
	size_t done;

	log_open(r->spec->name, r->opt.to_stderr || r->opt.mode);
	log_level(r->opt.verbose ? LOG_DEBUG : r->opt.mode ? LOG_WARNING :
	    conf_log_priority(r->conf));
	if (go_up(r, base, ARRAY_LEN(base), r, &done) == 0)
		status = r->opt.mode ? run_mode(r) : run_steps(r);
	go_down(base, done, r);
	free(r->why);
	return status;
}

/*
 * Five of these share a small machine: few arenas, and no 8 MiB stacks for the threads
 * of libraries.  What one large message takes is kept for the next: given back and
 * taken again it costs more, in page faults, than all that is done with it.
 * All are wishes; a C library that refuses one still works.
 */
static void
live_small(void)
{
	pthread_attr_t attr;

	(void)mallopt(M_ARENA_MAX, 2);
	(void)mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
	(void)mallopt(M_TRIM_THRESHOLD, TRIM_THRESHOLD);
	if (pthread_attr_init(&attr) != 0)
		return;
	if (pthread_attr_setstacksize(&attr, STACK_BYTES) == 0)
		(void)pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

static int
run(struct run *r)
{
	r->tables[0] = conf_common_table;
	r->tables[1] = *r->spec->conf;
	if (load_conf(r) < 0)
		return EX_CONFIG;
	if (r->opt.check)
		return check_only(r);
	r->d = r->self;
	r->d->conf = r->conf;
	r->d->clock = &clock_system;
	return run_up(r);
}

int
daemon_main(int argc, char **argv, const struct daemon_spec *spec)
{
	struct run r = { .spec = spec, .lock_fd = -1 };
	AUTO(mem) void *conf = NULL;
	AUTO(mem) void *self = NULL;

	if (!parse_options(argc, argv, spec, &r.opt)) {
		print_usage(stderr, spec);
		return 2;
	}
	if (r.opt.help) {
		print_usage(stdout, spec);
		return EX_OK;
	}
	live_small();
	r.conf = conf = calloc(1, spec->conf_size);
	r.self = self = calloc(1, spec->size);
	if (!conf || !self) {
		fprintf(stderr, "%s: no memory\n", spec->name);
		return EXIT_FAILURE;
	}
	return run(&r);
}
