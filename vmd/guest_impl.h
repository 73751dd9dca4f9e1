/*
 * guest_impl.h - what guest.c (life and death), guest_begin.c (start and adoption) and
 * guest_mind.c (QMP) share.
 */
#pragma once

#include <sys/queue.h>

#include "vmd/guest.h"
#include "vmd/guest_world.h"
#include "vmd/qmp.h"

enum guest_phase {
	GUEST_LOOKING,		/* a job starts or looks for it */
	GUEST_OPENING,		/* started; QMP has not said prelaunch yet */
	GUEST_MINDED,
	GUEST_FAILING,		/* a start that failed: killed, waits for its end */
	GUEST_OVER,
};

struct guest_command {		/* waits for QEMU's answer */
	TAILQ_ENTRY(guest_command)	 link;
	struct guest			*g;
	guest_done_fn			*done;
	void				*arg;
};
TAILQ_HEAD(guest_commands, guest_command);

struct guest_plugging;		/* of guest_disk.c */
TAILQ_HEAD(guest_pluggings, guest_plugging);

struct guest {
	const struct guest_env	*env;
	char			 instance[JOB_KEY_MAX + 1];
	char			*dir, *lock, *deadline;	/* owned; deadline may be NULL */
	char			 launch_id[37];
	char			 console[QEMU_SOCKET_MAX + 1], monitor[QEMU_SOCKET_MAX + 1];
	guest_news_fn		*news;
	guest_done_fn		*done;			/* of start or adopt; NULL once called */
	void			*arg;
	enum guest_phase	 phase;
	unsigned		 refs;			/* the owner, jobs, callbacks under way */
	bool			 freed;			/* by the owner */

	pid_t			 pid;
	int			 qemu_fd, guard_fd;	/* pidfds */
	struct loop_io		*qemu_io, *guard_io;	/* NULL once ended */
	struct loop_timer	*limit;			/* of a start */
	int			 fail_r;		/* why a start failed */
	char			 fail_why[GUEST_WHY_MAX];
	bool			 has_end;
	struct guest_end	 end;

	struct qmp		*qmp;
	struct guest_commands	 commands;
	struct guest_pluggings	 pluggings;
	enum guest_run		 run;
	bool			 is_asking;		/* query-status is under way */
	bool			 ask_again;		/* something happened meanwhile */
	bool			 is_asking_disks;	/* query-block is */
	unsigned		 unanswered;		/* questions in a row */
	bool			 is_impaired;
	struct loop_timer	*probe;			/* next question, or patience's end */
};

#define GUEST_NET_ARGS	(14 + 2 * NET_DENY_MAX)
struct guest_net_args {			/* options of the guard's */
	char	 text[5 + NET_DENY_MAX][40];
	size_t	 n;
};

/* The texts of the guest that a job's thread reads never change. */
struct guest_job {
	struct guest		*g;		/* held; touched by the loop alone */
	struct guest_launch	 launch;
	char			**qemu_argv;	/* owned */
	const char		**argv;		/* owned; points into qemu_argv and text */
	char			 text[4][1024];
	struct guest_net_args	 net;
	int			 r;
	struct guest_found	 found;
	bool			 has_end;
	struct guest_end	 end;
	char			 why[GUEST_WHY_MAX];
};

/* guest.c */
int	 guest_new(const struct guest_env *env, const struct guest_place *at,
    guest_news_fn *news, guest_done_fn *done, void *arg, struct guest **ret) MUST_CHECK;
/* Watches the processes of f, whose descriptors it takes (also on failure), and opens QMP. */
int	 guest_attach(struct guest *g, const struct guest_found *f) MUST_CHECK;
void	 guest_job_free(struct guest_job *j);
OWNED_BY(guest_job_free) struct guest_job *guest_job_new(struct guest *g);
/* A job of this guest; takes j, also on failure. */
int	 guest_job_submit(struct guest_job *j, job_run_fn *run, job_done_fn *done) MUST_CHECK;
/* After done, or instead of it: what was found and not attached is left to the next vmd. */
void	 guest_job_drop(void *job);
void	 guest_hold(struct guest *g);
void	 guest_drop(struct guest *g);
/* false: the callback freed g, which may be touched no more (hold it before if need be). */
bool	 guest_tell(struct guest *g, const struct guest_news *n) MUST_CHECK;
bool	 guest_settled(struct guest *g, int r, const char *why) MUST_CHECK;	/* calls done */
void	 guest_fail(struct guest *g, int r, const char *why);

/* guest_mind.c */
int	 guest_mind_init(struct guest *g) MUST_CHECK;	/* its timer */
int	 guest_mind(struct guest *g) MUST_CHECK;	/* opens QMP */
void	 guest_unmind(struct guest *g);			/* closes it; commands are dropped */
/* The process is gone: commands are answered with -ESRCH.  Touches g as guest_tell does. */
bool	 guest_mind_ended(struct guest *g) MUST_CHECK;
/* 0, or why no command can be given. */
int	 guest_check_minded(const struct guest *g) MUST_CHECK;
/* guest_disk.c: a device has gone, or nobody waits for any more. */
void	 guest_disk_deleted(struct guest *g);
void	 guest_disk_forget(struct guest *g);
/* The process is gone, and so are all its devices. */
void	 guest_disk_ended(struct guest *g);
