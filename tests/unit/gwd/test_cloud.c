/* The actions against nodes that answer, fail and fall silent; a real nats-server between. */
#include "gwd/page.h"
#include "tests/unit/gwd/fake_nodes.h"
#include "tests/unit/unit.h"

#define RUN_TOKEN(t, n)	"{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":\"t3.micro\","	\
	"\"MinCount\":" #n ",\"MaxCount\":" #n ",\"ClientToken\":\"" t "\"}"
#define RUN(n)		"{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":\"t3.micro\","	\
	"\"MinCount\":" #n ",\"MaxCount\":" #n "}"
#define UNKNOWN		"i-0000000000000000a"

static struct fake *f;		/* the fixture */

static void
setup(void)
{
	f = fake_new();
}

static void
teardown(void)
{
	fake_free(f);
}

/* ---- helpers ---- */

static const char *
first_id(const struct fake_ended *e)
{
	const cJSON *i = cJSON_GetArrayItem(json_member(e->out, "Instances"), 0);

	ck_assert_msg(i != NULL, "%s: %s", e->code, e->message);
	return json_text(i, "InstanceId");
}

static int
count(const struct fake_ended *e, const char *member)
{
	ck_assert_msg(e->out != NULL, "%s: %s", e->code, e->message);
	return cJSON_GetArraySize(json_member(e->out, member));
}

static void
launch(const char *in, char ret_id[static 24])
{
	struct fake_ended e;

	fake_call(f, &e, act_run_instances, in);
	snprintf(ret_id, 24, "%s", first_id(&e));
	fake_ended_deinit(&e);
	fake_wait(f, f->writes == 0);
}

static void
set_state(const char *id, enum instance_state s)
{
	struct fake_instance *at = fake_find(f, id);

	if (!at)
		abort();
	at->i.state = s;
	fake_write_record(f, at);
	fake_wait(f, f->writes == 0);
}

static void
check_code(action_fn *fn, const char *in, const char *code)
{
	struct fake_ended e;

	fake_call(f, &e, fn, in);
	ck_assert_msg(strcmp(e.code, code) == 0, "%s instead of %s: %s (%s)", e.code, code,
	    e.message, in);
	fake_ended_deinit(&e);
}

/* {"InstanceIds": [id]} with more members before it. */
static const char *
ids(char *ret, size_t size, const char *more, const char *id)
{
	snprintf(ret, size, "{%s\"InstanceIds\":[\"%s\"]}", more, id);
	return ret;
}

/* ---- launching ---- */

START_TEST(an_instance_is_launched_on_the_emptiest_node)
{
	struct fake_ended e;

	fake_call(f, &e, act_run_instances, RUN(1));
	ck_assert_int_eq(count(&e, "Instances"), 1);
	ck_assert_str_eq(json_text(e.out, "OwnerId"), FAKE_ACCOUNT);
	ck_assert_uint_eq(f->node[0].runs, 1);
	ck_assert_uint_eq(f->node[1].runs, 0);
	fake_ended_deinit(&e);
}
END_TEST

START_TEST(several_are_spread_and_answered_as_one_reservation)
{
	struct fake_ended e;

	fake_call(f, &e, act_run_instances, RUN(4));
	ck_assert_int_eq(count(&e, "Instances"), 4);
	ck_assert_uint_eq(f->nmade, 4);
	for (size_t n = 0; n < 4; n++)
		ck_assert_str_eq(f->made[n].i.reservation_id, json_text(e.out, "ReservationId"));
	ck_assert_uint_eq(f->node[0].runs, 1);
	ck_assert_uint_eq(f->node[1].runs, 1);
	fake_ended_deinit(&e);
}
END_TEST

START_TEST(a_full_node_s_share_goes_elsewhere)
{
	struct fake_ended e;

	f->node[0].mode = FAKE_IS_FULL;
	fake_call(f, &e, act_run_instances, RUN_TOKEN("t", 3));
	ck_assert_int_eq(count(&e, "Instances"), 3);
	for (size_t n = 0; n < f->nmade; n++)
		ck_assert_str_eq(f->made[n].i.node, "n2");
	fake_ended_deinit(&e);
}
END_TEST

