/*
 * daemon.h - what main() of the five daemons has in common: options, configuration, log,
 * loop, bus, buckets, jobs, a list of named steps up and the same list down.
 *
 *	-c FILE  configuration    -d  log to stderr, in the foreground    -n  check and exit
 *	-p  with -n: print what is in effect    -v  log debug    -h  help
 *
 * SIGHUP: log_level is read again, and what the daemon's own reload reads; nothing else.
 *
 * Exit status: 0 stopped cleanly or the check passed, 1 a step failed, 2 usage, 78 (EX_CONFIG)
 * the configuration is wrong.
 */
#pragma once

#include "common/bus.h"
#include "common/clock.h"
#include "common/conf.h"
#include "common/held.h"
#include "common/job.h"
#include "common/kv.h"
#include "common/log.h"

struct daemon {			/* first member of struct leased, struct vmd, ... */
	const struct conf_common	*conf;	/* first member of the daemon's own configuration */
	const struct clock		*clock;
	struct loop			*loop;
	struct bus			*bus;
	struct jobs			*jobs;
	struct kv			*kv;
	struct held_service		*held;
	char				 boot_id[37];
};

struct daemon_step {
	const char	*what;			/* "serve subjects": named when it fails */
	int		(*up)(void *self);	/* 0 or -errno; logs nothing itself */
	void		(*down)(void *self);	/* may be NULL; only after up succeeded */
};

struct daemon_spec {
	const char			*name;		/* "leased" */
	size_t				 size;		/* of the daemon's struct */
	size_t				 conf_size;	/* of its configuration */
	const struct conf_table		*conf;		/* its own keys; the common ones are added */
	const struct daemon_step	*steps;
	size_t				 nsteps;
	unsigned			 threads;	/* of the job pool; 0: no pool */
	/*
	 * One more option, with its own main: "k" for gwd -k.  NULL: none.  Runs with all steps
	 * of the spec *not* taken, but loop, bus, kv and jobs made (the loop does not turn by
	 * itself); argv[0..argc-1] is what follows the options.  Returns the exit status.
	 */
	const char			*mode_option;
	int				(*mode)(void *self, int argc, char **argv);
	/*
	 * A stop signal: the daemon does what takes messages and calls loop_exit itself, within
	 * seconds.  A second signal ends the loop at once.  NULL: every signal does.
	 */
	void				(*stop)(void *self);
	/* SIGHUP, after log_level; logs for itself.  NULL: there is nothing to do. */
	void				(*reload)(void *self);
	/* Checks what a table cannot; a sentence in why.  May be NULL. */
	int				(*check)(const void *conf, char *why, size_t size);
};
/*
 * The daemon's configuration is at d->conf: cast it to its own struct.  On the way down
 * jobs_stop comes first: no job runs and no done is called while the steps go down, and
 * jobs_submit answers -EAGAIN.  The loop does not turn any more either.  The connection's
 * changes and the buckets' alarms are logged here; a step may take the alarms (kv_on_alarm).
 */
int	 daemon_main(int argc, char **argv, const struct daemon_spec *spec);
