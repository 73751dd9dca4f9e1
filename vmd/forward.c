#include "vmd/forward.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A port, and what comes after it; NULL: it is none. */
static const char *
read_port(const char *p, uint16_t *ret)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)*p))
		return NULL;
	v = strtoul(p, &end, 10);
	if (v < 1 || v > UINT16_MAX)
		return NULL;
	*ret = (uint16_t)v;
	return end;
}

int
forward_parse(const char *text, struct forward *ret)
{
	static const char tcp[] = "tcp:";
	struct forward f = { 0, 0, 0 };
	const char *p = text;

	if (*text) {
		p = strncmp(p, tcp, strlen(tcp)) == 0 ? read_port(p + strlen(tcp), &f.first) : NULL;
		f.last = f.first;
		if (p && *p == '-')
			p = read_port(p + 1, &f.last);
		p = p && *p == ':' ? read_port(p + 1, &f.to) : NULL;
	}
	if (!p || *p || f.last < f.first)
		return -EINVAL;
	*ret = f;
	return 0;
}
