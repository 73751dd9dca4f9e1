#include "common/kv_wire.h"

#include <string.h>

#include "common/json.h"
#include "tests/unit/unit.h"

#define HEADERS	"NATS/1.0\r\nNats-Msg-Id: k@7\r\nSpinifex-Nonce:abc.1\r\nEmpty:\r\nno colon\r\n\r\n"

static const struct {
	const char	*name, *value;		/* NULL: not found */
} headers[] = {
	{ "Nats-Msg-Id", "k@7" }, { "Spinifex-Nonce", "abc.1" }, { "Empty", "" },
	{ "nats-msg-id", NULL }, { "Nats-Msg", NULL }, { "no colon", NULL }, { "", NULL },
};

START_TEST(a_header_is_found_by_its_exact_name)
{
	char value[32] = "untouched";
	bool found = kv_headers_find(HEADERS, headers[_i].name, value, sizeof(value));

	ck_assert_int_eq(found, headers[_i].value != NULL);
	ck_assert_str_eq(value, headers[_i].value ? headers[_i].value : "untouched");
}
END_TEST

START_TEST(a_header_that_does_not_fit_is_not_cut)
{
	char value[5] = "";

	ck_assert(!kv_headers_find(HEADERS, "Spinifex-Nonce", value, sizeof(value)));
	ck_assert(!kv_headers_find(NULL, "Spinifex-Nonce", value, sizeof(value)));
	ck_assert(!kv_headers_find("Spinifex-Nonce: x", "Spinifex-Nonce", value, sizeof(value)));
}
END_TEST

static const cJSON *
config_of(uint64_t ttl_ms, uint32_t replicas, cJSON **ret)
{
	AUTO(str) char *text = kv_wire_config(&(struct kv_config){ .bucket = "b",
	    .description = "a \"test\"", .ttl_ms = ttl_ms, .replicas = replicas });
	char why[JSON_WHY_MAX];

	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(json_parse(text, strlen(text), 4096, ret, why), 0);
	return *ret;
}

static uint64_t
number(const cJSON *o, const char *key)
{
	uint64_t v = 0;

	ck_assert(json_get_u64(json_member(o, key), &v));
	return v;
}

START_TEST(a_stream_is_file_storage_without_history_purge_or_direct_get_65)
{
	AUTO(json) cJSON *owner = NULL;
	const cJSON *c = config_of(0, 3, &owner);

	ck_assert_str_eq(json_text(c, "name"), "KV_b");
	ck_assert_str_eq(json_text(c, "description"), "a \"test\"");
	ck_assert_str_eq(json_text(c, "storage"), "file");
	ck_assert_str_eq(json_text(c, "discard"), "new");
	ck_assert_str_eq(cJSON_GetArrayItem(json_member(c, "subjects"), 0)->valuestring, "$KV.b.>");
	ck_assert_uint_eq(number(c, "max_msgs_per_subject"), 1);
	ck_assert_uint_eq(number(c, "num_replicas"), 3);
	ck_assert_uint_eq(number(c, "max_age"), 0);
	ck_assert(cJSON_IsTrue(json_member(c, "deny_delete")));
	ck_assert(cJSON_IsTrue(json_member(c, "deny_purge")));
	ck_assert(cJSON_IsFalse(json_member(c, "allow_direct")));
	ck_assert(cJSON_IsFalse(json_member(c, "allow_rollup_hdrs")));
}
END_TEST

static const struct {
	uint64_t	ttl_ms, window_ms;
} windows[] = {
	{ 0, 120000 }, { 60000, 60000 }, { 120000, 120000 }, { 86400000, 120000 },
};

START_TEST(ids_are_kept_for_two_minutes_or_as_long_as_messages)
{
	AUTO(json) cJSON *owner = NULL;
	const cJSON *c = config_of(windows[_i].ttl_ms, 1, &owner);

	ck_assert_uint_eq(number(c, "max_age"), windows[_i].ttl_ms * 1000000);
	ck_assert_uint_eq(number(c, "duplicate_window"), windows[_i].window_ms * 1000000);
}
END_TEST

START_TEST(a_subject_that_does_not_fit_is_refused)
{
	char name[BUS_SUBJECT_MAX + 1], subject[KV_SUBJECT_SIZE];

	memset(name, 'k', sizeof(name));
	name[BUS_SUBJECT_MAX - 6] = '\0';
	ck_assert(kv_wire_subject("b", name, subject));
	ck_assert_uint_eq(strlen(subject), BUS_SUBJECT_MAX);
	name[BUS_SUBJECT_MAX - 6] = 'k';
	name[BUS_SUBJECT_MAX - 5] = '\0';
	ck_assert(!kv_wire_subject("b", name, subject));
	ck_assert(!kv_wire_api("INFO", name, subject));
}
END_TEST

