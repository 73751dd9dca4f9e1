#include "gwd/gwd.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"

#define PEM_MAX	(256 * 1024)

void
gwd_init(struct gwd *g)
{
	g->conf = (const struct gwd_conf *)(const void *)g->d.conf;
	g->tls_cert = BUF_EMPTY(PEM_MAX);
	g->tls_key = BUF_EMPTY(PEM_MAX);
}

struct gwd_path
gwd_master_key_file(const struct gwd *g)
{
	struct gwd_path p;

	if (*g->conf->master_key)
		(void)snprintf(p.path, sizeof(p.path), "%s", g->conf->master_key);
	else
		(void)snprintf(p.path, sizeof(p.path), "%s/master-key", g->conf->common.state_dir);
	return p;
}

int
gwd_open_pipeline(void *self)
{
	struct gwd *g = self;

	gwd_init(g);
	return pipeline_new(g, &g->pipeline);
}

void
gwd_close_pipeline(void *self)
{
	struct gwd *g = self;

	pipeline_free(g->pipeline);
}

int
gwd_open_keys(void *self)
{
	struct gwd *g = self;

	return keys_new(g->d.loop, g->d.kv, gwd_master_key_file(g).path, &g->keys);
}

void
gwd_close_keys(void *self)
{
	struct gwd *g = self;

	keys_free(g->keys);
}

int
gwd_open_cloud(void *self)
{
	return cloud_up(self);
}

void
gwd_close_cloud(void *self)
{
	cloud_down(self);
}

int
gwd_read_tls(void *self)
{
	struct gwd *g = self;
	int r;

	if (!*g->conf->tls_cert)
		return 0;
	if ((r = file_read(g->conf->tls_cert, &g->tls_cert)) < 0)
		return r;
	if ((r = file_read(g->conf->tls_key, &g->tls_key)) < 0)
		buf_deinit(&g->tls_cert);
	return r;
}

void
gwd_forget_tls(void *self)
{
	struct gwd *g = self;

	if (g->tls_key.data)
		OPENSSL_cleanse(g->tls_key.data, g->tls_key.len);
	buf_deinit(&g->tls_key);
	buf_deinit(&g->tls_cert);
}

/* It has no subject of its own; operators ask every daemon how it is. */
int
gwd_serve(void *self)
{
	static const char *const names[PIPELINE_COUNTS + 1] = {
		[PIPELINE_ANSWERED]	= "answered",
		[PIPELINE_REFUSED]	= "refused",
		[PIPELINE_FAILED]	= "failed",
	};
	struct gwd *g = self;

	return bus_serve(g->d.bus, &(struct bus_service){ .name = "gwd",
	    .description = "speaks EC2 over HTTP and routes to the owner",
	    .node = g->conf->common.node, .counters = names,
	    .counts = pipeline_counts(g->pipeline) });
}

static void
let_in(void *arg)
{
	struct gwd *g = arg;
	int r;

	if (!g->door)
		return;		/* they are in */
	loop_timer_free(g->door);
	g->door = NULL;
	if ((r = http_admit(g->http)) < 0) {
		log_err("cannot serve clients: %s", strerror(-r));
		loop_exit(g->d.loop, EXIT_FAILURE);
	}
}

int
gwd_open_http(void *self)
{
	struct gwd *g = self;
	int r;
	const bool tls = *g->conf->tls_cert;
	const struct http_conf conf = {
		.listen_fd = http_listen(g->conf->listen),
		.tls_cert = tls ? buf_text(&g->tls_cert) : NULL,
		.tls_key = tls ? buf_text(&g->tls_key) : NULL,
		.arg = g->pipeline,
		.handle = pipeline_handle,
		.refuse = pipeline_refuse,
	};

	if (conf.listen_fd < 0)
		return conf.listen_fd;
	if (!http_is_here(g->conf->listen))
		log_warning("no interface of this machine has the address of %s yet: it is served "
		    "once one has", g->conf->listen);
	if ((r = http_new(g->d.loop, &conf, &g->http)) < 0)
		return r;
	if ((r = loop_timer_new(g->d.loop, let_in, g, &g->door)) < 0 ||
	    (r = kv_on_open(g->d.kv, let_in, g)) < 0) {
		gwd_close_http(g);
		return r;
	}
	loop_timer_in(g->door, GWD_DOOR_MS);
	return 0;
}

void
gwd_close_http(void *self)
{
	struct gwd *g = self;

	loop_timer_free(g->door);
	g->door = NULL;		/* that the buckets are open may be said later */
	http_free(g->http);
	g->http = NULL;
}

int
gwd_open_monitor(void *self)
{
	struct gwd *g = self;
	int fd;

	if (!*g->conf->monitor)
		return 0;
	if ((fd = http_listen(g->conf->monitor)) < 0)
		return fd;
	return monitor_new(g, fd, &g->monitor);
}

void
gwd_close_monitor(void *self)
{
	struct gwd *g = self;

	monitor_free(g->monitor);
	g->monitor = NULL;
}

void
gwd_reload(void *self)
{
	struct gwd *g = self;
	int r;

	if (!*g->conf->tls_cert || !g->http)
		return;
	let_in(g);		/* a renewal does, and it is done once */
	gwd_forget_tls(g);
	r = gwd_read_tls(g);
	if (r == 0)
		r = http_renew(&g->http, buf_text(&g->tls_cert), buf_text(&g->tls_key));
	if (r == 0)
		log_notice("the certificate was read again");
	else
		log_err("the certificate stays as it was: %s and %s: %s", g->conf->tls_cert,
		    g->conf->tls_key, r == -EINVAL ? "no certificate and its key" : strerror(-r));
}
