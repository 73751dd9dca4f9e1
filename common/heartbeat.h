/*
 * heartbeat.h - `heartbeat.<node>` in spinifex-cluster-state: vmd writes one each
 * node_ttl/6.  A beat only vetoes a burial; none, or one that cannot be read, proves nothing.
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEARTBEAT_PREFIX	"heartbeat."

/* The stamp of a beat in wall ms, or 0 when it has none or cannot be decoded. */
uint64_t heartbeat_stamp(const char *value, size_t len);
/* Age strictly under ttl_ms is live, and so is a stamp up to ttl_ms in the future; one beyond
 * that, and 0, are none. */
bool	 heartbeat_is_live(uint64_t stamp_ms, uint64_t wall_ms, uint64_t ttl_ms);
