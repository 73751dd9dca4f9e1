/*
 * Each sequence, killed before and after each of its effects: a child runs it, traced, and is
 * killed at the n-th system call that changes something (the fakes mark theirs), for every n
 * until the sequence ends by itself.  Then what the node does at a restart runs, and nothing
 * may be lost or left.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "store_world.h"

#include <linux/ptrace.h>	/* after sys/ptrace.h, for ptrace_syscall_info */

#define KILLS_MAX	500

static bool
is_effect(uint64_t nr, const uint64_t args[static 6])
{
	switch (nr) {
	case SYS_openat:
		return (args[2] & O_CREAT) != 0;
	case SYS_getppid:
	case SYS_write:
	case SYS_pwrite64:
	case SYS_fallocate:
	case SYS_fsync:
	case SYS_fdatasync:
	case SYS_fchown:
	case SYS_fchmod:
	case SYS_chmod:
	case SYS_rename:
	case SYS_renameat:
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_rmdir:
	case SYS_mkdir:
		return true;
	default:
		return false;
	}
}

typedef enum store_result sequence(struct store_call *c);

static void
child(sequence *run, const char *launch_id)
{
	struct store_call c = call(launch_id);

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	_exit(run(&c) == STORE_OK ? 0 : 1);
}

/* True when it was killed at its n-th effect; false when it ended first, and well. */
static bool
run_killed(sequence *run, const char *launch_id, int n)
{
	struct ptrace_syscall_info info;
	int status, seen = 0;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		child(run, launch_id);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD |
	    PTRACE_O_EXITKILL), 0);
	for (;;) {
		ck_assert_int_eq(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status)) {
			ck_assert_int_eq(WEXITSTATUS(status), 0);
			return false;
		}
		ck_assert(WIFSTOPPED(status));
		if (WSTOPSIG(status) != (SIGTRAP | 0x80) ||
		    ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
		    info.op != PTRACE_SYSCALL_INFO_ENTRY ||
		    !is_effect(info.entry.nr, (const uint64_t *)info.entry.args) || ++seen < n)
			continue;
		/* At its entry: this one does not happen any more. */
		ck_assert_int_eq(kill(pid, SIGKILL), 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		return true;
	}
}

static void
again(void)
{
	world_teardown();
	world_setup();
}

static void
nothing_is_left(void)
{
	struct copy p = paths();

	ck_assert(!copy_has_vars(&p));
	ck_assert_int_ne(access(p.seeded, F_OK), 0);
	ck_assert(claim_is_free());
}

static bool
has_left_overs(const char *path)
{
	AUTO(dir) DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strstr(e->d_name, ".tmp"))
			return true;
	return false;
}

/* What the node's loop does after a restart, until it has nothing to do. */
static void
settle(void)
{
	struct store_call c = call("");
	struct copy p = paths();

	ck_store(store_mind(&c), STORE_OK, c);
	nothing_is_left();
	ck_assert(!has_left_overs(p.dir));
}

/* Runs body(n) for n = 1, 2, ... until it says that the sequence was not killed any more. */
static void
at_every_step(bool (*body)(int n))
{
	int n = 1;

	for (; n < KILLS_MAX && body(n); n++)
		again();
	ck_assert_int_gt(n, 3);
	ck_assert_int_lt(n, KILLS_MAX);
}

static bool
seed_killed(int n)
{
	bool was_killed = run_killed(store_seed, "", n);
	struct store_call c = call("");
	struct uefi_record r;
	enum cas_result cas;
	uint64_t revision;

	settle();
	/* Terminate: whatever the seed left, none can be made after it, and none is live. */
	ck_store(store_delete(&c), STORE_OK, c);
	if (uefi_record_get(&w->records.cas, ID, &r, &revision, &cas) == UEFI_OK)
		ck_assert(r.deleting);
	else
		ck_assert_uint_ne(revision, 0);
	ck_store(store_seed(&c), STORE_DELETING, c);
	ck_assert(claim_is_free());
	return was_killed;
}

