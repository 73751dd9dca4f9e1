#include "common/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "common/conf_value.h"
#include "common/file.h"

#define SHOWN_MAX	40	/* bytes of the file's own text that are repeated */
#define WHY_MAX		1024

/* Sections that the file may have; each daemon and tool knows the keys of its own alone. */
static const char *const sections[] = {
	"cluster", "gwd", "leasectl", "leased", "nats", "node", "objects", "reaperctl", "reaperd",
	"uefictl", "uefid", "vmctl", "vmd",
};

struct reader {
	const char		*path, *own;
	const struct conf_table	*tables;
	size_t			 ntables;
	bool			 own_is_lax;	/* unknown keys of own are another program's */
	void			*out;
	unsigned		 line;
	char			 section[SHOWN_MAX + 1];	/* the present one; empty: none yet */
	bool			*seen;		/* per key, through all tables */
	unsigned		*section_line;	/* per key: where its section began; 0: nowhere */
	char			*why;		/* WHY_MAX bytes */
};

static int fail(const struct reader *r, unsigned line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static int
fail(const struct reader *r, unsigned line, const char *fmt, ...)
{
	int n = snprintf(r->why, WHY_MAX, "%s:%u: ", r->path, line);
	va_list ap;

	if (n < 0 || n >= WHY_MAX)
		return -EINVAL;
	va_start(ap, fmt);
	(void)vsnprintf(r->why + n, WHY_MAX - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static const char *
section_of(const struct reader *r, const struct conf_key *k)
{
	return k->section ? k->section : r->own;
}

/* The key at place i of all tables together, or NULL after the last. */
static const struct conf_key *
key_at(const struct conf_table *tables, size_t ntables, size_t i)
{
	for (size_t t = 0; t < ntables; i -= tables[t++].n)
		if (i < tables[t].n)
			return &tables[t].keys[i];
	return NULL;
}

static size_t
count_keys(const struct conf_table *tables, size_t ntables)
{
	size_t n = 0;

	for (size_t t = 0; t < ntables; t++)
		n += tables[t].n;
	return n;
}

/* ---- lines ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts blanks at both ends, in place. */
static char *
trim(char *s)
{
	char *end;

	while (is_blank(*s))
		s++;
	end = s + strlen(s);
	while (end > s && is_blank(end[-1]))
		*--end = '\0';
	return s;
}

static int
begin_section(struct reader *r, char *line)
{
	size_t n = strlen(line);
	const struct conf_key *k;
	bool known = false;
	char *name;

	if (line[n - 1] != ']')
		return fail(r, r->line, "expected ] at the end of a section's name");
	line[n - 1] = '\0';
	name = trim(line + 1);
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		known |= strcmp(sections[i], name) == 0;
	for (size_t i = 0; (k = key_at(r->tables, r->ntables, i)); i++) {
		if (strcmp(section_of(r, k), name) != 0)
			continue;
		known = true;
		if (r->section_line[i] == 0)
			r->section_line[i] = r->line;
	}
	if (!known || strlen(name) > SHOWN_MAX)
		return fail(r, r->line, "expected a section that exists, not [%.*s]", SHOWN_MAX,
		    name);
	memcpy(r->section, name, strlen(name) + 1);
	return 0;
}

/* Is the present section one whose keys this program knows all of? */
static bool
section_is_ours(const struct reader *r)
{
	const struct conf_key *k;

	if (strcmp(r->section, r->own) == 0)
		return !r->own_is_lax;
	for (size_t i = 0; (k = key_at(r->tables, r->ntables, i)); i++)
		if (k->section && strcmp(k->section, r->section) == 0)
			return true;
	return false;
}

static int
set_key(struct reader *r, const char *name, const char *value)
{
	char expect[CONF_EXPECT_MAX];
	const struct conf_key *k;
	size_t i;

	for (i = 0; (k = key_at(r->tables, r->ntables, i)); i++)
		if (strcmp(k->name, name) == 0 && strcmp(section_of(r, k), r->section) == 0)
			break;
	if (!k) {
		if (!section_is_ours(r))
			return 0;
		return fail(r, r->line, "expected a keyword of [%s], not %.*s", r->section,
		    SHOWN_MAX, name);
	}
	if (r->seen[i])
		return fail(r, r->line, "expected %s once in [%s]", name, r->section);
	r->seen[i] = true;
	if (conf_value_set(k, value, r->out, expect) < 0)
		return fail(r, r->line, "%s", expect);
	return 0;
}

static int
read_line(struct reader *r, char *line)
{
	char *equals;

	for (const char *p = line; *p; p++)
		if (((unsigned char)*p < ' ' && !is_blank(*p)) || *p == 0x7f)
			return fail(r, r->line, "expected no control character");
	line = trim(line);
	if (line[0] == '\0' || line[0] == '#')
		return 0;
	if (line[0] == '[')
		return begin_section(r, line);
	equals = strchr(line, '=');
	if (!equals)
		return fail(r, r->line, "expected keyword = value, [section] or # comment");
	if (r->section[0] == '\0')
		return fail(r, r->line, "expected a [section] before the first keyword");
	*equals = '\0';
	return set_key(r, trim(line), trim(equals + 1));
}

static int
read_lines(struct reader *r, char *text, size_t len)
{
	char *end;
	int res = 0;

	for (char *p = text; res == 0 && p < text + len; p = end + 1) {
		r->line++;
		end = memchr(p, '\n', (size_t)(text + len - p));
		if (!end)
			end = text + len;	/* a NUL is there: buf.h */
		*end = '\0';
		if (end - p > CONF_LINE_MAX)
			return fail(r, r->line, "expected at most %d bytes in a line",
			    CONF_LINE_MAX);
		if (strlen(p) != (size_t)(end - p))
			return fail(r, r->line, "expected no control character");
		res = read_line(r, p);
	}
	return res;
}

/* ---- defaults ---- */

/* "<state_dir>/images" to the value of state_dir and "/images". */
static int
expand(const struct reader *r, const char *def, char ret[static CONF_TEXT_MAX + 1])
{
	const char *close = def[0] == '<' ? strchr(def, '>') : NULL;
	size_t n = close ? (size_t)(close - def - 1) : 0;
	const struct conf_key *k;

	if (!close)
		return file_path(ret, CONF_TEXT_MAX + 1, "%s", def);
	for (size_t i = 0; (k = key_at(r->tables, r->ntables, i)); i++)
		if (strlen(k->name) == n && strncmp(k->name, def + 1, n) == 0)
			return file_path(ret, CONF_TEXT_MAX + 1, "%s%s",
			    (const char *)r->out + k->offset, close + 1);
	return -EINVAL;
}

static int
set_default(const struct reader *r, size_t i)
{
	const struct conf_key *k = key_at(r->tables, r->ntables, i);
	char text[CONF_TEXT_MAX + 1], expect[CONF_EXPECT_MAX];
	unsigned line = r->section_line[i] ? r->section_line[i] : r->line;

	if (!k->def)
		return fail(r, line, "expected %s in [%s]", k->name, section_of(r, k));
	if (expand(r, k->def, text) < 0)
		return fail(r, line, "expected %s in [%s]: its default is too long", k->name,
		    section_of(r, k));
	if (conf_value_set(k, text, r->out, expect) < 0)
		return fail(r, line, "%s", expect);
	return 0;
}

static int
set_defaults(const struct reader *r)
{
	size_t n = count_keys(r->tables, r->ntables);
	int res = 0;

	for (size_t i = 0; i < n && res == 0; i++)
		if (!r->seen[i])
			res = set_default(r, i);
	return res;
}

/* ---- the file ---- */

static int
read_file(struct reader *r)
{
	size_t n = count_keys(r->tables, r->ntables);
	AUTO(buf) struct buf b = BUF_EMPTY(CONF_FILE_MAX);
	AUTO(mem) void *seen = calloc(n + 1, sizeof(bool));
	AUTO(mem) void *lines = calloc(n + 1, sizeof(unsigned));
	int res = seen && lines ? file_read(r->path, &b) : -ENOMEM;

	if (res < 0) {
		(void)snprintf(r->why, WHY_MAX, "%s: %s", r->path, strerror(-res));
		return res;
	}
	r->seen = seen;
	r->section_line = lines;
	if (b.len > 0)
		res = read_lines(r, (char *)b.data, b.len);
	return res < 0 ? res : set_defaults(r);
}

static int
load(struct reader *r, char **ret_why)
{
	char why[WHY_MAX] = "";
	int res;

	r->why = why;
	res = read_file(r);
	if (res < 0)
		*ret_why = strdup(why);
	return res;
}

int
conf_load(const char *path, const char *own, const struct conf_table *tables, size_t ntables,
    void *out, char **ret_why)
{
	struct reader r = {
		.path = path, .own = own, .tables = tables, .ntables = ntables, .out = out,
	};

	return load(&r, ret_why);
}

int
conf_load_tool(const char *path, const char *tool, const char *own, struct conf_common *out,
    char **ret_why)
{
	struct reader r = {
		.path = path, .own = tool, .tables = &conf_common_table, .ntables = 1, .out = out,
	};
	int res = load(&r, ret_why);

	if (res < 0 || out->nats_user[0] != '\0')
		return res;
	*out = (struct conf_common){ 0 };
	r = (struct reader){
		.path = path, .own = own, .tables = &conf_common_table, .ntables = 1, .out = out,
		.own_is_lax = true,
	};
	return load(&r, ret_why);
}

/* ---- printing ---- */

static void
print_section(FILE *f, const char *section, const char *own, const struct conf_table *tables,
    size_t ntables, const void *in)
{
	char text[CONF_TEXT_MAX + 1];
	const struct conf_key *k;

	fprintf(f, "[%s]\n", section);
	for (size_t i = 0; (k = key_at(tables, ntables, i)); i++) {
		if (strcmp(k->section ? k->section : own, section) != 0)
			continue;
		conf_value_text(k, in, text);
		fprintf(f, "%s =%s%s\n", k->name, text[0] ? " " : "", text);
	}
}

void
conf_print(FILE *f, const char *own, const struct conf_table *tables, size_t ntables,
    const void *in)
{
	const struct conf_key *k, *before;

	for (size_t i = 0; (k = key_at(tables, ntables, i)); i++) {
		const char *section = k->section ? k->section : own;
		size_t first = 0;

		while ((before = key_at(tables, ntables, first)) &&
		    strcmp(before->section ? before->section : own, section) != 0)
			first++;
		if (first == i)
			print_section(f, section, own, tables, ntables, in);
	}
}
