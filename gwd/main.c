/* gwd - the gateway: EC2's API over HTTP, and whoever it is that serves it.  See gwd(8). */
#include "gwd/gwd.h"
#include "gwd/key_make.h"

/* Clients are let in last, and shut out first, but for what is told of them. */
static const struct daemon_step steps[] = {
	{ "set up the pipeline",				gwd_open_pipeline, gwd_close_pipeline },
	{ "read the access keys ([gwd] master_key)",		gwd_open_keys,	gwd_close_keys },
	{ "read the instance types and open the buckets ([gwd] types_file)", gwd_open_cloud,
	  gwd_close_cloud },
	{ "count the vCPUs of accounts",			gwd_open_usage,	gwd_close_usage },
	{ "read the certificate and key ([gwd] tls_cert, tls_key)", gwd_read_tls, gwd_forget_tls },
	{ "serve the services protocol",			gwd_serve,	NULL },
	{ "listen for clients ([gwd] listen)",			gwd_open_http,	gwd_close_http },
	{ "listen for the operator ([gwd] monitor)",		gwd_open_monitor, gwd_close_monitor },
};

int
main(int argc, char **argv)
{
	static const struct daemon_spec spec = {
		.name = "gwd",
		.size = sizeof(struct gwd),
		.conf_size = sizeof(struct gwd_conf),
		.conf = &gwd_conf_table,
		.steps = steps,
		.nsteps = ARRAY_LEN(steps),
		.threads = 8,		/* launches and key pairs; nothing that reads often */
		.mode_option = "k",
		.mode = key_make,
		.check = gwd_conf_check,
		.reload = gwd_reload,
	};

	return daemon_main(argc, argv, &spec);
}
