/*
 * job.h - work that blocks, on a small pool.  A job has its input by value, touches no daemon
 * state, and hands its result to the loop.  Jobs with one key run one at a time, in order of
 * submission; a key is the instance the job is for.
 */
#pragma once

#include <stddef.h>

#include "common/cleanup.h"
#include "common/loop.h"

#define JOB_KEY_MAX	64	/* bytes of a key, without the NUL */

struct jobs;

int	 jobs_new(struct loop *l, unsigned threads, size_t max_queued, struct jobs **ret)
    MUST_CHECK;
/* Waits for the jobs that run, drops those that have not begun (their done is not called). */
void	 jobs_free(struct jobs *j);

typedef void job_run_fn(void *job);		/* on a pool thread */
typedef void job_done_fn(void *arg, void *job);	/* on the loop; frees job */

/*
 * Loop thread.  key may be NULL: no order.  0; -EAGAIN when max_queued wait (nothing taken);
 * -ENOMEM.  done(arg, job) is called exactly once after run(job).  drop(job) frees a job that
 * never ran because the pool was freed; NULL: free().
 */
int	 jobs_submit(struct jobs *j, const char *key, job_run_fn *run, job_done_fn *done,
    void *arg, void *job, void (*drop)(void *job)) MUST_CHECK;
size_t	 jobs_pending(const struct jobs *j);		/* queued and running; loop thread */
size_t	 jobs_pending_of(const struct jobs *j, const char *key);
