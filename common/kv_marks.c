#include "common/kv_marks.h"

#include <dirent.h>
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
#define SERVERS	8	/* of a cluster; the one met longest ago goes first */

struct kv_mark {
	struct kv_marks		*marks;
	const char		*bucket;
	char			 path[PATH_SIZE];
	char			 created[KV_CREATED_SIZE];	/* under mu; set by the loop */
	uint64_t		 base;				/* the same */
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
	char			 servers_path[PATH_SIZE];
	char			 server[SERVERS][BUS_SERVER_ID_SIZE];	/* under mu; met last: 0 */
	bool			 servers_dirty;				/* under mu */
	bool			 was_empty;	/* the folder, when this began */
};

static const struct json_field mark_fields[] = {
	{ "created",	JSON_STR,	offsetof(struct kv_seen, created), 1, KV_CREATED_SIZE - 1,
	    .need = true },
	{ "base",	JSON_U64_STR,	offsetof(struct kv_seen, base), 0, UINT64_MAX,
	    .need = false },
	{ "seq",	JSON_U64_STR,	offsetof(struct kv_seen, seq), 0, UINT64_MAX,
	    .need = true },
};

/* ---- files ---- */

/* 0 with *ret, which is zero when there is no file; -errno. */
static int
read_mark(const char *path, struct kv_seen *ret)
{
	AUTO(buf) struct buf text = BUF_EMPTY(FILE_MAX);
	char why[JSON_WHY_MAX];
	int r = file_read(path, &text);

	*ret = (struct kv_seen){ 0 };
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	return json_read(text.data, text.len, FILE_MAX, mark_fields, ARRAY_LEN(mark_fields),
	    JSON_LOOSE, ret, sizeof(*ret), why);
}

cJSON *
kv_seen_json(const struct kv_seen *s)
{
	return json_encode(mark_fields, ARRAY_LEN(mark_fields), s);
}

int
kv_seen_parse(const cJSON *o, struct kv_seen *ret)
{
	char why[JSON_WHY_MAX];

	*ret = (struct kv_seen){ .seq = 0 };
	return json_decode(o, mark_fields, ARRAY_LEN(mark_fields), JSON_LOOSE, ret, sizeof(*ret),
	    why);
}

static int
write_mark(const char *path, const struct kv_seen *f)
{
	AUTO(json) cJSON *tree = kv_seen_json(f);
	AUTO(str) char *text = tree ? json_print(tree) : NULL;

	return text ? file_write(path, text, strlen(text), 0644) : -ENOMEM;
}

/* Another daemon of this node may have seen more: the higher sequence stands, here and there. */
static int
merge_mark(struct kv_mark *k, struct kv_seen *f, bool *ret_write)
{
	struct kv_seen old;
	int r = read_mark(k->path, &old);

	if (r < 0)
		return r;
	*ret_write = true;
	if (!kv_seen_is_same(&old, f))
		return 0;
	if (old.seq >= f->seq) {
		kv_mark_raise(k, old.seq);
		*ret_write = false;
	}
	return 0;
}

static void
save_mark(struct kv_mark *k)
{
	struct kv_seen f;
	bool owed;
	int r;

	if (!atomic_exchange(&k->dirty, false))
		return;
	pthread_mutex_lock(&k->marks->mu);
	kv_mark_get(k, &f);
	pthread_mutex_unlock(&k->marks->mu);
	if (!*f.created)
		return;
	r = merge_mark(k, &f, &owed);
	if (r == 0 && owed)
		r = write_mark(k->path, &f);
	if (r < 0)
		atomic_store(&k->dirty, true);
	if (r < 0 && !k->complained)
		log_warning("%s: %s; a store that went back may not be noticed", k->path,
		    strerror(-r));
	k->complained = r < 0;
}

/* ---- servers ---- */

static bool
knows(const struct kv_marks *m, const char *id)		/* mu held, or no thread yet */
{
	for (size_t i = 0; i < SERVERS; i++)
		if (strcmp(m->server[i], id) == 0)
			return true;
	return false;
}

static void
put_first(struct kv_marks *m, const char *id)		/* the same */
{
	memmove(m->server[1], m->server[0], sizeof(m->server) - sizeof(m->server[0]));
	(void)snprintf(m->server[0], sizeof(m->server[0]), "%s", id);
}

