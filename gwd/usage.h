/*
 * usage.h - the vCPUs that each account has, as a number in spinifex-account-usage (key: the
 * account), for whoever watches accounts.  One gateway of the cluster keeps it true, under the lease
 * quota.reconcile: each USAGE_PERIOD_MS, and soon after an instance's record changed.  No limit is
 * judged by it (see quota.h).  Loop thread only.
 */
#pragma once

struct gwd;
struct usage;

#define USAGE_PERIOD_MS	30000
#define USAGE_SOON_MS	1000	/* changes of that time are counted together */

/* Steps of main.c; without [gwd] vcpu_limit nothing is counted. */
int	 gwd_open_usage(void *self);
void	 gwd_close_usage(void *self);
