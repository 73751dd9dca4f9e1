#include "gwd/gwd.h"

#include <errno.h>
#include <stdio.h>

#define AT(member)	offsetof(struct gwd_conf, member)

static const struct conf_key keys[] = {
	{ NULL, "answer_age", CONF_MS, AT(answer_age_ms), "5ms", 0, 1000, NULL },
	{ NULL, "listen", CONF_STR, AT(listen), "127.0.0.1:8443", 1, 64, NULL },
	{ NULL, "master_key", CONF_PATH, AT(master_key), "", 0, 255, NULL },
	{ NULL, "monitor", CONF_STR, AT(monitor), "127.0.0.1:8444", 0, 64, NULL },
	{ NULL, "plain", CONF_BOOL, AT(plain), "no", 0, 0, NULL },
	{ NULL, "tls_cert", CONF_PATH, AT(tls_cert), "", 0, 255, NULL },
	{ NULL, "tls_key", CONF_PATH, AT(tls_key), "", 0, 255, NULL },
	{ NULL, "types_file", CONF_PATH, AT(types_file), "/usr/share/spinifex/instance-types", 1,
	    255, NULL },
	{ NULL, "vcpu_limit", CONF_U32, AT(vcpu_limit), "0", 0, 1000000, NULL },
};
const struct conf_table gwd_conf_table = { keys, ARRAY_LEN(keys) };

int
gwd_conf_check(const void *conf, char *why, size_t size)
{
	const struct gwd_conf *c = conf;
	const int loopback = http_is_loopback(c->listen);
	const int private = *c->monitor ? http_is_loopback(c->monitor) : true;
	const char *wrong = NULL;

	if (loopback < 0)
		wrong = "[gwd] listen: expected an address and a port, as 127.0.0.1:8443 or "
		    "[::1]:8443";
	else if (!*c->tls_cert != !*c->tls_key)
		wrong = "[gwd] tls_cert and tls_key: expected both or neither";
	else if (!loopback && !*c->tls_cert && !c->plain)
		wrong = "[gwd] listen: expected a loopback address, since there is no tls_cert: "
		    "secrets and user data would cross the network in the clear (plain = yes allows it)";
	else if (private < 0)
		wrong = "[gwd] monitor: expected an address and a port, as 127.0.0.1:8444, or nothing";
	else if (!private)
		wrong = "[gwd] monitor: expected a loopback address, since whoever reaches it is told";
	if (wrong)
		(void)snprintf(why, size, "%s", wrong);
	return wrong ? -EINVAL : 0;
}
