/*
 * pipeline.h - the order in which a request is judged: signature, action, parameters,
 * permission, DryRun; then its handler.  Any request gets exactly one answer, in the envelope
 * of the API that it speaks.  Loop thread only.
 */
#pragma once

#include "gwd/http.h"

struct gwd;
struct metrics;
struct pipeline;

int	 pipeline_new(struct gwd *g, struct pipeline **ret) MUST_CHECK;
/* After http_free and after whatever the handlers wait for: calls that still run are freed
 * without being told. */
void	 pipeline_free(struct pipeline *p);		/* NULL is fine */

/* For $SRV.STATS: answers, by how they ended; as long as p. */
enum pipeline_count {
	PIPELINE_ANSWERED,
	PIPELINE_REFUSED,	/* 4xx: the client's */
	PIPELINE_FAILED,	/* 5xx: ours */
	PIPELINE_COUNTS
};
const uint64_t *pipeline_counts(const struct pipeline *p);
const struct metrics *pipeline_metrics(const struct pipeline *p);	/* the same, by action and code */

/* The two callbacks of http_conf; arg is the pipeline. */
void	 pipeline_handle(void *arg, struct http_exchange *x, const struct http_request *r);
void	 pipeline_refuse(void *arg, unsigned status, const char *message, struct buf *ret);
