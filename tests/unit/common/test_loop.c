#include "common/loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "tests/unit/unit.h"

#define PATIENCE_MS	5000

static struct loop *l;	/* the fixture's loop */

static void
setup(void)
{
	ck_assert_int_eq(loop_new(&l), 0);
}

static void
teardown(void)
{
	loop_free(l);
}

struct trace {
	char			 text[64];
	size_t			 n;
	struct loop_timer	*timer;
	struct loop_soon	*soon;
	struct loop_io		*io;
	uint64_t		 at_ms;
};

static void
mark(struct trace *t, char c)
{
	if (t->n < sizeof(t->text) - 1)
		t->text[t->n++] = c;
	t->at_ms = loop_now_ms(l);
}

static void mark_a(void *arg) { mark(arg, 'a'); }
static void mark_b(void *arg) { mark(arg, 'b'); }
static void mark_c(void *arg) { mark(arg, 'c'); }

/* Turns until n marks, or patience is over. */
static void
turn_until(const struct trace *t, size_t n)
{
	uint64_t end = loop_now_ms(l) + PATIENCE_MS;

	while (t->n < n && loop_now_ms(l) < end)
		ck_assert_int_ge(loop_step(l, 100), 0);
}

START_TEST(a_deadline_moved_back_or_given_up_does_not_fire_early)
{
	struct trace t = { .n = 0 };
	struct loop_timer *moved, *gone, *last;
	uint64_t now = loop_now_ms(l);

	ck_assert_int_eq(loop_timer_new(l, mark_a, &t, &moved), 0);
	ck_assert_int_eq(loop_timer_new(l, mark_b, &t, &gone), 0);
	ck_assert_int_eq(loop_timer_new(l, mark_c, &t, &last), 0);
	loop_timer_at(moved, now + 5);
	loop_timer_at(moved, now + 60);
	loop_timer_at(gone, now + 5);
	loop_timer_off(gone);
	ck_assert(!loop_timer_is_on(gone));
	turn_until(&t, 1);
	ck_assert_str_eq(t.text, "a");
	ck_assert_uint_ge(t.at_ms, now + 60);
	/* Armed again after all that, and moved forward, it still fires once and in time. */
	loop_timer_at(gone, now + 100000);
	loop_timer_at(gone, now + 70);
	loop_timer_at(last, now + 80);
	turn_until(&t, 3);
	ck_assert_str_eq(t.text, "abc");
	loop_timer_free(moved);
	loop_timer_free(gone);
	loop_timer_free(last);
}
END_TEST

START_TEST(timers_fire_in_order_of_time_and_not_before)
{
	struct trace t = { .n = 0 };
	struct loop_timer *a, *b, *c;
	uint64_t now = loop_now_ms(l);

	ck_assert_int_eq(loop_timer_new(l, mark_a, &t, &a), 0);
	ck_assert_int_eq(loop_timer_new(l, mark_b, &t, &b), 0);
	ck_assert_int_eq(loop_timer_new(l, mark_c, &t, &c), 0);
	ck_assert(!loop_timer_is_on(a));
	loop_timer_at(a, now + 40);
	loop_timer_at(b, now + 20);
	loop_timer_at(c, 0);
	ck_assert(loop_timer_is_on(a));
	turn_until(&t, 3);
	ck_assert_str_eq(t.text, "cba");
	ck_assert_uint_ge(t.at_ms, now + 40);
	ck_assert(!loop_timer_is_on(a));
	loop_timer_free(a);
	loop_timer_free(b);
	loop_timer_free(c);
	loop_timer_free(NULL);
}
END_TEST

static void
again(void *arg)
{
	struct trace *t = arg;

	mark(t, 'x');
	if (t->n < 3)
		loop_timer_in(t->timer, 1);
}

START_TEST(a_timer_can_arm_itself_again)
{
	struct trace t = { .n = 0 };

	ck_assert_int_eq(loop_timer_new(l, again, &t, &t.timer), 0);
	loop_timer_in(t.timer, 0);
	turn_until(&t, 3);
	ck_assert_str_eq(t.text, "xxx");
	ck_assert(!loop_timer_is_on(t.timer));
	ck_assert_int_eq(loop_step(l, 20), 0);
	loop_timer_free(t.timer);
}
END_TEST

static void
free_own_timer(void *arg)
{
	struct trace *t = arg;

	mark(t, 'f');
	loop_timer_free(t->timer);
}

