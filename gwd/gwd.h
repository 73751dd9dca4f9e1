/*
 * gwd.h - the gateway as one struct: what lives as long as the process.
 */
#pragma once

#include "common/daemon.h"
#include "gwd/cloud.h"
#include "gwd/http.h"
#include "gwd/keys.h"

struct gwd_conf {
	struct conf_common	 common;
	char			 listen[CONF_TEXT_MAX + 1];	/* 127.0.0.1:8443 */
	char			 tls_cert[CONF_TEXT_MAX + 1];	/* empty: plain HTTP, loopback only */
	char			 tls_key[CONF_TEXT_MAX + 1];
	char			 types_file[CONF_TEXT_MAX + 1];
	char			 master_key[CONF_TEXT_MAX + 1];	/* empty: <state_dir>/master-key */
};
extern const struct conf_table gwd_conf_table;

struct gwd {
	struct daemon		 d;		/* conf, clock, loop, bus, jobs, kv */
	const struct gwd_conf	*conf;		/* fixed after start */
	struct http		*http;
	struct keys		*keys;
	struct cloud		*cloud;		/* buckets, nodes, types of the actions */
	/* What the actions keep (instance types, nodes, buckets) joins here, a pointer each,
	 * with a step in main.c that makes it. */
};
