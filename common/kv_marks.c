#include "common/kv_marks.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include "common/file.h"
#include "common/log.h"

#define WRITE_S		20	/* between two writes: what a kill may cost of the mark */
#define FILE_MAX	512	/* bytes of a mark's file */
#define PATH_SIZE	4096

struct kv_mark {
	struct kv_marks		*marks;
	const char		*bucket;
	char			 path[PATH_SIZE];
	char			 created[KV_CREATED_SIZE];	/* under mu; set by the loop */
	_Atomic uint64_t	 seq;
	atomic_bool		 dirty;
	bool			 complained;			/* the thread's */
	LIST_ENTRY(kv_mark)	 next;				/* under mu */
};

struct kv_marks {
	char			 dir[PATH_SIZE];
	pthread_t		 thread;
	pthread_mutex_t		 mu;
	pthread_cond_t		 change;	/* CLOCK_MONOTONIC */
	LIST_HEAD(, kv_mark)	 all;		/* under mu, as the next */
	bool			 stop;
	atomic_bool		 dirty;
};

struct mark_file {
	char		 created[KV_CREATED_SIZE];
	uint64_t	 seq;
};
static const struct json_field mark_fields[] = {
	{ "created",	JSON_STR,	offsetof(struct mark_file, created), 1, KV_CREATED_SIZE - 1,
	    .need = true },
	{ "seq",	JSON_U64_STR,	offsetof(struct mark_file, seq), 0, UINT64_MAX,
	    .need = true },
};

/* ---- files ---- */

/* 0 with *ret, which is zero when there is no file; -errno. */
static int
read_mark(const char *path, struct mark_file *ret)
{
	AUTO(buf) struct buf text = BUF_EMPTY(FILE_MAX);
	char why[JSON_WHY_MAX];
	int r = file_read(path, &text);

	*ret = (struct mark_file){ 0 };
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	return json_read(text.data, text.len, FILE_MAX, mark_fields, ARRAY_LEN(mark_fields),
	    JSON_LOOSE, ret, sizeof(*ret), why);
}

static int
write_mark(const char *path, const struct mark_file *f)
{
	AUTO(json) cJSON *tree = json_encode(mark_fields, ARRAY_LEN(mark_fields), f);
	AUTO(str) char *text = tree ? json_print(tree) : NULL;

	return text ? file_write(path, text, strlen(text), 0644) : -ENOMEM;
}

/* Another daemon of this node may have seen more: the higher sequence stands, here and there. */
static int
merge_mark(struct kv_mark *k, const char *created, bool *ret_write, struct mark_file *ret)
{
	struct mark_file old;
	int r = read_mark(k->path, &old);

	if (r < 0)
		return r;
	*ret = (struct mark_file){ .seq = atomic_load(&k->seq) };
	(void)snprintf(ret->created, sizeof(ret->created), "%s", created);
	*ret_write = true;
	if (strcmp(old.created, created) != 0)
		return 0;
	if (old.seq >= ret->seq) {
		kv_mark_raise(k, old.seq);
		*ret_write = false;
	}
	return 0;
}

static void
save_mark(struct kv_mark *k)
{
	char created[KV_CREATED_SIZE];
	struct mark_file f;
	bool owed;
	int r;

	if (!atomic_exchange(&k->dirty, false))
		return;
	pthread_mutex_lock(&k->marks->mu);
	memcpy(created, k->created, sizeof(created));
	pthread_mutex_unlock(&k->marks->mu);
	if (!*created)
		return;
	r = merge_mark(k, created, &owed, &f);
	if (r == 0 && owed)
		r = write_mark(k->path, &f);
	if (r < 0)
		atomic_store(&k->dirty, true);
	if (r < 0 && !k->complained)
		log_warning("%s: %s; a store that went back may not be noticed", k->path,
		    strerror(-r));
	k->complained = r < 0;
}

/* ---- the thread ---- */

static void
save_all(struct kv_marks *m)		/* mu held; drops it meanwhile */
{
	struct kv_mark *k;

	/* Marks are only ever put at the head, and none goes while the thread runs. */
	LIST_FOREACH(k, &m->all, next) {
		pthread_mutex_unlock(&m->mu);
		save_mark(k);
		pthread_mutex_lock(&m->mu);
	}
}