/* A store that went back, a node without its lease: it may be full or not, and later is another time. */
START_TEST(nodes_that_take_nothing_now_are_not_full)
{
	f->node[0].mode = f->node[1].mode = FAKE_IS_BUSY;
	check_code(act_run_instances, RUN(1), "Unavailable");
	f->node[0].mode = FAKE_IS_FULL;
	check_code(act_run_instances, RUN(1), "Unavailable");
	f->node[1].mode = FAKE_IS_FULL;
	check_code(act_run_instances, RUN(1), "InsufficientInstanceCapacity");
}
END_TEST

START_TEST(less_than_min_leaves_nothing_running)
{
	f->node[1].mode = FAKE_IS_FULL;
	f->node[0].fits = 2;
	check_code(act_run_instances, RUN(4), "InsufficientInstanceCapacity");
	for (size_t n = 0; n < f->nmade; n++)
		ck_assert_int_eq(f->made[n].i.state, INSTANCE_SHUTTING_DOWN);
	check_code(act_run_instances, RUN(30), "InsufficientInstanceCapacity");
}
END_TEST

START_TEST(what_is_named_has_to_exist)
{
	check_code(act_run_instances, "{\"ImageId\":\"ami-00000000000000000\",\"InstanceType\":"
	    "\"t3.micro\",\"MinCount\":1,\"MaxCount\":1}", "InvalidAMIID.NotFound");
	check_code(act_run_instances, "{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":"
	    "\"t3.micro\",\"MinCount\":1,\"MaxCount\":1,\"KeyName\":\"none\"}",
	    "InvalidKeyPair.NotFound");
	check_code(act_run_instances, "{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":"
	    "\"x9.none\",\"MinCount\":1,\"MaxCount\":1}", "InvalidParameterValue");
	check_code(act_run_instances, "{\"ImageId\":\"" FAKE_IMAGE "\",\"MinCount\":1,"
	    "\"MaxCount\":1}", "Unsupported");	/* m1.small, EC2's default */
	check_code(act_run_instances, "{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":"
	    "\"t4g.micro\",\"MinCount\":1,\"MaxCount\":1}", "InvalidParameterValue");
	check_code(act_run_instances, "{\"ImageId\":\"" FAKE_IMAGE "\",\"InstanceType\":"
	    "\"t3.micro\",\"MinCount\":1,\"MaxCount\":1,\"Placement\":{\"AvailabilityZone\":"
	    "\"us-east-1z\"}}", "InvalidParameterValue");
	ck_assert_uint_eq(f->nmade, 0);
}
END_TEST

START_TEST(without_a_node_it_is_unavailable)
{
	fake_node_off(f, 0);
	fake_node_off(f, 1);
	check_code(act_run_instances, RUN(1), "Unavailable");
}
END_TEST

/* ---- client tokens ---- */

START_TEST(a_repeated_token_answers_the_same_instance_6)
{
	char a[24], b[24], c[24];

	launch(RUN_TOKEN("t", 1), a);
	launch(RUN_TOKEN("t", 1), b);
	ck_assert_str_eq(a, b);
	launch(RUN_TOKEN("u", 1), c);
	ck_assert_str_ne(a, c);
	ck_assert_uint_eq(f->nmade, 2);
	check_code(act_run_instances, RUN_TOKEN("t", 2), "IdempotentParameterMismatch");
	set_state(a, INSTANCE_STOPPED);
	launch(RUN_TOKEN("t", 1), b);
	ck_assert_str_eq(a, b);
	set_state(a, INSTANCE_TERMINATED);
	check_code(act_run_instances, RUN_TOKEN("t", 1), "IdempotentInstanceTerminated");
	ck_assert_uint_eq(f->nmade, 2);
}
END_TEST

