/* What a job asks of the other daemons of its node. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "uefid/uefid.h"

#define LIST_TIMEOUT_MS	2000
#define BURY_TIMEOUT_MS	15000

/* A launch goes through "launching"; an instance that vmd does not list is in none. */
static enum store_launch
launch_of(const cJSON *answer, const char *instance_id)
{
	const cJSON *list = json_member(answer, "instances"), *item;

	if (!cJSON_IsArray(list))
		return STORE_LAUNCH_UNKNOWN;
	cJSON_ArrayForEach(item, list) {
		const char *id = json_text(item, "instance_id");
		const char *phase = json_text(item, "phase"), *state = json_text(item, "state");

		if (!id || strcmp(id, instance_id) != 0)
			continue;
		return (phase && strcmp(phase, "launching") == 0) ||
		    (state && strcmp(state, "pending") == 0) ? STORE_LAUNCH_YES : STORE_LAUNCH_NO;
	}
	return STORE_LAUNCH_NO;
}

enum store_launch
uefid_ask_launch(void *world, const char *instance_id)
{
	struct uefid *u = world;
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	struct bus_error error;

	snprintf(subject, sizeof(subject), "vm.v1.%.64s.list", u->conf->common.node);
	if (!in || bus_call_wait(u->d.bus, subject, in, LIST_TIMEOUT_MS, &out, &error) < 0)
		return STORE_LAUNCH_UNKNOWN;
	return launch_of(out, instance_id);
}

int
uefid_ask_bury(void *world, const char *node, char why[static STORE_WHY_MAX])
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
	if (bus_call_wait(u->d.bus, subject, in, BURY_TIMEOUT_MS, &out, &error) < 0) {
		snprintf(why, STORE_WHY_MAX, "%s", error.message);
		return -EAGAIN;
	}
	return 0;
}
