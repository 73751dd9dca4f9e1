#include "common/job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>

#define STACK_BYTES	(256 * 1024)

struct item {
	TAILQ_ENTRY(item)	 link;
	char			 key[JOB_KEY_MAX + 1];	/* empty: no order */
	job_run_fn		*run;
	job_done_fn		*done;
	void			*arg, *job;
	void			(*drop)(void *job);
};
TAILQ_HEAD(items, item);

struct jobs {
	struct loop_io		*wake;		/* on wake_fd: something has finished */
	int			 wake_fd;
	pthread_t		*threads;
	unsigned		 nthreads;
	size_t			 max_queued;
	pthread_mutex_t		 lock;		/* of all that follows */
	pthread_cond_t		 work;		/* queued has grown, a key is free, or stopping */
	struct items		 queued, running, finished;
	size_t			 nqueued;
	bool			 stopping;
};

static void
drop_all(struct items *list)
{
	struct item *i;

	while ((i = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, i, link);
		if (i->drop)
			i->drop(i->job);
		else
			free(i->job);
		free(i);
	}
}

static size_t
count_key(const struct items *list, const char *key)
{
	const struct item *i;
	size_t n = 0;

	TAILQ_FOREACH(i, list, link)
		n += !key || strcmp(i->key, key) == 0;
	return n;
}

/* ---- pool threads; called with the lock held ---- */

/* The oldest whose key is not running.  An older one of the same key would have been found
 * first, so a key's order holds. */
static struct item *
next_item(const struct jobs *j)
{
	struct item *i;

	TAILQ_FOREACH(i, &j->queued, link)
		if (i->key[0] == '\0' || count_key(&j->running, i->key) == 0)
			return i;
	return NULL;
}

static void
run_item(struct jobs *j, struct item *i)
{
	TAILQ_REMOVE(&j->queued, i, link);
	j->nqueued--;
	TAILQ_INSERT_TAIL(&j->running, i, link);
	pthread_mutex_unlock(&j->lock);
	i->run(i->job);
	pthread_mutex_lock(&j->lock);
	TAILQ_REMOVE(&j->running, i, link);
	TAILQ_INSERT_TAIL(&j->finished, i, link);
	if (eventfd_write(j->wake_fd, 1) < 0)
		abort();	/* cannot overflow: the loop would have to miss 2^64 jobs */
	/* Everybody: the one woken by a submission may not be able to use the key. */
	if (i->key[0] != '\0')
		pthread_cond_broadcast(&j->work);
}

static void *
worker(void *arg)
{
	struct jobs *j = arg;

	pthread_mutex_lock(&j->lock);
	while (!j->stopping) {
		struct item *i = next_item(j);

		if (i)
			run_item(j, i);
		else
			pthread_cond_wait(&j->work, &j->lock);
	}
	pthread_mutex_unlock(&j->lock);
	return NULL;
}

/* ---- the loop ---- */

static struct item *
take_finished(struct jobs *j)
{
	struct item *i;

	pthread_mutex_lock(&j->lock);
	i = TAILQ_FIRST(&j->finished);
	if (i)
		TAILQ_REMOVE(&j->finished, i, link);
	pthread_mutex_unlock(&j->lock);
	return i;
}

static void
on_finished(void *arg, uint32_t revents)
{
	struct jobs *j = arg;
	struct item *i;
	eventfd_t n;

	if (eventfd_read(j->wake_fd, &n) < 0)
		return;
	while ((i = take_finished(j))) {
		i->done(i->arg, i->job);
		free(i);
	}
}

/* Signals are the loop's. */
static int
start_threads(struct jobs *j, unsigned threads)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int r;

	r = pthread_attr_init(&attr);
	if (r != 0)
		return -r;
	sigfillset(&all);
	r = pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (r == 0)
		r = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (r == 0) {
		while (r == 0 && j->nthreads < threads) {
			r = pthread_create(&j->threads[j->nthreads], &attr, worker, j);
			j->nthreads += r == 0;
		}
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	pthread_attr_destroy(&attr);
	return -r;
}

static int
open_pool(struct jobs *j, struct loop *l, unsigned threads)
{
	int r;

	j->threads = calloc(threads ? threads : 1, sizeof(*j->threads));
	if (!j->threads)
		return -ENOMEM;
	j->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (j->wake_fd < 0)
		return -errno;
	r = loop_io_new(l, j->wake_fd, EPOLLIN, on_finished, j, &j->wake);
	return r < 0 ? r : start_threads(j, threads);
}

int
jobs_new(struct loop *l, unsigned threads, size_t max_queued, struct jobs **ret)
{
	struct jobs *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return -ENOMEM;
	j->wake_fd = -1;
	j->max_queued = max_queued;
	TAILQ_INIT(&j->queued);
	TAILQ_INIT(&j->running);
	TAILQ_INIT(&j->finished);
	if (pthread_mutex_init(&j->lock, NULL) != 0 || pthread_cond_init(&j->work, NULL) != 0)
		abort();	/* never fails for the default kind */
	r = open_pool(j, l, threads);
	if (r < 0) {
		jobs_free(j);
		return r;
	}
	*ret = j;
	return 0;
}

void
jobs_stop(struct jobs *j)
{
	pthread_mutex_lock(&j->lock);
	j->stopping = true;
	pthread_cond_broadcast(&j->work);
	pthread_mutex_unlock(&j->lock);
	while (j->nthreads > 0)
		pthread_join(j->threads[--j->nthreads], NULL);
	drop_all(&j->queued);
	drop_all(&j->finished);
	j->nqueued = 0;
}

void
jobs_free(struct jobs *j)
{
	if (!j)
		return;
	jobs_stop(j);
	loop_io_free(j->wake);
	if (j->wake_fd >= 0)
		close(j->wake_fd);
	pthread_cond_destroy(&j->work);
	pthread_mutex_destroy(&j->lock);
	free(j->threads);
	free(j);
}

static int
enqueue(struct jobs *j, struct item *i)
{
	int r = 0;

	pthread_mutex_lock(&j->lock);
	if (j->stopping || j->nqueued >= j->max_queued) {
		r = -EAGAIN;
	} else {
		TAILQ_INSERT_TAIL(&j->queued, i, link);
		j->nqueued++;
		pthread_cond_signal(&j->work);
	}
	pthread_mutex_unlock(&j->lock);
	return r;
}

int
jobs_submit(struct jobs *j, const char *key, job_run_fn *run, job_done_fn *done, void *arg,
    void *job, void (*drop)(void *job))
{
	size_t n = key ? strlen(key) : 0;
	struct item *i;
	int r;

	if (n > JOB_KEY_MAX)
		return -ENAMETOOLONG;
	i = malloc(sizeof(*i));
	if (!i)
		return -ENOMEM;
	*i = (struct item){ .run = run, .done = done, .arg = arg, .job = job, .drop = drop };
	memcpy(i->key, key ? key : "", n);
	r = enqueue(j, i);
	if (r < 0)
		free(i);
	return r;
}

static size_t
count_all(const struct jobs *j, const char *key)
{
	/* The lock is the object's only part that a look changes. */
	pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&j->lock;
	size_t n;

	pthread_mutex_lock(lock);
	n = count_key(&j->queued, key) + count_key(&j->running, key) +
	    count_key(&j->finished, key);
	pthread_mutex_unlock(lock);
	return n;
}

size_t
jobs_pending(const struct jobs *j)
{
	return count_all(j, NULL);
}

size_t
jobs_pending_of(const struct jobs *j, const char *key)
{
	return count_all(j, key);
}
