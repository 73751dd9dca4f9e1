#include "common/heartbeat.h"

#include "common/json.h"

#define BEAT_MAX	(16u << 10)	/* bytes of a beat's JSON */

struct beat {
	uint64_t	 timestamp_ms;
};
static const struct json_field beat_fields[] = {
	{ "timestamp",	JSON_TIME,	offsetof(struct beat, timestamp_ms), .need = false },
};

uint64_t
heartbeat_stamp(const char *value, size_t len)
{
	struct beat b = { 0 };
	char why[JSON_WHY_MAX];

	if (json_read(value, len, BEAT_MAX, beat_fields, ARRAY_LEN(beat_fields), JSON_LOOSE, &b,
		sizeof(b), why) < 0)
		return 0;
	return b.timestamp_ms;
}

bool
heartbeat_is_live(uint64_t stamp_ms, uint64_t wall_ms, uint64_t ttl_ms)
{
	if (stamp_ms == 0)
		return false;
	if (stamp_ms > wall_ms)
		return stamp_ms - wall_ms <= ttl_ms;
	return wall_ms - stamp_ms < ttl_ms;
}
