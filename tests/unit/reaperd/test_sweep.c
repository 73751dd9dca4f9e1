/* Sweeps over a real server: what goes goes in the second, and in doubt nothing goes. */
#include "reaperd/sweep.h"

#include "common/kv_peek.h"
#include "reaperd/obsolete.h"
#include "tests/unit/reaperd/world.h"

#define ID	"i-00000000000000001"
#define OTHER	"i-00000000000000002"
#define RECORD	"instance." ID
#define CLAIM	"uefi." ID
#define ADDRESS	ACCOUNT ".172-31-0-4"

/* ---- each class: what must go goes in the second sweep, not in the first ---- */

START_TEST(a_deleting_store_goes_with_its_objects_and_its_claim)
{
	put_instance(ID, "terminated", LONG_AGO);
	put_store(ID, "deleting");
	put_object(ID, A_UUID);
	put_object(ID, B_UUID);
	put_claim(ID, "node-9");
	put(SPEC_SYNC, "node.node-9", "{\"holder\":\"node-1\",\"generation\":0}");	/* buried */
	sweep_all();
	ck_assert_uint_eq(objects_of(ID), 2);
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_PRESENT);
	sweep_all();
	ck_assert(verdict_of(REAP_UEFI_STORE, ID)->done);
	ck_assert_uint_eq(objects_of(ID), 0);
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_MARKER);
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_MARKER);
}
END_TEST

START_TEST(a_claim_stays_while_its_holder_is_silent_and_goes_once_it_is_buried)
{
	put_store(ID, "deleting");
	put_claim(ID, "node-9");
	put(SPEC_SYNC, "node.node-9", "{\"holder\":\"node-9\",\"generation\":0}");
	for (int i = 0; i < 4; i++)
		sweep_all();
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_MARKER);
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_PRESENT);
	ck_assert_str_eq(verdict_of(REAP_UEFI_CLAIM, ID)->j.reason, "its holder's node does not answer");
	put(SPEC_SYNC, "node.node-9", "{\"holder\":\"node-1\",\"generation\":0}");
	sweep_all();
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_PRESENT);
	sweep_all();
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_MARKER);
}
END_TEST

START_TEST(an_object_goes_when_its_store_is_a_marker_and_stays_when_it_never_was)
{
	put_store(ID, "live");
	put_marker(SPEC_UEFI_STORES, ID);
	put_object(ID, A_UUID);
	put_object(OTHER, A_UUID);
	sweep_all();
	ck_assert_uint_eq(objects_of(ID), 1);
	sweep_all();
	sweep_all();		/* the first may have found it too young, by a millisecond */
	ck_assert_uint_eq(objects_of(ID), 0);
	ck_assert_uint_eq(objects_of(OTHER), 1);
	ck_assert_int_eq(verdict_of(REAP_UEFI_OBJECT, "uefi/" OTHER "/" A_UUID)->j.verdict,
	    KEEP_UNKNOWN);
}
END_TEST

START_TEST(an_address_goes_with_its_instance_and_no_sooner)
{
	put_instance(ID, "running", "");
	put_address("172-31-0-4", ID);
	sweep_all();
	sweep_all();
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_PRESENT);
	put_instance(ID, "terminated", LONG_AGO ",\"teardown_address\":\"pending\"");
	sweep_all();
	sweep_all();
	ck_assert_int_eq(verdict_of(REAP_ADDRESS, ADDRESS)->j.verdict, KEEP_DEPENDENT);
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_PRESENT);
	put_marker(SPEC_INSTANCES, RECORD);
	sweep_all();
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_PRESENT);
	sweep_all();
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_MARKER);
}
END_TEST

START_TEST(a_terminated_record_goes_once_it_holds_nothing)
{
	put_instance(ID, "terminated", LONG_AGO ",\"teardown_volume\":\"pending\"");
	put_instance(OTHER, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	ck_assert_int_eq(found(SPEC_INSTANCES, "instance." OTHER), KNOWN_PRESENT);
	sweep_all();
	ck_assert_int_eq(found(SPEC_INSTANCES, "instance." OTHER), KNOWN_MARKER);
	sweep_all();
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	ck_assert_int_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->j.verdict, KEEP_REPORT);
	ck_assert_str_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->holder, "node-9");
}
END_TEST

