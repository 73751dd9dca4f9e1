/*
 * network_read.h - an account's network as one source of a describe among others.  See
 * describe.h: describe_read_records(d, cloud->networks, NULL, network_take, then), and then, in
 * then, network_default.  Loop thread only.
 */
#pragma once

#include "gwd/describe.h"
#include "gwd/net.h"

/* Keeps the document of the record e; NULL: of an account that has none yet. */
void	 network_take(struct describe *d, const char *key, const struct cas_entry *e);
/* Was one taken?  Else the default network is, or d has been ended: false. */
bool	 network_default(struct describe *d);
/* A describe_then_fn: shows what the describe's list has, and ends it. */
void	 network_shown(struct describe *d);
