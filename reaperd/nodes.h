/*
 * nodes.h - the nodes of the cluster, from spinifex-nodes and not from who answers; and the
 * strict view that rests on them.  For jobs.
 */
#pragma once

#include "common/log.h"
#include "common/node.h"
#include "reaperd/inventory.h"

/* What a sentence names: the field of the line that tells it. */
enum about_what { ABOUT_NOTHING, ABOUT_NODE, ABOUT_INSTANCE, ABOUT_OBJECT };
struct about {
	enum about_what	 what;
	char		 id[129];
};
void	 about_set(struct about *a, enum about_what what, const char *id);
struct log_ctx about_fields(const struct about *a);	/* they point into a */

struct known_node {
	struct node	 node;
	char		 holder[CAS_HOLDER_MAX + 1];	/* of its own lease: another is its burier;
							   empty: nobody, or it cannot be read */
	uint64_t	 beat_ms;	/* wall, its last heartbeat; 0: none */
	bool		 answered;	/* its vmd, just now */
	size_t		 ninstances;	/* ... so many */
	size_t		 nprocesses;	/* ... with a QEMU */
};
struct known_nodes {
	struct known_node	*v;	/* owned: nodes_deinit; sorted by name */
	size_t			 n;
};
/* The names of those that have a record.  0; -EIO with a sentence. */
int	 nodes_list(const struct inventory_sources *s, struct kv_keys *ret, char *why,
    size_t why_size) MUST_CHECK;
void	 nodes_deinit(struct known_nodes *n);
/* 0; -EIO with a sentence: a record cannot be read, or no node is known. */
int	 nodes_take(const struct inventory_sources *s, struct known_nodes *ret, char *why,
    size_t why_size, struct about *about) MUST_CHECK;
/*
 * The strict view of the instances: every known node answers or is buried, and every
 * record was readable.
 * 0, or -EIO with a sentence that names who or which not.
 */
int	 nodes_strict(const struct known_nodes *n, const struct inventory *inv, char *why,
    size_t why_size, struct about *about) MUST_CHECK;
/* What is known of a node that a record names, asked and looked up once for a sweep.  NULL: no
 * memory.  Valid until another is asked. */
const struct asked_node *nodes_look(const struct inventory_sources *s, struct asked *a,
    const char *node);
