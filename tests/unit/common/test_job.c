#include "common/job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

#define PATIENCE_MS	5000

/* A job that tells when it runs and can be made to wait. */
struct work {
	struct scene	*scene;
	char		 name;
	bool		 waits;		/* until the gate opens */
};
struct scene {
	struct loop	*loop;
	struct jobs	*jobs;
	pthread_mutex_t	 lock;
	pthread_cond_t	 moved;
	bool		 open;		/* the gate */
	int		 running, most;
	char		 began[64], done[64];
	size_t		 nbegan, ndone;
	atomic_int	 dropped;
};
static struct scene s;	/* the fixture */

static void
setup(void)
{
	s = (struct scene){ .loop = NULL };
	pthread_mutex_init(&s.lock, NULL);
	pthread_cond_init(&s.moved, NULL);
	ck_assert_int_eq(loop_new(&s.loop), 0);
}

static void
open_gate(void)
{
	pthread_mutex_lock(&s.lock);
	s.open = true;
	pthread_cond_broadcast(&s.moved);
	pthread_mutex_unlock(&s.lock);
}

static void
teardown(void)
{
	open_gate();
	jobs_free(s.jobs);
	loop_free(s.loop);
}

static void
run(void *job)
{
	struct work *w = job;

	pthread_mutex_lock(&s.lock);
	s.began[s.nbegan++] = w->name;
	if (++s.running > s.most)
		s.most = s.running;
	pthread_cond_broadcast(&s.moved);
	while (w->waits && !s.open)
		pthread_cond_wait(&s.moved, &s.lock);
	s.running--;
	pthread_mutex_unlock(&s.lock);
}

static void
done(void *arg, void *job)
{
	struct work *w = job;

	ck_assert_ptr_eq(arg, &s);
	s.done[s.ndone++] = w->name;
	free(w);
}

static void
drop(void *job)
{
	s.dropped++;
	free(job);
}

static int
submit(const char *key, char name, bool waits)
{
	struct work *w = malloc(sizeof(*w));
	int r;

	ck_assert_ptr_nonnull(w);
	*w = (struct work){ .scene = &s, .name = name, .waits = waits };
	r = jobs_submit(s.jobs, key, run, done, &s, w, drop);
	if (r < 0)
		free(w);
	return r;
}

static void
await_began(size_t n)
{
	pthread_mutex_lock(&s.lock);
	while (s.nbegan < n)
		pthread_cond_wait(&s.moved, &s.lock);	/* the case's timeout bounds this */
	pthread_mutex_unlock(&s.lock);
}

static void
await_done(size_t n)
{
	uint64_t end = loop_now_ms(s.loop) + PATIENCE_MS;

	while (s.ndone < n && loop_now_ms(s.loop) < end)
		ck_assert_int_ge(loop_step(s.loop, 100), 0);
	ck_assert_uint_eq(s.ndone, n);
}

START_TEST(jobs_of_one_key_run_one_at_a_time_in_order)
{
	ck_assert_int_eq(jobs_new(s.loop, 4, 100, &s.jobs), 0);
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(submit("i-1", (char)('a' + i), false), 0);
	ck_assert_uint_eq(jobs_pending_of(s.jobs, "i-1"), 20);
	await_done(20);
	ck_assert_str_eq(s.began, "abcdefghijklmnopqrst");
	ck_assert_str_eq(s.done, "abcdefghijklmnopqrst");
	ck_assert_int_eq(s.most, 1);
	ck_assert_uint_eq(jobs_pending(s.jobs), 0);
}
END_TEST

START_TEST(a_job_that_waits_holds_up_its_own_key_alone)
{
	ck_assert_int_eq(jobs_new(s.loop, 2, 100, &s.jobs), 0);
	ck_assert_int_eq(submit("i-1", 'a', true), 0);
	ck_assert_int_eq(submit("i-1", 'b', false), 0);
	ck_assert_int_eq(submit("i-2", 'c', false), 0);
	ck_assert_int_eq(submit(NULL, 'd', false), 0);
	await_done(2);
	ck_assert_str_eq(s.done, "cd");
	ck_assert_uint_eq(jobs_pending(s.jobs), 2);
	ck_assert_uint_eq(jobs_pending_of(s.jobs, "i-1"), 2);
	ck_assert_uint_eq(jobs_pending_of(s.jobs, "i-2"), 0);
	open_gate();
	await_done(4);
	ck_assert_str_eq(s.done, "cdab");
}
END_TEST

