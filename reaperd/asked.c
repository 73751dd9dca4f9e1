#include "reaperd/asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/vm_list.h"

void
asked_deinit(struct asked *a)
{
	for (size_t i = 0; i < a->n; i++)
		cJSON_Delete(a->v[i].list);
	free(a->v);
	*a = (struct asked){ 0 };
}

struct asked_node *
asked_get(struct asked *a, const char *node)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i].name, node) == 0)
			return &a->v[i];
	return NULL;
}

const cJSON *
asked_list(struct asked *a, struct bus *b, const char *node, uint64_t timeout_ms)
{
	struct asked_node *more = asked_get(a, node);
	struct bus_error error;

	if (more)
		return more->list;
	more = reallocarray(a->v, a->n + 1, sizeof(*more));
	if (!more)
		return NULL;
	a->v = more;
	more = &a->v[a->n++];
	*more = (struct asked_node){ .list = NULL };
	(void)snprintf(more->name, sizeof(more->name), "%s", node);
	if (vm_list_wait(b, node, timeout_ms, &more->list, &error) == 0 &&
	    !cJSON_IsArray(json_member(more->list, "instances"))) {
		cJSON_Delete(more->list);
		more->list = NULL;
	}
	return more->list;
}

static const char *
text(const cJSON *vm, const char *member)
{
	const char *s = json_text(vm, member);

	return s ? s : "";
}

static uint64_t
number(const cJSON *vm, const char *member)
{
	uint64_t u;

	return json_get_u64(json_member(vm, member), &u) ? u : 0;
}

bool
asked_read(const cJSON *vm, struct asked_vm *ret)
{
	*ret = (struct asked_vm){ .id = text(vm, "instance_id"), .phase = text(vm, "phase"),
		.why = text(vm, "why"), .launch_id = text(vm, "launch_id"),
		.pid = number(vm, "pid"), .started_ms = number(vm, "started_ms") };
	return ret->id[0] != '\0';
}

bool
asked_find(const cJSON *list, const char *instance_id, struct asked_vm *ret)
{
	const cJSON *vm;

	cJSON_ArrayForEach(vm, json_member(list, "instances"))
		if (asked_read(vm, ret) && strcmp(ret->id, instance_id) == 0)
			return true;
	return false;
}

bool
asked_finish(struct bus *b, const char *node, const char *instance_id, const char *request_id,
    uint64_t timeout_ms)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	struct bus_error error;

	if (!in || !cJSON_AddStringToObject(in, "instance_id", instance_id))
		return false;
	(void)snprintf(subject, sizeof(subject), "vm.v1.%.64s.finish", node);
	return bus_call_follow_wait(b, subject, request_id, in, timeout_ms, &out, &error) == 0;
}
