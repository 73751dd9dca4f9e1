#include "common/vm_list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/page.h"

static bool
is(const cJSON *vm, const char *member, const char *text)
{
	const char *has = json_text(vm, member);

	return has && strcmp(has, text) == 0;
}

static struct vm_seen
see(const cJSON *vm)
{
	uint64_t pid = 0;

	return (struct vm_seen){
		.is_listed = true,
		.has_process = json_get_u64(json_member(vm, "pid"), &pid) && pid > 0,
		.is_in_launch = is(vm, "phase", "launching") || is(vm, "state", "pending"),
	};
}

int
vm_list_find(const cJSON *answer, const char *instance_id, struct vm_seen *ret)
{
	const cJSON *list = json_member(answer, "instances"), *vm;

	if (!cJSON_IsArray(list))
		return -EBADMSG;
	*ret = (struct vm_seen){ 0 };
	cJSON_ArrayForEach(vm, list) {
		if (is(vm, "instance_id", instance_id)) {
			*ret = see(vm);
			break;
		}
	}
	return 0;
}

int
vm_list_each(const cJSON *answer, vm_list_fn *fn, void *arg)
{
	const cJSON *list = json_member(answer, "instances"), *vm;

	if (!cJSON_IsArray(list))
		return -EBADMSG;
	cJSON_ArrayForEach(vm, list) {
		const char *id = json_text(vm, "instance_id");
		const struct vm_seen seen = see(vm);

		if (id)
			fn(arg, id, &seen);
	}
	return 0;
}

int
vm_list_wait(struct bus *b, const char *node, uint64_t timeout_ms, cJSON **ret,
    struct bus_error *ret_error)
{
	char subject[BUS_SUBJECT_MAX + 1];

	snprintf(subject, sizeof(subject), "vm.v1.%.64s.list", node);
	return page_all_wait(b, subject, "instances", timeout_ms, ret, ret_error);
}
