/*
 * Bytes from a QMP socket, cut anywhere: the same lines come out as from one piece, none is
 * longer than the ceiling, and each parses or is refused with a sentence.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vmd/qmp_line.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINE_MAX_BYTES	4096

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static void
parse(const char *line, size_t len)
{
	char why[JSON_WHY_MAX] = "";
	struct qmp_message m = { .name = "untouched" };
	int r = qmp_message_parse(line, len, &m, why);

	if (r < 0) {
		must(why[0] != '\0' && strcmp(m.name, "untouched") == 0 && !m.tree);
		return;
	}
	must(m.kind <= QMP_EVENT && cJSON_IsObject(m.tree));
	must(m.kind != QMP_EVENT || m.name[0] != '\0');
	must(m.kind != QMP_ERROR || m.name[0] != '\0');
	must((m.kind != QMP_RETURN && m.kind != QMP_GREETING) || m.body);
	qmp_message_deinit(&m);
}

/* Feeds pieces of step bytes; a hash over the lines. */
static uint64_t
feed(const uint8_t *data, size_t size, size_t step, bool parses)
{
	struct qmp_reader reader = QMP_READER_INIT(LINE_MAX_BYTES);
	uint64_t hash = 14695981039346656037u;
	const char *line;
	size_t len;

	for (size_t at = 0; at < size; at += step) {
		if (qmp_reader_feed(&reader, data + at, step < size - at ? step : size - at) < 0)
			break;
		while (qmp_reader_next(&reader, &line, &len) == 1) {
			must(len > 0 && len <= LINE_MAX_BYTES && !memchr(line, '\n', len));
			for (size_t i = 0; i <= len; i++)
				hash = (hash ^ (i < len ? (uint8_t)line[i] : '\n')) *
				    1099511628211u;
			if (parses)
				parse(line, len);
		}
	}
	qmp_reader_deinit(&reader);
	return hash;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t step;

	if (size < 1 || size > LINE_MAX_BYTES)	/* so that no piece can be over the ceiling */
		return 0;
	step = (size_t)data[0] % 64 + 1;
	must(feed(data + 1, size - 1, step, true) == feed(data + 1, size - 1, size, false));
	return 0;
}
