/* uefid: keeps each instance's UEFI variable store.  Start at store.h. */
#include <errno.h>
#include <stdio.h>

#include "uefid/uefid.h"

#define THREADS			4

static const char *const firmware_matches[] = { "size", "exact", NULL };

#define CONF(m)	offsetof(struct uefid_conf, m)
static const struct conf_key keys[] = {
	OBJECT_STORE_KEYS(CONF(objects)),
	{ NULL, "firmware_dir", CONF_PATH, CONF(firmware_dir), "/usr/share/qemu/firmware", 1, 200, NULL },
	{ NULL, "firmware_match", CONF_WORD, CONF(firmware_match), "size", 0, 0, firmware_matches },
	{ NULL, "guest_user", CONF_STR, CONF(guest_user), "spinifex-guest", 1, 32, NULL },
	{ NULL, "keep_versions", CONF_U32, CONF(keep_versions), "5", 0, 1000, NULL },
	{ NULL, "max_stores", CONF_U32, CONF(max_stores), "2000", 1, UEFID_STORES_MAX, NULL },
	{ NULL, "quiet", CONF_MS, CONF(quiet_ms), "500ms", 10, 60000, NULL },
	{ NULL, "sweep_period", CONF_MS, CONF(sweep_period_ms), "10s", 100, 600000, NULL },
	{ NULL, "uefi_dictionary", CONF_PATH, CONF(dictionary), "", 0, 200, NULL },
	{ NULL, "write_back_max", CONF_MS, CONF(write_back_max_ms), "5s", 100, 600000, NULL },
};
static const struct conf_table table = { keys, ARRAY_LEN(keys) };

static int
check(const void *conf, char *why, size_t size)
{
	const struct uefid_conf *c = conf;

	if (c->quiet_ms <= c->write_back_max_ms)
		return object_store_check(&c->objects, why, size);
	snprintf(why, size, "[uefid] quiet: expected at most write_back_max");
	return -EINVAL;
}

int
main(int argc, char **argv)
{
	const struct daemon_spec spec = {
		.name = "uefid", .size = sizeof(struct uefid), .conf_size = sizeof(struct uefid_conf),
		.conf = &table, .steps = uefid_steps, .nsteps = uefid_nsteps,
		.threads = THREADS, .check = check,
	};

	return daemon_main(argc, argv, &spec);
}
