/*
 * doctor_look.h - the facts that doctor.h judges: from the servers' own greeting, from the
 * configuration and the store of the server that is on this machine, and over the bus.  It
 * waits, and runs the loop meanwhile.
 */
#pragma once

#include "common/conf.h"
#include "leased/doctor.h"

/* Servers, and how the one of nats_conf (borrowed) syncs.  Needs no connection. */
void	 doctor_look_around(const struct conf_common *c, const char *nats_conf,
    struct doctor_facts *ret);
/* Buckets, nodes and clocks.  -ENOMEM, or 0: what did not answer is a fact too. */
int	 doctor_ask_around(struct loop *l, struct bus *b, const char *state_dir,
    struct doctor_facts *ret) MUST_CHECK;
