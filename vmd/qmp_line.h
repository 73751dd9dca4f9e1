/*
 * qmp_line.h - bytes from a QMP socket to messages.  Pure; all input is untrusted: a line has a
 * ceiling, a message must be one of the four kinds, and only ids of ours count.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/json.h"

#define QMP_NAME_MAX	63	/* bytes of an event's or an error class's name */

enum qmp_kind {
	QMP_GREETING,	/* body: the member QMP */
	QMP_RETURN,	/* body: the member return, any value */
	QMP_ERROR,	/* name: its class; text: its description */
	QMP_EVENT,	/* name; body: the member data, or NULL */
};

struct qmp_message {
	enum qmp_kind	 kind;
	bool		 has_id;	/* a number, as we send them */
	uint64_t	 id;
	char		 name[QMP_NAME_MAX + 1];
	char		 text[JSON_WHY_MAX];	/* printable, cut */
	cJSON		*tree;		/* owned */
	const cJSON	*body;		/* borrowed from tree */
};

/*
 * line without its end.  0; -EINVAL with a sentence in why; -EMSGSIZE; -ENOMEM.  ret is
 * untouched on failure, else the caller's to deinit.
 */
int	 qmp_message_parse(const char *line, size_t len, struct qmp_message *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
void	 qmp_message_deinit(struct qmp_message *m);	/* zero again */

/* {"execute": command, "arguments": args, "id": id}, the caller's; takes args.  NULL: no memory. */
char	*qmp_command_print(const char *command, cJSON *args, uint64_t id) MUST_CHECK;

struct qmp_reader {
	struct buf	 in;
	size_t		 at;		/* what is before was handed out */
	size_t		 seen;		/* no line ends before it */
};
#define QMP_READER_INIT(max_line)	((struct qmp_reader){ .in = BUF_EMPTY(max_line) })
void	 qmp_reader_deinit(struct qmp_reader *r);	/* empty again, ceiling kept */
/* 0; -EMSGSIZE: a line over the ceiling (the reader is of no more use); -ENOMEM. */
int	 qmp_reader_feed(struct qmp_reader *r, const void *p, size_t n) MUST_CHECK;
/* 1 and the next line (borrowed until the next feed; no end, empty lines left out); 0: none. */
int	 qmp_reader_next(struct qmp_reader *r, const char **ret_line, size_t *ret_len) MUST_CHECK;
