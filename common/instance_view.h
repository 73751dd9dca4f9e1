/*
 * instance_view.h - an instance record as EC2 shows it: the JSON of an Instance, members named
 * as EC2 names them.  vmd answers with it for what it runs; gwd shows with it what belongs to
 * a node that does not answer.  Pure.
 */
#pragma once

#include "common/instance.h"
#include "common/types.h"

struct instance_view {
	const char		*region;	/* for host names */
	const struct types	*types;		/* for CpuOptions; NULL: left out */
};
/*
 * Caller owns; NULL: no memory.  What a terminated instance has given back (addresses,
 * interface, volume) is no longer shown.
 */
OWNED_BY(cJSON_Delete) cJSON *instance_view(const struct instance *i,
    const struct instance_view *v);
/*
 * What EC2 shows of it elsewhere than in an Instance: {"volume_bytes", "volume_type",
 * "volume_iops", "volume_throughput"}; "volume_tags" and "interface_tags", where there are any.  Stands beside EC2's members as INSTANCE_VIEW_FACTS,
 * which no shape has.
 */
#define INSTANCE_VIEW_FACTS	"Spinifex"
OWNED_BY(cJSON_Delete) cJSON *instance_view_facts(const struct instance *i);
/* {"ReservationId", "OwnerId", "Groups": [], "Instances": []} of this instance's reservation. */
OWNED_BY(cJSON_Delete) cJSON *instance_view_reservation(const struct instance *i);
/* [{"Key", "Value"}]. */
OWNED_BY(cJSON_Delete) cJSON *instance_view_tags(const struct instance_tags *t);
/* {"Code", "Name"} */
OWNED_BY(cJSON_Delete) cJSON *instance_view_state(enum instance_state s);
/* {"InstanceId", "PreviousState", "CurrentState"}: what a command answers. */
OWNED_BY(cJSON_Delete) cJSON *instance_view_change(const char *id, enum instance_state before,
    enum instance_state now);
