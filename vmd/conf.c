/* vmd's section of spinifex.conf; see vmd.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vmd/vmd.h"

static const char *const accel_words[] = { "auto", "kvm", "tcg", NULL };
static const char *const arch_words[] = { "native", "x86_64", "arm64", NULL };
static const char *const isolation_words[] = { "keep", "stop", NULL };

#define AT(member)	offsetof(struct vmd_conf, member)
#define LOTS		UINT64_MAX
#define BLOCKS_MAX	(NET_DENY_MAX / 2)	/* the rest is for NATS servers */

static const struct conf_key vmd_keys[] = {
	{ NULL, "accel", CONF_WORD, AT(accel), "auto", 0, 0, accel_words },
	{ NULL, "arch", CONF_WORD, AT(arch), "native", 0, 0, arch_words },
	{ NULL, "cpu", CONF_STR, AT(cpu), "auto", 1, 255, NULL },
	{ NULL, "disk_dir", CONF_STR, AT(disk_dir), "", 0, 160, NULL },
	{ NULL, "forward", CONF_STR, AT(forward), "", 0, 64, NULL },
	{ NULL, "guard", CONF_PATH, AT(guard), SPINIFEX_LIBEXEC "/vmguard", 1, 255, NULL },
	{ NULL, "guest_user", CONF_STR, AT(guest_user), "spinifex-guest", 1, 32, NULL },
	{ NULL, "image_dir", CONF_STR, AT(image_dir), "", 0, 160, NULL },
	{ NULL, "memory", CONF_BYTES, AT(memory), "0", 0, LOTS, NULL },
	{ NULL, "memory_reserve", CONF_BYTES, AT(memory_reserve), "512M", 0, LOTS, NULL },
	{ NULL, "net", CONF_STR, AT(net), "isolated", 1, 64, NULL },
	{ NULL, "net_deny", CONF_STR, AT(net_deny), "", 0, 255, NULL },
	{ NULL, "net_dns", CONF_STR, AT(net_dns), "", 0, 15, NULL },
	{ NULL, "on_isolation", CONF_WORD, AT(on_isolation), "keep", 0, 0, isolation_words },
	{ NULL, "passt", CONF_PATH, AT(passt), "/usr/bin/passt", 1, 255, NULL },
	{ NULL, "qemu_dir", CONF_PATH, AT(qemu_dir), "/usr/bin", 1, 255, NULL },
	{ NULL, "stop_grace", CONF_MS, AT(stop_grace_ms), "60s", 0, 3600000, NULL },
	{ NULL, "types_file", CONF_PATH, AT(types_file), "/usr/share/spinifex/instance-types", 1,
	    255, NULL },
	{ NULL, "vcpu_ratio", CONF_U32, AT(vcpu_ratio), "8", 1, 1024, NULL },
};
const struct conf_table vmd_conf_table = { vmd_keys, ARRAY_LEN(vmd_keys) };

const char *
vmd_conf_arch(const struct vmd *d)
{
	return d->conf->arch ? arch_words[d->conf->arch] : NULL;
}

const char *
vmd_isolation_name(const struct vmd *d)
{
	return isolation_words[d->conf->on_isolation];
}

static bool
is_absolute_or_empty(const char *path)
{
	return !*path || *path == '/';
}

static int
read_blocks(const char *text, struct net_port *ret)
{
	char block[CIDR_TEXT_MAX + 1];
	int r = 0;

	while (r == 0 && *text) {
		const size_t n = strcspn(text, ", ");

		if (n >= sizeof(block))
			return -EINVAL;
		memcpy(block, text, n);
		block[n] = '\0';
		if (n)
			r = ret->ndeny < BLOCKS_MAX ? net_port_deny(block, ret) : -E2BIG;
		text += n + strspn(text + n, ", ");
	}
	return r;
}

int
vmd_conf_net(const struct vmd_conf *c, struct net_port *ret, char *why, size_t size)
{
	struct net_port p = { 0 };
	struct forward f;

	if (net_port_mode(c->net, &p) < 0)
		snprintf(why, size, "net: expected isolated, outbound or bridge:NAME");
	else if (read_blocks(c->net_deny, &p) < 0)
		snprintf(why, size, "net_deny: expected at most %d blocks as 10.0.0.0/8, with commas",
		    BLOCKS_MAX);
	else if (*c->net_dns && net_port_dns(c->net_dns, &p) < 0)
		snprintf(why, size, "net_dns: expected an IPv4 address");
	else if (forward_parse(c->forward, &f) < 0)
		snprintf(why, size, "forward: expected tcp:PORT:PORT or tcp:PORT-PORT:PORT");
	else if (p.mode == NET_BRIDGE && f.to)
		snprintf(why, size, "forward: on a bridge a guest is reached at its own address");
	else {
		*ret = p;
		return 0;
	}
	return -EINVAL;
}

int
vmd_conf_check(const void *conf, char *why, size_t size)
{
	const struct vmd_conf *c = conf;
	struct net_port net;

	if (!is_absolute_or_empty(c->image_dir))
		snprintf(why, size, "image_dir: expected an absolute path");
	else if (!is_absolute_or_empty(c->disk_dir))
		snprintf(why, size, "disk_dir: expected an absolute path");
	else if (strcmp(c->guest_user, "root") == 0)
		snprintf(why, size, "guest_user: guests do not run as root");
	else
		return vmd_conf_net(c, &net, why, size);
	return -EINVAL;
}
