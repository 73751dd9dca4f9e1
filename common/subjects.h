/*
 * subjects.h - names that more than one daemon uses.  Their reference, with every field, is
 * spinifex-subjects(7).
 */
#pragma once

#define SUBJECTS_VERSION	1	/* raised with any incompatible change; in $SRV.INFO */

#define HEADER_ACCOUNT		"X-Account-ID"
#define HEADER_CMD_HANDLED	"Spinifex-Ec2-Cmd-Handled"	/* "1" */
#define HEADER_REQUEST_ID	"Spinifex-Request-Id"		/* follows a request everywhere */
#define HEADER_NODE		"Spinifex-Node"			/* on fan-out answers: who */

#define BUCKET_SYNC		"spinifex-sync"
#define BUCKET_UEFI_STORES	"spinifex-uefi-stores"
#define BUCKET_INSTANCES	"spinifex-instance-state"
#define BUCKET_NODES		"spinifex-nodes"
#define BUCKET_CLUSTER_STATE	"spinifex-cluster-state"
#define BUCKET_CANARY		"spinifex-canary"
#define BUCKET_OBJECTS		"spinifex-objects"
#define BUCKET_CLIENT_TOKENS	"spinifex-client-tokens"
#define BUCKET_ACCESS_KEYS	"spinifex-iam-access-keys"
#define BUCKET_IMAGES		"spinifex-ec2-image"		/* <account>.<ami-id> */
#define BUCKET_KEY_PAIRS	"spinifex-ec2-key-pair"		/* <account>.<sha256 of its name> */
#define BUCKET_ACCOUNT_USAGE	"spinifex-account-usage"	/* <account> */
#define BUCKET_VOLUMES		"spinifex-ec2-volume"		/* <account>.<vol-id> */
#define BUCKET_NETWORKS		"spinifex-ec2-network"		/* <account>.network */
#define BUCKET_ADDRESSES	"spinifex-ec2-address"		/* <account>.<a-b-c-d> */

#define KEY_INSTANCE_PREFIX	"instance."	/* in BUCKET_INSTANCES */
#define KEY_UEFI_CLAIM_PREFIX	"uefi."		/* in BUCKET_SYNC */
#define KEY_NODE_PREFIX		"node."		/* in BUCKET_SYNC: a node's own lease */
#define KEY_VERSION		"_version"
#define KEY_EPOCH		"_epoch"	/* what an operator's reseed made of the stream */
#define KEY_PROBE		"_probe"	/* whose write settles a doubt */
#define KEY_FILL		"_fill"		/* .<n>: writes that raise the sequence */
