/*
 * gwd.h - the gateway as one struct: what lives as long as the process.
 */
#pragma once

#include "common/daemon.h"
#include "gwd/cloud.h"
#include "gwd/http.h"
#include "gwd/keys.h"
#include "gwd/monitor.h"
#include "gwd/pipeline.h"
#include "gwd/usage.h"

struct gwd_conf {
	struct conf_common	 common;
	char			 listen[CONF_TEXT_MAX + 1];	/* 127.0.0.1:8443 */
	char			 monitor[CONF_TEXT_MAX + 1];	/* empty: none */
	bool			 plain;		/* without tls_cert on any address */
	char			 tls_cert[CONF_TEXT_MAX + 1];	/* empty: plain HTTP */
	char			 tls_key[CONF_TEXT_MAX + 1];
	char			 types_file[CONF_TEXT_MAX + 1];
	uint64_t		 answer_age_ms;	/* at most, of one that several get; 0: none */
	uint32_t		 vcpu_limit;	/* of an account; 0: none */
	char			 master_key[CONF_TEXT_MAX + 1];	/* empty: <state_dir>/master-key */
};
extern const struct conf_table gwd_conf_table;
/* What the table cannot say: see daemon_spec. */
int	 gwd_conf_check(const void *conf, char *why, size_t size);

struct gwd {
	struct daemon		 d;		/* conf, clock, loop, bus, jobs, kv */
	const struct gwd_conf	*conf;		/* d.conf; fixed after start */
	struct pipeline		*pipeline;
	struct keys		*keys;
	struct cloud		*cloud;		/* buckets, nodes, types of the actions */
	struct usage		*usage;		/* NULL: no limit */
	struct http		*http;
	struct monitor		*monitor;	/* NULL: none is wanted */
	struct loop_timer	*door;		/* until clients are let in; see gwd_open_http */
	struct buf		 tls_cert, tls_key;	/* PEM, for a start or a renewal */
};

void	 gwd_init(struct gwd *g);	/* once d is filled, before any step */
struct gwd_path { char path[2 * (CONF_TEXT_MAX + 1)]; };
struct gwd_path gwd_master_key_file(const struct gwd *g);

/* Steps of main.c.  0 or -errno. */
int	 gwd_open_pipeline(void *self);
void	 gwd_close_pipeline(void *self);
int	 gwd_open_keys(void *self);
void	 gwd_close_keys(void *self);
int	 gwd_open_cloud(void *self);
void	 gwd_close_cloud(void *self);
int	 gwd_read_tls(void *self);
void	 gwd_forget_tls(void *self);
int	 gwd_serve(void *self);
/* Listens at once; clients are let in when the buckets are open, or after GWD_DOOR_MS without
 * them, so that a gateway that has just come back refuses nobody for want of a connection. */
#define GWD_DOOR_MS	3000
int	 gwd_open_http(void *self);
void	 gwd_close_http(void *self);
/* SIGHUP: the certificate and key are read again; unfit ones change nothing. */
void	 gwd_reload(void *self);
int	 gwd_open_monitor(void *self);
void	 gwd_close_monitor(void *self);
