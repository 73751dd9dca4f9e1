/*
 * net_around.h - what is around a guest's network that it may not reach, or needs: the NATS
 * servers, and a resolver.  Asks the node's own resolver, so for jobs.  Any thread.
 */
#pragma once

#include "vmd/net_port.h"

#define NET_AROUND_WHY_MAX	200
#define NET_AROUND_HOST_MAX	256

/* The host of the first of urls, "nats://user@host:4222,...", and what follows it: "" at the
 * end.  NULL: no host is in it. */
const char *net_around_host(const char *urls, char ret[static NET_AROUND_HOST_MAX]);
/* The first server of a resolv.conf that a guest could reach; 0: there is none. */
uint32_t net_around_resolver(const char *text, const struct net_port *p);

/*
 * Adds to deny each IPv4 address of each NATS server, and finds dns if it is 0; that may stay
 * so.  0; -EAGAIN: a name has no answer now; else -errno; a sentence in why.
 */
int	 net_around_find(const char *nats_urls, struct net_port *p,
    char why[static NET_AROUND_WHY_MAX]) MUST_CHECK;
