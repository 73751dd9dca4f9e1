/*
 * records_own.h - what records.c (the cache and its reading), records_make.c (new ones) and
 * record.c (the writes) share.  Nobody else includes it.
 */
#pragma once

#include "common/subjects.h"
#include "vmd/ownership.h"
#include "vmd/records.h"

struct record_op {
	struct record_op	*next;
	enum record_effort	 effort;
	record_change_fn	*change;	/* NULL: remove the record */
	record_done_fn		*done;
	void			*arg;
	struct instance		 draft;		/* what is being written */
	char			*text;		/* its JSON, of the last attempt; owned */
	unsigned		 attempts;
	bool			 unknown;	/* an attempt may have landed */
	bool			 reload;	/* read before the next attempt */
};

struct record {
	struct records		*rs;
	struct instance		 i;
	uint64_t		 revision;
	uint64_t		 confirmed;	/* node generation at the last landed write */
	void			*owner;
	struct record_op	*head, *tail;
	bool			 busy;		/* a call of the head is under way */
	struct loop_timer	*timer;		/* runs the head */
};

struct records_call;
struct records {
	struct loop			*loop;
	struct bucket			*bucket;
	char				 node[65];
	const struct records_handlers	*h;
	void				*arg;
	struct record			**row;		/* by id */
	size_t				 n, room;
	uint64_t			 generation;
	struct kv_keys			 scan;		/* being read; */
	size_t				 scan_at;	/* from here on */
	bool				 started, scanning, scan_again, listed;
	struct loop_timer		*timer;		/* next scan */
	struct records_call		*calls;		/* under way, for records_free */
};

#define RECORD_KEY_MAX	(sizeof(KEY_INSTANCE_PREFIX) + INSTANCE_ID_MAX)
void	 record_key(const char *id, char ret[static RECORD_KEY_MAX]);
/* In order, with nothing queued; i is taken on success.  NULL: no memory. */
struct record *records_add(struct records *rs, struct instance *i, uint64_t revision);
/* Ends its writes with -EPERM, tells the owner, frees it. */
void	 record_lose(struct record *r, const char *why);
void	 record_free(struct record *r);
/* Queues the confirming swap of the generation there is, if there is one. */
void	 record_confirm(struct record *r);
void	 record_replace(struct record *r, struct instance *i, uint64_t revision);
void	 record_on_timer(void *arg);

/* A decoded read: readable only with i filled, which the caller deinits. */
struct records_read {
	struct instance	 i;
	bool		 readable;
	char		 why[JSON_WHY_MAX];
};
void	 records_decode(const char *id, enum cas_result res, const struct cas_entry *e,
    struct records_read *ret);
enum ownership records_judge(const struct record *r, enum cas_result res,
    const struct cas_entry *e, const struct records_read *read);

/* A read or write under way that has no record to hang on. */
struct records_call {
	struct records_call	*next, **prev;
	struct records		*rs;
	struct instance		 i;
	char			 id[INSTANCE_ID_MAX + 1];
	bool			 is_take;
	record_made_fn		*fn;
	record_looked_fn	*looked;
	void			*arg;
};
struct records_call *records_call_new(struct records *rs, const char *id, record_made_fn *fn,
    void *arg);
void	 records_call_free(struct records_call *c);