START_TEST(sixteen_at_once_with_one_token_are_one_instance_6)
{
	struct fake_ended e[16];
	size_t ended = 0;

	for (size_t n = 0; n < ARRAY_LEN(e); n++)
		fake_begin(f, &e[n], act_run_instances, RUN_TOKEN("t", 1));
	while (ended < ARRAY_LEN(e)) {
		fake_step(f);
		ended = 0;
		for (size_t n = 0; n < ARRAY_LEN(e); n++)
			ended += e[n].ended;
	}
	ck_assert_uint_eq(f->nmade, 1);
	for (size_t n = 0; n < ARRAY_LEN(e); n++) {
		ck_assert_str_eq(first_id(&e[n]), f->made[0].i.id);
		fake_ended_deinit(&e[n]);
	}
}
END_TEST

/* What a dead gateway leaves: a token whose ids were never launched, or launched unheard. */
START_TEST(a_token_without_an_outcome_is_sent_again_with_its_ids_6)
{
	char id[24];

	f->node[0].mode = FAKE_MAKES_AND_BREAKS;
	check_code(act_run_instances, RUN_TOKEN("made", 1), "InternalError");
	fake_wait(f, f->writes == 0);
	ck_assert_uint_eq(f->nmade, 1);
	f->node[0].mode = FAKE_BREAKS;
	check_code(act_run_instances, RUN_TOKEN("unmade", 1), "InternalError");
	f->node[0].mode = FAKE_LAUNCHES;
	launch(RUN_TOKEN("made", 1), id);
	ck_assert_str_eq(id, f->made[0].i.id);
	ck_assert_uint_eq(f->nmade, 1);
	launch(RUN_TOKEN("unmade", 1), id);
	ck_assert_uint_eq(f->nmade, 2);
	launch(RUN_TOKEN("unmade", 1), id);
	ck_assert_uint_eq(f->nmade, 2);
}
END_TEST

/* The first sending may be under way still: whatever the second one is told, the ids stay. */
START_TEST(a_token_that_is_sent_again_is_not_forgotten_6)
{
	char id[24];

	f->node[0].mode = FAKE_BREAKS;
	check_code(act_run_instances, RUN_TOKEN("t", 1), "InternalError");
	f->node[0].mode = FAKE_IS_BUSY;
	check_code(act_run_instances, RUN_TOKEN("t", 1), "ServiceUnavailable");
	ck_assert_uint_eq(f->node[1].runs, 0);
	check_code(act_run_instances, RUN_TOKEN("t", 2), "IdempotentParameterMismatch");
	f->node[0].mode = FAKE_REFUSES;
	check_code(act_run_instances, RUN_TOKEN("t", 1), "InvalidSubnetID.NotFound");
	check_code(act_run_instances, RUN_TOKEN("t", 2), "IdempotentParameterMismatch");
	f->node[0].mode = FAKE_LAUNCHES;
	launch(RUN_TOKEN("t", 1), id);
	ck_assert_uint_eq(f->nmade, 1);
}
END_TEST

START_TEST(a_refused_launch_uses_up_no_token_6)
{
	char id[24];

	f->node[0].mode = f->node[1].mode = FAKE_REFUSES;
	check_code(act_run_instances, RUN_TOKEN("t", 1), "InvalidSubnetID.NotFound");
	f->node[0].mode = f->node[1].mode = FAKE_IS_FULL;
	check_code(act_run_instances, RUN_TOKEN("t", 1), "InsufficientInstanceCapacity");
	f->node[0].mode = f->node[1].mode = FAKE_LAUNCHES;
	launch(RUN_TOKEN("t", 2), id);		/* other parameters: the token is free again */
	ck_assert_uint_eq(f->nmade, 2);
}
END_TEST

/* ---- describing ---- */

START_TEST(all_nodes_are_asked_and_none_waited_for_in_vain)
{
	char a[24], in[128];
	struct fake_ended e;
	uint64_t start = loop_now_ms(f->g.d.loop);

	launch(RUN(4), a);
	fake_call(f, &e, act_describe_instances, "{}");
	ck_assert_int_eq(count(&e, "Reservations"), 1);
	ck_assert_int_eq(cJSON_GetArraySize(json_member(cJSON_GetArrayItem(json_member(e.out,
	    "Reservations"), 0), "Instances")), 4);
	fake_ended_deinit(&e);
	fake_call(f, &e, act_describe_instances, ids(in, sizeof(in), "", a));
	ck_assert_int_eq(count(&e, "Reservations"), 1);
	fake_ended_deinit(&e);
	ck_assert_uint_lt(loop_now_ms(f->g.d.loop) - start, 1500);	/* under a gather's wait */
}
END_TEST

