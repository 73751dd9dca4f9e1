/* What a job asks of the other daemons of its node. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/vm_list.h"
#include "uefid/uefid.h"

#define LIST_TIMEOUT_MS	2000
#define BURY_TIMEOUT_MS	15000

enum store_launch
uefid_ask_launch(void *world, const char *instance_id)
{
	struct uefid *u = world;
	AUTO(json) cJSON *out = NULL;
	struct bus_error error;
	struct vm_seen seen;

	if (vm_list_wait(u->d.bus, u->conf->common.node, LIST_TIMEOUT_MS, &out, &error) < 0 ||
	    vm_list_find(out, instance_id, &seen) < 0)
		return STORE_LAUNCH_UNKNOWN;
	return seen.is_in_launch ? STORE_LAUNCH_YES : STORE_LAUNCH_NO;
}

int
uefid_ask_bury(void *world, const char *node, const char *request_id,
    char why[static STORE_WHY_MAX])
{
	struct uefid *u = world;
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	struct bus_error error;

	snprintf(subject, sizeof(subject), "lease.v1.%.64s.bury", u->conf->common.node);
	if (!in || !cJSON_AddStringToObject(in, "node", node) ||
	    !cJSON_AddBoolToObject(in, "fenced", false)) {
		snprintf(why, STORE_WHY_MAX, "no memory");
		return -EAGAIN;
	}
	if (bus_call_follow_wait(u->d.bus, subject, request_id, in, BURY_TIMEOUT_MS, &out,
	    &error) < 0) {
		snprintf(why, STORE_WHY_MAX, "%s", error.message);
		return -EAGAIN;
	}
	return 0;
}