START_TEST(a_seed_killed_at_any_step_is_cleaned_by_loop_and_terminate)
{
	at_every_step(seed_killed);
}
END_TEST

static bool
seed_killed_and_repeated(int n)
{
	bool was_killed = run_killed(store_seed, "", n);
	struct store_call c = call("");

	ck_store(store_seed(&c), STORE_OK, c);
	ck_assert(pointer_holds(w->template.p));
	ck_assert_uint_eq(objects_there(), 1);
	ck_assert_uint_eq(record().generation, c.generation);
	c = call("l-1");
	ck_store(store_open(&c), STORE_OK, c);
	return was_killed;
}

START_TEST(a_seed_killed_at_any_step_may_be_repeated)
{
	at_every_step(seed_killed_and_repeated);
}
END_TEST

static bool
open_killed(int n)
{
	bool was_killed;

	seeded_store();
	was_killed = run_killed(store_open, "l-1", n);
	settle();
	ck_assert(pointer_holds(w->template.p));
	ck_assert_uint_eq(objects_there(), 1);
	return was_killed;
}

START_TEST(an_open_killed_at_any_step_is_closed_by_the_loop_with_nothing_changed)
{
	at_every_step(open_killed);
}
END_TEST

static bool
open_killed_and_repeated(int n)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct make m = written("Unsaved");
	struct store_call c = call("l-2");
	struct copy p = paths();
	bool was_killed;

	opened_store("l-1");
	guest_writes(m.p);
	was_killed = run_killed(store_open, "l-2", n);
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, m.p, MAKE_SIZE);
	return was_killed;
}

START_TEST(an_open_killed_at_any_step_keeps_what_was_not_saved)
{
	at_every_step(open_killed_and_repeated);
}
END_TEST

static bool
save_killed(int n)
{
	struct make m = written("Last");
	bool was_killed;

	opened_store("l-1");
	guest_writes(m.p);
	was_killed = run_killed(store_save, "", n);
	settle();
	ck_assert(pointer_holds(m.p));
	ck_assert_uint_eq(objects_there(), 2);	/* the template and the pointer's */
	return was_killed;
}

START_TEST(a_save_killed_at_any_step_is_finished_by_the_loop)
{
	at_every_step(save_killed);
}
END_TEST

static bool
save_killed_while_guest_runs(int n)
{
	struct make m = written("First"), last = written("Second");
	struct copy p = paths();
	bool was_killed;

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	guest_writes(m.p);
	was_killed = run_killed(store_save, "", n);
	guest_writes(last.p);
	close(steal_fd(&guest));
	settle();
	ck_assert(pointer_holds(last.p));
	return was_killed;
}

START_TEST(a_save_killed_at_any_step_under_a_running_guest_loses_nothing)
{
	at_every_step(save_killed_while_guest_runs);
}
END_TEST

/* Nothing stays beside the pointer, so whatever it could wrongly return to is gone. */
static bool
save_killed_among_prunes(int n)
{
	struct make turns[] = { written("First"), written("Second") };
	struct store_call c;
	bool was_killed;

	w->env.keep_versions = 0;
	opened_store("l-1");
	guest_writes(turns[0].p);
	was_killed = run_killed(store_save, "", n);
	for (size_t i = 1; i < 6; i++) {
		guest_writes(turns[i % 2].p);
		c = call("");
		ck_store(store_save(&c), STORE_OK, c);
		ck_assert(pointer_holds(turns[i % 2].p));
		ck_assert_uint_eq(objects_there(), 1);
	}
	settle();
	ck_assert(pointer_holds(turns[1].p));
	return was_killed;
}

START_TEST(a_save_killed_at_any_step_never_has_a_pointer_return_to_what_was_pruned)
{
	at_every_step(save_killed_among_prunes);
}
END_TEST

