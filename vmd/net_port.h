/*
 * net_port.h - what a guest's network is, as words: `net` of spinifex.conf, and what of its
 * surroundings the guest may not reach.  Pure; nothing but libc.
 */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/cidr.h"

#define NET_DENY_MAX	64	/* blocks */
#define NET_MAC_BYTES	6

enum net_mode {
	NET_ISOLATED,		/* QEMU's own user mode, restricted */
	NET_OUTBOUND,		/* through passt */
	NET_BRIDGE,		/* a tap on an operator's bridge */
};

struct net_port {
	enum net_mode	 mode;
	char		 bridge[IFNAMSIZ];
	uint8_t		 mac[NET_MAC_BYTES];	/* the guest's */
	uint32_t	 address;		/* host order; as are the others */
	uint8_t		 bits;			/* of its subnet */
	uint32_t	 dns;			/* 0: none */
	struct cidr	 deny[NET_DENY_MAX];	/* beside what is always denied */
	uint32_t	 ndeny;
	uint16_t	 forward_from, forward_to;	/* 0: none */
};

/* "isolated", "outbound" or "bridge:NAME".  0 or -EINVAL; mode and bridge alone are written. */
int	 net_port_mode(const char *text, struct net_port *ret) MUST_CHECK;
/* "02:00:ac:1f:00:0a"; of one device, not of a group.  0 or -EINVAL. */
int	 net_port_mac(const char *text, struct net_port *ret) MUST_CHECK;
/* "172.31.0.10/20"; not one that the subnet keeps for itself.  0 or -EINVAL. */
int	 net_port_address(const char *text, struct net_port *ret) MUST_CHECK;
/* One more block that is denied, "10.0.0.0/8", or one address.  0, -EINVAL or -E2BIG. */
int	 net_port_deny(const char *text, struct net_port *ret) MUST_CHECK;
/* "10.0.0.2": what DHCP names for names.  0 or -EINVAL. */
int	 net_port_dns(const char *text, struct net_port *ret) MUST_CHECK;
/* "2222:22": a port of the node's loopback and the guest's.  0 or -EINVAL. */
int	 net_port_forward(const char *text, struct net_port *ret) MUST_CHECK;

static inline uint32_t
net_port_mask(const struct net_port *p)
{
	return ~(uint32_t)0 << (32 - p->bits);
}

/* The first address of the subnet is its router's, as in EC2. */
static inline uint32_t
net_port_router(const struct net_port *p)
{
	return (p->address & net_port_mask(p)) + 1;
}

/* Whom no guest reaches, whatever its node: loopback, link-local, groups, "this host". */
bool	 net_port_is_never(uint32_t address);
bool	 net_port_is_denied(const struct net_port *p, uint32_t address);	/* that, or of deny */
