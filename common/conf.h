/*
 * conf.h - one file, sections per daemon, a table of keywords with default and range.
 *
 *	# comment
 *	[vmd]
 *	memory_reserve = 512M
 *	net = isolated
 *
 * Errors read "file:line: what was expected".  The struct is constant after start.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/cleanup.h"

#define CONF_FILE_MAX	65536	/* bytes of the file */
#define CONF_LINE_MAX	1024	/* bytes of one line */
#define CONF_TEXT_MAX	255	/* bytes of one value */

enum conf_type {
	CONF_STR,	/* char[CONF_TEXT_MAX + 1]; min and max are its length */
	CONF_PATH,	/* the same; absolute, or empty where min is 0 */
	CONF_TOKEN,	/* the same; 1 to 64 of [A-Za-z0-9_-]; min and max unused */
	CONF_U32,	/* uint32_t; with words, one of these numbers alone */
	CONF_BOOL,	/* bool; yes or no */
	CONF_MS,	/* uint64_t milliseconds; 500ms, 60s, 5m, 1h, 7d */
	CONF_BYTES,	/* uint64_t bytes; plain, K, M, G, T (powers of 1024) */
	CONF_WORD,	/* uint32_t index into words */
};

struct conf_key {
	const char		*section;	/* NULL: the daemon's own */
	const char		*name;
	enum conf_type		 type;
	size_t			 offset;
	/* NULL: must be given.  "<state_dir>/images" begins with the value of a text key that
	 * stands before this one in the tables. */
	const char		*def;
	uint64_t		 min, max;
	const char *const	*words;		/* NULL-terminated */
};

struct conf_table {
	const struct conf_key	*keys;
	size_t			 n;
};

/*
 * Reads path into out, a zeroed struct, by the tables of tables[0..ntables-1]; own names the
 * daemon's section.  Sections of other daemons and of tools are passed over, unknown ones are
 * errors.  0, or -EINVAL / -errno with one line in *ret_why, which the caller frees; out may
 * then be half filled.
 */
int	 conf_load(const char *path, const char *own, const struct conf_table *tables,
    size_t ntables, void *out, char **ret_why) MUST_CHECK;

/* Prints every key in effect, in a form that conf_load reads again. */
void	 conf_print(FILE *f, const char *own, const struct conf_table *tables, size_t ntables,
    const void *in);

/* What every daemon and tool shares: [cluster], [node], [nats], and its own NATS user. */
struct conf_common {
	uint32_t	 cluster_size;			/* 1, 3 or 5 replicas */
	uint64_t	 node_ttl_ms;
	char		 region[CONF_TEXT_MAX + 1];	/* us-east-1 */
	char		 zone[CONF_TEXT_MAX + 1];	/* us-east-1a */
	char		 node[CONF_TEXT_MAX + 1];	/* a token: this node's name */
	char		 state_dir[CONF_TEXT_MAX + 1];	/* /var/lib/spinifex */
	char		 nats_url[CONF_TEXT_MAX + 1];	/* one or more, with commas */
	char		 nats_ca[CONF_TEXT_MAX + 1];	/* empty: no TLS */
	char		 nats_user[CONF_TEXT_MAX + 1];	/* own section; empty: none */
	char		 nats_password_file[CONF_TEXT_MAX + 1];
	uint32_t	 log_level;			/* CONF_WORD: err .. debug */
};
/* Its table, the first of all; struct conf_common is the first member of the daemon's struct. */
extern const struct conf_table conf_common_table;

/* LOG_ERR .. LOG_DEBUG. */
int	 conf_log_priority(const struct conf_common *c);
const char *conf_log_word(const struct conf_common *c);

/* For a tool: the NATS user is that of section tool or, without one there, of section own. */
int	 conf_load_tool(const char *path, const char *tool, const char *own,
    struct conf_common *out, char **ret_why) MUST_CHECK;
