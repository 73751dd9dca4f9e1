/*
 * vm_list.h - what a node's vmd says of its instances: the answer of vm.v1.<node>.list, as the
 * daemons read it that must not touch what a guest may be using.  Reading it is pure; asking
 * waits, for jobs.
 */
#pragma once

#include "common/bus.h"

struct vm_seen {
	bool	 is_listed;	/* an instance of that node */
	bool	 has_process;	/* its QEMU is there */
	bool	 is_in_launch;	/* a QEMU may come to be at any moment */
};
/* 0; -EBADMSG: the answer has no list, which says nothing of any instance. */
int	 vm_list_find(const cJSON *answer, const char *instance_id, struct vm_seen *ret)
    MUST_CHECK;
/* Calls fn for each that is listed.  0; -EBADMSG. */
typedef void vm_list_fn(void *arg, const char *instance_id, const struct vm_seen *seen);
int	 vm_list_each(const cJSON *answer, vm_list_fn *fn, void *arg) MUST_CHECK;
/* As page_all_wait. */
int	 vm_list_wait(struct bus *b, const char *node, uint64_t timeout_ms, cJSON **ret,
    struct bus_error *ret_error) MUST_CHECK;
