#include "leased/lease.h"

#include <string.h>

enum lease_made
lease_init(struct lease *l, const char *holder, uint64_t ttl_ms, uint64_t first_op)
{
	size_t n = holder ? strlen(holder) : 0;

	memset(l, 0, sizeof(*l));
	if (n == 0 || n > CAS_HOLDER_MAX)
		return LEASE_NO_HOLDER;
	if (ttl_ms == 0)
		return LEASE_NO_TTL;
	memcpy(l->holder, holder, n + 1);
	l->ttl_ms = ttl_ms;
	l->op_last = first_op;
	return LEASE_MADE;
}

void
lease_adopt(struct lease *l, uint64_t from_ms, uint64_t shown)
{
	l->adopt_from_ms = from_ms;
	l->shown_generation = shown;
}

/* ---- what is in flight ---- */

static void
send_request(struct lease *l, enum lease_kind kind, uint64_t expected, uint64_t timeout_ms,
    uint64_t now_ms, struct lease_out *out)
{
	l->op = ++l->op_last;
	l->op_sent_ms = now_ms;
	l->op_until_ms = now_ms + timeout_ms;
	out->request = (struct lease_request){
		.kind = kind,
		.op = l->op,
		.expected = expected,
		.generation = kind == LEASE_KEEP ? l->generation : 0,
		.timeout_ms = timeout_ms,
	};
}

static void
look(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	l->state = LEASE_LOOKING;
	l->is_hinted = false;
	send_request(l, LEASE_LOAD, 0, lease_share(l->ttl_ms, LEASE_LOOK), now_ms, out);
}

static void
take(struct lease *l, uint64_t expected, uint64_t now_ms, struct lease_out *out)
{
	l->state = LEASE_TAKING;
	send_request(l, LEASE_WIN, expected, lease_share(l->ttl_ms, LEASE_GIVE_UP), now_ms, out);
}

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* An attempt ended without the key. */
static void
rest(struct lease *l, enum lease_edge verdict, uint64_t look_ms, struct lease_out *out)
{
	l->state = LEASE_IDLE;
	l->op = 0;
	l->look_ms = look_ms;
	l->has_verdict = true;
	l->is_corrupt = verdict == LEASE_CORRUPT;
	if (verdict != LEASE_FAILED)
		l->why = CAS_OK;
	out->edges |= (unsigned)verdict;
}

static void
fail(struct lease *l, enum cas_result why, uint64_t now_ms, struct lease_out *out)
{
	l->why = why;
	rest(l, LEASE_FAILED, now_ms + lease_share(l->ttl_ms, LEASE_LOOK), out);
}

/* ---- not held: look, judge, take ---- */

/* Looks at that time, if it would not look before; now, if it has come. */
static void
turn_comes(struct lease *l, uint64_t at_ms, uint64_t now_ms, struct lease_out *out)
{
	if (at_ms > now_ms) {
		l->look_ms = min_u64(l->look_ms, at_ms);
		return;
	}
	l->tries = 0;
	look(l, now_ms, out);
}

static void
refuse(struct lease *l, uint64_t wake_ms, uint64_t now_ms, struct lease_out *out)
{
	rest(l, LEASE_REFUSED,
	    min_u64(wake_ms, now_ms + lease_share(l->ttl_ms, LEASE_LOOK)), out);
	if (l->is_hinted && l->is_standing)	/* what was read may be older than the hint */
		turn_comes(l, l->hint_ms, now_ms, out);
}

static void
judge_ours(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	bool is_shown = l->shown_generation != 0 &&
	    l->shown_generation == l->seen.generation;

	if (is_shown || now_ms >= l->adopt_from_ms)
		take(l, l->seen_revision, now_ms, out);
	else
		refuse(l, l->adopt_from_ms, now_ms, out);
}

static void
judge(struct lease *l, const struct lease_seen *seen, uint64_t now_ms, struct lease_out *out)
{
	uint64_t take_ms;

	l->seen = seen->token;
	if (seen->revision != l->seen_revision) {	/* any other: the count begins again */
		l->seen_revision = seen->revision;
		l->seen_ms = now_ms;
	}
	take_ms = l->seen_ms + lease_share(l->ttl_ms, LEASE_TAKE);
	if (strcmp(l->seen.holder, l->holder) == 0)
		judge_ours(l, now_ms, out);
	else if (l->is_own || now_ms >= take_ms)
		take(l, l->seen_revision, now_ms, out);
	else
		refuse(l, take_ms, now_ms, out);
}

void
lease_loaded(struct lease *l, uint64_t op, const struct lease_seen *seen, uint64_t now_ms,
    struct lease_out *out)
{
	if (l->state != LEASE_LOOKING || op != l->op)
		return;
	if (seen->result == CAS_NOT_FOUND) {
		l->seen = (struct cas_token){ .generation = 0 };
		l->seen_revision = 0;
		take(l, seen->revision, now_ms, out);
	} else if (seen->result != CAS_OK) {
		fail(l, seen->result, now_ms, out);
	} else if (seen->is_corrupt) {
		l->seen = (struct cas_token){ .generation = 0 };
		l->seen_revision = seen->revision;
		l->seen_ms = now_ms;
		rest(l, LEASE_CORRUPT, now_ms + lease_share(l->ttl_ms, LEASE_LOOK), out);
	} else {
		judge(l, seen, now_ms, out);
	}
}

