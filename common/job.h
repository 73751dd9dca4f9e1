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
/*
 * The end: waits for the jobs that run; no run begins and no done is called from here on, and
 * jobs_submit answers -EAGAIN.  Before anything that a running job may use is freed.
 */
void	 jobs_stop(struct jobs *j);
/* Stops, and frees.  Before the loop is freed.  NULL is fine. */
void	 jobs_free(struct jobs *j);

typedef void job_run_fn(void *job);		/* on a pool thread */
typedef void job_done_fn(void *arg, void *job);	/* on the loop; frees job */

/*
 * Loop thread.  key may be NULL: no order.  0; -EAGAIN when max_queued wait, -ENAMETOOLONG,
 * -ENOMEM (nothing taken).  After run(job) done(arg, job) is called exactly once, in order of
 * completion; the next job of the key may run by then.  drop(job) frees a job whose done will
 * not be called, having run or not, because the pool was stopped; NULL: free().
 */
int	 jobs_submit(struct jobs *j, const char *key, job_run_fn *run, job_done_fn *done,
    void *arg, void *job, void (*drop)(void *job)) MUST_CHECK;
/* Queued, running, and run but not done yet; a job is no longer counted inside its done. */
size_t	 jobs_pending(const struct jobs *j);
size_t	 jobs_pending_of(const struct jobs *j, const char *key);
