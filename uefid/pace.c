/* The timing of write-backs. */
#include "uefid/pace.h"

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void
pace_wrote(struct pace *p, uint64_t now_ms)
{
	if (p->saving > 0 && !p->wrote_meanwhile) {
		p->wrote_meanwhile = true;
		p->first_ms = now_ms;
	} else if (!p->is_unsaved) {
		p->first_ms = now_ms;
	}
	p->is_unsaved = true;
	p->last_ms = now_ms;
}

uint64_t
pace_due_ms(const struct pace *p, uint64_t quiet_ms, uint64_t max_ms)
{
	const uint64_t ahead_ms = (PACE_AHEAD - 1) * max_ms;
	const uint64_t turn_ms = p->paid_ms > ahead_ms ? p->paid_ms - ahead_ms : 0;
	uint64_t due;

	if (!p->is_unsaved || p->saving > 0)
		return PACE_NEVER;
	due = min_u64(max_u64(p->last_ms + quiet_ms, turn_ms), p->first_ms + max_ms);
	return max_u64(due, p->not_before_ms);
}

void
pace_begin(struct pace *p)
{
	/* One that is begun beside another leaves the writes of that one's time to be looked at. */
	if (p->saving++ == 0)
		p->wrote_meanwhile = false;
}

void
pace_stored(struct pace *p, uint64_t max_ms, uint64_t now_ms)
{
	p->paid_ms = max_u64(p->paid_ms, now_ms) + max_ms;
}

void
pace_owes(struct pace *p, uint64_t now_ms)
{
	uint64_t wait = PACE_BACKOFF_MIN_MS;

	for (uint32_t i = 0; i < p->failures && wait < PACE_BACKOFF_MAX_MS; i++)
		wait *= 2;
	p->failures++;
	p->not_before_ms = now_ms + min_u64(wait, PACE_BACKOFF_MAX_MS);
	if (!p->is_unsaved)
		p->first_ms = p->last_ms = now_ms;
	p->is_unsaved = true;
}

void
pace_end(struct pace *p, bool ok, uint64_t now_ms)
{
	if (p->saving > 0)
		p->saving--;
	if (!ok) {
		pace_owes(p, now_ms);
		return;
	}
	p->failures = 0;
	p->not_before_ms = 0;
	p->is_unsaved = p->wrote_meanwhile;
}