START_TEST(an_instance_of_a_silent_node_is_told_by_its_record_12)
{
	char a[24], in[128];
	struct fake_ended e;
	const cJSON *status;

	launch(RUN(2), a);
	fake_node_off(f, 0);
	fake_call(f, &e, act_describe_instances, "{}");
	ck_assert_int_eq(cJSON_GetArraySize(json_member(cJSON_GetArrayItem(json_member(e.out,
	    "Reservations"), 0), "Instances")), 2);
	fake_ended_deinit(&e);
	for (size_t n = 0; n < 2; n++) {
		fake_call(f, &e, act_describe_instances, ids(in, sizeof(in), "", f->made[n].i.id));
		ck_assert_int_eq(count(&e, "Reservations"), 1);
		fake_ended_deinit(&e);
		fake_call(f, &e, act_describe_instance_status, ids(in, sizeof(in), "",
		    f->made[n].i.id));
		ck_assert_int_eq(count(&e, "InstanceStatuses"), 1);
		status = cJSON_GetArrayItem(json_member(e.out, "InstanceStatuses"), 0);
		ck_assert_str_eq(json_text(json_member(status, "SystemStatus"), "Status"),
		    strcmp(f->made[n].i.node, "n1") == 0 ? "impaired" : "ok");
		fake_ended_deinit(&e);
	}
}
END_TEST

START_TEST(an_unknown_id_fails_the_call_with_its_name_9)
{
	char a[24], in[128];
	struct fake_ended e;

	launch(RUN(1), a);
	snprintf(in, sizeof(in), "{\"InstanceIds\":[\"%s\",\"" UNKNOWN "\"]}", a);
	fake_call(f, &e, act_describe_instances, in);
	ck_assert_str_eq(e.code, "InvalidInstanceID.NotFound");
	ck_assert_str_eq(e.message, "The instance ID '" UNKNOWN "' does not exist");
	fake_ended_deinit(&e);
	check_code(act_stop_instances, in, "InvalidInstanceID.NotFound");
	ck_assert_int_eq(f->made[0].i.state, INSTANCE_RUNNING);		/* before anything is done */
	snprintf(in, sizeof(in), "{\"InstanceIds\":[\"%s\"]}", a);
	fake_begin(f, &e, act_describe_instances, in);
	fake_wait(f, e.ended);
	fake_ended_deinit(&e);
}
END_TEST

/* An answer is never older than its question, and a crowd is one question more. */
START_TEST(who_asks_while_a_question_is_under_way_shares_the_next)
{
	char a[24], in[128];
	struct fake_ended e[16], other;

	launch(RUN(2), a);
	ids(in, sizeof(in), "", a);
	for (size_t n = 0; n < ARRAY_LEN(e); n++)
		fake_begin(f, &e[n], act_describe_instances, "{}");
	fake_begin(f, &other, act_describe_instances, in);
	for (size_t n = 0; n < ARRAY_LEN(e); n++)
		fake_wait(f, e[n].ended);
	fake_wait(f, other.ended);
	for (size_t n = 0; n < ARRAY_LEN(e); n++) {
		ck_assert_int_eq(count(&e[n], "Reservations"), 1);
		ck_assert_int_eq(cJSON_GetArraySize(json_member(cJSON_GetArrayItem(json_member(
		    e[n].out, "Reservations"), 0), "Instances")), 2);
		fake_ended_deinit(&e[n]);
	}
	ck_assert_int_eq(count(&other, "Reservations"), 1);
	ck_assert_str_eq(json_text(cJSON_GetArrayItem(json_member(cJSON_GetArrayItem(json_member(
	    other.out, "Reservations"), 0), "Instances"), 0), "InstanceId"), a);
	fake_ended_deinit(&other);
	ck_assert_uint_eq(f->node[0].describes, 3);	/* the first, the crowd, the named one */
	ck_assert_uint_eq(f->node[1].describes, 3);
}
END_TEST

