/*
 * node.h - `<node>` in spinifex-nodes: who is in the cluster.  leased writes it, by CAS, at its
 * start; the UUID was made once in the node's state folder, so two nodes of one name are
 * caught.  Everybody else reads the list to know whose answers a gather has to wait for.
 */
#pragma once

#include "common/json.h"

struct node {
	char		 name[65];
	char		 uuid[37];
	char		 boot_id[37];
	char		 address[64];	/* may be empty */
	char		 zone[65];	/* may be empty: a leased that did not say */
	uint64_t	 since_ms;	/* wall time of the write */
};
int	 node_from_json(const char *value, size_t len, const char *name, struct node *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *node_to_json(const struct node *n);
/* The node's UUID from <state_dir>/node-uuid, made on the first call.  Start only. */
int	 node_uuid(const char *state_dir, char ret[static 37]) MUST_CHECK;
