#include "leased/bury.h"

#include <string.h>

#include "common/heartbeat.h"

static enum bury_need
end(struct bury *b, enum bury_verdict verdict)
{
	b->verdict = verdict;
	return BURY_END;
}

static enum bury_need
fail(struct bury *b, enum cas_result why)
{
	b->why = why;
	return end(b, BURY_UNAVAILABLE);
}

static bool
set_name(char ret[static CAS_HOLDER_MAX + 1], const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > CAS_HOLDER_MAX)
		return false;
	memcpy(ret, name, n + 1);
	return true;
}

enum bury_need
bury_begin(struct bury *b, const char *node, const char *self, bool is_fenced,
    uint64_t ttl_ms, uint64_t now_ms)
{
	*b = (struct bury){ .is_fenced = is_fenced, .ttl_ms = ttl_ms, .begun_ms = now_ms };
	if (!set_name(b->node, node) || !set_name(b->self, self))
		return end(b, BURY_STRANGER);
	if (strcmp(node, self) == 0)
		return end(b, BURY_SELF);
	return BURY_LOAD_KEY;
}

/* Neither T nor a beat stands in the way (any more). */
static enum bury_need
after_watch(struct bury *b)
{
	return b->is_fenced ? BURY_SWAP : BURY_LOAD_BEAT;
}

static bool
may_bury(const struct bury *b, const struct node_sight *sight)
{
	if (b->is_fenced)
		return sight->first_ms < b->begun_ms;
	return b->seen_for_ms >= lease_share(b->ttl_ms, LEASE_TAKE);
}

/*
 * Those who take over what the dead node held bury it again, each for itself.  For as long as a
 * beat from before the operator's word can look young, it is the word that counts; who returns
 * swaps the key, which ends the generation that it was about.
 */
static bool
has_word(const struct bury *b, const struct node_sight *sight, uint64_t now_ms)
{
	return b->generation != 0 && b->generation == sight->word_generation &&
	    now_ms - sight->word_ms <= b->ttl_ms;
}

static enum bury_need
judge(struct bury *b, const struct node_sight *sight, uint64_t now_ms)
{
	const char *holder = sight->token.holder;
	bool is_buried = holder[0] != '\0' && strcmp(holder, b->node) != 0;

	b->expected = sight->revision;
	/* Ours already: a swap that keeps the generation says that it is so still. */
	b->generation = strcmp(holder, b->self) == 0 ? sight->token.generation : 0;
	b->seen_for_ms = now_ms - sight->first_ms;
	if (is_buried && has_word(b, sight, now_ms))
		b->is_fenced = true;
	if (!is_buried && !may_bury(b, sight))
		return end(b, BURY_ALIVE);
	return after_watch(b);
}

enum bury_need
bury_saw(struct bury *b, const struct lease_seen *seen, const struct node_sight *sight,
    uint64_t now_ms)
{
	if (seen->result == CAS_OK && seen->is_corrupt)
		return end(b, BURY_CORRUPT);
	if (seen->result == CAS_NOT_FOUND && seen->revision == 0) {
		b->expected = b->generation = 0;
		return b->is_fenced ? BURY_LOAD_RECORD : end(b, BURY_STRANGER);
	}
	if (seen->result != CAS_OK && seen->result != CAS_NOT_FOUND)
		return fail(b, seen->result);
	if (!sight)
		return fail(b, CAS_NOMEM);
	return judge(b, sight, now_ms);
}

enum bury_need
bury_beat(struct bury *b, enum cas_result result, uint64_t stamp_ms, uint64_t wall_ms)
{
	if (result == CAS_NOT_FOUND)
		return BURY_SWAP;
	if (result != CAS_OK)
		return fail(b, result);
	if (stamp_ms > wall_ms && stamp_ms - wall_ms > b->ttl_ms)
		return BURY_SWAP;
	if (!heartbeat_is_live(stamp_ms, wall_ms, b->ttl_ms))
		return BURY_SWAP;
	b->has_beat = true;
	return end(b, BURY_ALIVE);
}

enum bury_need
bury_known(struct bury *b, enum cas_result result)
{
	if (result == CAS_OK)
		return BURY_SWAP;
	return result == CAS_NOT_FOUND ? end(b, BURY_STRANGER) : fail(b, result);
}

enum bury_need
bury_swapped(struct bury *b, enum cas_result result, uint64_t revision)
{
	if (result == CAS_LOST)
		return end(b, BURY_MOVED);
	if (result != CAS_OK)
		return fail(b, result);
	b->generation = b->generation ? b->generation : revision;
	return end(b, BURY_BURIED);
}