/* Those who wait behind a question that a dead node leaves open are told the same by the next. */
START_TEST(a_crowd_is_answered_when_a_node_is_silent)
{
	struct fake_ended e[4];
	char a[24];

	launch(RUN(2), a);
	fake_node_off(f, 0);
	for (size_t n = 0; n < ARRAY_LEN(e); n++)
		fake_begin(f, &e[n], act_describe_instances, "{}");
	for (size_t n = 0; n < ARRAY_LEN(e); n++) {
		fake_wait(f, e[n].ended);
		ck_assert_int_eq(cJSON_GetArraySize(json_member(cJSON_GetArrayItem(json_member(
		    e[n].out, "Reservations"), 0), "Instances")), 2);
		fake_ended_deinit(&e[n]);
	}
	ck_assert_uint_eq(f->node[1].describes, 2);
}
END_TEST

static int
walk(const char *filters, int max, unsigned *given)
{
	char token[PAGE_TOKEN_MAX + 32] = "", in[2048];
	int pages = 0;

	for (bool more = true; more; pages++) {
		struct fake_ended e;
		const cJSON *r, *i;

		snprintf(in, sizeof(in), "{%s\"MaxResults\":%d%s}", filters, max, token);
		fake_call(f, &e, act_describe_instances, in);
		ck_assert_str_eq(e.code, "");
		cJSON_ArrayForEach(r, json_member(e.out, "Reservations")) {
			cJSON_ArrayForEach(i, json_member(r, "Instances"))
				given[fake_find(f, json_text(i, "InstanceId")) - f->made]++;
		}
		more = json_text(e.out, "NextToken") != NULL;
		if (more)
			snprintf(token, sizeof(token), ",\"NextToken\":\"%s\"",
			    json_text(e.out, "NextToken"));
		fake_ended_deinit(&e);
	}
	return pages;
}

START_TEST(a_walk_over_pages_gives_each_instance_once_8)
{
	unsigned given[FAKE_INSTANCES] = { 0 };
	char a[24];

	f->node[0].fits = f->node[1].fits = 50;
	f->node[0].page = 3;		/* answers of many rounds, of different lengths */
	f->node[1].page = 4;
	launch(RUN(23), a);
	ck_assert_int_eq(walk("", 5, given), 5);
	for (size_t n = 0; n < f->nmade; n++)
		ck_assert_uint_eq(given[n], 1);
	fake_node_off(f, 1);		/* and with half of them from their records */
	memset(given, 0, sizeof(given));
	ck_assert_int_eq(walk("", 6, given), 4);
	for (size_t n = 0; n < f->nmade; n++)
		ck_assert_uint_eq(given[n], 1);
	memset(given, 0, sizeof(given));
	set_state(f->made[0].i.id, INSTANCE_STOPPED);
	ck_assert_int_eq(walk("\"Filters\":[{\"Name\":\"instance-state-name\",\"Values\":"
	    "[\"stop*\"]}],", 5, given), 1);
	for (size_t n = 0; n < f->nmade; n++)
		ck_assert_uint_eq(given[n], n == 0);
}
END_TEST

/* ---- changing ---- */

START_TEST(a_change_goes_to_the_owner)
{
	char a[24], in[128];
	struct fake_ended e;
	const cJSON *change;

	launch(RUN(1), a);
	fake_call(f, &e, act_stop_instances, ids(in, sizeof(in), "", a));
	change = cJSON_GetArrayItem(json_member(e.out, "StoppingInstances"), 0);
	ck_assert_str_eq(json_text(change, "InstanceId"), a);
	ck_assert_str_eq(json_text(json_member(change, "PreviousState"), "Name"), "running");
	ck_assert_str_eq(json_text(json_member(change, "CurrentState"), "Name"), "stopping");
	fake_ended_deinit(&e);
	set_state(a, INSTANCE_TERMINATED);
	check_code(act_stop_instances, ids(in, sizeof(in), "", a), "IncorrectInstanceState");
}
END_TEST

