/*
 * act.h - carries out one verdict.  Reads the record again at the leader, judges it again, and
 * changes it by compare-and-swap alone.  For jobs.
 */
#pragma once

#include "reaperd/sweep.h"

/* NULL: it is gone (or marked).  Else why it stays, a constant sentence. */
const char *act_run(const struct sweep *s, const struct sweep_verdict *v);
