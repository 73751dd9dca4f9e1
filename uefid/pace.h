/*
 * pace.h - when a store that a guest writes is written back: after it has been quiet for a
 * while, or a while after the first unsaved write, whichever comes first; and when again after
 * a failure.  Pure; times are CLOCK_BOOTTIME milliseconds.
 *
 * A guest that rests for just the quiet time between its writes would still cost an object for
 * each of them, and push the versions before them out: so only so many are made ahead of one in
 * each max, and then a write waits for its turn, at most max from the first unsaved one.
 *
 *	write  write   write                         write
 *	|------|-------|--- quiet ---> save          |-- ... writes go on ... -- max --> save
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PACE_NEVER		UINT64_MAX
#define PACE_AHEAD		3	/* objects that may be made sooner than one in each max */
#define PACE_BACKOFF_MIN_MS	1000
#define PACE_BACKOFF_MAX_MS	60000

struct pace {			/* zero: nothing is unsaved */
	bool		 is_unsaved;
	unsigned	 saving;		/* saves that were begun; they may see later writes or not */
	bool		 wrote_meanwhile;	/* since the first of them was */
	uint64_t	 first_ms, last_ms;	/* first unsaved and last write */
	uint64_t	 paid_ms;		/* until when one object in each max is made */
	uint32_t	 failures;		/* in a row */
	uint64_t	 not_before_ms;		/* after a failure */
};

void	 pace_wrote(struct pace *p, uint64_t now_ms);
/* When to begin a save, or PACE_NEVER. */
uint64_t pace_due_ms(const struct pace *p, uint64_t quiet_ms, uint64_t max_ms);
/* A save waits or runs, beside others: a flush may be asked for at any time. */
void	 pace_begin(struct pace *p);
/* A save made an object. */
void	 pace_stored(struct pace *p, uint64_t max_ms, uint64_t now_ms);
/* One that was begun ended: all that was written before pace_begin is safe, or it is not. */
void	 pace_end(struct pace *p, bool ok, uint64_t now_ms);
/* Something else than a save found that the copy is owed. */
void	 pace_owes(struct pace *p, uint64_t now_ms);