START_TEST(a_start_without_an_owner_goes_to_the_queue_1_9)
{
	char a[24], in[128];
	struct fake_ended e;

	launch(RUN(1), a);
	set_state(a, INSTANCE_STOPPED);
	fake_node_off(f, 0);
	fake_call(f, &e, act_start_instances, ids(in, sizeof(in), "", a));
	ck_assert_int_eq(count(&e, "StartingInstances"), 1);
	ck_assert_uint_eq(f->commands, 1);
	fake_ended_deinit(&e);
}
END_TEST

START_TEST(a_change_without_an_owner_is_unavailable_or_done_already)
{
	char a[24], in[128];
	struct fake_ended e;

	launch(RUN(1), a);
	fake_node_off(f, 0);
	check_code(act_stop_instances, ids(in, sizeof(in), "", a), "Unavailable");
	check_code(act_terminate_instances, ids(in, sizeof(in), "", a), "Unavailable");
	set_state(a, INSTANCE_TERMINATED);
	fake_call(f, &e, act_terminate_instances, ids(in, sizeof(in), "", a));
	ck_assert_int_eq(count(&e, "TerminatingInstances"), 1);
	fake_ended_deinit(&e);
}
END_TEST

/* ---- key pairs, images, types, zones ---- */

START_TEST(a_key_pair_lives_under_its_name)
{
	struct fake_ended e;
	char in[128], id[32];

	fake_call(f, &e, act_create_key_pair, "{\"KeyName\":\"k\",\"KeyType\":\"ed25519\"}");
	ck_assert_msg(e.out != NULL, "%s", e.message);
	ck_assert_int_eq(strncmp(json_text(e.out, "KeyMaterial"), "-----BEGIN OPENSSH", 18), 0);
	snprintf(id, sizeof(id), "%s", json_text(e.out, "KeyPairId"));
	fake_ended_deinit(&e);
	check_code(act_create_key_pair, "{\"KeyName\":\"k\",\"KeyType\":\"ed25519\"}",
	    "InvalidKeyPair.Duplicate");
	check_code(act_import_key_pair, "{\"KeyName\":\"i\",\"PublicKeyMaterial\":\"aGVsbG8=\"}",
	    "InvalidKey.Format");
	fake_call(f, &e, act_describe_key_pairs, "{\"KeyNames\":[\"k\"]}");
	ck_assert_int_eq(count(&e, "KeyPairs"), 1);
	fake_ended_deinit(&e);
	check_code(act_describe_key_pairs, "{\"KeyNames\":[\"k\",\"l\"]}",
	    "InvalidKeyPair.NotFound");
	snprintf(in, sizeof(in), "{\"KeyPairId\":\"%s\"}", id);
	fake_call(f, &e, act_delete_key_pair, in);
	ck_assert_str_eq(e.code, "");
	fake_ended_deinit(&e);
	check_code(act_describe_key_pairs, "{\"KeyNames\":[\"k\"]}", "InvalidKeyPair.NotFound");
	fake_call(f, &e, act_delete_key_pair, "{\"KeyName\":\"k\"}");
	ck_assert_str_eq(e.code, "");
	fake_ended_deinit(&e);
	fake_call(f, &e, act_create_key_pair, "{\"KeyName\":\"k\",\"KeyType\":\"ed25519\"}");
	ck_assert_msg(e.out != NULL, "%s", e.message);
	fake_ended_deinit(&e);
}
END_TEST

