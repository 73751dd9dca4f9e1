#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/bus.h"
#include "common/subjects.h"

#define ANSWER_MAX	(8u << 20)	/* bytes of an answer's JSON */

static void
error_set(struct bus_error *e, const char *code, bool retryable, const char *message)
{
	e->retryable = retryable;
	(void)snprintf(e->code, sizeof(e->code), "%s", code);
	(void)snprintf(e->message, sizeof(e->message), "%s", message);
}

int
bus_msg_json(const struct bus_msg *m, cJSON **ret, struct bus_error *ret_error)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];
	const char *code, *message;
	size_t len;
	const void *data = bus_msg_data(m, &len);
	int r = json_parse(data, len, ANSWER_MAX, &tree, why);

	if (r < 0) {
		error_set(ret_error, "internal", false,
		    r == -ENOMEM ? "no memory" : r == -EMSGSIZE ? "the answer is too large" : why);
		return -EBADMSG;
	}
	code = json_text(tree, "Code");
	if (code) {
		message = json_text(tree, "Message");
		error_set(ret_error, code, cJSON_IsTrue(json_member(tree, "Retryable")),
		    message ? message : "");
		return -EBADMSG;
	}
	*ret = steal_json(&tree);
	return 0;
}

static const char *const result_code[BUS_RESULTS] = {
	[BUS_OK]		= "internal",
	[BUS_NO_RESPONDERS]	= "bus.no_responders",
	[BUS_NOT_SENT]		= "bus.down",
	[BUS_TIMEOUT]		= "bus.timeout",
};

int
bus_call_follow_wait(struct bus *b, const char *subject, const char *request_id, const cJSON *in,
    uint64_t timeout_ms, cJSON **ret, struct bus_error *ret_error)
{
	const struct bus_header follow = { HEADER_REQUEST_ID, request_id };
	AUTO(str) char *text = json_print(in);
	AUTO(bus_msg) struct bus_msg *m = NULL;
	enum bus_result res;

	if (!text) {
		error_set(ret_error, "internal", true, "no memory");
		return -EIO;
	}
	res = bus_ask_wait(b, &(struct bus_ask){ .subject = subject, .data = text,
	    .headers = &follow, .nheaders = request_id && *request_id ? 1 : 0,
	    .len = strlen(text), .timeout_ms = timeout_ms }, &m);
	if (res != BUS_OK) {
		error_set(ret_error, result_code[res], true, bus_result_text(res));
		return -EIO;
	}
	return bus_msg_json(m, ret, ret_error) < 0 ? -EIO : 0;
}

int
bus_call_wait(struct bus *b, const char *subject, const cJSON *in, uint64_t timeout_ms,
    cJSON **ret, struct bus_error *ret_error)
{
	return bus_call_follow_wait(b, subject, NULL, in, timeout_ms, ret, ret_error);
}