/* ---- what was judged once is no proof ---- */

START_TEST(what_changed_between_two_sweeps_begins_anew)
{
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	put_instance(ID, "terminated", LONG_AGO ",\"teardown_uefi\":\"pending\"");
	sweep_all();
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	ck_assert_str_eq(verdict_of(REAP_INSTANCE_TERMINATED, ID)->kept_because,
	    "the next sweep has to agree");
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
}
END_TEST

START_TEST(explain_changes_nothing)
{
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	put_store(ID, "deleting");
	put_object(ID, A_UUID);
	sweep_all();
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(sweep(&(struct sweep_ask){ .act = false })->acts, 0);
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_PRESENT);
	ck_assert_uint_eq(objects_of(ID), 1);
}
END_TEST

START_TEST(a_sweep_takes_five_of_a_class_and_leaves_the_rest_to_the_next)
{
	char id[20], key[64];
	size_t left = 0;

	for (unsigned i = 0; i < 12; i++) {
		snprintf(id, sizeof(id), "i-%017x", i);
		put_instance(id, "terminated", LONG_AGO TORN_DOWN);
	}
	ck_assert_uint_eq(sweep_all()->acts, 0);
	ck_assert_uint_eq(sweep_all()->acts, 5);
	for (unsigned i = 0; i < 12; i++) {
		snprintf(key, sizeof(key), "instance.i-%017x", i);
		left += found(SPEC_INSTANCES, key) == KNOWN_PRESENT;
	}
	ck_assert_uint_eq(left, 7);
	ck_assert_uint_eq(sweep_all()->acts, 5);
	ck_assert_uint_eq(sweep_all()->acts, 2);
}
END_TEST

/* ---- in doubt nothing goes, and the reason is shown ---- */

START_TEST(nothing_of_an_instance_goes_whose_record_cannot_be_read)
{
	put(SPEC_INSTANCES, RECORD, "{\"schema_version\":1,\"id\":");
	put_store(ID, "live");
	put_object(ID, A_UUID);
	put_address("172-31-0-4", ID);
	for (int i = 0; i < 3; i++)
		sweep_all();
	ck_assert_uint_eq(w->last->acts, 0);
	ck_assert_int_eq(verdict_of(REAP_INSTANCE_TERMINATED, ID)->j.verdict, KEEP_UNKNOWN);
	ck_assert_str_eq(verdict_of(REAP_UEFI_STORE, ID)->j.reason,
	    "its instance's record cannot be read");
	ck_assert_str_eq(verdict_of(REAP_ADDRESS, ADDRESS)->j.reason,
	    "its instance's record cannot be read");
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_PRESENT);
	ck_assert_uint_eq(objects_of(ID), 1);
}
END_TEST

START_TEST(a_store_record_that_cannot_be_read_keeps_its_objects_and_its_claim)
{
	put_instance(ID, "terminated", LONG_AGO);
	put(SPEC_UEFI_STORES, ID, "nonsense");
	put_object(ID, A_UUID);
	put_claim(ID, "node-9");
	put(SPEC_SYNC, "node.node-9", "{\"holder\":\"node-1\",\"generation\":0}");
	for (int i = 0; i < 3; i++)
		sweep_all();
	ck_assert_int_eq(verdict_of(REAP_UEFI_STORE, ID)->j.verdict, KEEP_UNKNOWN);
	ck_assert_uint_eq(objects_of(ID), 1);
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_PRESENT);
}
END_TEST

static void
delete_stream(void *bucket)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	char subject[128];

	snprintf(subject, sizeof(subject), "$JS.API.STREAM.DELETE.KV_%s", (const char *)bucket);
	ck_assert_int_eq(bus_ask_wait(w->bus, &(struct bus_ask){ .subject = subject, .data = "",
	    .timeout_ms = 5000 }, &m), BUS_OK);
}

/* Whichever is gone. */
static const unsigned needed[] = { SPEC_INSTANCES, SPEC_UEFI_STORES, SPEC_SYNC, SPEC_OBJECTS,
	SPEC_ADDRESSES, SPEC_NODES, SPEC_VOLUMES, SPEC_IMAGES };