START_TEST(images_are_shown_to_those_who_may_launch_them)
{
	struct fake_ended e;
	const cJSON *image;

	fake_call(f, &e, act_describe_images, "{\"Owners\":[\"self\"]}");
	ck_assert_int_eq(count(&e, "Images"), 1);
	image = cJSON_GetArrayItem(json_member(e.out, "Images"), 0);
	ck_assert_str_eq(json_text(image, "ImageId"), FAKE_IMAGE);
	ck_assert_str_eq(json_text(image, "RootDeviceName"), "/dev/sda1");
	ck_assert_str_eq(json_text(cJSON_GetArrayItem(json_member(image,
	    "BlockDeviceMappings"), 0), "DeviceName"), "/dev/sda1");
	fake_ended_deinit(&e);
	fake_call(f, &e, act_describe_images, "{\"Owners\":[\"amazon\"]}");
	ck_assert_int_eq(count(&e, "Images"), 0);
	fake_ended_deinit(&e);
	check_code(act_describe_images, "{\"ImageIds\":[\"ami-00000000000000000\"]}",
	    "InvalidAMIID.NotFound");
}
END_TEST

START_TEST(types_and_zones_are_listed)
{
	struct fake_ended e;

	fake_call(f, &e, act_describe_instance_types, "{\"InstanceTypes\":[\"t3.micro\"]}");
	ck_assert_int_eq(count(&e, "InstanceTypes"), 1);
	fake_ended_deinit(&e);
	fake_call(f, &e, act_describe_instance_types, "{\"MaxResults\":5}");
	ck_assert_int_eq(count(&e, "InstanceTypes"), 5);
	ck_assert_ptr_nonnull(json_text(e.out, "NextToken"));
	fake_ended_deinit(&e);
	check_code(act_describe_instance_types, "{\"InstanceTypes\":[\"x9.none\"]}",
	    "InvalidInstanceType");
	fake_call(f, &e, act_describe_availability_zones, "{}");
	ck_assert_int_eq(count(&e, "AvailabilityZones"), 1);
	ck_assert_str_eq(json_text(cJSON_GetArrayItem(json_member(e.out, "AvailabilityZones"), 0),
	    "ZoneId"), "use1-az1");
	fake_ended_deinit(&e);
	check_code(act_describe_availability_zones, "{\"ZoneNames\":[\"us-east-1q\"]}",
	    "InvalidParameterValue");
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("cloud");

	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_instance_is_launched_on_the_emptiest_node);
	tcase_add_test(t, several_are_spread_and_answered_as_one_reservation);
	tcase_add_test(t, a_full_node_s_share_goes_elsewhere);
	tcase_add_test(t, nodes_that_take_nothing_now_are_not_full);
	tcase_add_test(t, less_than_min_leaves_nothing_running);
	tcase_add_test(t, what_is_named_has_to_exist);
	tcase_add_test(t, without_a_node_it_is_unavailable);
	tcase_add_test(t, a_repeated_token_answers_the_same_instance_6);
	tcase_add_test(t, sixteen_at_once_with_one_token_are_one_instance_6);
	tcase_add_test(t, a_token_without_an_outcome_is_sent_again_with_its_ids_6);
	tcase_add_test(t, a_token_that_is_sent_again_is_not_forgotten_6);
	tcase_add_test(t, a_refused_launch_uses_up_no_token_6);
	tcase_add_test(t, all_nodes_are_asked_and_none_waited_for_in_vain);
	tcase_add_test(t, who_asks_while_a_question_is_under_way_shares_the_next);
	tcase_add_test(t, a_crowd_is_answered_when_a_node_is_silent);
	tcase_add_test(t, an_instance_of_a_silent_node_is_told_by_its_record_12);
	tcase_add_test(t, an_unknown_id_fails_the_call_with_its_name_9);
	tcase_add_test(t, a_walk_over_pages_gives_each_instance_once_8);
	tcase_add_test(t, a_change_goes_to_the_owner);
	tcase_add_test(t, a_start_without_an_owner_goes_to_the_queue_1_9);
	tcase_add_test(t, a_change_without_an_owner_is_unavailable_or_done_already);
	tcase_add_test(t, a_key_pair_lives_under_its_name);
	tcase_add_test(t, images_are_shown_to_those_who_may_launch_them);
	tcase_add_test(t, types_and_zones_are_listed);
	return unit_run("cloud", t);
}
