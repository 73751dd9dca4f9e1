#include "vmd/guard_page.h"

#define MAGIC		0x5370696e47756172ull
#define LOOKS		12	/* at the page in T */
#define FROZEN_LOOKS	24

static uint64_t
check_of(const struct guard_page *p)
{
	return p->magic ^ p->ttl_ms << 1 ^ p->generation << 21 ^ p->deadline_ms * 0x9e3779b97f4a7c15ull;
}

void
guard_page_seal(struct guard_page *p)
{
	p->magic = MAGIC;
	p->check = check_of(p);
}

bool
guard_page_read(const volatile struct guard_page *p, struct guard_page *ret)
{
	const struct guard_page page = { p->magic, p->ttl_ms, p->generation, p->deadline_ms,
		p->check };

	if (page.magic != MAGIC || page.check != check_of(&page) || page.ttl_ms == 0)
		return false;
	*ret = page;
	return true;
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

enum guard_act
guard_page_judge(struct guard_limit *l, const struct guard_page *page, uint64_t now_ms,
    uint64_t *ret_wake_ms)
{
	const uint64_t end_ms = l->deadline_ms + l->ttl_ms / 3;
	enum guard_act act = GUARD_WAIT;

	/* Someone may have been told already that it is dead: nothing that is written now
	 * takes that back. */
	if (now_ms >= end_ms) {
		*ret_wake_ms = now_ms + l->ttl_ms;
		return GUARD_KILL;
	}
	if (page && page->deadline_ms > l->deadline_ms)
		l->deadline_ms = page->deadline_ms;
	if (now_ms >= l->deadline_ms && !l->is_frozen) {
		l->is_frozen = true;
		act = GUARD_FREEZE;
	} else if (now_ms < l->deadline_ms && l->is_frozen) {
		l->is_frozen = false;
		act = GUARD_THAW;
	}
	if (l->is_frozen)
		*ret_wake_ms = earlier(now_ms + l->ttl_ms / FROZEN_LOOKS,
		    l->deadline_ms + l->ttl_ms / 3);
	else
		*ret_wake_ms = earlier(now_ms + l->ttl_ms / LOOKS, l->deadline_ms);
	return act;
}
