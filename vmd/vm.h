/*
 * vm.h - one instance of this node while vmd lives: its record, its guest, and what is being
 * done to bring the guest to where the record says.  The record is the aim, and every way that
 * leads to one, a command, a guest that ended, a restart of vmd, ends in vm_step:
 *
 *	record		guest	then
 *	pending		-	launch: PREPARE, START, CONT, WRITE running
 *	running		gone	by policy: stop, terminate, or wait, TEARDOWN, launch again
 *	stopping	there	POWER_DOWN, QUIT, KILL
 *	stopping	gone	TEARDOWN of the launch, WRITE stopped
 *	shutting-down	there	QUIT, KILL
 *	shutting-down	gone	TEARDOWN of the instance, WRITE terminated
 *	stopped, terminated	KILL of a guest that should not be
 *
 * One phase at a time.  A record that changes during a phase is looked at when it ends, except
 * that a guest's grace is cut short at once.  Loop thread only.
 */
#pragma once

#include "vmd/launch_job.h"
#include "vmd/policy.h"
#include "vmd/vmd.h"

enum vm_phase {
	VM_IDLE,		/* nothing under way */
	VM_ADOPT,		/* looking for a guest of an earlier vmd */
	VM_WAIT,		/* before something is begun, or tried again: the timer */
	VM_PREPARE,		/* a job walks down the table of launch_job.h */
	VM_START,		/* guard and QEMU come up, halted */
	VM_CONT,		/* told to run */
	VM_POWER_DOWN,		/* ACPI, for the grace period */
	VM_QUIT,		/* QMP quit */
	VM_KILL,		/* SIGKILL */
	VM_TEARDOWN,		/* a job walks up */
	VM_WRITE,		/* the record is written; its landing ends the phase */
	VM_PHASES
};
const char *vm_phase_name(enum vm_phase p);

#define VM_QUIT_MS		5000	/* then SIGKILL */
#define VM_KILL_MS		2000	/* then again */
#define VM_CONT_MS		15000	/* from cont to running */
#define VM_LAUNCH_MS		60000	/* how long a launch waits for what passes */
#define VM_RETRY_MIN_MS		100
#define VM_RETRY_MAX_MS		5000
#define VM_TEARDOWN_MS		60000	/* then terminated is said, and the rest goes on */

struct volume_op;
struct volume_wait;

struct vm {
	struct vmd		*d;
	struct record		*r;		/* NULL: lost, a ghost */
	struct vm		*next_ghost;
	char			 id[INSTANCE_ID_MAX + 1];
	struct bus_sub		*commands;	/* ec2.cmd.<id> */
	enum vm_phase		 phase;
	uint64_t		 since_ms;	/* of what is under way, over its retries */
	uint64_t		 retry_ms;	/* next pause; 0: none yet */
	struct loop_timer	*timer;		/* of the phase */
	struct guest		*guest;		/* NULL: none */
	struct volume_op	*volume_op;	/* a volume comes or goes; NULL: none does */
	struct volume_wait	*volume_waits;	/* commands that wait for its end, in their order */
	struct launch_job	*job;		/* under way; the pool's */
	struct launch_job	 made;		/* what the last PREPARE made, for START */
	bool			 is_held;	/* its RunInstances has not been answered */
	bool			 has_run;	/* QEMU may have been started under this launch id */
	bool			 has_failed;	/* this launch: put away, not started */
	bool			 relaunch;	/* running, crashed: launch it again */
	bool			 force;		/* no grace, and owed write-backs are not waited for */
	bool			 is_starting;	/* a start command holds its room, not yet pending */
	bool			 cont_sent;
	bool			 is_asked_down;	/* VM_POWER_DOWN: QEMU was told */
	bool			 is_reserved;	/* need is counted in the node's capacity */
	struct capacity_need	 need;
	uint16_t		 forward_port;	/* of the node, leads to the guest; 0: none */
	struct policy_restarts	 restarts;
	char			 end_reason[32];	/* QMP's, of the guest's end */
	char			 why[LAUNCH_WHY_MAX];	/* what failed */
	char			 why_code[BUS_CODE_MAX + 1];
	char			 request_id[BUS_REQUEST_ID_MAX + 1];	/* for whom what is under
									   way is done */
	uint64_t		 start_ms, cont_ms;	/* when QEMU was asked for, and told to run */
	struct {			/* what DescribeInstances last said of it ... */
		char		*text;	/* owned; NULL: nothing yet */
		uint64_t	 revision;	/* ... of this record, this launch and QMP */
		char		 launch_id[37];
		bool		 impaired;
	}			 shown;
	uint64_t		 said_at;	/* so far qemu.log was searched */
	uint64_t		 started_ms;	/* wall, when it was last seen to run */
	uint64_t		 prepared_under;	/* the node's generation at the last PREPARE */
};