START_TEST(without_a_bucket_nothing_is_judged_and_the_reason_names_it)
{
	char name[64];

	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	put_store(ID, "deleting");
	put_object(ID, A_UUID);
	put_instance(OTHER, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	snprintf(name, sizeof(name), "%s", bucket_name(w->bucket[needed[_i]]));
	in_job(delete_stream, name);
	const struct sweep *s = sweep(&(struct sweep_ask){ .act = true });

	ck_assert_str_ne(s->why, "");
	ck_assert_uint_eq(s->acts, 0);
	ck_assert_uint_eq(s->verdicts.n, 0);
	if (needed[_i] != SPEC_INSTANCES)
		ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	if (needed[_i] != SPEC_UEFI_STORES)
		ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_PRESENT);
	if (needed[_i] != SPEC_OBJECTS)
		ck_assert_uint_eq(objects_of(ID), 1);
}
END_TEST

#define YEAR_MS	(365ull * 24 * 3600 * 1000)

START_TEST(after_a_step_of_the_clock_nothing_goes_for_its_age)
{
	put_instance(ID, "terminated", ",\"terminated\":\"2099-01-01T00:00:00Z\"" TORN_DOWN);
	put_instance(OTHER, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	w->wall_shift_ms = 100 * YEAR_MS;
	sweep_all();
	sweep_all();
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_INSTANCES, "instance." OTHER), KNOWN_PRESENT);
	ck_assert_int_eq(verdict_of(REAP_INSTANCE_TERMINATED, ID)->j.verdict, KEEP_UNKNOWN);
	w->wall_shift_ms = 0;
	sweep_all();
	ck_assert_int_eq(verdict_of(REAP_INSTANCE_TERMINATED, OTHER)->j.verdict, KEEP_UNKNOWN);
	ck_assert_int_eq(found(SPEC_INSTANCES, "instance." OTHER), KNOWN_PRESENT);
}
END_TEST

START_TEST(a_reaperd_that_starts_with_a_wrong_clock_believes_no_age)
{
	put_instance(ID, "terminated", ",\"terminated\":\"2099-01-01T00:00:00Z\"" TORN_DOWN);
	w->wall_shift_ms = 100 * YEAR_MS;
	for (int i = 0; i < 3; i++)
		sweep_all();
	ck_assert_int_eq(verdict_of(REAP_INSTANCE_TERMINATED, ID)->j.verdict, KEEP_UNKNOWN);
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
}
END_TEST

START_TEST(a_step_is_a_change_of_the_distance_between_the_clocks)
{
	struct sweep_clock c = { 0 };

	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 1000, 500000), UINT64_MAX);
	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 2000, 502000), UINT64_MAX);	/* slewed */
	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 3000, 400000), 0);		/* back */
	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 4000, 401000), 1000);
	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 5000, 900000), 0);		/* ahead */
	ck_assert_uint_eq(sweep_clock_steady_ms(&c, 9000, 904000), 4000);
}
END_TEST

/* ---- what is told ---- */

struct told {
	int	 reaping, stays;
	char	 last[256], instance[32];
};

static void
remember(void *arg, int priority, const struct log_ctx *ctx, const char *text)
{
	struct told *t = arg;

	(void)priority;
	if (!strstr(text, "uefi-store "))
		return;
	t->reaping += strncmp(text, "reaping ", 8) == 0;
	t->stays += strstr(text, " stays: ") != NULL;
	(void)snprintf(t->last, sizeof(t->last), "%s", text);
	(void)snprintf(t->instance, sizeof(t->instance), "%s", ctx && ctx->instance ? ctx->instance : "");
}

static enum object_result
remove_nothing(void *ctx, const char *key, char why[static JSON_WHY_MAX])
{
	(void)ctx;
	(void)key;
	(void)snprintf(why, JSON_WHY_MAX, "the store does not answer");
	return OBJECT_UNAVAILABLE;
}

