#include "gwd/prom.h"

#include <string.h>

void
prom_family(struct buf *out, const char *name, const char *type, const char *help)
{
	(void)!buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A value's text in quotes: three characters are escaped, control characters are not let in. */
static void
add_value(struct buf *out, const char *value)
{
	for (const char *p = value; *p; p++) {
		if (*p == '"' || *p == '\\')
			(void)!buf_add(out, "\\", 1);
		if (*p == '\n')
			(void)!buf_add_str(out, "\\n");
		else
			(void)!buf_add(out, (unsigned char)*p < 0x20 ? "?" : p, 1);
	}
}

void
prom_sample(struct buf *out, const char *name, const char *suffix,
    const struct prom_label *labels, double value)
{
	(void)!buf_printf(out, "%s%s", name, suffix);
	for (size_t i = 0; labels && labels[i].name; i++) {
		(void)!buf_printf(out, "%s%s=\"", i ? "," : "{", labels[i].name);
		add_value(out, labels[i].value);
		(void)!buf_add(out, "\"", 1);
	}
	(void)!buf_printf(out, labels && labels[0].name ? "} %.16g\n" : " %.16g\n", value);
}
