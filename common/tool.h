/*
 * tool.h - what leasectl, uefictl, vmctl and reaperctl have in common.  A tool is a client of
 * its daemon's subjects and holds no logic.
 *
 *	tool [-c FILE] [-N NODE] [--json] VERB [ARGUMENT ...]
 *
 * Exit status: 0 done, 1 refused (the answer's Message on stderr), 2 usage, 75 (EX_TEMPFAIL)
 * nobody answered or the refusal was retryable, 78 the configuration is wrong.
 */
#pragma once

#include "common/bus.h"
#include "common/conf.h"
#include "common/ident.h"

struct tool {
	struct conf_common	 conf;
	struct loop		*loop;
	struct bus		*bus;
	const char		*node;		/* -N, else this node */
	bool			 json;
	char			 request_id[IDENT_UUID_LEN + 1];	/* of all that it asks */
};
struct tool_verb {
	const char	*name;
	const char	*args;		/* "ID [--force]" for the usage text */
	int		 min_args, max_args;
	const char	*help;		/* one line */
	int		(*run)(struct tool *t, int argc, char **argv);	/* argv[0] is the verb */
};
/* The tool's NATS user is section [<tool>] or, absent, that of its daemon `section`. */
int	 tool_main(int argc, char **argv, const char *name, const char *section,
    const struct tool_verb *verbs, size_t n);
/* Asks and waits (runs the loop).  0 and the tree, or the exit status after printing why. */
int	 tool_call(struct tool *t, const char *subject, const cJSON *in, uint64_t timeout_ms,
    cJSON **ret);
/* The same of a list that comes in pages, see page.h: *ret is the whole, as one answer. */
int	 tool_list(struct tool *t, const char *subject, const char *member, uint64_t timeout_ms,
    cJSON **ret);