START_TEST(what_was_to_go_and_did_not_is_told_with_the_reason)
{
	struct told t = { 0 };

	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	put_store(ID, "deleting");
	put_object(ID, A_UUID);
	sweep_all();
	log_register(remember, &t);
	w->objects.remove = remove_nothing;
	sweep_all();
	ck_assert_int_eq(t.reaping, 1);
	ck_assert_int_eq(t.stays, 1);
	ck_assert_str_eq(t.last, "uefi-store " ID " stays: an object could not be removed");
	ck_assert_str_eq(t.instance, ID);
	w->objects.remove = w->store.objects.remove;
	sweep_all();
	ck_assert_int_eq(t.stays, 1);
	ck_assert(verdict_of(REAP_UEFI_STORE, ID)->done);
	log_register(NULL, NULL);
}
END_TEST

/* ---- the lease ---- */

static enum object_result
remove_and_lose(void *ctx, const char *key, char why[static JSON_WHY_MAX])
{
	enum object_result res = w->store.objects.remove(ctx, key, why);

	w->may_act_until_ms = 0;
	return res;
}

START_TEST(a_lease_that_is_lost_in_a_sweep_stops_it_before_its_next_change)
{
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	put_store(ID, "deleting");
	put_object(ID, A_UUID);
	put_object(ID, B_UUID);
	put_claim(ID, "node-9");
	put_address("172-31-0-4", OTHER);
	put_instance(OTHER, "terminated", LONG_AGO TORN_DOWN);
	sweep_all();
	w->objects.remove = remove_and_lose;
	ck_assert(sweep_all()->lost);
	ck_assert_uint_eq(w->last->acts, 0);
	ck_assert_str_eq(verdict_of(REAP_UEFI_STORE, ID)->kept_because, "the lease ended");
	ck_assert_uint_eq(objects_of(ID), 1);
	ck_assert_int_eq(found(SPEC_UEFI_STORES, ID), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_SYNC, CLAIM), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_ADDRESSES, ADDRESS), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
}
END_TEST

START_TEST(without_the_lease_nothing_goes)
{
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
	put_store(OTHER, "deleting");
	w->may_act_until_ms = 0;
	sweep_all();
	ck_assert(sweep_all()->lost);
	ck_assert_uint_eq(w->last->acts, 0);
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	ck_assert_int_eq(found(SPEC_UEFI_STORES, OTHER), KNOWN_PRESENT);
}
END_TEST

/* ---- buckets that nothing uses ---- */

static const char *const obsolete[] = { "spinifex-dhcp-leases", "spinifex-vpcd-reconcile",
	"spinifex-dns-reconcile", "spinifex-route53-realize", "spinifex-route53-verify",
	"spinifex-quota-reconcile", "spinifex-rds-leader", "spinifex-ecs-leader", "bedrock-leader",
	"spinifex-eks-leader", "spinifex-elbv2-leader" };
#define NOBSOLETE	(sizeof(obsolete) / sizeof(obsolete[0]))

struct exists {
	const char	*bucket;
	enum cas_result	 res;
};

static void
exists_run(void *arg)
{
	struct exists *e = arg;

	e->res = kv_peek_exists_wait(w->bus, e->bucket, 5000);
}

static bool
exists(const char *bucket)
{
	struct exists e = { .bucket = bucket };

	in_job(exists_run, &e);
	ck_assert(e.res == CAS_OK || e.res == CAS_NOT_FOUND);
	return e.res == CAS_OK;
}

START_TEST(the_eleven_obsolete_buckets_go_and_no_other_86)
{
	for (size_t i = 0; i < NOBSOLETE; i++)
		make_stream(obsolete[i]);
	make_stream("spinifex-other-leader");
	ck_assert_uint_eq(sweep_all()->acts, 0);
	for (size_t i = 0; i < NOBSOLETE; i++)
		ck_assert(exists(obsolete[i]));
	for (int i = 0; i < 3; i++)		/* five a sweep */
		sweep_all();
	for (size_t i = 0; i < NOBSOLETE; i++)
		ck_assert(!exists(obsolete[i]));
	ck_assert(exists("spinifex-other-leader"));
	for (size_t i = 0; i < BUCKET_SPECS; i++)
		ck_assert(exists(bucket_specs[i].name));
	ck_assert_uint_eq(sweep_all()->acts, 0);	/* a repeat finds nothing */
}
END_TEST

