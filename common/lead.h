/*
 * lead.h - a daemon's side of a lease that leased holds for it: asks lease.v1.<node>.hold each
 * T/6 and believes only what it was told, and only until valid_until on CLOCK_BOOTTIME.  A
 * stopped leased, a stopped client or a cut network end leadership by the clock alone.
 *
 * A lease that leased says is lost is answered with its release: a leased that stops frees
 * at once only what its clients no longer believe in.
 *
 * Standing never ends by itself.  Its beginning is the start election: whatever goes wrong is
 * asked again each second, for the buckets may be forming, and the first word that settles it
 * is told once, or that LEAD_START_MS brought none.
 *
 * The key "node.<node>" is leased's own: holding it asks for nothing and answers the node's
 * lease; its generation is the node's generation (design: confirm on each new one).
 * Loop thread only.
 */
#pragma once

#include "common/bus.h"

struct lead;

#define LEAD_START_MS	60000

enum lead_start {		/* how the start election ended */
	LEAD_WON,
	LEAD_HELD,		/* by another; why names it */
	LEAD_REFUSED,		/* as it is asked it will not be granted; why is leased's sentence */
	LEAD_OPEN,		/* nobody could say in LEAD_START_MS; why is the last failure */
};

struct lead_spec {
	const char	*node;			/* this node */
	const char	*client;		/* "reaperd": one owner per key and node */
	const char	*key;			/* "reaper.sweep" */
	uint64_t	 ttl_ms;
	void		(*gained)(void *arg, uint64_t generation);	/* may be NULL */
	void		(*lost)(void *arg);				/* may be NULL */
	/* Once, before gained where it is won; may be NULL. */
	void		(*started)(void *arg, enum lead_start how, const char *why);
	void		*arg;
};
int	 lead_new(struct bus *b, const struct lead_spec *spec, struct lead **ret) MUST_CHECK;
/* Releases (best effort, by generation) and frees; lost is not called. */
void	 lead_free(struct lead *l);
/* Ask before every act.  now_ms is CLOCK_BOOTTIME of this host. */
bool	 lead_is_mine(const struct lead *l, uint64_t now_ms);
uint64_t lead_generation(const struct lead *l);		/* 0: never held */
uint64_t lead_valid_until_ms(const struct lead *l);