START_TEST(jobs_without_a_key_run_together)
{
	ck_assert_int_eq(jobs_new(s.loop, 3, 100, &s.jobs), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(submit(NULL, 'x', true), 0);
	await_began(3);
	open_gate();
	await_done(3);
	ck_assert_int_eq(s.most, 3);
}
END_TEST

START_TEST(a_full_queue_refuses_and_takes_nothing)
{
	ck_assert_int_eq(jobs_new(s.loop, 1, 2, &s.jobs), 0);
	ck_assert_int_eq(submit(NULL, 'a', true), 0);
	await_began(1);
	ck_assert_int_eq(submit(NULL, 'b', false), 0);
	ck_assert_int_eq(submit("k", 'c', false), 0);
	ck_assert_int_eq(submit(NULL, 'd', false), -EAGAIN);
	ck_assert_uint_eq(jobs_pending(s.jobs), 3);
	open_gate();
	await_done(3);
	ck_assert_int_eq(submit(NULL, 'e', false), 0);
	await_done(4);
	ck_assert_str_eq(s.done, "abce");
}
END_TEST

START_TEST(stopping_waits_for_what_runs_and_drops_the_rest)
{
	ck_assert_int_eq(jobs_new(s.loop, 1, 10, &s.jobs), 0);
	ck_assert_int_eq(submit(NULL, 'a', false), 0);
	ck_assert_int_eq(submit("k", 'b', true), 0);
	await_began(2);
	ck_assert_int_eq(submit("k", 'c', false), 0);
	open_gate();
	jobs_stop(s.jobs);
	ck_assert_int_eq(submit(NULL, 'd', false), -EAGAIN);
	ck_assert_int_eq(s.running, 0);
	ck_assert_uint_eq(s.ndone, 0);		/* the loop never had a turn */
	ck_assert_int_ge(s.dropped, 2);
	ck_assert_uint_eq(s.nbegan + (size_t)s.dropped, s.nbegan == 3 ? 6 : 5);
	ck_assert_int_ge(loop_step(s.loop, 0), 0);
	ck_assert_uint_eq(s.ndone, 0);
	jobs_free(s.jobs);
	s.jobs = NULL;
}
END_TEST

START_TEST(a_job_without_drop_is_freed_by_free)
{
	ck_assert_int_eq(jobs_new(s.loop, 0, 10, &s.jobs), 0);
	ck_assert_int_eq(jobs_submit(s.jobs, NULL, run, done, &s, strdup("never runs"), NULL), 0);
	ck_assert_uint_eq(jobs_pending(s.jobs), 1);
}
END_TEST

START_TEST(a_key_of_64_bytes_fits_and_a_longer_one_is_refused)
{
	char key[JOB_KEY_MAX + 2];

	memset(key, 'k', sizeof(key));
	key[JOB_KEY_MAX + 1] = '\0';
	ck_assert_int_eq(jobs_new(s.loop, 1, 10, &s.jobs), 0);
	ck_assert_int_eq(submit(key, 'a', false), -ENAMETOOLONG);
	key[JOB_KEY_MAX] = '\0';
	ck_assert_int_eq(submit(key, 'a', true), 0);
	ck_assert_uint_eq(jobs_pending_of(s.jobs, key), 1);
	open_gate();
	await_done(1);
}
END_TEST

static void
done_and_submit(void *arg, void *job)
{
	done(arg, job);
	ck_assert_uint_eq(jobs_pending_of(s.jobs, "k"), 0);
	ck_assert_int_eq(submit("k", 'z', false), 0);
}

START_TEST(a_done_may_submit_again)
{
	struct work *w = malloc(sizeof(*w));

	*w = (struct work){ .scene = &s, .name = 'y' };
	ck_assert_int_eq(jobs_new(s.loop, 1, 1, &s.jobs), 0);
	ck_assert_int_eq(jobs_submit(s.jobs, "k", run, done_and_submit, &s, w, NULL), 0);
	await_done(2);
	ck_assert_str_eq(s.done, "yz");
}
END_TEST

static void
note_signals(void *job)
{
	sigset_t set;
	int *ret = job;

	pthread_sigmask(SIG_SETMASK, NULL, &set);
	*ret = sigismember(&set, SIGTERM) && sigismember(&set, SIGCHLD);
}

static void
keep(void *arg, void *job)
{
	s.done[s.ndone++] = *(int *)job ? 'b' : 'o';
	free(job);
}

START_TEST(signals_stay_with_the_loop)
{
	ck_assert_int_eq(jobs_new(s.loop, 1, 1, &s.jobs), 0);
	ck_assert_int_eq(jobs_submit(s.jobs, NULL, note_signals, keep, NULL, calloc(1, sizeof(int)),
	    NULL), 0);
	await_done(1);
	ck_assert_str_eq(s.done, "b");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("job");

	tcase_set_timeout(tc, 20);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, jobs_of_one_key_run_one_at_a_time_in_order);
	tcase_add_test(tc, a_job_that_waits_holds_up_its_own_key_alone);
	tcase_add_test(tc, jobs_without_a_key_run_together);
	tcase_add_test(tc, a_full_queue_refuses_and_takes_nothing);
	tcase_add_test(tc, stopping_waits_for_what_runs_and_drops_the_rest);
	tcase_add_test(tc, a_job_without_drop_is_freed_by_free);
	tcase_add_test(tc, a_key_of_64_bytes_fits_and_a_longer_one_is_refused);
	tcase_add_test(tc, a_done_may_submit_again);
	tcase_add_test(tc, signals_stay_with_the_loop);
	return unit_run("job", tc);
}