static void
discard_run(void *arg)
{
	struct exists *e = arg;
	struct inventory_sources from = world_sources();

	e->res = obsolete_discard(&from, e->bucket);
}

START_TEST(a_bucket_that_is_not_on_the_list_is_never_discarded)
{
	struct exists e = { .bucket = BUCKET_INSTANCES };

	in_job(discard_run, &e);
	ck_assert_int_eq(e.res, CAS_INVALID);
	ck_assert(exists(BUCKET_INSTANCES));
}
END_TEST

/* ---- control planes ---- */

#define TAGS	"{\"spinifex:managed-by\":\"eks\",\"spinifex:eks-role\":\"control-plane\"," \
		"\"spinifex:eks-cluster\":\"alpha\",\"spinifex:eks-account\":\"" ACCOUNT "\"}"
#define CONTROL_PLANE	",\"eni_id\":\"eni-00000000000000001\",\"zone\":\"z\"," \
			"\"interface_tags\":" TAGS
#define EKS_BUCKET	"eks-account-" ACCOUNT
#define META		"$KV." EKS_BUCKET ".cluster.alpha.meta"

static const struct sweep_verdict *
orphan(void)
{
	sweep_all();
	sweep_all();
	ck_assert_int_eq(found(SPEC_INSTANCES, RECORD), KNOWN_PRESENT);
	ck_assert_uint_eq(w->last->acts, 0);
	return verdict_of(REAP_CONTROL_PLANE_ORPHAN, ID);
}

START_TEST(a_control_plane_without_its_cluster_is_reported_and_stays)
{
	put_instance(ID, "running", CONTROL_PLANE);
	ck_assert_str_eq(orphan()->j.reason, "account bucket missing");
	ck_assert(!exists(EKS_BUCKET));			/* looking made nothing */
	make_stream(EKS_BUCKET);
	ck_assert_int_eq(orphan()->j.verdict, KEEP_REPORT);
	ck_assert_str_eq(orphan()->j.reason, "cluster record missing");
	ck_assert_str_eq(orphan()->control_plane->cluster, "alpha");
	in_job(ask_run, &(struct ask){ META, "not JSON" });
	ck_assert_int_eq(orphan()->j.verdict, KEEP_UNKNOWN);
	ck_assert_str_eq(orphan()->j.reason, "cluster record read failed");
	in_job(ask_run, &(struct ask){ META, "{}" });
	ck_assert_int_eq(orphan()->j.verdict, KEEP_IN_USE);
}
END_TEST

static const char *const no_control_planes[][2] = {
	{ "stopped", CONTROL_PLANE },
	{ "pending", CONTROL_PLANE },
	{ "running", ",\"interface_tags\":" TAGS },
	{ "running", ",\"eni_id\":\"eni-00000000000000001\"" },
};

START_TEST(what_is_no_running_control_plane_is_passed_over)
{
	put_instance(ID, no_control_planes[_i][0], no_control_planes[_i][1]);
	sweep_all();
	for (size_t i = 0; i < w->last->verdicts.n; i++)
		ck_assert_int_ne(w->last->verdicts.v[i].class, REAP_CONTROL_PLANE_ORPHAN);
}
END_TEST

START_TEST(the_report_on_control_planes_is_complete_or_an_error)
{
	static const struct sweep_ask ask = { .one_class = true, .class = REAP_CONTROL_PLANE_ORPHAN };

	put_instance(ID, "running", CONTROL_PLANE);
	ck_assert_str_eq(sweep(&ask)->why, "");		/* the one that is known is buried */
	put_marker(SPEC_NODES, "node-0");
	ck_assert_str_eq(sweep(&ask)->why, "no node is known");
	put_node("node-9");
	ck_assert_str_eq(sweep(&ask)->why, "an incomplete listing: node node-9 does not answer");
	ck_assert_str_eq(about_fields(&w->last->about).node, "node-9");
	ck_assert_uint_eq(w->last->verdicts.n, 0);
}
END_TEST

/* ---- what a node has to end ---- */

#define MOVED	"i-00000000000000003"
#define DELETED	"i-00000000000000004"
#define UNKNOWN	"i-00000000000000005"

static unsigned finishes;
static char	finished[20];

