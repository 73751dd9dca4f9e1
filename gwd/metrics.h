/*
 * metrics.h - how many requests ended how, by action and code, and how long they took.  Pure:
 * times are arguments.  One owner at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

#define METRICS_ROWS_MAX	4096	/* pairs of action and code; more are counted as "other" */
#define METRICS_NAME_MAX	64	/* bytes of an action's or a code's name */

struct metrics;

void	 metrics_free(struct metrics *m);	/* NULL is fine */
OWNED_BY(metrics_free) struct metrics *metrics_new(void);

/* action: of a row; "": none was known.  code: "" for a success. */
void	 metrics_count(struct metrics *m, const char *action, const char *code, uint64_t took_us);
/* spinifex_gwd_requests_total and spinifex_gwd_request_duration_seconds. */
void	 metrics_print(const struct metrics *m, struct buf *out);
