/*
 * act.h - the handlers, one file per kind of thing (act_region.c, act_sts.c, ...), each named
 * for its action.  See action.h for what a handler is given and owes.
 */
#pragma once

#include "gwd/action.h"

/* act_region.c */
void	 act_describe_regions(struct gwd *g, struct call *c);
/* act_sts.c */
void	 act_get_caller_identity(struct gwd *g, struct call *c);
