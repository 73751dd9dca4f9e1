/* vmd's section of spinifex.conf; see vmd.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vmd/vmd.h"

static const char *const accel_words[] = { "auto", "kvm", "tcg", NULL };
static const char *const isolation_words[] = { "keep", "stop", NULL };
static const char *const net_words[] = { "isolated", NULL };

#define AT(member)	offsetof(struct vmd_conf, member)
#define LOTS		UINT64_MAX

static const struct conf_key vmd_keys[] = {
	{ NULL, "accel", CONF_WORD, AT(accel), "auto", 0, 0, accel_words },
	{ NULL, "cpu", CONF_STR, AT(cpu), "auto", 1, 255, NULL },
	{ NULL, "disk_dir", CONF_STR, AT(disk_dir), "", 0, 160, NULL },
	{ NULL, "forward", CONF_STR, AT(forward), "", 0, 64, NULL },
	{ NULL, "guard", CONF_PATH, AT(guard), SPINIFEX_LIBEXEC "/vmguard", 1, 255, NULL },
	{ NULL, "guest_user", CONF_STR, AT(guest_user), "spinifex-guest", 1, 32, NULL },
	{ NULL, "image_dir", CONF_STR, AT(image_dir), "", 0, 160, NULL },
	{ NULL, "memory", CONF_BYTES, AT(memory), "0", 0, LOTS, NULL },
	{ NULL, "memory_reserve", CONF_BYTES, AT(memory_reserve), "512M", 0, LOTS, NULL },
	{ NULL, "net", CONF_WORD, AT(net), "isolated", 0, 0, net_words },
	{ NULL, "on_isolation", CONF_WORD, AT(on_isolation), "keep", 0, 0, isolation_words },
	{ NULL, "qemu_dir", CONF_PATH, AT(qemu_dir), "/usr/bin", 1, 255, NULL },
	{ NULL, "stop_grace", CONF_MS, AT(stop_grace_ms), "60s", 0, 3600000, NULL },
	{ NULL, "types_file", CONF_PATH, AT(types_file), "/usr/share/spinifex/instance-types", 1,
	    255, NULL },
	{ NULL, "vcpu_ratio", CONF_U32, AT(vcpu_ratio), "8", 1, 1024, NULL },
};
const struct conf_table vmd_conf_table = { vmd_keys, ARRAY_LEN(vmd_keys) };

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

int
vmd_conf_check(const void *conf, char *why, size_t size)
{
	const struct vmd_conf *c = conf;
	struct forward f;

	if (!is_absolute_or_empty(c->image_dir))
		snprintf(why, size, "image_dir: expected an absolute path");
	else if (!is_absolute_or_empty(c->disk_dir))
		snprintf(why, size, "disk_dir: expected an absolute path");
	else if (forward_parse(c->forward, &f) < 0)
		snprintf(why, size, "forward: expected tcp:PORT:PORT or tcp:PORT-PORT:PORT");
	else if (strcmp(c->guest_user, "root") == 0)
		snprintf(why, size, "guest_user: guests do not run as root");
	else
		return 0;
	return -EINVAL;
}
