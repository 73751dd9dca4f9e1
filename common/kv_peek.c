#include "common/kv_peek.h"

#include <stdio.h>
#include <string.h>

#include "common/kv_wire.h"

static enum bus_result
ask(struct bus *b, const char *api, const char *body, uint64_t timeout_ms, struct bus_msg **ret)
{
	return bus_ask_wait(b, &(struct bus_ask){ .subject = api, .data = body,
	    .len = strlen(body), .timeout_ms = timeout_ms }, ret);
}

enum cas_result
kv_peek_exists_wait(struct bus *b, const char *bucket, uint64_t timeout_ms)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	char api[KV_SUBJECT_SIZE];
	struct kv_info info = { 0 };
	const void *data = NULL;
	uint64_t code;
	size_t len = 0;

	if (!kv_wire_api("INFO", bucket, api))
		return CAS_INVALID;
	enum bus_result res = ask(b, api, "", timeout_ms, &m);

	if (res == BUS_OK)
		data = bus_msg_data(m, &len);
	enum kv_got got = kv_wire_info(res, data, len, &info, &code);

	kv_info_deinit(&info);
	if (got == KV_GOT)
		return CAS_OK;
	return got == KV_LOST_STREAM ? CAS_NOT_FOUND : CAS_UNAVAILABLE;
}

static enum cas_result
to_entry(enum kv_got got, struct kv_message *m, struct cas_entry *ret)
{
	switch (got) {
	case KV_GOT:
		break;
	case KV_NONE:
		*ret = (struct cas_entry){ 0 };
		return CAS_NOT_FOUND;
	case KV_AWAY:
		return CAS_UNAVAILABLE;
	case KV_LOST_STREAM:
		return CAS_BUCKET_LOST;
	}
	*ret = (struct cas_entry){ .revision = m->seq, .is_marker = m->is_marker };
	if (m->is_marker)
		return CAS_NOT_FOUND;
	ret->value = m->value;
	ret->len = m->len;
	m->value = NULL;
	return CAS_OK;
}

enum cas_result
kv_peek_load_wait(struct bus *b, const char *bucket, const char *key, uint64_t timeout_ms,
    struct cas_entry *ret)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	char api[KV_SUBJECT_SIZE], subject[KV_SUBJECT_SIZE], body[KV_BODY_SIZE];
	struct kv_message got = { 0 };
	const void *data = NULL;
	size_t len = 0;

	if (!cas_key_is_valid(key) || !kv_wire_api("MSG.GET", bucket, api) ||
	    !kv_wire_subject(bucket, key, subject))
		return CAS_INVALID;
	(void)snprintf(body, sizeof(body), "{\"last_by_subj\":\"%s\"}", subject);
	enum bus_result res = ask(b, api, body, timeout_ms, &m);

	if (res == BUS_OK)
		data = bus_msg_data(m, &len);
	enum cas_result out = to_entry(kv_wire_message(res, data, len, subject, &got), &got, ret);

	kv_message_deinit(&got);
	return out;
}

enum cas_result
kv_peek_discard_wait(struct bus *b, const char *bucket, uint64_t timeout_ms)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	AUTO(json) cJSON *tree = NULL;
	char api[KV_SUBJECT_SIZE], why[JSON_WHY_MAX];
	uint64_t code = 0;
	size_t len;

	if (!kv_wire_api("DELETE", bucket, api))
		return CAS_INVALID;
	if (ask(b, api, "", timeout_ms, &m) != BUS_OK)
		return CAS_UNKNOWN;
	const void *data = bus_msg_data(m, &len);

	if (json_parse(data, len, 65536, &tree, why) < 0)
		return CAS_UNKNOWN;
	if (cJSON_IsTrue(json_member(tree, "success")))
		return CAS_OK;
	if (!json_get_u64(json_member(json_member(tree, "error"), "err_code"), &code))
		return CAS_REFUSED;
	return code == 10059 ? CAS_NOT_FOUND : CAS_REFUSED;
}
