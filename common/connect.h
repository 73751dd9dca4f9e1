/*
 * connect.h - from a configuration to a connection: reads the password and makes the bus.
 * For daemon.c and tool.c.
 */
#pragma once

#include "common/bus.h"
#include "common/conf.h"

/*
 * 0 and a bus that connects in the background; or -errno with a sentence in *ret_why, which
 * the caller frees (NULL without memory).  name is the client's, as the server shows it.
 */
int	 connect_new(struct loop *l, const struct conf_common *c, const char *name,
    struct bus **ret, char **ret_why) MUST_CHECK;
