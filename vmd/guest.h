/*
 * guest.h - one QEMU process: started under its guard, minded over QMP, adopted after any death
 * of vmd, ended.  Loop thread only, but for what says otherwise.
 *
 * The world of a guest:
 *	<lock>			held (flock) by guard and QEMU as long as either lives; its text
 *				names them: {launch_id, boot_id, pid, start, guard, guard_start}
 *	launch			beside the lock: the launch that may run; gone: none may
 *	<dir>/status		how the last QEMU ended, written by the guard
 *	<dir>/qemu.log		what guard and QEMU said on stderr
 *	<dir>/console.log	serial line (console.h)
 *	<dir>/sock/{qmp,monitor,console}
 *
 * A free lock without `launch` means that no QEMU runs and none will.  A process is signalled
 * through its pidfd alone, taken after pid, start time and boot id agreed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/job.h"
#include "common/json.h"
#include "common/loop.h"
#include "vmd/qemu_args.h"

#define GUEST_WHY_MAX		256
#define GUEST_START_MS		20000	/* from start to a negotiated QMP, else it failed */
#define GUEST_PROBE_MS		10000	/* between questions to a QEMU that says nothing */
#define GUEST_SILENT_MS		6000	/* without a connection, then it is impaired; also when
					   a question has no answer after QMP_CALL_MS */

struct guest;
struct qmp_keep;

struct guest_env {		/* of the node; borrowed, outlives its guests */
	struct loop	*loop;
	struct jobs	*jobs;
	struct qmp_keep	*keep;		/* connections that outlive this vmd; may be NULL */
	const char	*guard;		/* path of vmguard, or of a socket behind which the service
					   manager runs one for each connection */
	const char	*passt;		/* its path, for NET_OUTBOUND */
	uid_t		 uid;		/* guest_user */
	gid_t		 gid;
	gid_t		 kvm_gid;	/* (gid_t)-1: none; given to QEMU under KVM only */
	char		 boot_id[37];
};

struct guest_place {		/* all borrowed, copied by start and adopt */
	const char	*instance;	/* id; also the key of its jobs */
	const char	*dir;		/* <state_dir>/vm/<instance>; made by start */
	const char	*lock;		/* uefid's, or <dir>/lock without a store; folder exists */
	const char	*deadline;	/* the page of guard_page.h; NULL: none */
};

/* QMP's run states, folded to what matters here. */
enum guest_run {
	GUEST_RUN_UNKNOWN,	/* not asked yet */
	GUEST_RUN_PRELAUNCH,	/* started, waits for guest_cont */
	GUEST_RUN_RUNNING,
	GUEST_RUN_PAUSED,	/* by an operator's monitor, or suspended */
	GUEST_RUN_SHUTDOWN,	/* the guest has powered off; the process waits for guest_quit */
	GUEST_RUN_BROKEN,	/* internal-error, io-error, guest-panicked: no cont helps */
	GUEST_RUN_ENDED,	/* no process */
	GUEST_RUNS
};
const char *guest_run_name(enum guest_run r);

enum guest_what {
	GUEST_IS_RUNNING,	/* began or went on to run; also found so after a (re)connect */
	GUEST_HAS_SHUT_DOWN,	/* the first SHUTDOWN: by_guest, reason ("guest-shutdown", ...).
				   Found so after a reconnect: by_guest, reason "missed" */
	GUEST_WAS_RESET,	/* RESET: by_guest, reason */
	GUEST_HAS_STOPPED,	/* paused or broken: run, and QEMU's own word for it in reason.  Also
				   how an adopted one is found that still is in prelaunch */
	GUEST_DISK_IS_BAD,	/* found so after a (re)connect or an error of it: name and QEMU's word
				   for what is wrong with it in reason */
	GUEST_IS_IMPAIRED,	/* answers nothing: why it is thought so in reason */
	GUEST_ANSWERS,		/* ... again */
	GUEST_HAS_EXITED,	/* the last news: process gone, lock free, `launch` removed */
};

/* How a QEMU ended.  status -1: not known, the guard was killed too or the host went down. */
struct guest_end {
	char	launch_id[37];
	int	status;		/* exit status, when signal is 0 */
	int	signal;		/* that killed it; 0: it exited */
};

struct guest_news {
	enum guest_what	 what;
	enum guest_run	 run;		/* as it is now */
	bool		 by_guest;
	const char	*reason;	/* never NULL; borrowed */
	struct guest_end end;		/* GUEST_HAS_EXITED */
};
/* Called from the loop, never from inside a guest_* call.  May free g. */
typedef void guest_news_fn(void *arg, struct guest *g, const struct guest_news *n);

/* r as said at each call; why is a sentence, "" for 0.  May free g.  Called exactly once,
 * later, unless guest_free comes first. */
