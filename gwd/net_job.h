/*
 * net_job.h - a change of an account's network: read, judged and written back by CAS in a job;
 * again from the start when another has written meanwhile.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"
#include "gwd/net.h"

#define NET_KEY_MAX	32	/* "<account>.network" */

void	 net_key(const char *account, char ret[static NET_KEY_MAX]);

/*
 * Takes the call, and in, the input of change.  then(c, out): instead of the answer, when all
 * went well; out is borrowed.  NULL: out is the answer.
 */
void	 net_job_start(struct gwd *g, struct call *c, const struct net_change *change, cJSON *in,
    void (*then)(struct call *c, const cJSON *out));

/*
 * Of n, which is zeroed: the zones of the cluster, that of this gateway first, the account, the
 * region.  zones lives as long as n.
 */
struct net_zones {
	char		 name[64][65];
	const char	*list[64];
};
void	 net_prepare(struct net *n, const struct gwd *g, const char *account,
    struct net_zones *zones);
/* For an operator: the account has a document that cannot be read.  Any thread. */
void	 net_log_unreadable(const char *account, const char *why);
