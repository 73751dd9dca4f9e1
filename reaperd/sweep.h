/*
 * sweep.h - one sweep as a job: take the inventory, judge all of it, and act on what the sweep
 * before judged the same.  Each act reads its record again at the leader, judges again, and is
 * a compare-and-swap.  Before each act the job looks whether it may act still.
 */
#pragma once

#include <stdatomic.h>

#include "common/clock.h"
#include "reaperd/inventory.h"
#include "reaperd/judge.h"

#define SWEEP_ID_MAX	128	/* an object's key is the longest */

struct sweep_verdict {
	enum reap_class		 class;
	char			 id[SWEEP_ID_MAX + 1];
	struct judgement	 j;
	bool			 done;		/* acted on, and it is gone (or marked) */
	const char		*kept_because;	/* judged to go, and yet it stays; NULL */
	uint64_t		 revision, generation, stamp_ms;	/* evidence; 0: none */
	char			 holder[CAS_HOLDER_MAX + 1];		/* evidence; may be empty */
};
struct sweep_verdicts {
	struct sweep_verdict	*v;
	size_t			 n, room;
};
void	 sweep_verdicts_deinit(struct sweep_verdicts *v);

/* What a sweep judged to go, for the next to compare with. */
struct sweep_mark {
	enum reap_class	 class;
	char		 id[SWEEP_ID_MAX + 1];
};
struct sweep_marks {
	struct sweep_mark	*m;
	size_t			 n;
};
void	 sweep_marks_deinit(struct sweep_marks *m);

struct sweep_ask {
	bool		 act;			/* false: verdicts only */
	bool		 one_class;
	enum reap_class	 class;
	char		 id[SWEEP_ID_MAX + 1];	/* empty: all */
};
struct sweep {				/* a job's input and output */
	struct sweep_ask		 ask;
	struct inventory_sources	 from;
	const struct clock		*clock;
	const _Atomic uint64_t		*may_act_until_ms;	/* CLOCK_BOOTTIME */
	uint64_t			 terminated_keep_ms, prune_age_ms;
	struct sweep_marks		 before;		/* owned */
	/* out */
	struct sweep_verdicts		 verdicts;		/* owned */
	struct sweep_marks		 marks;			/* owned */
	size_t				 acts;
	bool				 lost;			/* stopped: the lease was lost */
	char				 why[160];		/* not empty: incomplete, no verdicts */
};
/* What the loop keeps of it and wire.c answers with. */
struct sweep_report {
	const struct sweep	*sweep;
	uint64_t		 number;
};

void	 sweep_run(void *sweep);	/* job_run_fn */
void	 sweep_free(void *sweep);
