#include "common/log_repeat.h"

#include "common/hash.h"

uint64_t
log_repeat_hash(uint64_t hash, const char *text)
{
	uint64_t h = hash_text(hash ? hash : HASH_BEGIN, text);

	return h ? h : 1;
}

static struct log_line *
find(struct log_repeat *r, uint64_t hash)
{
	for (size_t i = 0; i < LOG_REPEAT_LINES; i++)
		if (r->line[i].hash == hash)
			return &r->line[i];
	return NULL;
}

/* What came since it was last said: that was at the highest power of two. */
static uint32_t
untold(uint32_t times)
{
	uint32_t said = 1;

	while (said <= times / 2)
		said *= 2;
	return times - said;
}

struct log_count
log_repeat_add(struct log_repeat *r, uint64_t hash, uint64_t now_ms)
{
	struct log_line *l = find(r, hash);
	uint32_t withheld = 0;

	if (l && now_ms - l->first_ms < LOG_REPEAT_MS) {
		if (l->times < UINT32_MAX)
			l->times++;
		return (struct log_count){ .times = untold(l->times) == 0 ? l->times : 0 };
	}
	if (l) {
		withheld = untold(l->times);
		l->hash = 0;
	}
	r->line[r->next] = (struct log_line){ .hash = hash, .first_ms = now_ms, .times = 1 };
	r->next = (r->next + 1) % LOG_REPEAT_LINES;
	return (struct log_count){ .times = 1, .withheld = withheld };
}
