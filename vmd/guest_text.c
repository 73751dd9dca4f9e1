#include "vmd/guest_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"

int
guest_identity_parse(const void *text, size_t len, struct guest_identity *ret)
{
#define AT(m)	offsetof(struct guest_identity, m)
	static const struct json_field fields[] = {
		{ .key = "launch_id", .type = JSON_STR, .offset = AT(launch_id),
		  .min = 1, .max = 36, .need = true },
		{ .key = "boot_id", .type = JSON_STR, .offset = AT(boot_id),
		  .min = 36, .max = 36, .need = true },
		{ .key = "pid", .type = JSON_U32, .offset = AT(pid),
		  .min = 2, .max = INT32_MAX, .need = true },
		{ .key = "guard", .type = JSON_U32, .offset = AT(guard),
		  .min = 2, .max = INT32_MAX, .need = true },
		{ .key = "start", .type = JSON_U64, .offset = AT(start),
		  .min = 1, .max = UINT64_MAX, .need = true },
		{ .key = "guard_start", .type = JSON_U64, .offset = AT(guard_start),
		  .min = 1, .max = UINT64_MAX, .need = true },
	};
#undef AT
	struct guest_identity id = { 0 };
	char why[JSON_WHY_MAX];

	if (len == 0)
		return -ENODATA;
	if (json_read(text, len, GUEST_LOCK_TEXT_MAX, fields, ARRAY_LEN(fields), JSON_LOOSE, &id,
	    sizeof(id), why) < 0)
		return -EINVAL;
	*ret = id;
	return 0;
}

int
guest_end_parse(const void *text, size_t len, struct guest_end *ret)
{
	struct status {
		char		launch_id[37];
		uint32_t	status, signal;
	} s = { 0 };
	static const struct json_field fields[] = {
		{ .key = "launch_id", .type = JSON_STR,
		  .offset = offsetof(struct status, launch_id), .min = 1, .max = 36,
		  .need = true },
		{ .key = "status", .type = JSON_U32, .offset = offsetof(struct status, status),
		  .min = 0, .max = 255, .need = true },
		{ .key = "signal", .type = JSON_U32, .offset = offsetof(struct status, signal),
		  .min = 0, .max = 127, .need = true },
	};
	char why[JSON_WHY_MAX];

	if (json_read(text, len, GUEST_LOCK_TEXT_MAX, fields, ARRAY_LEN(fields), JSON_LOOSE, &s,
	    sizeof(s), why) < 0)
		return -EINVAL;
	*ret = (struct guest_end){ .status = (int)s.status, .signal = (int)s.signal };
	memcpy(ret->launch_id, s.launch_id, sizeof(ret->launch_id));
	return 0;
}

int
guest_stat_parse(const char *text, uint64_t *ret_start, char *ret_state)
{
	const char *p = strrchr(text, ')');	/* the name before may hold anything */
	char *end;
	uint64_t start;
	char state;

	if (!p || p[1] != ' ' || !p[2])
		return -EINVAL;
	state = p[2];
	for (int field = 2; field < 22; field++)
		if ((p = strchr(p + 1, ' ')) == NULL)
			return -EINVAL;
	errno = 0;
	start = strtoull(p + 1, &end, 10);
	if (errno || end == p + 1 || start == 0)
		return -EINVAL;
	*ret_start = start;
	*ret_state = state;
	return 0;
}

enum guest_run
guest_run_from_status(const char *status)
{
	static const struct {
		const char	*status;
		enum guest_run	 run;
	} table[] = {
		{ "guest-panicked",	GUEST_RUN_BROKEN },
		{ "internal-error",	GUEST_RUN_BROKEN },
		{ "io-error",		GUEST_RUN_BROKEN },
		{ "prelaunch",		GUEST_RUN_PRELAUNCH },
		{ "running",		GUEST_RUN_RUNNING },
		{ "shutdown",		GUEST_RUN_SHUTDOWN },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(status, table[i].status) == 0)
			return table[i].run;
	return GUEST_RUN_PAUSED;
}

const char *
guest_run_name(enum guest_run r)
{
	static const char *const names[GUEST_RUNS] = {
		[GUEST_RUN_UNKNOWN]	= "unknown",
		[GUEST_RUN_PRELAUNCH]	= "prelaunch",
		[GUEST_RUN_RUNNING]	= "running",
		[GUEST_RUN_PAUSED]	= "paused",
		[GUEST_RUN_SHUTDOWN]	= "shutdown",
		[GUEST_RUN_BROKEN]	= "broken",
		[GUEST_RUN_ENDED]	= "ended",
	};

	return r < GUEST_RUNS ? names[r] : "unknown";
}
