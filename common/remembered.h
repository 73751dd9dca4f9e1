/*
 * remembered.h - keys of a bucket that are as they were read, so that what does not change costs no
 * read in each look at all of it.  A bucket keeps the last message of each key, and a message that
 * was written later has a higher sequence: so the messages after the sequence up to which the bucket
 * was looked through last are all that has changed since, and every other key is as it was.  Where
 * that cannot be known, because the stream is another, or went back, or is in doubt, or another server
 * was met, or none answered, nothing is remembered and each key has to be read.  And so it is each REMEMBERED_MS,
 * whatever the streams say.  Who acts on a key reads it again, without this.
 *
 * For jobs, of which one at a time has it.
 */
#pragma once

#include "common/kv.h"

#define REMEMBERED_BUCKETS	6
#define REMEMBERED_MS		(3600u * 1000)
#define REMEMBERED_KEY_MAX	39	/* bytes: keys of instances, volumes ...; longer ones are read */

struct remembered_key {
	char		 key[REMEMBERED_KEY_MAX + 1];	/* first */
	uint64_t	 revision;
};
struct remembered_bucket {
	const struct bucket	*of;		/* NULL: not in use */
	char			 created[KV_CREATED_SIZE];
	uint64_t		 upto;		/* looked through to this sequence */
	uint64_t		 since_ms;	/* CLOCK_BOOTTIME; all was read then */
	uint64_t		 doubted_ms;	/* bucket_doubted_ms then: of the same servers */
	struct remembered_key	*v;
	size_t			 n, room;
	size_t			 known;		/* the first so many, sorted: read before this look */
};
struct remembered {
	struct remembered_bucket bucket[REMEMBERED_BUCKETS];
};
void	 remembered_deinit(struct remembered *m);

/* As kv_list_wait, always with the same prefix; then what is remembered of that bucket is what has
 * not changed.  m NULL: as kv_list_wait alone, and nothing is remembered. */
enum cas_result remembered_list(struct remembered *m, struct bucket *b, const char *prefix,
    uint64_t now_ms, uint64_t timeout_ms, struct kv_keys *ret) MUST_CHECK;
/* The revision that remembered_add was given before the last listing; 0: read it. */
uint64_t remembered_revision(struct remembered *m, const struct bucket *b, const char *key);
/* It was read after the last listing. */
void	 remembered_add(struct remembered *m, const struct bucket *b, const char *key,
    uint64_t revision);
