/*
 * net_own.h - the node's own addresses, as they come and go.  Nothing but libc.
 */
#pragma once

#include "vmd/net_frame.h"

/* A descriptor that is readable when they have changed; -1 with errno. */
int	 net_own_open(void);
/* Takes what is readable there. */
void	 net_own_drain(int fd);
/* All there are; is_unknown where they cannot be told. */
void	 net_own_read(struct net_own *ret);
