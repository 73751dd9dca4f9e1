/* The keys that every daemon and tool shares. */
#include <syslog.h>

#include "common/conf.h"

#define AT(member)	offsetof(struct conf_common, member)

static const char *const cluster_sizes[] = { "1", "3", "5", NULL };
static const char *const levels[] = { "err", "warning", "notice", "info", "debug", NULL };

static const struct conf_key keys[] = {
	{ "cluster", "cluster_size", CONF_U32, AT(cluster_size), NULL, 1, 5, cluster_sizes },
	{ "cluster", "node_ttl", CONF_MS, AT(node_ttl_ms), "60s", 5000, 3600000, NULL },
	{ "cluster", "region", CONF_STR, AT(region), "us-east-1", 1, 64, NULL },
	{ "cluster", "zone", CONF_STR, AT(zone), "<region>a", 1, 64, NULL },
	{ "node", "name", CONF_TOKEN, AT(node), NULL, 0, 0, NULL },
	{ "node", "state_dir", CONF_PATH, AT(state_dir), "/var/lib/spinifex", 1, 128, NULL },
	{ "node", "log_level", CONF_WORD, AT(log_level), "info", 0, 0, levels },
	{ "nats", "url", CONF_STR, AT(nats_url), "nats://127.0.0.1:4222", 1, 255, NULL },
	{ "nats", "ca", CONF_PATH, AT(nats_ca), "", 0, 255, NULL },
	{ NULL, "nats_user", CONF_STR, AT(nats_user), "", 0, 64, NULL },
	{ NULL, "nats_password_file", CONF_PATH, AT(nats_password_file), "", 0, 255, NULL },
};

const struct conf_table conf_common_table = { keys, ARRAY_LEN(keys) };

int
conf_log_priority(const struct conf_common *c)
{
	return LOG_ERR + (int)c->log_level;
}

const char *
conf_log_word(const struct conf_common *c)
{
	return levels[c->log_level];
}
