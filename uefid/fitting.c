/* Firmware that this node lacks: which others have it, said where a store is refused for it. */
#include <stdio.h>
#include <string.h>

#include "uefid/uefid.h"

#define SUBJECT		"uefi.v1.firmware"
#define GATHER_MS	500	/* for all that are there to answer */

static bool
on_each(void *arg, const struct bus_msg *m)
{
	struct work *w = arg;
	AUTO(json) cJSON *out = NULL;
	struct bus_error e;
	size_t n = strlen(w->fitting);
	const char *node;

	if (bus_msg_json(m, &out, &e) < 0 || !cJSON_IsTrue(json_member(out, "fits")))
		return false;
	node = json_text(out, "node");
	if (node)
		snprintf(w->fitting + n, sizeof(w->fitting) - n, "%s%.64s", n ? ", " : "", node);
	return false;
}

static void
on_end(void *arg, enum bus_result res)
{
	struct work *w = arg;
	size_t n = strlen(w->call.why);

	if (w->fitting[0] != '\0')
		snprintf(w->call.why + n, sizeof(w->call.why) - n, "; nodes that fit: %s", w->fitting);
	else
		snprintf(w->call.why + n, sizeof(w->call.why) - n, "; no node that answers fits");
	work_end(w);
}

bool
fitting_ask(struct work *w)
{
	const struct firmware_want *want = &w->call.want;
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(str) char *text = NULL;

	if ((w->result != STORE_MISMATCH && w->result != STORE_NO_FIRMWARE) ||
	    w->op == WORK_FIRMWARE || !w->req || want->arch[0] == '\0')
		return false;
	if (in && cJSON_AddStringToObject(in, "arch", want->arch) &&
	    json_add_u64_str(in, "vars_size", want->vars_size) &&
	    cJSON_AddBoolToObject(in, "secure_boot", want->kind != FIRMWARE_PLAIN))
		text = json_print(in);
	return text && bus_gather(w->u->d.bus, &(const struct bus_ask){ .subject = SUBJECT,
	    .data = text, .len = strlen(text), .timeout_ms = GATHER_MS }, on_each, on_end, w) != 0;
}
