#include "vmd/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name, member)	{ .key = name, .type = JSON_STR,			\
	.offset = offsetof(struct store_files, member), .min = 1,			\
	.max = sizeof(((struct store_files *)0)->member) - 1, .need = true }

static const struct json_field files_fields[] = {
	TEXT("vars", vars),
	TEXT("code", code),
	TEXT("code_format", code_format),
	TEXT("lock", lock),
	{ .key = "secure_boot", .type = JSON_BOOL,
	    .offset = offsetof(struct store_files, secure_boot) },
};

enum member {			/* of a request, beside instance_id */
	WITH_ACCOUNT	= 1,
	WITH_ARCH	= 2,
	WITH_LAUNCH	= 4,
	WITH_IMAGE	= 8,
};

static int
no_memory(struct bus_error *ret_error)
{
	*ret_error = (struct bus_error){ .code = "bus.memory", .message = "no memory",
		.retryable = true };
	return -EIO;
}

static cJSON *
request(const struct store *s, unsigned with)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!in || !cJSON_AddStringToObject(in, "instance_id", s->instance_id) ||
	    ((with & WITH_ACCOUNT) &&
	    !cJSON_AddStringToObject(in, "account_id", s->account_id)) ||
	    ((with & WITH_ARCH) && !cJSON_AddStringToObject(in, "arch", s->arch)) ||
	    ((with & WITH_LAUNCH) && !cJSON_AddStringToObject(in, "launch_id", s->launch_id)) ||
	    ((with & WITH_IMAGE) && (!cJSON_AddStringToObject(in, "image_id", s->image_id) ||
	    !cJSON_AddStringToObject(in, "object", s->image_object))))
		return NULL;
	return steal_json(&in);
}

/* verb NULL: the subject is the cluster's, not the node's. */
static int
call(const struct store *s, const char *subject, unsigned with, cJSON **ret,
    struct bus_error *ret_error)
{
	AUTO(json) cJSON *in = request(s, with);
	int r;

	if (!in)
		return no_memory(ret_error);
	r = bus_call_follow_wait(s->bus, subject, s->request_id, in, STORE_TIMEOUT_MS, ret,
	    ret_error);
	/* Nobody there, down, no answer: all of these pass. */
	if (r < 0 && strncmp(ret_error->code, "bus.", 4) == 0)
		ret_error->retryable = true;
	return r;
}

static int
call_node(const struct store *s, const char *verb, unsigned with, cJSON **ret,
    struct bus_error *ret_error)
{
	char subject[BUS_SUBJECT_MAX + 1];

	snprintf(subject, sizeof(subject), "uefi.v1.%s.%s", s->node, verb);
	return call(s, subject, with, ret, ret_error);
}

int
store_seed(const struct store *s, struct bus_error *ret_error)
{
	AUTO(json) cJSON *out = NULL;
	bool of_image = s->image_object && s->image_object[0] != '\0';

	return call_node(s, "seed", WITH_ACCOUNT | WITH_ARCH | (of_image ? WITH_IMAGE : 0), &out,
	    ret_error);
}

int
store_open(const struct store *s, struct store_files *ret, struct bus_error *ret_error)
{
	AUTO(json) cJSON *out = NULL;
	struct store_files files = { 0 };
	char why[JSON_WHY_MAX];

	if (call_node(s, "open", WITH_LAUNCH | WITH_ARCH, &out, ret_error) < 0)
		return -EIO;
	if (json_decode(out, files_fields, ARRAY_LEN(files_fields), JSON_LOOSE, &files,
	    sizeof(files), why) < 0) {
		*ret_error = (struct bus_error){ .code = "internal" };
		snprintf(ret_error->message, sizeof(ret_error->message),
		    "the answer to open: %s", why);
		return -EIO;
	}
	*ret = files;
	return 0;
}

int
store_close(const struct store *s, struct bus_error *ret_error)
{
	AUTO(json) cJSON *out = NULL;

	if (call_node(s, "close", WITH_LAUNCH, &out, ret_error) == 0)
		return 0;
	return strcmp(ret_error->code, "uefi.fenced") == 0 ? 0 : -EIO;
}

int
store_rollback(const struct store *s, bool *ret_kept, struct bus_error *ret_error)
{
	AUTO(json) cJSON *out = NULL;
	const char *state;

	if (call_node(s, "rollback", WITH_LAUNCH, &out, ret_error) < 0)
		return -EIO;
	state = json_text(out, "state");
	*ret_kept = !state || strcmp(state, "clean") != 0;
	return 0;
}

int
store_delete(const struct store *s, struct bus_error *ret_error)
{
	AUTO(json) cJSON *out = NULL;

	return call(s, "uefi.v1.delete", WITH_ACCOUNT, &out, ret_error);
}