static void
on_list(void *arg, struct bus_req *req, const void *in)
{
	static const char *const ids[] = { ID, OTHER, MOVED, DELETED, UNKNOWN };
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(out, "instances");

	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		cJSON *vm = cJSON_CreateObject();

		ck_assert_ptr_nonnull(cJSON_AddStringToObject(vm, "instance_id", ids[i]));
		ck_assert_ptr_nonnull(cJSON_AddStringToObject(vm, "phase", "killing"));
		ck_assert_ptr_nonnull(cJSON_AddStringToObject(vm, "why", "the disk is busy"));
		ck_assert_ptr_nonnull(cJSON_AddNumberToObject(vm, "pid", 4711));
		ck_assert(cJSON_AddItemToArray(list, vm));
	}
	bus_reply(req, out);
}

struct finish_in {
	char	id[20];
};

static void
on_finish(void *arg, struct bus_req *req, const void *in)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	finishes++;
	memcpy(finished, in, sizeof(finished));
	bus_reply(req, out);
}

static const struct json_field finish_fields[] = {
	{ "instance_id", JSON_STR, offsetof(struct finish_in, id), 1, 19, true, NULL, 0 },
};
static const struct bus_route node_9[] = {
	{ "vm.v1.node-9.list", on_list, BUS_REQUEST, 1024, 5000, 0, NULL, 0, 0, "vm" },
	{ "vm.v1.node-9.finish", on_finish, BUS_REQUEST, 1024, 5000, 0, finish_fields, 1,
	    sizeof(struct finish_in), "vm" },
};

static void
serve_node_9(struct bus_sub *subs[2])
{
	finishes = 0;
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(bus_sub_new(w->bus, node_9[i].subject, &node_9[i], NULL, &subs[i]), 0);
}

START_TEST(an_owner_is_asked_once_before_the_report_which_has_its_words)
{
	struct bus_sub *subs[2];

	serve_node_9(subs);
	put_instance(ID, "shutting-down", "");
	sweep_all();
	ck_assert_int_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->j.verdict, KEEP_YOUNG);
	sweep(&(struct sweep_ask){ .act = false });
	ck_assert_uint_eq(finishes, 0);			/* an explain asks nobody to do anything */
	sweep_all();
	ck_assert_int_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->j.verdict, KEEP_ASK);
	ck_assert_uint_eq(finishes, 1);
	ck_assert_str_eq(finished, ID);
	sweep_all();
	ck_assert_int_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->j.verdict, KEEP_REPORT);
	ck_assert_str_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->said, "killing: the disk is busy");
	ck_assert_uint_eq(finishes, 1);
	ck_assert_uint_eq(w->last->acts, 0);
	for (int i = 0; i < 2; i++)
		bus_sub_free(subs[i]);
}
END_TEST

START_TEST(without_the_lease_no_owner_is_asked)
{
	struct bus_sub *subs[2];

	serve_node_9(subs);
	put_instance(ID, "shutting-down", "");
	sweep_all();
	w->may_act_until_ms = 0;
	ck_assert(sweep_all()->lost);
	ck_assert_int_eq(verdict_of(REAP_TEARDOWN_STUCK, ID)->j.verdict, KEEP_ASK);
	ck_assert_uint_eq(finishes, 0);
	for (int i = 0; i < 2; i++)
		bus_sub_free(subs[i]);
}
END_TEST

static const struct {
	const char	*id;
	enum verdict	 first, then;
	const char	*reason;
} guest_rows[] = {
	{ ID,		KEEP_IN_USE,	KEEP_IN_USE,	"its record names this node" },
	{ OTHER,	KEEP_YOUNG,	KEEP_ASK,	"its record says terminated: its node ends it" },
	{ MOVED,	KEEP_YOUNG,	KEEP_ASK,
	    "its record names another node: this one ends it" },
	{ DELETED,	KEEP_YOUNG,	KEEP_ASK,	"its record was deleted: its node ends it" },
	{ UNKNOWN,	KEEP_UNKNOWN,	KEEP_UNKNOWN,	"no record of it: that proves nothing" },
};