START_TEST(an_error_of_the_info_request_gives_its_code)
{
	static const char text[] = "{\"error\":{\"code\":400,\"err_code\":10058}}";
	struct kv_info i = { 0 };
	uint64_t code = 0;

	ck_assert_int_eq(kv_wire_info(BUS_OK, text, sizeof(text) - 1, &i, &code), KV_AWAY);
	ck_assert_uint_eq(code, 10058);
	ck_assert_int_eq(kv_wire_info(BUS_TIMEOUT, NULL, 0, &i, &code), KV_AWAY);
	ck_assert_uint_eq(code, 0);
}
END_TEST

START_TEST(more_replicas_change_nothing_else)
{
	static const char info[] = "{\"config\":{\"name\":\"KV_b\",\"max_msgs\":-1,\"max_age\":"
	    "86400000000000,\"num_replicas\":1,\"deny_purge\":true},\"created\":\"x\"}";
	AUTO(str) char *text = kv_wire_more_replicas(info, strlen(info), 3);

	ck_assert_str_eq(text, "{\"name\":\"KV_b\",\"max_msgs\":-1,\"max_age\":86400000000000,"
	    "\"num_replicas\":3,\"deny_purge\":true}");
	ck_assert_ptr_null(kv_wire_more_replicas("{}", 2, 3));
}
END_TEST

#define START	"$KV.b.uefi."
#define MSG(subject, seq)	"{\"message\":{\"subject\":\"" subject "\",\"seq\":" seq ",\"hdrs\":\"\"}}"
#define ERROR(code)	"{\"error\":{\"code\":404,\"err_code\":" code "}}"

/* To: what is the first under "uefi." after 7? */
static const struct {
	const char	*answer;
	enum kv_got	 got;
	const char	*rest;
	uint64_t	 seq;
} nexts[] = {
	{ MSG(START "i-1", "8"), KV_GOT, "i-1", 8 },
	{ MSG(START "i-1", "18446744073709551615"), KV_GOT, "i-1", UINT64_MAX },
	{ MSG(START "i-1", "7"), KV_AWAY, NULL, 0 },	/* not after */
	{ MSG("$KV.b.other.i-1", "8"), KV_AWAY, NULL, 0 },
	{ "{\"message\":{\"subject\":\"" START "i-1\"}}", KV_AWAY, NULL, 0 },
	{ "{\"message\":7}", KV_AWAY, NULL, 0 },
	{ "{\"message\":{\"seq\":8}}", KV_AWAY, NULL, 0 },
	{ "{}", KV_AWAY, NULL, 0 },
	{ "", KV_AWAY, NULL, 0 },
	{ ERROR("10037"), KV_NONE, NULL, 0 },
	{ ERROR("10059"), KV_LOST_STREAM, NULL, 0 },
	{ ERROR("10008"), KV_AWAY, NULL, 0 },
	{ ERROR("0"), KV_AWAY, NULL, 0 },
};

START_TEST(what_comes_next_is_after_and_of_its_keys_or_says_nothing)
{
	char rest[KV_SUBJECT_SIZE] = "untouched";
	uint64_t seq = 0;

	ck_assert_int_eq(kv_wire_next(BUS_OK, nexts[_i].answer, strlen(nexts[_i].answer), START, 7,
	    rest, &seq), nexts[_i].got);
	ck_assert_str_eq(rest, nexts[_i].rest ? nexts[_i].rest : "untouched");
	ck_assert_uint_eq(seq, nexts[_i].seq);
	ck_assert_int_eq(kv_wire_next(BUS_TIMEOUT, nexts[_i].answer, strlen(nexts[_i].answer), START,
	    7, rest, &seq), KV_AWAY);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("kv_wire");

	tcase_add_loop_test(tc, a_header_is_found_by_its_exact_name, 0, ARRAY_LEN(headers));
	tcase_add_test(tc, a_header_that_does_not_fit_is_not_cut);
	tcase_add_test(tc, a_stream_is_file_storage_without_history_purge_or_direct_get_65);
	tcase_add_loop_test(tc, ids_are_kept_for_two_minutes_or_as_long_as_messages, 0,
	    ARRAY_LEN(windows));
	tcase_add_test(tc, a_subject_that_does_not_fit_is_refused);
	tcase_add_test(tc, an_error_of_the_info_request_gives_its_code);
	tcase_add_test(tc, more_replicas_change_nothing_else);
	tcase_add_loop_test(tc, what_comes_next_is_after_and_of_its_keys_or_says_nothing, 0,
	    ARRAY_LEN(nexts));
	return unit_run("kv_wire", tc);
}