static void
rest(struct kv_marks *m)		/* mu held */
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += WRITE_S;
	while (!m->stop && pthread_cond_timedwait(&m->change, &m->mu, &until) == 0)
		;
}

static void *
marks_main(void *arg)
{
	struct kv_marks *m = arg;

	pthread_mutex_lock(&m->mu);
	while (!m->stop) {
		while (!m->stop && !atomic_load(&m->dirty))
			pthread_cond_wait(&m->change, &m->mu);
		atomic_store(&m->dirty, false);
		save_all(m);
		rest(m);
	}
	save_all(m);
	pthread_mutex_unlock(&m->mu);
	return NULL;
}

static void
set_dirty(struct kv_mark *k)
{
	struct kv_marks *m = k->marks;

	atomic_store(&k->dirty, true);
	if (atomic_exchange(&m->dirty, true))
		return;
	pthread_mutex_lock(&m->mu);
	pthread_cond_signal(&m->change);
	pthread_mutex_unlock(&m->mu);
}

/* ---- marks ---- */

int
kv_mark_open(struct kv_marks *m, const char *bucket, struct kv_mark **ret)
{
	AUTO(mem) void *room = calloc(1, sizeof(struct kv_mark));
	struct kv_mark *k = room;
	struct mark_file f;
	int r;

	if (!k)
		return -ENOMEM;
	k->marks = m;
	k->bucket = bucket;
	r = file_path(k->path, sizeof(k->path), "%s/%s", m->dir, bucket);
	if (r == 0)
		r = read_mark(k->path, &f);
	if (r < 0)
		return r;
	memcpy(k->created, f.created, sizeof(k->created));
	atomic_init(&k->seq, f.seq);
	pthread_mutex_lock(&m->mu);
	LIST_INSERT_HEAD(&m->all, k, next);
	pthread_mutex_unlock(&m->mu);
	(void)steal_mem(&room);
	*ret = k;
	return 0;
}

const char *
kv_mark_created(const struct kv_mark *k)
{
	return k->created;
}

void
kv_mark_adopt(struct kv_mark *k, const char *created, uint64_t seq)
{
	pthread_mutex_lock(&k->marks->mu);
	(void)snprintf(k->created, sizeof(k->created), "%s", created);
	pthread_mutex_unlock(&k->marks->mu);
	atomic_store(&k->seq, seq);
	set_dirty(k);
}

void
kv_mark_raise(struct kv_mark *k, uint64_t seq)
{
	uint64_t was = atomic_load(&k->seq);

	while (seq > was)
		if (atomic_compare_exchange_weak(&k->seq, &was, seq)) {
			set_dirty(k);
			return;
		}
}

const _Atomic uint64_t *
kv_mark_seq(const struct kv_mark *k)
{
	return &k->seq;
}

/* ---- life ---- */

static int
start_thread(struct kv_marks *m)
{
	sigset_t all, old;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* signals are the loop's */
	r = pthread_create(&m->thread, NULL, marks_main, m);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -r;
}

static void
release(struct kv_marks *m)
{
	struct kv_mark *k;

	while ((k = LIST_FIRST(&m->all))) {
		LIST_REMOVE(k, next);
		free(k);
	}
	pthread_cond_destroy(&m->change);
	pthread_mutex_destroy(&m->mu);
	free(m);
}

int
kv_marks_new(const char *state_dir, struct kv_marks **ret)
{
	struct kv_marks *m = calloc(1, sizeof(*m));
	pthread_condattr_t attr;
	int r;

	if (!m)
		return -ENOMEM;
	LIST_INIT(&m->all);
	pthread_mutex_init(&m->mu, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&m->change, &attr);
	pthread_condattr_destroy(&attr);
	r = file_path(m->dir, sizeof(m->dir), "%s/seen", state_dir);
	if (r == 0)
		r = file_make_dirs(m->dir, 0755);
	if (r == 0)
		r = start_thread(m);
	if (r < 0) {
		release(m);
		return r;
	}
	*ret = m;
	return 0;
}

void
kv_marks_free(struct kv_marks *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->mu);
	m->stop = true;
	pthread_cond_signal(&m->change);
	pthread_mutex_unlock(&m->mu);
	pthread_join(m->thread, NULL);
	release(m);
}
