/*
 * log.h - one sentence for a human plus fields for a machine, to journald, or to stderr with
 * -d or where no journal listens.  common/ and the rules log nothing above debug; a daemon
 * logs a failure once, at its edge.  Never a secret, never a payload.  Any thread; never
 * blocks for longer than a datagram.  A line that comes again within a minute with the same
 * fields says how often, and is not said each time (log_repeat.h); debug and what carries a
 * request's id beside its subject is as it comes.
 *
 * Levels: err somebody must act; warning we survived and say how; notice a change of state;
 * info start, stop; debug the rest.
 */
#pragma once

#include <stdint.h>
#include <syslog.h>

#include "common/cleanup.h"

struct log_ctx {			/* unset members are left out of the line */
	const char	*message_id;	/* MSG_* of msgid.h */
	const char	*instance, *lease, *node, *holder, *subject, *request_id, *code, *object;
	const char	*action, *account, *duration_us;	/* of a request: gwd */
	uint64_t	 generation;	/* 0: unset */
};

void	 log_fields(int priority, const struct log_ctx *ctx, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#define log_plain(prio, ...)	log_fields((prio), NULL, __VA_ARGS__)
#define log_err(...)		log_plain(LOG_ERR, __VA_ARGS__)
#define log_warning(...)	log_plain(LOG_WARNING, __VA_ARGS__)
#define log_notice(...)		log_plain(LOG_NOTICE, __VA_ARGS__)
#define log_info(...)		log_plain(LOG_INFO, __VA_ARGS__)
#define log_debug(...)		log_plain(LOG_DEBUG, __VA_ARGS__)

/* Called once by main, before any thread.  ident is borrowed for the process's life. */
void	 log_open(const char *ident, int to_stderr);
void	 log_level(int max_priority);		/* LOG_ERR .. LOG_DEBUG; LOG_EMERG: silent */

/* Tests and fuzzers: every line that the level lets through goes to sink; NULL: as before. */
typedef void log_sink_fn(void *arg, int priority, const struct log_ctx *ctx, const char *text);
void	 log_register(log_sink_fn *sink, void *arg);

/*
 * A line that may come often: true for the first in each minute, then false; what was
 * withheld is said with the next line.  One struct per place, zero at first, loop thread.
 */
struct log_limit {
	uint64_t	 until_ms;
	uint32_t	 withheld;
};
#include <stdbool.h>
bool	 log_may(struct log_limit *l, uint64_t now_ms, uint32_t *ret_withheld);
