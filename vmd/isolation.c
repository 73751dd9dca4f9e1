#include "vmd/isolation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define NFS	0x6969u

static const struct {
	uint32_t	 type;
	const char	*name;
} isolation_refused[] = {
	{ 0x517b,	"SMB" },
	{ 0xfe534d42,	"SMB" },
	{ 0xff534d42,	"CIFS" },
	{ 0x01021997,	"9P" },
	{ 0x65735546,	"FUSE" },
};

int
isolation_judge(uint64_t type, const char *options, char why[static ISOLATION_WHY_MAX])
{
	static const char need[] = "on_isolation = stop needs NFS version 4 where disk_dir is shared";

	for (size_t i = 0; i < sizeof(isolation_refused) / sizeof(*isolation_refused); i++) {
		if (isolation_refused[i].type != (uint32_t)type)
			continue;
		(void)snprintf(why, ISOLATION_WHY_MAX, "%s, not %s", need, isolation_refused[i].name);
		return -EINVAL;
	}
	if ((uint32_t)type == NFS && (!strstr(options, "vers=4") || strstr(options, "nolock") ||
	    strstr(options, "local_lock=all"))) {
		(void)snprintf(why, ISOLATION_WHY_MAX, "%s, with its locks", need);
		return -EINVAL;
	}
	return 0;
}

/* The options of the file system that has this device number. */
static int
find_options(dev_t dev, char *ret, size_t size)
{
	AUTO(file) FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[4096], want[32];
	const char *options;

	if (!f)
		return -errno;
	(void)snprintf(want, sizeof(want), " %u:%u ", major(dev), minor(dev));
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, want) || !(options = strstr(line, " - ")))
			continue;
		(void)snprintf(ret, size, "%s", options);
		return 0;
	}
	return -ENOENT;
}

int
isolation_check(const char *dir, char why[static ISOLATION_WHY_MAX])
{
	char options[1024] = "";
	struct statfs fs;
	struct stat st;
	int r = 0;

	if (statfs(dir, &fs) < 0 || stat(dir, &st) < 0)
		r = -errno;
	else if ((uint32_t)fs.f_type == NFS)
		r = find_options(st.st_dev, options, sizeof(options));
	if (r < 0) {
		(void)snprintf(why, ISOLATION_WHY_MAX, "disk_dir: %s", strerror(-r));
		return r;
	}
	return isolation_judge((uint64_t)fs.f_type, options, why);
}
