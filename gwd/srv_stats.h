/*
 * srv_stats.h - what the daemons of the cluster answered to $SRV.STATS, as Prometheus' text.
 * Pure; any thread.
 */
#pragma once

#include "common/buf.h"
#include "common/json.h"

/* Sorts answers, each the JSON of one; what is not such an answer, and a second one of the same
 * daemon and node, is left out. */
void	 srv_stats_print(cJSON **answers, size_t n, struct buf *out);
