/* vmd's section of spinifex.conf; see vmd.h. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "vmd/vmd.h"

static const char *const accel_words[] = { "auto", "kvm", "tcg", NULL };
static const char *const net_words[] = { "isolated", NULL };

#define KEY(key, kind, member, deflt, least, most)	{ .name = (key), .type = (kind),	\
	.offset = offsetof(struct vmd_conf, member), .def = (deflt), .min = (least),		\
	.max = (most) }
#define WORD(key, member, deflt, list)	{ .name = (key), .type = CONF_WORD,			\
	.offset = offsetof(struct vmd_conf, member), .def = (deflt), .words = (list) }

static const struct conf_key vmd_keys[] = {
	WORD("accel", accel, "auto", accel_words),
	KEY("cpu", CONF_STR, cpu, "auto", 1, 255),
	KEY("disk_dir", CONF_STR, disk_dir, "", 0, 160),
	KEY("guard", CONF_PATH, guard, SPINIFEX_LIBEXEC "/vmguard", 1, 255),
	KEY("guest_user", CONF_STR, guest_user, "spinifex-guest", 1, 32),
	KEY("image_dir", CONF_STR, image_dir, "", 0, 160),
	KEY("memory", CONF_BYTES, memory, "0", 0, UINT64_MAX),
	KEY("memory_reserve", CONF_BYTES, memory_reserve, "512M", 0, UINT64_MAX),
	WORD("net", net, "isolated", net_words),
	KEY("qemu_dir", CONF_PATH, qemu_dir, "/usr/bin", 1, 255),
	KEY("stop_grace", CONF_MS, stop_grace_ms, "60s", 0, 3600000),
	KEY("types_file", CONF_PATH, types_file, "/usr/share/spinifex/instance-types", 1, 255),
	KEY("vcpu_ratio", CONF_U32, vcpu_ratio, "8", 1, 1024),
};
const struct conf_table vmd_conf_table = { vmd_keys, ARRAY_LEN(vmd_keys) };

static bool
is_absolute_or_empty(const char *path)
{
	return !*path || *path == '/';
}

int
vmd_conf_check(const void *conf, char *why, size_t size)
{
	const struct vmd_conf *c = conf;

	if (!is_absolute_or_empty(c->image_dir))
		snprintf(why, size, "image_dir: expected an absolute path");
	else if (!is_absolute_or_empty(c->disk_dir))
		snprintf(why, size, "disk_dir: expected an absolute path");
	else if (!getpwnam(c->guest_user))
		snprintf(why, size, "guest_user: there is no user %.32s", c->guest_user);
	else if (getpwnam(c->guest_user)->pw_uid == 0)
		snprintf(why, size, "guest_user: guests do not run as root");
	else
		return 0;
	return -EINVAL;
}
