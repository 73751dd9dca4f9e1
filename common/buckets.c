#include "common/buckets.h"

#include "common/subjects.h"

#define DAY_MS	(24 * 60 * 60 * 1000ull)

const struct bucket_spec bucket_specs[BUCKET_SPECS] = {
	[SPEC_SYNC] = {
		.name = BUCKET_SYNC,
		.description = "leases and claims",
		.guard = BUCKET_UEFI_STORES,	/* its records count by the claims' generations */
	},
	[SPEC_UEFI_STORES] = {
		.name = BUCKET_UEFI_STORES,
		.description = "UEFI variable stores",
	},
	[SPEC_INSTANCES] = {
		.name = BUCKET_INSTANCES,
		.description = "instance records, one key each",
	},
	[SPEC_NODES] = {
		.name = BUCKET_NODES,
		.description = "the nodes of the cluster",
	},
	[SPEC_CLUSTER_STATE] = {
		.name = BUCKET_CLUSTER_STATE,
		.description = "heartbeats",
		.loss = BUCKET_REMADE,
	},
	[SPEC_CANARY] = {
		.name = BUCKET_CANARY,
		.description = "two writes at one revision, of which one has to fail",
		.loss = BUCKET_REMADE,
	},
	[SPEC_OBJECTS] = {
		.name = BUCKET_OBJECTS,
		.description = "objects: variable stores and what images carry",
		.may_erase = true,
	},
	[SPEC_CLIENT_TOKENS] = {
		.name = BUCKET_CLIENT_TOKENS,
		.description = "client tokens",
		.ttl_ms = DAY_MS,
		.loss = BUCKET_REMADE,
	},
	[SPEC_ACCESS_KEYS] = {
		.name = BUCKET_ACCESS_KEYS,
		.description = "access keys",
	},
	[SPEC_IMAGES] = {
		.name = BUCKET_IMAGES,
		.description = "images",
	},
	[SPEC_KEY_PAIRS] = {
		.name = BUCKET_KEY_PAIRS,
		.description = "key pairs",
	},
	[SPEC_NETWORKS] = {
		.name = BUCKET_NETWORKS,
		.description = "networks, one key an account",
	},
	[SPEC_ADDRESSES] = {
		.name = BUCKET_ADDRESSES,
		.description = "private addresses",
	},
	[SPEC_VOLUMES] = {
		.name = BUCKET_VOLUMES,
		.description = "volumes, but for the root volumes of instances",
	},
	[SPEC_ACCOUNT_USAGE] = {
		.name = BUCKET_ACCOUNT_USAGE,
		.description = "vCPUs of accounts, counted from the instances' records",
		.loss = BUCKET_REMADE,
	},
};