START_TEST(a_timer_can_free_itself_and_one_that_is_off_stays_silent)
{
	struct trace t = { .n = 0 }, u = { .n = 0 };

	ck_assert_int_eq(loop_timer_new(l, free_own_timer, &t, &t.timer), 0);
	ck_assert_int_eq(loop_timer_new(l, mark_a, &u, &u.timer), 0);
	loop_timer_in(u.timer, 0);
	loop_timer_off(u.timer);
	loop_timer_in(t.timer, 1);
	turn_until(&t, 1);
	ck_assert_int_eq(loop_step(l, 10), 0);
	ck_assert_uint_eq(u.n, 0);
	loop_timer_at(u.timer, UINT64_MAX);
	loop_timer_in(u.timer, UINT64_MAX);
	ck_assert_int_eq(loop_step(l, 1), 0);
	loop_timer_free(u.timer);
}
END_TEST

static void
on_pipe(void *arg, uint32_t revents)
{
	struct trace *t = arg;

	mark(t, revents & EPOLLHUP ? 'h' : 'i');
	if (revents & EPOLLHUP) {
		loop_io_free(t->io);
		t->io = NULL;
	} else {
		loop_io_events(t->io, 0);
	}
}

START_TEST(a_descriptor_is_reported_paused_and_freed_in_its_callback)
{
	struct trace t = { .n = 0 };
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(loop_io_new(l, p[0], EPOLLIN, on_pipe, &t, &t.io), 0);
	ck_assert_int_eq(loop_step(l, 0), 0);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	turn_until(&t, 1);
	ck_assert_str_eq(t.text, "i");
	ck_assert_int_eq(loop_step(l, 10), 0);
	close(p[1]);
	ck_assert_int_eq(loop_step(l, 10), 0);	/* a hang-up is not reported while paused */
	loop_io_events(t.io, EPOLLIN);
	turn_until(&t, 2);
	ck_assert_str_eq(t.text, "ih");
	ck_assert_ptr_null(t.io);
	ck_assert_int_eq(loop_step(l, 0), 0);
	close(p[0]);
}
END_TEST

START_TEST(a_descriptor_that_cannot_be_polled_is_an_error)
{
	struct loop_io *io = NULL;

	ck_assert_int_lt(loop_io_new(l, -1, EPOLLIN, on_pipe, NULL, &io), 0);
	ck_assert_ptr_null(io);
}
END_TEST

static void
on_usr1(void *arg, int signo)
{
	ck_assert_int_eq(signo, SIGUSR1);
	mark(arg, 's');
}

