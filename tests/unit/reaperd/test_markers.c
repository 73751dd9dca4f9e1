/* What is gone for good is read once, and what came back is seen. */
#include <inttypes.h>

#include "common/kv_impl.h"
#include "tests/unit/reaperd/world.h"

#define EACH	20
#define ID	"i-00000000000000001"
#define RECORD	"instance." ID
#define VOLUME	"vol-00000000000000001"

static const struct {
	unsigned	 spec;
	const char	*key;		/* of id 1 */
	const char	*value;		/* not one that can be read: it is a record all the same */
} kinds[] = {
	{ SPEC_INSTANCES, RECORD, "{}" },
	{ SPEC_UEFI_STORES, ID, "{}" },
	{ SPEC_SYNC, "uefi." ID, "{}" },
	{ SPEC_ADDRESSES, ACCOUNT ".172-31-0-4", "{}" },
	{ SPEC_VOLUMES, ACCOUNT "." VOLUME, "{}" },
	{ SPEC_IMAGES, IMAGE_KEY, "{}" },
};

static size_t reads, nexts;

static void
on_read(void *arg, const struct bus_msg *m)
{
	size_t len;
	const char *data = bus_msg_data(m, &len);

	if (memmem(data, len, "last_by_subj", strlen("last_by_subj")))
		reads++;
	else
		nexts++;
}

static bool
is_read(size_t *n, size_t want)
{
	const uint64_t end = loop_now_ms(w->loop) + PATIENCE_MS;

	while (*n < want && loop_now_ms(w->loop) < end)
		ck_assert_int_ge(loop_step(w->loop, 20), 0);
	return *n >= want;
}

/* Reads of a sweep; the last is known to be seen, as what comes after it is. */
static size_t
reads_of_a_sweep(void)
{
	size_t n;

	reads = 0;
	sweep_all();
	n = reads;
	(void)found(SPEC_SYNC, REAPER_KEY);	/* one of ours, that follows all of those */
	ck_assert(is_read(&reads, n + 1));
	return reads - 1;
}

static void
bury(unsigned spec, const char *key)
{
	put(spec, key, "{}");
	put_marker(spec, key);
}

START_TEST(a_marker_is_read_once)
{
	struct bus_sub *sub;
	char key[64];
	size_t at_first, then;

	ck_assert_int_eq(bus_hint_new(w->bus, "$JS.API.STREAM.MSG.GET.>", on_read, NULL, &sub), 0);
	(void)found(SPEC_SYNC, REAPER_KEY);
	ck_assert(is_read(&reads, 1));
	for (unsigned i = 1; i <= EACH; i++) {
		snprintf(key, sizeof(key), "instance.i-%017x", i);
		bury(SPEC_INSTANCES, key);
		bury(SPEC_UEFI_STORES, key + strlen("instance."));
		snprintf(key, sizeof(key), "uefi.i-%017x", i);
		bury(SPEC_SYNC, key);
		snprintf(key, sizeof(key), ACCOUNT ".vol-%017x", i);
		bury(SPEC_VOLUMES, key);
	}
	at_first = reads_of_a_sweep();
	ck_assert_uint_ge(at_first, 4 * EACH);
	then = reads_of_a_sweep();
	ck_assert_uint_le(then, at_first - 4 * EACH);
	/* One more is read, and the others are not. */
	bury(SPEC_INSTANCES, "instance.i-000000000000000aa");
	ck_assert_uint_eq(reads_of_a_sweep(), then + 1);
	ck_assert_uint_eq(reads_of_a_sweep(), then);
	/* What is remembered is believed for so long alone. */
	w->now_shift_ms += REMEMBERED_MS;
	ck_assert_uint_eq(reads_of_a_sweep(), at_first + 1);
	ck_assert_uint_eq(reads_of_a_sweep(), then);
	/* And none of another server, which was met since and is doubted no more. */
	atomic_store(&w->kv->quiet_until_ms, 1);
	ck_assert_uint_eq(reads_of_a_sweep(), at_first + 1);
	ck_assert_uint_eq(reads_of_a_sweep(), then);
	/* Nor while it is. */
	atomic_store(&w->kv->quiet_until_ms, UINT64_MAX);
	ck_assert_uint_eq(reads_of_a_sweep(), at_first + 1);
	ck_assert_uint_eq(reads_of_a_sweep(), at_first + 1);
	bus_sub_free(sub);
}
END_TEST