enum lease_try
lease_try(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	if (lease_is_held(l, now_ms))
		return LEASE_TRY_HELD;
	if (l->state != LEASE_IDLE)
		return LEASE_TRY_BUSY;
	l->tries = 0;
	look(l, now_ms, out);
	return LEASE_TRYING;
}

void
lease_stand(struct lease *l, bool on, uint64_t now_ms, struct lease_out *out)
{
	bool begins = on && !l->is_standing;

	l->is_standing = on;
	if (!begins)
		return;
	l->has_verdict = l->state == LEASE_HELD;
	l->look_ms = now_ms;
	(void)lease_try(l, now_ms, out);	/* busy: what is in flight comes to a verdict */
}

void
lease_abandon(struct lease *l)
{
	if (l->state != LEASE_LOOKING)
		return;
	l->state = LEASE_IDLE;
	l->op = 0;
}

/* ---- held: renew, lose ---- */

static void
renew(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	uint64_t left = lease_valid_until(l) - now_ms;

	send_request(l, LEASE_KEEP, l->revision,
	    min_u64(left, lease_share(l->ttl_ms, LEASE_RENEW)), now_ms, out);
}

/* The write that was sent at op_sent_ms is the key's last: the next is due T/3 after that. */
static void
landed(struct lease *l, uint64_t revision, uint64_t now_ms, struct lease_out *out)
{
	l->op = 0;
	l->revision = revision;
	l->sent_ms = l->op_sent_ms;
	l->renew_ms = l->sent_ms + lease_share(l->ttl_ms, LEASE_RENEW);
	if (now_ms >= l->renew_ms)
		renew(l, now_ms, out);
}

static void
won(struct lease *l, uint64_t revision, uint64_t now_ms, struct lease_out *out)
{
	/* The answer may have slept so long that another has observed T meanwhile. */
	if (now_ms >= l->op_sent_ms + lease_share(l->ttl_ms, LEASE_GIVE_UP)) {
		fail(l, CAS_UNAVAILABLE, now_ms, out);
		return;
	}
	l->state = LEASE_HELD;
	l->generation = revision;
	l->since_ms = l->op_sent_ms;
	l->renewals = 0;
	l->seen_revision = 0;
	l->has_verdict = true;
	l->is_corrupt = false;
	l->why = CAS_OK;
	lease_adopt(l, 0, 0);		/* from now on we know whom we told what */
	out->edges |= LEASE_GAINED;
	landed(l, revision, now_ms, out);
}

static void
lose(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	l->state = LEASE_IDLE;
	l->op = 0;
	l->seen = (struct cas_token){ .generation = 0 };
	l->seen_revision = 0;
	l->has_verdict = false;
	l->look_ms = now_ms;
	l->tries = 0;
	out->edges |= LEASE_LOST;
	if (l->is_standing)
		look(l, now_ms, out);
}

static void
renewed(struct lease *l, enum cas_result res, uint64_t revision, uint64_t now_ms,
    struct lease_out *out)
{
	uint64_t wait = lease_share(l->ttl_ms, LEASE_RETRY);

	if (now_ms >= lease_valid_until(l)) {	/* whatever the answer: belief is over */
		lose(l, now_ms, out);
	} else if (res == CAS_OK) {
		l->renewals++;
		l->why = CAS_OK;
		out->edges |= LEASE_RENEWED;
		landed(l, revision, now_ms, out);
	} else if (res == CAS_LOST) {
		lose(l, now_ms, out);
	} else {
		/* Whatever else it was, the key may still be ours: go on until the deadline. */
		l->op = 0;
		l->why = res;
		l->renew_ms = now_ms + (wait > 0 ? wait : 1);
	}
}

/* ---- unlocking ---- */

bool
lease_leave(struct lease *l, uint64_t generation, uint64_t now_ms, struct lease_out *out)
{
	if (l->state != LEASE_HELD || generation != l->generation)
		return false;
	l->state = LEASE_LEAVING;
	l->is_standing = false;
	/* A renewal of this very turn has not been sent: the delete takes its place. */
	l->stuck_op = out->request.kind == LEASE_NOTHING ? l->op : 0;
	out->edges |= LEASE_LOST;
	send_request(l, LEASE_REMOVE, l->revision, LEASE_LEAVE_MS, now_ms, out);
	return true;
}

static void
left(struct lease *l, enum cas_result res, uint64_t now_ms, struct lease_out *out)
{
	l->state = LEASE_IDLE;
	l->op = 0;
	l->stuck_op = 0;
	l->seen_revision = 0;
	l->seen = (struct cas_token){ .generation = 0 };
	l->why = res;
	l->look_ms = now_ms;
	l->tries = 0;
	out->edges |= LEASE_LEFT;
	if (l->is_standing)		/* somebody asked again meanwhile */
		look(l, now_ms, out);
}

