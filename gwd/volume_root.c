#include "gwd/volume_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance.h"
#include "gwd/ask.h"
#include "gwd/device_view.h"
#include "gwd/inventory.h"

struct volume_root {
	struct call	*call;
	const char	*id;
	volume_root_fn	*fn;
	struct id_list	 all;		/* empty: every instance is looked at */
	char		 found[INSTANCE_ID_MAX + 1];
};

static bool
root_round(void *arg, struct inventory_item *items, size_t n)
{
	struct volume_root *r = arg;

	for (size_t i = 0; i < n && *r->found == '\0'; i++) {
		const char *volume = device_volume_id(items[i].instance);

		if (volume && strcmp(volume, r->id) == 0)
			snprintf(r->found, sizeof(r->found), "%s", items[i].id);
	}
	return *r->found != '\0';
}

static void
root_end(void *arg, const struct inventory_error *e)
{
	struct volume_root *r = arg;

	if (e && *r->found == '\0')
		call_fail(r->call, e->code, "%s", e->message);
	else
		r->fn(r->call, *r->found ? r->found : NULL);
	free(r);
}

void
volume_root_find(struct call *c, const char *id, volume_root_fn *fn)
{
	struct volume_root *r = calloc(1, sizeof(*r));
	struct inventory_ask ask = { .call = c, .after = "", .round = root_round, .end = root_end,
		.arg = r };

	if (!r) {
		ask_fail_nomem(c);
		return;
	}
	*r = (struct volume_root){ .call = c, .id = id, .fn = fn };
	ask.ids = &r->all;
	if (inventory_start(c->gwd, &ask))
		return;
	ask_fail_unready(c);
	free(r);
}