static bool
close_killed(int n)
{
	struct make m = written("Last");
	struct store_call c = call("l-1");
	bool was_killed;

	opened_store("l-1");
	guest_writes(m.p);
	was_killed = run_killed(store_close, "l-1", n);
	ck_store(store_close(&c), STORE_OK, c);		/* as vmd does */
	nothing_is_left();
	ck_assert(pointer_holds(m.p));
	ck_assert_uint_eq(objects_there(), 2);
	ck_assert_uint_eq(record().generation, 101);
	return was_killed;
}

START_TEST(a_close_killed_at_any_step_may_be_repeated)
{
	at_every_step(close_killed);
}
END_TEST

static enum store_result
restore_oldest(struct store_call *c)
{
	const char *key = w->objects.v[0].info.key;

	snprintf(c->version, sizeof(c->version), "%s", strrchr(key, '/') + 1);
	return store_restore(c);
}

static bool
restore_killed(int n)
{
	struct make m = guest_wrote("Later");
	struct store_call c = call("l-1");
	bool was_killed;

	ck_store(store_close(&c), STORE_OK, c);
	was_killed = run_killed(restore_oldest, "", n);
	settle();
	ck_assert(pointer_holds(m.p) || pointer_holds(w->template.p));
	/* The two, and at most one new one. */
	ck_assert_uint_le(objects_there(), 3);
	c = call("");
	ck_store(restore_oldest(&c), STORE_OK, c);
	ck_assert(pointer_holds(w->template.p));
	nothing_is_left();
	return was_killed;
}

START_TEST(going_back_killed_at_any_step_is_the_old_or_the_new_and_may_be_repeated)
{
	at_every_step(restore_killed);
}
END_TEST

static bool
rollback_killed(int n)
{
	struct store_call c = call("l-1");
	bool was_killed;

	opened_store("l-1");
	was_killed = run_killed(store_rollback, "l-1", n);
	ck_store(store_rollback(&c), STORE_OK, c);
	nothing_is_left();
	ck_assert(pointer_holds(w->template.p));
	return was_killed;
}

START_TEST(a_rollback_killed_at_any_step_may_be_repeated)
{
	at_every_step(rollback_killed);
}
END_TEST

static bool
mind_of_deleted_killed(int n)
{
	struct store_call c = call("");
	struct copy p = paths();
	bool was_killed;

	opened_store("l-1");
	ck_store(store_delete(&c), STORE_OK, c);
	fake_put(&w->records, ID, NULL);
	was_killed = run_killed(store_mind, "", n);
	settle();
	ck_assert_int_ne(access(p.dir, F_OK), 0);
	return was_killed;
}

START_TEST(the_removal_of_a_deleted_stores_folder_killed_at_any_step_is_finished)
{
	at_every_step(mind_of_deleted_killed);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("store_kill");

	tcase_set_timeout(t, 240);
	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t, a_seed_killed_at_any_step_is_cleaned_by_loop_and_terminate);
	tcase_add_test(t, a_seed_killed_at_any_step_may_be_repeated);
	tcase_add_test(t,
	    an_open_killed_at_any_step_is_closed_by_the_loop_with_nothing_changed);
	tcase_add_test(t, an_open_killed_at_any_step_keeps_what_was_not_saved);
	tcase_add_test(t, a_save_killed_at_any_step_is_finished_by_the_loop);
	tcase_add_test(t, a_save_killed_at_any_step_under_a_running_guest_loses_nothing);
	tcase_add_test(t, a_save_killed_at_any_step_never_has_a_pointer_return_to_what_was_pruned);
	tcase_add_test(t, a_close_killed_at_any_step_may_be_repeated);
	tcase_add_test(t, a_rollback_killed_at_any_step_may_be_repeated);
	tcase_add_test(t, going_back_killed_at_any_step_is_the_old_or_the_new_and_may_be_repeated);
	tcase_add_test(t,
	    the_removal_of_a_deleted_stores_folder_killed_at_any_step_is_finished);
	return unit_run("store_kill", t);
}
