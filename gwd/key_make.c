#include "gwd/key_make.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "common/buckets.h"
#include "common/file.h"
#include "gwd/gwd.h"
#include "gwd/key_record.h"

#define ACCOUNT_DEFAULT	"000000000001"
#define WAIT_MS		20000	/* for NATS and the bucket */
#define PUT_MS		5000
#define CHANGE_DELETED	"deleted"

struct making {
	struct gwd	*gwd;
	struct bucket	*bucket;
	const char	*change;	/* of a key that there is: its status; NULL: it is made */
	char		 id[KEYS_ID_MAX + 1];
	char		 secret[KEY_SECRET_LEN + 1];
	char		*record;		/* JSON, owned */
	int		 status;
};

static void
stop(struct making *m, int status, const char *why)
{
	if (why)
		fprintf(stderr, "gwd: %s\n", why);
	m->status = status;
	loop_exit(m->gwd->d.loop, 0);
}

/* The secret is shown once the key is known to be there, and never again. */
static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct making *m = arg;
	char why[128];

	if (res == CAS_OK && m->change) {
		printf("AccessKeyId %s\nStatus %s\n", m->id, m->change);
		stop(m, fflush(stdout) == 0 ? EX_OK : EXIT_FAILURE, NULL);
		return;
	}
	if (res == CAS_OK) {
		printf("AccessKeyId %s\nSecretAccessKey %s\n", m->id, m->secret);
		stop(m, fflush(stdout) == 0 ? EX_OK : EXIT_FAILURE, NULL);
		return;
	}
	(void)snprintf(why, sizeof(why), "the key could not be written: %s", cas_result_text(res));
	stop(m, res == CAS_UNAVAILABLE || res == CAS_UNKNOWN ? EX_TEMPFAIL : EXIT_FAILURE, why);
}

static bool
write_change(struct making *m, const struct cas_entry *e)
{
	struct key_record rec;
	char why[JSON_WHY_MAX];

	if (!strcmp(m->change, CHANGE_DELETED))
		return kv_remove(m->bucket, m->id, e->revision, PUT_MS, on_written, m);
	if (key_record_from_json(e->value, e->len, &rec, why) < 0)
		return false;
	(void)snprintf(rec.status, sizeof(rec.status), "%s", m->change);
	m->record = key_record_to_json(&rec);
	OPENSSL_cleanse(&rec, sizeof(rec));
	return m->record && kv_put(m->bucket, m->id, m->record, strlen(m->record), e->revision,
	    PUT_MS, on_written, m);
}

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct making *m = arg;

	if (res == CAS_NOT_FOUND)
		stop(m, EXIT_FAILURE, "there is no such key");
	else if (res != CAS_OK)
		on_written(m, res, 0);
	else if (!write_change(m, e))
		stop(m, EXIT_FAILURE, "the key's record cannot be read or written");
}

static void
on_open(void *arg)
{
	struct making *m = arg;

	if (m->change) {
		if (!kv_load(m->bucket, m->id, PUT_MS, on_loaded, m))
			stop(m, EXIT_FAILURE, "there is no such key");
		return;
	}
	/* A fresh random id: it never had a message. */
	if (!kv_put(m->bucket, m->id, m->record, strlen(m->record), 0, PUT_MS, on_written, m))
		stop(m, EXIT_FAILURE, "no memory");
}

static void
on_late(void *arg)
{
	stop(arg, EX_TEMPFAIL, "NATS does not answer, or its bucket of access keys cannot be opened");
}

static int
prepare(struct making *m, const char *account)
{
	const struct gwd *g = m->gwd;
	uint8_t master[SEAL_MASTER_BYTES];
	struct key_record rec = { .user = "root", .status = "active",
	    .created_ms = clock_wall_ms(g->d.clock) };
	int r = seal_master(gwd_master_key_file(g).path, master);

	if (r < 0)
		return r;
	key_random(m->id, m->secret);
	(void)snprintf(rec.account_id, sizeof(rec.account_id), "%s", account);
	r = seal_close(master, m->id, m->secret, rec.secret);
	OPENSSL_cleanse(master, sizeof(master));
	if (r < 0)
		return r;
	return (m->record = key_record_to_json(&rec)) ? 0 : -ENOMEM;
}

static int
make(struct making *m)
{
	struct gwd *g = m->gwd;
	struct loop_timer *timer;
	int r;

	if ((r = loop_timer_new(g->d.loop, on_late, m, &timer)) < 0)
		return r;
	loop_timer_in(timer, WAIT_MS);
	if ((r = bucket_open(g->d.kv, &bucket_specs[SPEC_ACCESS_KEYS], &m->bucket)) == 0 &&
	    (r = kv_on_open(g->d.kv, on_open, m)) == 0)
		r = loop_run(g->d.loop);
	loop_timer_free(timer);
	return r;
}

/* The status that the arguments give to a key, or NULL. */
static const char *
change_of(int argc, char **argv)
{
	static const char *const all[] = { "active", "inactive", CHANGE_DELETED };

	for (size_t i = 0; argc == 2 && i < ARRAY_LEN(all); i++)
		if (!strcmp(argv[1], all[i]) && strlen(argv[0]) <= KEYS_ID_MAX)
			return all[i];
	return NULL;
}

int
key_make(void *self, int argc, char **argv)
{
	struct gwd *g = self;
	struct making m = { .gwd = g, .status = EXIT_FAILURE, .change = change_of(argc, argv) };
	const char *account = argc > 0 ? argv[0] : ACCOUNT_DEFAULT;
	int r;

	if (!m.change && (argc > 1 || !key_account_is_valid(account))) {
		fprintf(stderr, "usage: gwd [-c file] -k [account]\n"
		    "       gwd [-c file] -k key active | inactive | deleted\n"
		    "An account has 12 digits.\n");
		return 2;
	}
	gwd_init(g);
	if (m.change)
		(void)snprintf(m.id, sizeof(m.id), "%s", argv[0]);
	if ((r = m.change ? 0 : prepare(&m, account)) < 0)
		fprintf(stderr, "gwd: the master key cannot be used: %s\n", strerror(-r));
	else if ((r = make(&m)) < 0)
		fprintf(stderr, "gwd: %s\n", strerror(-r));
	OPENSSL_cleanse(m.secret, sizeof(m.secret));
	free(m.record);
	return r < 0 ? EXIT_FAILURE : m.status;
}
