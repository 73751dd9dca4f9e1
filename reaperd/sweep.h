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
#include "reaperd/nodes.h"

#define REAPER_KEY	"reaper.sweep"	/* the lease under which sweeps act */
#define SWEEP_ID_MAX	128	/* an object's key is the longest */

struct sweep_verdict {
	enum reap_class		 class;
	char			 id[SWEEP_ID_MAX + 1];
	struct judgement	 j;
	bool			 done;		/* acted on, and it is gone (or marked) */
	bool			 told;		/* reported in the log */
	bool			 asked;		/* its node was, to finish it */
	bool			 is_silent;	/* its node */
	const char		*kept_because;	/* it would go, and yet it stays; NULL */
	uint64_t		 revision, generation, stamp_ms;	/* evidence; 0: none */
	uint64_t		 seen_ms;	/* evidence: for how long it has been so; 0: none */
	uint64_t		 pid;		/* evidence; 0: none */
	uint64_t		 beat_ms;	/* evidence: wall, of the holder; 0: none */
	char			 account_id[13];	/* of an image's object; may be empty */
	char			 holder[CAS_HOLDER_MAX + 1];		/* evidence; may be empty */
	char			 instance_id[INSTANCE_ID_MAX + 1];	/* evidence; may be empty */
	char			 request_id[IDENT_UUID_LEN + 1];	/* that ended it, or the sweep's */
	char			*said;		/* evidence, owned: by its node; NULL: nothing */
	struct control_plane	*control_plane;	/* evidence, owned; NULL: it is none */
};
struct sweep_verdicts {
	struct sweep_verdict	*v;
	size_t			 n, room;
};
void	 sweep_verdicts_deinit(struct sweep_verdicts *v);

/* What a sweep leaves for the next to compare with. */
struct sweep_mark {
	enum reap_class	 class;
	char		 id[SWEEP_ID_MAX + 1];
	bool		 would_go;	/* judged to go: the next may act */
	uint64_t	 first_ms;	/* CLOCK_BOOTTIME: since when it is in the list */
	uint64_t	 told_ms;	/* reported last; 0: not yet */
	bool		 asked;		/* its node was, to finish it */
};
struct sweep_marks {		/* sorted by class and id */
	struct sweep_mark	*m;
	size_t			 n;
};
void	 sweep_marks_deinit(struct sweep_marks *m);
/* NULL: none. */
const struct sweep_mark *sweep_marks_find(const struct sweep_marks *m, enum reap_class class,
    const char *id);

/*
 * Is the wall clock to be believed?  A step is a change of its distance to CLOCK_BOOTTIME; and
 * the server's own stamp on a renewal of the lease has to be near.
 */
struct sweep_clock {
	bool		 has_distance;
	uint64_t	 distance_ms;		/* wall - CLOCK_BOOTTIME, modulo 2^64 */
	uint64_t	 stepped_ms;		/* CLOCK_BOOTTIME of the last step; 0: none noticed */
};
/* Notes what is read now and returns for how long the wall clock was steady. */
uint64_t sweep_clock_steady_ms(struct sweep_clock *c, uint64_t now_ms, uint64_t wall_ms);

struct sweep_ask {
	bool		 act;			/* false: verdicts only */
	bool		 one_class;
	enum reap_class	 class;
	char		 id[SWEEP_ID_MAX + 1];	/* empty: all */
};
struct sweep {				/* a job's input and output */
	struct sweep_ask		 ask;
	char				 request_id[IDENT_UUID_LEN + 1];	/* who asked's, or its own */
	struct inventory_sources	 from;
	const struct clock		*clock;
	const _Atomic uint64_t		*may_act_until_ms;	/* CLOCK_BOOTTIME */
	uint64_t			 terminated_keep_ms, prune_age_ms, image_grace_ms;
	uint64_t			 stuck_ms, period_ms;
	struct sweep_marks		 before;		/* owned */
	struct sweep_clock		 steady;		/* in and out */
	struct remembered			 remembered;		/* in and out, owned */
	struct judge_time		 time;
	uint64_t			 now_ms;		/* CLOCK_BOOTTIME of its begin */
	/* out */
	struct sweep_verdicts		 verdicts;		/* owned */
	struct sweep_marks		 marks;			/* owned */
	enum doubt			 doubt;
	char				 doubtful[240];	/* who or what it is about, as a sentence */
	struct about			 about;		/* the doubt, or why */
	size_t				 held;		/* would go but for the doubt */
	size_t				 acts;
	uint64_t			 reaped[REAP_CLASSES];
	bool				 lost;			/* stopped: the lease was lost */
	char				 why[160];		/* not empty: incomplete, no verdicts */
};
/* Ask before each change. */
bool	 sweep_may_act(const struct sweep *s);
/* What an act judges ages by: the clock is read again. */
struct judge_time sweep_time(const struct sweep *s);
/* What the loop keeps of it and wire.c answers with. */
struct sweep_report {
	const struct sweep	*sweep;
	uint64_t		 number;
};

void	 sweep_run(void *sweep);	/* job_run_fn */
void	 sweep_free(void *sweep);

/* classes.c: adds the verdicts of every class that was asked for; fills s->why on failure. */
void	 classes_judge(struct sweep *s, struct inventory *inv);

/* doubt.c: keeps what would go while the inventory is not whole; fills s->why on failure. */
void	 doubt_judge(struct sweep *s, struct inventory *inv);
/* An act's: the clock may be stepped in the middle of a sweep too. */
bool	 doubt_clock(const struct sweep *s);
