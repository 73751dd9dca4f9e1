/*
 * describe.h - what vmd says of instances in EC2's JSON: reservations, pages under a size, and
 * the extra member "Spinifex" that gwd takes out.  Pure.
 */
#pragma once

#include "common/buf.h"
#include "common/instance_view.h"

#define DESCRIBE_ANSWER_MAX	(480 * 1024)	/* bytes, under a server's usual max_payload */

struct describe_view {
	struct instance_view	 view;
};
struct describe_extra {			/* of a guest that is here now */
	const char	*launch;	/* "": none */
	bool		 impaired;
};

/* Adds the instance to *reservation, which is made from the first one.  0 or -ENOMEM. */
int	 describe_into(cJSON **reservation, const struct instance *i, struct describe_extra x,
    const struct describe_view *v) MUST_CHECK;

/* The answer to DescribeInstances, one reservation an instance. */
struct describe {
	struct buf	 text;
	size_t		 n;
	char		 last[INSTANCE_ID_MAX + 1];
};
void	 describe_begin(struct describe *d);
/* What is added of it: text that may be kept for as long as record and guest say the same.
 * NULL: no memory. */
OWNED_BY(free) char *describe_text(const struct instance *i, struct describe_extra x,
    const struct describe_view *v);
/* 0; -EMSGSIZE: the page is full, end it; -ENOMEM. */
int	 describe_add_text(struct describe *d, const char *id, const char *text) MUST_CHECK;
/* Both. */
int	 describe_add(struct describe *d, const struct instance *i, struct describe_extra x,
    const struct describe_view *v) MUST_CHECK;
/* more: there are more after the last.  The text, borrowed; NULL: no memory. */
const char *describe_end(struct describe *d, bool more);
void	 describe_deinit(struct describe *d);
