/*
 * asked.h - what the nodes' vmd say of their instances, each asked once for a sweep however many
 * records name it: one that is silent costs its timeout once.  For jobs.
 */
#pragma once

#include "common/bus.h"
#include "common/cas.h"

struct asked_node {
	char	 name[CAS_HOLDER_MAX + 1];
	cJSON	*list;			/* its answer; NULL: none */
	/* nodes_look's, once: */
	bool	 looked;
	bool	 is_silent;		/* known, without an answer, and nobody buried it */
	uint64_t beat_ms;		/* wall, its last heartbeat; 0: none */
};
struct asked {			/* zeroed: nobody was asked */
	struct asked_node	*v;
	size_t			 n;
};
void	 asked_deinit(struct asked *a);
/* Borrowed from a: the answer of vm.v1.<node>.list; NULL: no answer. */
const cJSON *asked_list(struct asked *a, struct bus *b, const char *node, uint64_t timeout_ms);

/* Of one that was asked; NULL: it was not, or no memory.  Valid until another is asked. */
struct asked_node *asked_get(struct asked *a, const char *node);

/* A QEMU, or an instance, as its node has it; all borrowed from the answer. */
struct asked_vm {
	const char	*id, *phase, *why, *launch_id;	/* never NULL */
	uint64_t	 pid, started_ms;		/* 0: none */
};
/* False: the list has no such instance. */
bool	 asked_find(const cJSON *list, const char *instance_id, struct asked_vm *ret);
/* One element of the answer's "instances".  False: it cannot be read. */
bool	 asked_read(const cJSON *vm, struct asked_vm *ret);

/* Has the node's vmd try now what it is to end; what it ends it judges itself.  False: no answer,
 * or it knows of no such instance. */
bool	 asked_finish(struct bus *b, const char *node, const char *instance_id, const char *request_id,
    uint64_t timeout_ms);