/* Of a record of ours.  NULL: no memory. */
struct vm *vm_new(struct vmd *d, struct record *r);
/* Of one that is another's.  NULL: no memory. */
struct vm *vm_new_ghost(struct vmd *d, const char *id);
/* Guest, if any, is let go of, not ended. */
void	 vm_free(struct vm *vm);
/* By instance id, NULL: none. */
struct vm *vm_find(const struct vmd *d, const char *id);
static inline const struct instance *
vm_instance(const struct vm *vm)
{
	return record_instance(vm->r);
}

/* Looks at record, guest and phase, and begins what is to be done, if anything. */
void	 vm_step(struct vm *vm);
/* What is done next is done for this request; NULL: nobody's. */
void	 vm_follow(struct vm *vm, const char *request_id);
/* Begins a phase; its timer is off. */
void	 vm_enter(struct vm *vm, enum vm_phase p);
/* VM_IDLE, then vm_step on the next turn. */
void	 vm_rest(struct vm *vm);
/* VM_WAIT for a pause that doubles, then VM_IDLE and vm_step. */
void	 vm_wait(struct vm *vm);
void	 vm_wait_ms(struct vm *vm, uint64_t ms);
/* Writes the record until that has landed or it is lost; then rests. */
void	 vm_write(struct vm *vm, record_change_fn *change);
/* The record is another's: its guest is killed at once, and vm freed when that is seen. */
void	 vm_lose(struct vm *vm, const char *why);

/* A job for the table of launch_job.h, filled from record and configuration; NULL: no memory
 * or a path that is too long. */
struct launch_job *vm_job_new(const struct vm *vm);
void	 vm_take_job(struct vm *vm, struct launch_job *j);
/* The next launch, if any, begins afresh. */
void	 vm_forget_launch(struct vm *vm);
/* Counts it or gives it back, as record, guest and phase say. */
void	 vm_count(struct vm *vm);
/* Room for a start.  False: there is none. */
bool	 vm_reserve(struct vm *vm);

/* The paths of an instance on this node: folder, lock, disk.  0 or -ENAMETOOLONG. */
int	 vm_paths(const struct vmd *d, const struct instance *i, struct launch_job *ret);
/* For jobs about its volumes.  0 or -ENAMETOOLONG. */
int	 vm_volume_place(const struct vm *vm, struct volume_place *ret) MUST_CHECK;
bool	 vm_is_uefi(const struct instance *i);
/* on_isolation = stop: its guest has a deadline. */
bool	 vm_stops_alone(const struct instance *i);

void	 vm_log(const struct vm *vm, int priority, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* launch.c */
void	 launch_begin(struct vm *vm);
/* The guest of a launch reported something. */
void	 launch_on_news(struct vm *vm, const struct guest_news *n);
void	 launch_on_timer(struct vm *vm);
/* This launch has failed, for this reason; what is to be put away is. */
void	 launch_fail(struct vm *vm, const char *code, const char *why);
/* A crashed guest's record gets a new launch id. */
void	 launch_again(struct vm *vm);

/* stop.c */
void	 stop_begin(struct vm *vm);		/* ends the guest, as the record's state asks */
void	 stop_hurry(struct vm *vm);		/* no more grace */
void	 stop_on_timer(struct vm *vm);
void	 stop_teardown(struct vm *vm, enum launch_end end);
/* The guest is gone although the record says running. */
void	 stop_ended(struct vm *vm);
/* Terminated, and something of it is not freed yet. */
bool	 stop_is_owed(const struct instance *i);

/* recover.c */
void	 recover_begin(struct vm *vm);		/* an instance of an earlier vmd */

/* The guest, if any, of an instance that has left this node is killed. */
void	 recover_ghost(struct vmd *d, const char *id, const char *dir, const char *lock);

/* vm_news.c: every guest's */
void	 vm_on_news(void *arg, struct guest *g, const struct guest_news *n);
