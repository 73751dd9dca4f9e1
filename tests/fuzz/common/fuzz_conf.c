/* The configuration file: what loads prints, and what it prints loads to the same values. */
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "common/conf.h"
#include "common/file.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sample {
	struct conf_common	 common;
	char			 dir[CONF_TEXT_MAX + 1];
	uint32_t		 ratio, accel;
	bool			 flag;
	uint64_t		 grace_ms, reserve;
};
static const char *const accels[] = { "auto", "kvm", "tcg", NULL };
static const struct conf_key keys[] = {
	{ NULL, "dir", CONF_PATH, offsetof(struct sample, dir), "<state_dir>/x", 1, 200, NULL },
	{ NULL, "ratio", CONF_U32, offsetof(struct sample, ratio), "8", 1, 100, NULL },
	{ NULL, "accel", CONF_WORD, offsetof(struct sample, accel), "auto", 0, 0, accels },
	{ NULL, "flag", CONF_BOOL, offsetof(struct sample, flag), "no", 0, 0, NULL },
	{ NULL, "grace", CONF_MS, offsetof(struct sample, grace_ms), "60s", 0, 0, NULL },
	{ NULL, "reserve", CONF_BYTES, offsetof(struct sample, reserve), "512M", 0, 0, NULL },
};

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* A file in memory, by a name that conf_load can open. */
static int
load(const void *p, size_t n, struct sample *ret)
{
	const struct conf_table tables[] = { conf_common_table, { keys, ARRAY_LEN(keys) } };
	AUTO(fd) int fd = memfd_create("conf", MFD_CLOEXEC);
	AUTO(str) char *why = NULL;
	char path[64];
	int r;

	must(fd >= 0 && file_write_all(fd, p, n) == 0);
	must(file_path(path, sizeof(path), "/proc/self/fd/%d", fd) == 0);
	r = conf_load(path, "vmd", tables, 2, ret, &why);
	must((r < 0) == (why != NULL));
	return r;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct conf_table tables[] = { conf_common_table, { keys, ARRAY_LEN(keys) } };
	struct sample first, second;
	AUTO(str) char *text = NULL;
	size_t n = 0;
	FILE *f;

	memset(&first, 0, sizeof(first));
	memset(&second, 0, sizeof(second));
	if (load(data, size, &first) < 0)
		return 0;
	f = open_memstream(&text, &n);
	must(f != NULL);
	conf_print(f, "vmd", tables, 2, &first);
	must(fclose(f) == 0);
	must(load(text, n, &second) == 0);
	must(first.common.cluster_size == second.common.cluster_size &&
	    strcmp(first.common.zone, second.common.zone) == 0 &&
	    strcmp(first.common.nats_url, second.common.nats_url) == 0 &&
	    strcmp(first.dir, second.dir) == 0 && first.ratio == second.ratio &&
	    first.accel == second.accel && first.flag == second.flag &&
	    first.grace_ms == second.grace_ms && first.reserve == second.reserve);
	return 0;
}
