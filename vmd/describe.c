#include "vmd/describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static cJSON *
instance_json(const struct instance *i, struct describe_extra x, const struct describe_view *v)
{
	AUTO(json) cJSON *obj = instance_view(i, &v->view);
	cJSON *extra = cJSON_GetObjectItemCaseSensitive(obj, INSTANCE_VIEW_FACTS);

	if (!extra || !cJSON_AddStringToObject(extra, "launch", x.launch) ||
	    (x.impaired && !cJSON_AddStringToObject(extra, "qmp", "impaired")))
		return NULL;
	return steal_json(&obj);
}

int
describe_into(cJSON **reservation, const struct instance *i, struct describe_extra x,
    const struct describe_view *v)
{
	AUTO(json) cJSON *obj = instance_json(i, x, v);

	if (obj && !*reservation)
		*reservation = instance_view_reservation(i);
	if (!obj || !*reservation || !cJSON_AddItemToArray(
	    cJSON_GetObjectItemCaseSensitive(*reservation, "Instances"), obj))
		return -ENOMEM;
	(void)steal_json(&obj);
	return 0;
}

void
describe_begin(struct describe *d)
{
	*d = (struct describe){ .text = BUF_EMPTY(2 * DESCRIBE_ANSWER_MAX) };
	(void)!buf_add_str(&d->text, "{\"Reservations\":[");
}

char *
describe_text(const struct instance *i, struct describe_extra x, const struct describe_view *v)
{
	AUTO(json) cJSON *reservation = NULL;

	return describe_into(&reservation, i, x, v) < 0 ? NULL : json_print(reservation);
}

int
describe_add_text(struct describe *d, const char *id, const char *text)
{
	/* One always goes: a page without any would be asked for again for ever. */
	if (d->n > 0 && d->text.len + strlen(text) > DESCRIBE_ANSWER_MAX)
		return -EMSGSIZE;
	if ((d->n > 0 && buf_add_str(&d->text, ",") < 0) || buf_add_str(&d->text, text) < 0)
		return -ENOMEM;
	d->n++;
	snprintf(d->last, sizeof(d->last), "%s", id);
	return 0;
}

int
describe_add(struct describe *d, const struct instance *i, struct describe_extra x,
    const struct describe_view *v)
{
	AUTO(str) char *text = describe_text(i, x, v);

	return text ? describe_add_text(d, i->id, text) : -ENOMEM;
}

const char *
describe_end(struct describe *d, bool more)
{
	if (more)
		(void)!buf_printf(&d->text, "],\"After\":\"%s\"}", d->last);
	else
		(void)!buf_add_str(&d->text, "]}");
	return buf_text(&d->text);
}

void
describe_deinit(struct describe *d)
{
	buf_deinit(&d->text);
}
