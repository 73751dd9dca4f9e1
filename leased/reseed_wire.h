/*
 * reseed_wire.h - lease.v1.<node>.reseed: finds the nodes, runs the job (reseed.h), answers; and
 * what this leased says it holds.  Loop thread.
 */
#pragma once

#include "leased/leased.h"

#define RESEED_MS		600000	/* of one ask; the job goes on, and can be begun again */
#define RESEED_WITHOUT_MAX	4096	/* bytes of names with commas */

struct reseed_in {
	char	without[RESEED_WITHOUT_MAX + 1];
	bool	act;
};
#define RESEED_FIELDS	2
extern const struct json_field reseed_fields[RESEED_FIELDS];

int	 reseed_wire_new(struct leased *d, struct reseed_wire **ret) MUST_CHECK;
void	 reseed_wire_free(struct reseed_wire *w);	/* NULL is fine; no job runs any more */
void	 reseed_wire_stop(struct reseed_wire *w);	/* a job that runs ends soon */
void	 reseed_wire_ask(struct reseed_wire *w, struct bus_req *req, const struct reseed_in *in);
