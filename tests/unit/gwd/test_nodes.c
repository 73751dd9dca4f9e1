/* The list of nodes without a single hint: gwd's connection may not hear of writes. */
#include "gwd/nodes.h"

#include <string.h>

#include "common/bus.h"
#include "common/kv.h"
#include "common/subjects.h"
#include "tests/unit/nats_server.h"
#include "tests/unit/unit.h"

#define PATIENCE_MS	10000	/* less than NODES_REREAD_MS */

static const char users[] =
    "authorization { users: [\n"
    "	{ user: deaf, password: p, permissions: { subscribe: { deny: \"$KV.>\" } } }\n"
    "	{ user: all, password: p }\n"
    "] }\n";
static const struct bucket_spec spec = { .name = BUCKET_NODES, .description = "",
	.loss = BUCKET_KEPT };

struct half {
	struct bus	*bus;
	struct kv	*kv;
	struct bucket	*bucket;
};
static struct world {
	struct nats_server	 server;
	struct loop		*loop;
	struct half		 gwd, other;	/* who is deaf, who writes */
	struct nodes		*nodes;
	bool			 written;
} *w;

static void
wait_until(bool (*is_so)(size_t), size_t n)
{
	const uint64_t end = loop_now_ms(w->loop) + PATIENCE_MS;

	while (!is_so(n)) {
		ck_assert_msg(loop_now_ms(w->loop) < end, "waited in vain");
		ck_assert_int_ge(loop_step(w->loop, 100), 0);
	}
}

static bool
are_open(size_t n)
{
	return bucket_is_open(w->gwd.bucket) && bucket_is_open(w->other.bucket);
}

static bool
is_written(size_t n)
{
	return w->written;
}

static bool
there_are(size_t n)
{
	return nodes_count(w->nodes) == n;
}

static void
half_open(struct half *h, const char *user)
{
	const struct bus_conf bus = { .name = user, .url = w->server.url, .user = user,
	    .password = "p" };
	char dir[128];
	const struct kv_conf kv = { .state_dir = dir, .cluster_size = 1 };

	snprintf(dir, sizeof(dir), "%s/%s", w->server.dir, user);
	ck_assert_int_eq(bus_new(w->loop, &bus, &h->bus), 0);
	ck_assert_int_eq(kv_new(h->bus, &kv, &h->kv), 0);
	ck_assert_int_eq(bucket_open(h->kv, &spec, &h->bucket), 0);
}

static void
half_close(struct half *h)
{
	kv_free(h->kv);
	bus_free(h->bus);
}

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	ck_assert_int_eq(res, CAS_OK);
	w->written = true;
}

static void
join(const char *name)
{
	w->written = false;
	ck_assert(kv_put(w->other.bucket, name, "{}", 2, 0, 5000, on_written, NULL));
	wait_until(is_written, 0);
}

static void
setup(void)
{
	w = calloc(1, sizeof(*w));
	ck_assert_ptr_nonnull(w);
	nats_server_start_with(&w->server, users);
	ck_assert_int_eq(loop_new(&w->loop), 0);
	half_open(&w->other, "all");
	half_open(&w->gwd, "deaf");
	wait_until(are_open, 0);
	ck_assert_int_eq(nodes_new(w->loop, w->gwd.bucket, &w->nodes), 0);
}

static void
teardown(void)
{
	nodes_free(w->nodes);
	half_close(&w->gwd);
	half_close(&w->other);
	loop_free(w->loop);
	nats_server_stop(&w->server);
	free(w);
}

static bool
had_time(size_t until_ms)
{
	return loop_now_ms(w->loop) >= until_ms;
}

START_TEST(an_empty_list_is_read_again_soon)
{
	wait_until(had_time, loop_now_ms(w->loop) + 500);	/* it was read, empty */
	ck_assert(!nodes_are_known(w->nodes));
	join("n1");
	wait_until(there_are, 1);
	ck_assert(nodes_are_known(w->nodes));
}
END_TEST

START_TEST(who_is_heard_and_not_in_the_list_is_looked_for)
{
	join("n1");
	wait_until(there_are, 1);
	join("n2");
	wait_until(had_time, loop_now_ms(w->loop) + 2000);
	ck_assert_uint_eq(nodes_count(w->nodes), 1);	/* really nobody told it */
	nodes_heard(w->nodes, "n2");
	wait_until(there_are, 2);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("nodes");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, an_empty_list_is_read_again_soon);
	tcase_add_test(t, who_is_heard_and_not_in_the_list_is_looked_for);
	return unit_run("nodes", t);
}