START_TEST(a_guest_is_judged_by_its_record_and_a_silent_node_is_named)
{
	const struct sweep_verdict *v;
	struct bus_sub *subs[2];
	char id[40];

	serve_node_9(subs);
	put_node("node-8");
	put_node("node-9");
	put_instance(ID, "running", "");
	put_instance(OTHER, "terminated", LONG_AGO ",\"teardown_volume\":\"pending\"");
	put(SPEC_INSTANCES, "instance." MOVED, "{\"schema_version\":1,\"id\":\"" MOVED "\","
	    "\"account_id\":\"" ACCOUNT "\",\"node\":\"node-8\",\"state\":\"running\"}");
	put_instance(DELETED, "running", "");
	put_marker(SPEC_INSTANCES, "instance." DELETED);
	for (int n = 0; n < 2; n++) {
		sweep_all();
		for (size_t i = 0; i < ARRAY_LEN(guest_rows); i++) {
			snprintf(id, sizeof(id), "node-9/%s", guest_rows[i].id);
			v = verdict_of(REAP_GUEST, id);
			ck_assert_int_eq(v->j.verdict, n ? guest_rows[i].then : guest_rows[i].first);
			ck_assert(n || strcmp(v->j.reason, guest_rows[i].reason) == 0);
			ck_assert_uint_eq(v->pid, 4711);
		}
	}
	ck_assert_int_eq(verdict_of(REAP_GUEST, "node-8")->j.verdict, KEEP_UNKNOWN);
	ck_assert_uint_eq(finishes, 4);		/* OTHER is asked for as stuck too */
	ck_assert_uint_eq(w->last->acts, 0);
	for (int i = 0; i < 2; i++)
		bus_sub_free(subs[i]);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("sweeps");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_deleting_store_goes_with_its_objects_and_its_claim);
	tcase_add_test(t, a_claim_stays_while_its_holder_is_silent_and_goes_once_it_is_buried);
	tcase_add_test(t, an_object_goes_when_its_store_is_a_marker_and_stays_when_it_never_was);
	tcase_add_test(t, an_address_goes_with_its_instance_and_no_sooner);
	tcase_add_test(t, a_terminated_record_goes_once_it_holds_nothing);
	tcase_add_test(t, what_changed_between_two_sweeps_begins_anew);
	tcase_add_test(t, explain_changes_nothing);
	tcase_add_test(t, a_sweep_takes_five_of_a_class_and_leaves_the_rest_to_the_next);
	tcase_add_test(t, nothing_of_an_instance_goes_whose_record_cannot_be_read);
	tcase_add_test(t, a_store_record_that_cannot_be_read_keeps_its_objects_and_its_claim);
	tcase_add_loop_test(t, without_a_bucket_nothing_is_judged_and_the_reason_names_it, 0,
	    (int)(sizeof(needed) / sizeof(needed[0])));
	tcase_add_test(t, after_a_step_of_the_clock_nothing_goes_for_its_age);
	tcase_add_test(t, a_reaperd_that_starts_with_a_wrong_clock_believes_no_age);
	tcase_add_test(t, a_step_is_a_change_of_the_distance_between_the_clocks);
	tcase_add_test(t, what_was_to_go_and_did_not_is_told_with_the_reason);
	tcase_add_test(t, a_lease_that_is_lost_in_a_sweep_stops_it_before_its_next_change);
	tcase_add_test(t, without_the_lease_nothing_goes);
	tcase_add_test(t, the_eleven_obsolete_buckets_go_and_no_other_86);
	tcase_add_test(t, a_bucket_that_is_not_on_the_list_is_never_discarded);
	tcase_add_test(t, a_control_plane_without_its_cluster_is_reported_and_stays);
	tcase_add_loop_test(t, what_is_no_running_control_plane_is_passed_over, 0,
	    (int)(sizeof(no_control_planes) / sizeof(no_control_planes[0])));
	tcase_add_test(t, the_report_on_control_planes_is_complete_or_an_error);
	tcase_add_test(t, an_owner_is_asked_once_before_the_report_which_has_its_words);
	tcase_add_test(t, without_the_lease_no_owner_is_asked);
	tcase_add_test(t, a_guest_is_judged_by_its_record_and_a_silent_node_is_named);
	return unit_run("sweep", t);
}
