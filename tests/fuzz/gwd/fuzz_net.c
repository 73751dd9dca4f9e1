/* Changes of a network: a line each, whose first byte says which action, the rest is the form.
 * Whatever is asked, the document that comes of it is one that can be read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/net.h"
#include "gwd/params.h"

#define LINES_MAX	16

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
open_net(struct net *n, const char *text)
{
	static const char *const zones[] = { "us-east-1a" };
	char why[JSON_WHY_MAX];

	*n = (struct net){ .zones = zones, .nzones = 1, .account = "000000000001",
	    .region = "us-east-1" };
	if (net_open(n, text, text ? strlen(text) : 0, why) < 0)
		abort();
}

static net_fn *
rule_of(const char *action)
{
	static const struct net_change *const tables[] = { net_changes_vpc, net_changes_group,
		net_changes_route, net_changes_interface };

	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (const struct net_change *c = tables[t]; c->action; c++)
			if (!strcmp(c->action, action))
				return c->fn;
	return NULL;
}

static void
change(struct net *n, const struct action *a, net_fn *fn, const char *form, size_t len)
{
	AUTO(query) struct query q = { .n = 0 };
	AUTO(json) cJSON *in = NULL;
	AUTO(json) cJSON *out = NULL;
	AUTO(str) char *before = net_print(n);
	struct shape_error e = { .code = "" };
	char why[QUERY_WHY_MAX];
	bool dry_run;

	if (query_parse(&q, form, len, why) < 0 || params_read(a, &q, &in, &dry_run, &e) < 0)
		return;
	n->code[0] = '\0';
	out = fn(n, in);
	if (out)
		return;
	if (!*n->code || !*n->message)
		abort();
	net_deinit(n);
	open_net(n, before);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size;
	AUTO(str) char *text = NULL;
	struct net n;

	open_net(&n, NULL);
	for (int i = 0; i < LINES_MAX && p < end; i++) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		const struct action *a = &actions[(uint8_t)*p % nactions];
		net_fn *fn = rule_of(a->name);

		line = line ? line : end;
		if (fn && line > p)
			change(&n, a, fn, p + 1, (size_t)(line - p - 1));
		p = line + 1;
	}
	text = net_print(&n);
	net_deinit(&n);
	open_net(&n, text);
	net_deinit(&n);
	return 0;
}
