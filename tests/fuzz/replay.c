/* Runs a fuzz target over the seed files and folders named on the command line. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cleanup.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEED_MAX	(16u << 20)

static int
replay_file(const char *path)
{
	AUTO(file) FILE *f = fopen(path, "rb");
	AUTO(mem) void *data = malloc(SEED_MAX);
	size_t n;

	if (!f || !data) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	n = fread(data, 1, SEED_MAX, f);
	/* An exact allocation, so that a read past the end is seen. */
	AUTO(mem) void *exact = malloc(n ? n : 1);

	if (!exact)
		return -1;
	memcpy(exact, data, n);
	(void)LLVMFuzzerTestOneInput(exact, n);
	return 1;
}

static int
replay_path(const char *path)
{
	struct stat st;
	struct dirent *e;
	int total = 0;

	if (stat(path, &st) < 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path);
	AUTO(dir) DIR *d = opendir(path);

	while (d && (e = readdir(d))) {
		char name[4096];
		int n;

		if (e->d_name[0] == '.')
			continue;
		n = snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		if (n < 0 || (size_t)n >= sizeof(name) || (n = replay_file(name)) < 0)
			return -1;
		total += n;
	}
	return total;
}

int
main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int n = replay_path(argv[i]);

		if (n < 0)
			return 1;
		total += n;
	}
	printf("%d inputs\n", total);
	return total > 0 ? 0 : 1;	/* a replay without seeds tests nothing */
}