START_TEST(a_signal_comes_as_a_call)
{
	struct trace t = { .n = 0 };

	ck_assert_int_eq(loop_signal(l, SIGUSR1, on_usr1, &t), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_uint_eq(t.n, 0);
	turn_until(&t, 1);
	ck_assert_str_eq(t.text, "s");
	ck_assert_int_lt(loop_signal(l, 0, on_usr1, &t), 0);
}
END_TEST

static void
post_more(void *arg)
{
	mark_a(arg);
	loop_post(l, mark_c, arg);
}

static void
soon_again(void *arg)
{
	struct trace *t = arg;

	mark(t, 's');
	if (t->n < 2)
		loop_soon(t->soon);
}

START_TEST(soon_is_the_next_turn_once_however_often_it_was_asked_for)
{
	struct trace t = { .n = 0 };

	ck_assert_int_eq(loop_soon_new(l, soon_again, &t, &t.soon), 0);
	ck_assert_int_eq(loop_step(l, 0), 0);		/* it was not asked for */
	loop_soon(t.soon);
	loop_soon(t.soon);
	ck_assert_uint_eq(t.n, 0);
	ck_assert_int_gt(loop_step(l, PATIENCE_MS), 0);
	ck_assert_str_eq(t.text, "s");
	ck_assert_int_gt(loop_step(l, PATIENCE_MS), 0);	/* it asked itself */
	ck_assert_str_eq(t.text, "ss");
	ck_assert_int_eq(loop_step(l, 0), 0);
	loop_soon(t.soon);
	loop_soon_free(t.soon);
	ck_assert_int_eq(loop_step(l, 0), 0);
	ck_assert_str_eq(t.text, "ss");
}
END_TEST

START_TEST(posts_run_in_order_and_a_posted_post_waits_a_turn)
{
	struct trace t = { .n = 0 };

	loop_post(l, post_more, &t);
	loop_post(l, mark_b, &t);
	ck_assert_uint_eq(t.n, 0);
	ck_assert_int_gt(loop_step(l, 0), 0);
	ck_assert_str_eq(t.text, "ab");
	ck_assert_int_gt(loop_step(l, 0), 0);
	ck_assert_str_eq(t.text, "abc");
	ck_assert_int_eq(loop_step(l, 0), 0);
}
END_TEST

enum { THREADS = 4, POSTS = 5000 };
struct poster {
	int		 id, next;
	int		*out_of_order, *seen;
};
struct posted {
	struct poster	*from;
	int		 number;
};

static void
arrive(void *arg)
{
	AUTO(mem) void *owned = arg;
	struct posted *p = owned;

	*p->from->out_of_order += p->number != p->from->next++;
	++*p->from->seen;
}

static void *
post_many(void *arg)
{
	for (int i = 0; i < POSTS; i++) {
		struct posted *p = malloc(sizeof(*p));

		if (!p)
			abort();
		*p = (struct posted){ .from = arg, .number = i };
		loop_post(l, arrive, p);
	}
	return NULL;
}

START_TEST(posts_of_many_threads_all_arrive_each_threads_in_order)
{
	int wrong = 0, seen = 0;
	struct poster from[THREADS];
	pthread_t threads[THREADS];
	uint64_t end = loop_now_ms(l) + PATIENCE_MS;

	for (int i = 0; i < THREADS; i++) {
		from[i] = (struct poster){ .id = i, .out_of_order = &wrong, .seen = &seen };
		ck_assert_int_eq(pthread_create(&threads[i], NULL, post_many, &from[i]), 0);
	}
	while (seen < THREADS * POSTS && loop_now_ms(l) < end)
		ck_assert_int_ge(loop_step(l, 100), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(seen, THREADS * POSTS);
	ck_assert_int_eq(wrong, 0);
}
END_TEST

static void
leave(void *arg)
{
	loop_exit(l, 7);
}

START_TEST(exit_ends_run_with_its_code_and_what_is_armed_later_never_runs)
{
	struct trace t = { .n = 0 };

	loop_post(l, leave, NULL);
	ck_assert_int_eq(loop_timer_new(l, mark_a, &t, &t.timer), 0);
	ck_assert_int_eq(loop_run(l), 7);
	loop_timer_in(t.timer, 0);
	loop_timer_off(t.timer);
	loop_post(l, mark_b, &t);
	ck_assert_uint_eq(t.n, 0);
	loop_timer_free(t.timer);
}
END_TEST

START_TEST(the_watchdog_is_fed_when_the_manager_asks)
{
	char pid[16];

	ck_assert_int_eq(loop_watchdog(l), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("WATCHDOG_PID", pid, 1);
	setenv("WATCHDOG_USEC", "1000000", 1);
	setenv("NOTIFY_SOCKET", "/nonexistent", 1);
	ck_assert_int_eq(loop_watchdog(l), 0);
	setenv("WATCHDOG_USEC", "words", 1);
	struct loop *other = NULL;

	ck_assert_int_eq(loop_new(&other), 0);
	ck_assert_int_lt(loop_watchdog(other), 0);
	loop_free(other);
	loop_free(NULL);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("loop");

	tcase_set_timeout(tc, 20);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_deadline_moved_back_or_given_up_does_not_fire_early);
	tcase_add_test(tc, timers_fire_in_order_of_time_and_not_before);
	tcase_add_test(tc, a_timer_can_arm_itself_again);
	tcase_add_test(tc, a_timer_can_free_itself_and_one_that_is_off_stays_silent);
	tcase_add_test(tc, a_descriptor_is_reported_paused_and_freed_in_its_callback);
	tcase_add_test(tc, a_descriptor_that_cannot_be_polled_is_an_error);
	tcase_add_test(tc, a_signal_comes_as_a_call);
	tcase_add_test(tc, soon_is_the_next_turn_once_however_often_it_was_asked_for);
	tcase_add_test(tc, posts_run_in_order_and_a_posted_post_waits_a_turn);
	tcase_add_test(tc, posts_of_many_threads_all_arrive_each_threads_in_order);
	tcase_add_test(tc, exit_ends_run_with_its_code_and_what_is_armed_later_never_runs);
	tcase_add_test(tc, the_watchdog_is_fed_when_the_manager_asks);
	return unit_run("loop", tc);
}