/* A line for each, the oldest first.  What cannot be read costs a quiet that nobody needed. */
static void
read_servers(struct kv_marks *m)
{
	AUTO(buf) struct buf text = BUF_EMPTY(SERVERS * (BUS_SERVER_ID_SIZE + 1));
	char *line, *save = NULL;

	if (file_read(m->servers_path, &text) < 0 || text.len == 0)
		return;
	for (line = strtok_r((char *)text.data, "\n", &save); line;
	    line = strtok_r(NULL, "\n", &save))
		if (!knows(m, line))
			put_first(m, line);
}

static void
save_servers(struct kv_marks *m)	/* mu held; drops it meanwhile */
{
	AUTO(buf) struct buf text = BUF_EMPTY(SERVERS * (BUS_SERVER_ID_SIZE + 1));
	int r = 0;

	if (!m->servers_dirty)
		return;
	m->servers_dirty = false;
	for (size_t i = SERVERS; r == 0 && i-- > 0;)
		if (*m->server[i])
			r = buf_printf(&text, "%s\n", m->server[i]);
	pthread_mutex_unlock(&m->mu);
	/* Lost: its daemons keep quiet once more than they would have to. */
	if (r < 0 || file_write(m->servers_path, text.data, text.len, 0644) < 0)
		log_debug("%s: not written", m->servers_path);
	pthread_mutex_lock(&m->mu);
}

bool
kv_marks_knows_server(struct kv_marks *m, const char *id)
{
	bool is_known;

	pthread_mutex_lock(&m->mu);
	if (!knows(m, id))
		read_servers(m);	/* another daemon of this node may have met it since */
	is_known = knows(m, id);
	pthread_mutex_unlock(&m->mu);
	return is_known;
}

bool
kv_marks_is_new(struct kv_marks *m)
{
	bool is_new;

	pthread_mutex_lock(&m->mu);
	is_new = m->was_empty && !*m->server[0];
	pthread_mutex_unlock(&m->mu);
	return is_new;
}

void
kv_marks_add_server(struct kv_marks *m, const char *id)
{
	pthread_mutex_lock(&m->mu);
	if (!knows(m, id)) {
		put_first(m, id);
		m->servers_dirty = true;
		atomic_store(&m->dirty, true);
		pthread_cond_signal(&m->change);
	}
	pthread_mutex_unlock(&m->mu);
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
	while (!m->stop && !m->servers_dirty &&
	    pthread_cond_timedwait(&m->change, &m->mu, &until) == 0)
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
		save_servers(m);	/* first: whoever reads a mark finds its server */
		save_all(m);
		rest(m);
	}
	save_servers(m);
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
	struct kv_seen f;
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
	k->base = f.base;
	atomic_init(&k->seq, f.seq);
	pthread_mutex_lock(&m->mu);
	LIST_INSERT_HEAD(&m->all, k, next);
	pthread_mutex_unlock(&m->mu);
	(void)steal_mem(&room);
	*ret = k;
	return 0;
}

void
kv_mark_get(const struct kv_mark *k, struct kv_seen *ret)
{
	*ret = (struct kv_seen){ .base = k->base, .seq = atomic_load(&k->seq) };
	memcpy(ret->created, k->created, sizeof(ret->created));
}

bool
kv_seen_is_same(const struct kv_seen *a, const struct kv_seen *b)
{
	return a->base == b->base && strcmp(a->created, b->created) == 0;
}

void
kv_mark_adopt(struct kv_mark *k, const struct kv_seen *s)
{
	pthread_mutex_lock(&k->marks->mu);
	memcpy(k->created, s->created, sizeof(k->created));
	k->base = s->base;
	pthread_mutex_unlock(&k->marks->mu);
	atomic_store(&k->seq, s->seq);
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

static int
is_empty(const char *dir, bool *ret)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	if (!d)
		return -errno;
	do
		e = readdir(d);
	while (e && e->d_name[0] == '.');
	*ret = !e;
	(void)closedir(d);
	return 0;
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
		r = file_path(m->servers_path, sizeof(m->servers_path), "%s/servers", state_dir);
	if (r == 0)
		r = is_empty(m->dir, &m->was_empty);
	if (r == 0) {
		read_servers(m);
		r = start_thread(m);
	}
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
