/*
 * guard_page.h - how long a guest may run that must not run on a node that is cut off: vmd
 * writes until when, in a file of the guest's folder, and its guard looks there and acts.
 *
 *	deadline		frozen (SIGSTOP); moved on before T/3 has passed: let go on
 *	deadline + T/3		killed, whatever the page says by then
 *
 * The rules are pure: times are CLOCK_BOOTTIME milliseconds.  Nothing but libc; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct guard_page {
	uint64_t	magic;
	uint64_t	ttl_ms;		/* T of the node's lease */
	uint64_t	generation;	/* of it */
	uint64_t	deadline_ms;
	uint64_t	check;		/* of the rest: a page that is half written is none */
};
void	 guard_page_seal(struct guard_page *p);
/* false: not sealed, or no deadline in it; *ret is untouched. */
bool	 guard_page_read(const volatile struct guard_page *p, struct guard_page *ret);

enum guard_act {
	GUARD_WAIT,
	GUARD_FREEZE,
	GUARD_THAW,
	GUARD_KILL,
};
struct guard_limit {		/* what the guard knows */
	uint64_t	ttl_ms;
	uint64_t	deadline_ms;
	bool		is_frozen;
};
/* What to do at now_ms, and when to look again.  page NULL: it cannot be read. */
enum guard_act guard_page_judge(struct guard_limit *l, const struct guard_page *page,
    uint64_t now_ms, uint64_t *ret_wake_ms);
