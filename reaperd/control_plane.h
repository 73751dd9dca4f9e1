/*
 * control_plane.h - instances that are the control plane of an EKS cluster: what their network
 * interface's tags say, and whether the cluster that they name has a record.
 *
 * The record is the key `cluster.<name>.meta` in the bucket eks-account-<account>.  Looking
 * makes nothing: neither the bucket nor the key.
 */
#pragma once

#include "common/bus.h"
#include "common/instance.h"
#include "reaperd/judge.h"

#define CONTROL_PLANE_MANAGED_BY	"spinifex:managed-by"	/* "eks" */
#define CONTROL_PLANE_ROLE		"spinifex:eks-role"	/* "control-plane" */
#define CONTROL_PLANE_CLUSTER		"spinifex:eks-cluster"
#define CONTROL_PLANE_ACCOUNT		"spinifex:eks-account"
#define CONTROL_PLANE_NAME_MAX		100	/* EKS's own limit */

struct control_plane {
	bool	 is_one;		/* running, with an interface whose tags say all of it */
	char	 cluster[CONTROL_PLANE_NAME_MAX + 1];
	char	 account_id[13];	/* the cluster's */
	char	 zone[65];
	uint64_t launch_ms;		/* wall */
};
/* Pure. */
void	 control_plane_of(const struct instance *i, struct control_plane *ret);
/* For jobs. */
enum cluster_record control_plane_cluster(struct bus *b, const struct control_plane *c,
    uint64_t timeout_ms);