/* The delete lost to a renewal of ours that was in flight: it is that revision, then. */
static bool
leave_again(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	uint64_t until = l->op_until_ms;

	if (now_ms >= until)
		return false;
	send_request(l, LEASE_REMOVE, l->revision, until - now_ms, now_ms, out);
	return true;
}

static void
removed(struct lease *l, enum cas_result res, uint64_t now_ms, struct lease_out *out)
{
	if (res == CAS_LOST && l->stuck_op != 0) {
		l->op = 0;			/* the renewal's answer decides: see overtaken */
		return;
	}
	left(l, res, now_ms, out);
}

static void
overtaken(struct lease *l, enum cas_result res, uint64_t revision, uint64_t now_ms,
    struct lease_out *out)
{
	bool remove_lost = l->op == 0;

	l->stuck_op = 0;
	if (res == CAS_OK)
		l->revision = revision;
	if (remove_lost && (res != CAS_OK || !leave_again(l, now_ms, out)))
		left(l, CAS_LOST, now_ms, out);
	else if (!remove_lost && res == CAS_OK)
		(void)leave_again(l, now_ms, out);	/* the delete in flight cannot land */
}

bool
lease_may_anchor(const struct cas_token *ours, const struct lease_seen *found, bool went_back)
{
	if (found->result == CAS_NOT_FOUND)
		return went_back;
	if (found->result != CAS_OK || found->is_corrupt)
		return false;
	if (found->token.generation == ours->generation)
		return strcmp(found->token.holder, ours->holder) == 0;
	return went_back && found->token.generation < ours->generation;
}

/* ---- events ---- */

static void
taken(struct lease *l, enum cas_result res, uint64_t revision, uint64_t now_ms,
    struct lease_out *out)
{
	if (res == CAS_OK) {
		won(l, revision, now_ms, out);
	} else if (res == CAS_LOST && ++l->tries < LEASE_TRIES) {
		look(l, now_ms, out);
	} else if (res == CAS_LOST) {
		l->seen_revision = 0;
		refuse(l, LEASE_NEVER, now_ms, out);
	} else {
		fail(l, res, now_ms, out);
	}
}

void
lease_written(struct lease *l, uint64_t op, enum cas_result res, uint64_t revision,
    uint64_t now_ms, struct lease_out *out)
{
	if (op == 0)
		return;
	if (l->state == LEASE_LEAVING && op == l->stuck_op)
		overtaken(l, res, revision, now_ms, out);
	else if (op != l->op)
		return;
	else if (l->state == LEASE_TAKING)
		taken(l, res, revision, now_ms, out);
	else if (l->state == LEASE_HELD)
		renewed(l, res, revision, now_ms, out);
	else if (l->state == LEASE_LEAVING)
		removed(l, res, now_ms, out);
}

void
lease_hint(struct lease *l, uint64_t turn_ms, uint64_t now_ms, struct lease_out *out)
{
	if (l->state == LEASE_LOOKING) {
		l->is_hinted = true;
		l->hint_ms = now_ms + turn_ms;
	} else if (l->state == LEASE_IDLE && l->is_standing) {
		turn_comes(l, now_ms + turn_ms, now_ms, out);
	}
}

void
lease_tick(struct lease *l, uint64_t now_ms, struct lease_out *out)
{
	if (now_ms < lease_deadline(l))
		return;
	switch (l->state) {
	case LEASE_IDLE:
		(void)lease_try(l, now_ms, out);
		break;
	case LEASE_LOOKING:
		fail(l, CAS_UNAVAILABLE, now_ms, out);
		break;
	case LEASE_TAKING:
		fail(l, CAS_UNKNOWN, now_ms, out);
		break;
	case LEASE_HELD:
		if (now_ms >= lease_valid_until(l))
			lose(l, now_ms, out);
		else
			renew(l, now_ms, out);
		break;
	case LEASE_LEAVING:
		left(l, CAS_UNKNOWN, now_ms, out);
		break;
	case LEASE_STATES:
		break;
	}
}

uint64_t
lease_deadline(const struct lease *l)
{
	uint64_t end;

	switch (l->state) {
	case LEASE_IDLE:
		return l->is_standing ? l->look_ms : LEASE_NEVER;
	case LEASE_LOOKING:
	case LEASE_TAKING:
	case LEASE_LEAVING:
		return l->op_until_ms;
	case LEASE_HELD:
		end = lease_valid_until(l);
		return l->op != 0 ? end : min_u64(l->renew_ms, end);
	case LEASE_STATES:
		break;
	}
	return LEASE_NEVER;
}

uint64_t
lease_valid_until(const struct lease *l)
{
	return l->state == LEASE_HELD ?
	    l->sent_ms + lease_share(l->ttl_ms, LEASE_GIVE_UP) : 0;
}

bool
lease_is_held(const struct lease *l, uint64_t now_ms)
{
	return now_ms < lease_valid_until(l);
}

void
lease_token(const struct lease *l, struct cas_token *ret)
{
	*ret = l->seen;
	if (l->state != LEASE_HELD)
		return;
	memcpy(ret->holder, l->holder, sizeof(ret->holder));
	ret->generation = l->generation;
}