/* No record comes back by what we do, but for claims and addresses; by an operator's hand any may. */
static enum known
known_of(size_t kind)
{
	struct inventory_sources from = world_sources();
	struct inventory inv = { 0 };
	char why[160] = "";
	enum known known = KNOWN_NO_MESSAGE;

	from.remembered = &w->remembered;
	from.now_ms = clock_now_ms(&clock_system);
	ck_assert_int_eq(inventory_take(&from, &inv, why, sizeof(why)), 0);
	switch (kinds[kind].spec) {
	case SPEC_INSTANCES:
		known = inventory_instance(&inv, ID).known;
		break;
	case SPEC_UEFI_STORES:
		known = inventory_store(&inv, ID).known;
		break;
	case SPEC_SYNC:
		known = inventory_claim(&inv, ID) ? inventory_claim(&inv, ID)->facts.known : KNOWN_MARKER;
		break;
	case SPEC_ADDRESSES:
		known = inv.naddresses ? inv.addresses[0].known : KNOWN_MARKER;
		break;
	case SPEC_VOLUMES:
		known = inv.nvolumes ? inv.volumes[0].known : KNOWN_MARKER;
		break;
	case SPEC_IMAGES:
		known = inv.nimages ? inv.images[0].known : KNOWN_NO_MESSAGE;
		break;
	}
	inventory_deinit(&inv);
	return known;
}

struct knowing {
	size_t		 kind;
	enum known	 known;
};

static void
know_run(void *arg)
{
	struct knowing *k = arg;

	k->known = known_of(k->kind);
}

static enum known
take(size_t kind)
{
	struct knowing k = { .kind = kind };

	in_job(know_run, &k);
	return k.known;
}

START_TEST(what_came_back_is_seen_by_the_next_sweep)
{
	bury(kinds[_i].spec, kinds[_i].key);
	for (int n = 0; n < 3; n++) {
		ck_assert_int_eq(take((size_t)_i), KNOWN_MARKER);
		ck_assert_int_eq(take((size_t)_i), KNOWN_MARKER);
		put(kinds[_i].spec, kinds[_i].key, "%s", kinds[_i].value);
		ck_assert_int_eq(take((size_t)_i), KNOWN_UNREADABLE);
		ck_assert_int_eq(take((size_t)_i), KNOWN_UNREADABLE);
		put_marker(kinds[_i].spec, kinds[_i].key);
	}
}
END_TEST

/* Among much else that changes, of its own bucket and of others. */
START_TEST(it_is_seen_among_all_that_changed)
{
	char key[64];

	for (unsigned i = 1; i <= EACH; i++) {
		snprintf(key, sizeof(key), "instance.i-%017x", i);
		bury(SPEC_INSTANCES, key);
	}
	ck_assert_int_eq(take(0), KNOWN_MARKER);
	for (unsigned i = 1; i <= EACH; i += 2) {
		snprintf(key, sizeof(key), "instance.i-%017x", i);
		put(SPEC_INSTANCES, key, "{}");
		snprintf(key, sizeof(key), "instance.i-%017x", 100 + i);
		put(SPEC_INSTANCES, key, "{}");
	}
	for (unsigned i = 1; i <= EACH; i++) {
		struct sweep_verdict const *v;
		char id[20];

		snprintf(id, sizeof(id), "i-%017x", i);
		if (i == 1)
			sweep_all();
		if (i % 2 == 0)
			continue;
		v = verdict_of(REAP_INSTANCE_TERMINATED, id);
		ck_assert_int_eq(v->j.verdict, KEEP_UNKNOWN);
	}
}
END_TEST

/* Of another stream of the same name no old marker is believed, wherever its sequence stands. */
START_TEST(another_stream_is_read_anew)
{
	ck_assert_int_eq(take(0), KNOWN_NO_MESSAGE);
	bury(SPEC_INSTANCES, RECORD);
	ck_assert_int_eq(take(0), KNOWN_MARKER);
	ck_assert_int_eq(take(0), KNOWN_MARKER);
	in_job(ask_run, &(struct ask){ "$JS.API.STREAM.DELETE.KV_" BUCKET_INSTANCES, "" });
	make_stream(BUCKET_INSTANCES);
	in_job(ask_run, &(struct ask){ "$KV." BUCKET_INSTANCES "." RECORD, "{}" });
	for (int n = 0; n < 20; n++)		/* past where the old one stood */
		in_job(ask_run, &(struct ask){ "$KV." BUCKET_INSTANCES ".other", "{}" });
	ck_assert_int_eq(take(0), KNOWN_UNREADABLE);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("markers");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_marker_is_read_once);
	tcase_add_loop_test(t, what_came_back_is_seen_by_the_next_sweep, 0, ARRAY_LEN(kinds));
	tcase_add_test(t, it_is_seen_among_all_that_changed);
	tcase_add_test(t, another_stream_is_read_anew);
	return unit_run("markers", t);
}
