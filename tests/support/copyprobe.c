/*
 * copyprobe - consistent copies of a flash that QEMU writes, for tests/system/test_copies: uefid's
 * own code takes and parses them, and each accepted one is told as a line of what is in it.
 *
 *	copyprobe FILE GUID SIZE COUNT PAUSE-MS
 *
 *	copy SHA256 Seq=12 V0=7:900 V1=8:900 ...	of the whole; a number that a value begins
 *						with, and its size
 *	half					firmware was writing a header, or rewriting its store:
 *						uefid waits for another, as here
 *	busy					no quiet moment was found
 *	torn WHY				must not be
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uefid/copy.h"
#include "uefid/digest.h"
#include "uefid/region.h"

struct shown {
	const char	*guid;
	char		 text[2048];
	char		 why[256];
};

/* A value is a number, then one byte that follows from it, again and again. */
static bool
is_of_one_piece(const struct region_variable *v, unsigned long *ret)
{
	char digits[9] = "";

	if (v->size < 8)
		return false;
	memcpy(digits, v->data, 8);
	*ret = strtoul(digits, NULL, 10);
	for (size_t i = 8; i < v->size; i++)
		if (v->data[i] != 'A' + *ret % 26)
			return false;
	return true;
}

static bool
show(void *arg, const struct region_variable *v)
{
	struct shown *s = arg;
	size_t len = strlen(s->text);
	unsigned long n;

	if (strcmp(v->guid, s->guid) != 0 || (v->name[0] != 'V' && strcmp(v->name, "Seq") != 0))
		return true;
	if (!is_of_one_piece(v, &n)) {
		snprintf(s->why, sizeof(s->why), "the value of %.40s is of two pieces", v->name);
		return false;
	}
	snprintf(s->text + len, sizeof(s->text) - len, " %.40s=%lu:%zu", v->name, n, v->size);
	return true;
}

/* Was it accepted? */
static bool
judge(const struct buf *b, uint64_t size, const char *guid)
{
	struct shown s = { .guid = guid };
	char why[JSON_WHY_MAX] = "", sha256[DIGEST_HEX + 1] = "";
	struct region r;

	/* The two questions of store_save.c. */
	if (region_open(b->data, b->len, size, &r, why) < 0 || !region_is_complete(&r)) {
		puts("half");
		return false;
	}
	if (region_list(&r, show, &s, why) < 0 || s.why[0] != '\0')
		printf("torn %s\n", s.why[0] != '\0' ? s.why : why);
	else if (digest_bytes(b->data, b->len, sha256) == 0)
		printf("copy %s%s\n", sha256, s.text);
	return true;
}

int
main(int argc, char **argv)
{
	struct copy c = { 0 };

	if (argc != 6) {
		fprintf(stderr, "usage: copyprobe FILE GUID SIZE COUNT PAUSE-MS\n");
		return 2;
	}
	snprintf(c.vars, sizeof(c.vars), "%s", argv[1]);
	for (long n = 0; n < strtol(argv[4], NULL, 10);) {
		AUTO(buf) struct buf b = BUF_EMPTY(REGION_MAX);
		int r = copy_snapshot(&c, &b);

		if (r == 0)
			n += judge(&b, strtoull(argv[3], NULL, 10), argv[2]);
		else if (r == -EAGAIN)
			puts("busy");
		else {
			fprintf(stderr, "copyprobe: %s: %s\n", c.vars, strerror(-r));
			return 1;
		}
		fflush(stdout);
		(void)poll(NULL, 0, (int)strtol(argv[5], NULL, 10));
	}
	return 0;
}
