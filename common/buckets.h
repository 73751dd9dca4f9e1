/*
 * buckets.h - every bucket of the cluster, once: whichever daemon comes first makes it, so they
 * have to make the same.  The reference is spinifex-subjects(7).
 */
#pragma once

#include "common/kv.h"

enum {
	SPEC_SYNC, SPEC_UEFI_STORES, SPEC_INSTANCES, SPEC_NODES, SPEC_CLUSTER_STATE, SPEC_CANARY,
	SPEC_OBJECTS, SPEC_CLIENT_TOKENS, SPEC_ACCESS_KEYS, SPEC_IMAGES, SPEC_KEY_PAIRS, SPEC_ADDRESSES,
	SPEC_VOLUMES, SPEC_NETWORKS, SPEC_ACCOUNT_USAGE,
	BUCKET_SPECS
};
extern const struct bucket_spec bucket_specs[BUCKET_SPECS];
