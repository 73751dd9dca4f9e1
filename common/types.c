#include "common/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

#define FILE_MAX	(256 * 1024)	/* bytes */
#define LINE_MAX_BYTES	256
#define COLUMNS		8

/* Splits line at blanks in place.  The number of words, or COLUMNS + 1 for more. */
static size_t
split(char *line, char *word[static COLUMNS])
{
	char *save = NULL;
	size_t n = 0;

	line[strcspn(line, "#")] = '\0';
	for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
		if (n == COLUMNS)
			return COLUMNS + 1;
		word[n++] = w;
	}
	return n;
}

static bool
take_word(char *ret, size_t size, const char *word, const char *allowed)
{
	size_t n = strlen(word);

	if (n >= size || strspn(word, allowed) != n)
		return false;
	memcpy(ret, word, n + 1);
	return true;
}

static bool
take_number(uint32_t *ret, const char *word, uint32_t least, uint32_t most)
{
	char *end;
	unsigned long v;

	if (strspn(word, "0123456789") != strlen(word) || strlen(word) > 9)
		return false;
	v = strtoul(word, &end, 10);
	if (*end || v < least || v > most)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool
take_choice(bool *ret, const char *word, const char *yes, const char *no)
{
	*ret = strcmp(word, yes) == 0;
	return *ret || strcmp(word, no) == 0;
}

/* What was expected, or NULL when the row is right. */
static const char *
take_row(char *const word[static COLUMNS], struct type *t)
{
	static const char name_chars[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";

	if (!take_word(t->name, sizeof(t->name), word[0], name_chars))
		return "a type's name, as t3.micro";
	if (strcmp(word[1], "x86_64") != 0 && strcmp(word[1], "arm64") != 0)
		return "x86_64 or arm64 in column 2";
	if (!take_word(t->arch, sizeof(t->arch), word[1], "x86_64arm"))
		return "x86_64 or arm64 in column 2";
	if (!take_number(&t->vcpus, word[2], 1, 512))
		return "1 to 512 vCPUs in column 3";
	if (!take_number(&t->threads, word[3], 1, 2) || t->vcpus % t->threads != 0)
		return "1 or 2 threads a core in column 4, a divisor of the vCPUs";
	if (!take_number(&t->memory_mib, word[4], 64, 16777216))
		return "64 to 16777216 MiB of memory in column 5";
	if (!take_choice(&t->burstable, word[5], "yes", "no"))
		return "yes or no in column 6 (burstable)";
	if (!take_choice(&t->current, word[6], "current", "previous"))
		return "current or previous in column 7 (generation)";
	if (!take_choice(&t->offered, word[7], "yes", "no"))
		return "yes or no in column 8 (offered)";
	return NULL;
}

static const char *
add_line(struct types *t, char *line)
{
	char *word[COLUMNS] = { 0 };
	struct type row = { 0 };
	struct type *more;
	size_t n = split(line, word);
	const char *wrong;

	if (n == 0)
		return NULL;
	if (n != COLUMNS)
		return "8 columns";
	wrong = take_row(word, &row);
	if (wrong)
		return wrong;
	if (types_find(t, row.name))
		return "each type once";
	if (t->n == TYPES_MAX)
		return "at most 1024 types";
	more = realloc(t->row, (t->n + 1) * sizeof(*more));
	if (!more)
		return "memory";
	t->row = more;
	t->row[t->n++] = row;
	return NULL;
}

int
types_parse(const char *text, size_t len, struct types *ret, char *why, size_t size)
{
	struct types t = { 0 };
	const char *end = text + len;
	const char *wrong = NULL;
	unsigned line_no = 1;

	for (const char *p = text; p < end && !wrong; line_no++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);
		char line[LINE_MAX_BYTES];

		if (n < sizeof(line) && !memchr(p, '\0', n)) {
			memcpy(line, p, n);
			line[n] = '\0';
			wrong = add_line(&t, line);
		} else {
			wrong = "a line of text under 256 bytes";
		}
		if (wrong)
			snprintf(why, size, "line %u: expected %s", line_no, wrong);
		p += n + 1;
	}
	if (!wrong && t.n == 0) {
		wrong = "types";
		snprintf(why, size, "line %u: expected at least one type", line_no);
	}
	if (wrong) {
		types_deinit(&t);
		return -EINVAL;
	}
	*ret = t;
	return 0;
}

int
types_load(const char *path, struct types *ret, char *why, size_t size)
{
	AUTO(buf) struct buf text = BUF_EMPTY(FILE_MAX);
	char inner[128];
	int r = file_read(path, &text);

	if (r < 0) {
		snprintf(why, size, "%s: %s", path, strerror(-r));
		return r;
	}
	r = types_parse((const char *)text.data, text.len, ret, inner, sizeof(inner));
	if (r < 0)
		snprintf(why, size, "%s: %s", path, inner);
	return r;
}

void
types_deinit(struct types *t)
{
	free(t->row);
	*t = (struct types){ 0 };
}

const struct type *
types_find(const struct types *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->row[i].name, name) == 0)
			return &t->row[i];
	return NULL;
}