typedef void guest_done_fn(void *arg, struct guest *g, int r, const char *why);

/*
 * Starts QEMU, halted before its first instruction.  -EINVAL (launch_id or spec), -EAGAIN (no
 * room for its job), -ENOMEM at once, with why, *ret untouched and no done.  Else *ret is the
 * caller's to free, and done says how it went:
 *	0		QMP is up, run state prelaunch
 *	-EWOULDBLOCK	(-EAGAIN) the lock is held: another QEMU, or uefid at work
 *	other -errno	guard or QEMU failed; why has its words
 * After a failure nothing is left: no process, no `launch` (-EWOULDBLOCK: none of ours), news
 * is not called.  The one exception is -EBUSY: a guard that neither started nor gave up;
 * adopt later.  launch_id: 1 to 36 of [A-Za-z0-9_-].
 */
int	 guest_start(const struct guest_env *env, const struct guest_place *at,
    const char *launch_id, const struct qemu_spec *spec, guest_news_fn *news,
    guest_done_fn *done, void *arg, struct guest **ret, char why[static GUEST_WHY_MAX])
    MUST_CHECK;

/*
 * Finds what stands in a guest's folder.  -EAGAIN, -ENOMEM at once, without done.  Else *ret is
 * the caller's, and done says:
 *	0		a QEMU of guest_launch_id() runs and is ours to mind; its run state comes
 *			as news once QMP answers, or GUEST_IS_IMPAIRED
 *	-ESRCH		none runs and none will: the lock was free, `launch` is gone.
 *			guest_end_of() tells how the last one ended
 *	-EAGAIN		the lock is held but names no process: uefid at work, or a guard that
 *			begins.  Ask again
 *	other -errno	could not look; nothing is known
 */
int	 guest_adopt(const struct guest_env *env, const struct guest_place *at,
    guest_news_fn *news, guest_done_fn *done, void *arg, struct guest **ret) MUST_CHECK;

/* Lets go of it.  QEMU and guard live on.  NULL is fine; allowed in every callback. */
void	 guest_free(struct guest *g);

/*
 * Commands.  0: done (may be NULL) will say: 0 QEMU took it, -ETIMEDOUT, -ECONNRESET,
 * -EREMOTEIO as in qmp.h, -ESRCH it has ended.  Not 0: done is not called; -ENOTCONN no QMP
 * now, -ESRCH it has ended, -EAGAIN, -ENOMEM.  The effect comes as news.
 */
int	 guest_cont(struct guest *g, guest_done_fn *done, void *arg) MUST_CHECK;
int	 guest_power_down(struct guest *g, guest_done_fn *done, void *arg) MUST_CHECK; /* ACPI */
int	 guest_reset(struct guest *g, guest_done_fn *done, void *arg) MUST_CHECK;
int	 guest_quit(struct guest *g, guest_done_fn *done, void *arg) MUST_CHECK;

/*
 * A volume comes or goes while QEMU runs; the same names as at launch (qemu_args.h).  Either is
 * a success where it is so already.  0: done will say, once: 0; -ETIMEDOUT from unplug: the guest
 * has not let go of it in GUEST_UNPLUG_MS, and may do so yet; -EREMOTEIO: QEMU refused, and plug
 * has taken back what it did; others as above, and it is not known how far it went.
 */
#define GUEST_UNPLUG_MS		8000
int	 guest_plug(struct guest *g, const struct qemu_volume *v, guest_done_fn *done, void *arg)
    MUST_CHECK;
int	 guest_unplug(struct guest *g, const char *volume_id, guest_done_fn *done, void *arg)
    MUST_CHECK;
/* SIGKILL through the pidfd, at once; the end comes as news.  0; -ESRCH it has ended. */
int	 guest_kill(struct guest *g);

/* What is known now.  Text is borrowed. */
const char	*guest_launch_id(const struct guest *g);	/* "" when nothing was found */
pid_t		 guest_pid(const struct guest *g);		/* 0: none */
enum guest_run	 guest_run_of(const struct guest *g);
bool		 guest_is_impaired(const struct guest *g);
const char	*guest_console_path(const struct guest *g);	/* of the sockets */
const char	*guest_monitor_path(const struct guest *g);
/* false: it has not ended, or nothing is known of an end. */
bool		 guest_end_of(const struct guest *g, struct guest_end *ret);

/*
 * For jobs, any thread: makes sure that no guard of a launch given up can still begin (takes
 * the lock, removes `launch`).  0, also when lock or folder are not there; -EWOULDBLOCK: held.
 */
int	 guest_settle(const char *lock) MUST_CHECK;
/* For jobs: removes the guest's folder and all in it, once nothing runs.  0 or -errno. */
int	 guest_remove(const char *dir) MUST_CHECK;
