/* uefi.v1: the subjects, what they take and what they answer. */
#include "uefid/wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/base64.h"
#include "common/msgid.h"
#include "common/page.h"
#include "common/subjects.h"

#define REQUEST_MAX	4096	/* bytes */
#define DATA_MAX	(192u << 10)	/* of UefiData; in base64 it is four thirds of that */
#define REQUEST_DATA_MAX 263168	/* 257 KiB */
#define DEADLINE_MS	30000	/* a burial and an object's put fit in */
#define DEADLINE_LIST_MS 5000

static const char *const codes[STORE_RESULTS] = {
	[STORE_OK]		= "internal",
	[STORE_NO_STORE]	= "uefi.no_store",
	[STORE_DELETING]	= "uefi.deleting",
	[STORE_NO_FIRMWARE]	= "uefi.no_firmware",
	[STORE_MISMATCH]	= "uefi.mismatch",
	[STORE_HELD]		= "uefi.held",
	[STORE_BUSY]		= "uefi.busy",
	[STORE_UNREADABLE]	= "uefi.unreadable",
	[STORE_UNAVAILABLE]	= "uefi.unavailable",
	[STORE_NODE_LEASE]	= "uefi.node_lease",
	[STORE_STALE]		= "uefi.stale",
	[STORE_OWED]		= "uefi.owed",
	[STORE_FULL]		= "uefi.full",
	[STORE_FENCED]		= "uefi.fenced",
	[STORE_INVALID]		= "uefi.invalid",
	[STORE_REFUSED]		= "uefi.refused",
};

/* ---- what comes in ---- */

struct uefi_in {
	bool	keep_owed, enrolled, secure_boot;
	uint64_t vars_size;
	char	instance_id[INSTANCE_ID_MAX + 1];
	char	account_id[13];
	char	launch_id[STORE_LAUNCH_MAX + 1];
	char	arch[17];
	char	version[37];
	char	image_id[22];
	char	object[UEFI_KEY_MAX + 1];
};
#define IN(m)		offsetof(struct uefi_in, m)
#define INSTANCE	{ "instance_id", JSON_STR, IN(instance_id), 1, INSTANCE_ID_MAX, .need = true }
#define ACCOUNT_IF(needed) { "account_id", JSON_STR, IN(account_id), 12, 12, .need = (needed) }
#define ACCOUNT		ACCOUNT_IF(true)
#define LAUNCH		{ "launch_id", JSON_STR, IN(launch_id), 1, STORE_LAUNCH_MAX, .need = true }
#define ARCH		{ "arch", JSON_STR, IN(arch), 1, 16, .need = true }

static const struct json_field in_instance[] = { INSTANCE };
static const struct json_field in_owner[] = { INSTANCE, ACCOUNT };
static const struct json_field in_launch[] = { INSTANCE, LAUNCH };
static const struct json_field in_open[] = { INSTANCE, LAUNCH, ARCH };
static const struct json_field in_firmware[] = { ARCH,
	{ "secure_boot", JSON_BOOL, IN(secure_boot), .need = true },
	{ "vars_size", JSON_U64_STR, IN(vars_size), 0, UINT64_MAX, .need = true } };
static const struct json_field in_probe[] = { INSTANCE, ARCH,
	{ "keep_owed", JSON_BOOL, IN(keep_owed), .need = false } };
#define VERSION(needed)	{ "version", JSON_STR, IN(version), 36, 36, .need = (needed) }
static const struct json_field in_restore[] = { INSTANCE, VERSION(true) };
static const struct json_field in_vars[] = { INSTANCE, VERSION(false) };
#define IMAGE(needed)	{ "image_id", JSON_STR, IN(image_id), 1, 21, .need = (needed) }
#define OBJECT(needed)	{ "object", JSON_STR, IN(object), 1, UEFI_KEY_MAX, .need = (needed) }
static const struct json_field in_seed[] = { INSTANCE, ACCOUNT, ARCH, IMAGE(false),
	OBJECT(false) };
static const struct json_field in_image_copy[] = { IMAGE(true), ACCOUNT_IF(false), INSTANCE };
static const struct json_field in_image_drop[] = { IMAGE(true) };
static const struct json_field in_image_show[] = { IMAGE(true), OBJECT(true) };
/* With data, which is longer than what a table copies. */
static const struct json_field in_import[] = { INSTANCE };
static const struct json_field in_image_make[] = { IMAGE(true), ACCOUNT_IF(false), ARCH,
	{ "enrolled", JSON_BOOL, IN(enrolled), .need = false } };

/* Takes data, which may be NULL. */
static void
ask_with(struct uefid *u, struct bus_req *req, const struct uefi_in *in, enum work_op op,
    void (*answer)(struct work *w), struct buf *data)
{
	struct work *w = work_new(u, op, in->instance_id);

	if (!w) {
		bus_refuse(req, "uefi.unavailable", true, "no memory");
		return;
	}
	if (data) {
		w->data = *data;
		*data = BUF_EMPTY(0);
	}
	snprintf(w->call.account_id, sizeof(w->call.account_id), "%s", in->account_id);
	snprintf(w->call.launch_id, sizeof(w->call.launch_id), "%s", in->launch_id);
	snprintf(w->call.arch, sizeof(w->call.arch), "%s", in->arch);
	snprintf(w->call.version, sizeof(w->call.version), "%s", in->version);
	snprintf(w->call.image_id, sizeof(w->call.image_id), "%s", in->image_id);
	snprintf(w->call.image_key, sizeof(w->call.image_key), "%s", in->object);
	snprintf(w->call.request_id, sizeof(w->call.request_id), "%s",
	    bus_req_id(req) ? bus_req_id(req) : "");
	w->call.keep_owed = in->keep_owed;
	w->call.is_enrolled = in->enrolled;
	w->call.want.kind = in->secure_boot ? FIRMWARE_SECURE : FIRMWARE_PLAIN;
	w->call.want.vars_size = in->vars_size;
	w->req = req;
	w->answer = answer;
	if (work_submit(w) < 0)
		bus_refuse(req, "uefi.unavailable", true, "too much is waiting to be done");
}

static void
ask(struct uefid *u, struct bus_req *req, const struct uefi_in *in, enum work_op op,
    void (*answer)(struct work *w))
{
	ask_with(u, req, in, op, answer, NULL);
}

/* A request with UefiData; the fields beside it are t. */
static void
ask_data(struct uefid *u, struct bus_req *req, const cJSON *tree, const struct json_field *t,
    size_t n, enum work_op op, void (*answer)(struct work *w))
{
	AUTO(buf) struct buf data = BUF_EMPTY(DATA_MAX);
	AUTO(mem) void *mem = NULL;
	const char *text = json_text(tree, "data");
	struct uefi_in in = { 0 };
	char why[JSON_WHY_MAX];
	uint8_t *bytes;
	size_t len;
	int r = json_decode(tree, t, n, JSON_LOOSE, &in, sizeof(in), why);

	/* A template that has keys is a whole without any. */
	if (r == 0 && !text && in.enrolled) {
		ask_with(u, req, &in, op, answer, NULL);
		return;
	}
	if (r == 0 && (!text || base64_decode(text, strlen(text), &bytes, &len) < 0)) {
		snprintf(why, sizeof(why), "data: expected UefiData in base64");
		r = -EINVAL;
	}
	if (r < 0) {
		bus_refuse_input(req, "%s", why);
		return;
	}
	mem = bytes;
	if (len > DATA_MAX)
		bus_refuse_input(req, "data: UefiData of %zu bytes, at most %u bytes are taken", len,
		    DATA_MAX);
	else if (buf_add(&data, bytes, len) < 0)
		bus_refuse(req, "uefi.unavailable", true, "no memory");
	else
		ask_with(u, req, &in, op, answer, &data);
}

/* ---- what goes out ---- */

static void
refuse(const struct work *w)
{
	bus_refuse(w->req, codes[w->result], store_may_retry(w->result), "%s", w->call.why);
}

static void
reply(const struct work *w, const cJSON *tree)
{
	if (tree)
		bus_reply(w->req, tree);
	else
		bus_refuse(w->req, "uefi.unavailable", true, "no memory");
}

static void
reply_state(const struct work *w, const char *state)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	reply(w, o && cJSON_AddStringToObject(o, "state", state) ? o : NULL);
}

static void
answer_seed(struct work *w)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (w->result != STORE_OK) {
		refuse(w);
		return;
	}
	reply(w, o && json_add_u64_str(o, "generation", w->call.generation) &&
	    cJSON_AddStringToObject(o, "object", w->call.key) ? o : NULL);
}

static void
answer_object(struct work *w)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (w->result != STORE_OK)
		refuse(w);
	else
		reply(w, o && cJSON_AddStringToObject(o, "object", w->call.key) ? o : NULL);
}

static void
answer_open(struct work *w)
{
	const struct firmware *f = &w->call.firmware;
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (w->result != STORE_OK) {
		refuse(w);
		return;
	}
	reply(w, o && cJSON_AddStringToObject(o, "vars", w->call.copy.vars) &&
	    cJSON_AddStringToObject(o, "code", f->code) &&
	    cJSON_AddStringToObject(o, "code_format", f->code_format) &&
	    cJSON_AddStringToObject(o, "lock", w->call.copy.lock) &&
	    json_add_u64_str(o, "generation", w->call.generation) &&
	    json_add_u64_str(o, "vars_size", f->id.vars_size) &&
	    cJSON_AddBoolToObject(o, "secure_boot", f->secure_boot) ? o : NULL);
}

static void
answer_probe(struct work *w)
{
	if (w->result == STORE_OK)
		bus_reply(w->req, NULL);
	else
		refuse(w);
}

static void
answer_clean(struct work *w)
{
	if (w->result == STORE_OK)
		reply_state(w, "clean");
	else
		refuse(w);
}

static void
answer_rollback(struct work *w)
{
	if (w->result == STORE_OWED)
		reply_state(w, "kept");
	else
		answer_clean(w);
}

static void
answer_delete(struct work *w)
{
	if (w->result == STORE_OK || w->result == STORE_DELETING)
		reply_state(w, w->call.had_none ? "none" : "deleting");
	else
		refuse(w);
}

static void
answer_show(struct work *w)
{
	AUTO(json) cJSON *o = w->result == STORE_OK ? wire_show(w) : NULL;

	if (w->result == STORE_OK)
		reply(w, o);
	else
		refuse(w);
}

static void
answer_region(struct work *w)
{
	char why[JSON_WHY_MAX] = "";
	AUTO(json) cJSON *o = w->result != STORE_OK ? NULL :
	    w->op == WORK_VARS ? wire_vars(w, why) : wire_export(w, why);

	if (w->result != STORE_OK)
		refuse(w);
	else if (!o && why[0] != '\0')
		bus_refuse(w->req, "uefi.invalid", false, "%s", why);
	else
		reply(w, o);
}

/* What the node's loop made of it. */
static void
answer_mind(struct work *w)
{
	if (w->result != STORE_OK)
		refuse(w);
	else
		reply_state(w, w->call.is_in_launch ? "launching" : w->call.is_locked ? "open" :
		    "clean");
}

static void
answer_firmware(struct work *w)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	reply(w, o && cJSON_AddStringToObject(o, "node", w->call.env->node) &&
	    cJSON_AddBoolToObject(o, "fits", w->result == STORE_OK) ? o : NULL);
}

/* ---- handlers ---- */

static void
on_adopt(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_MIND, answer_mind);
}

static void
on_close(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_CLOSE, answer_clean);
}

static void
on_export(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_EXPORT, answer_region);
}

static void
on_import(void *arg, struct bus_req *req, const void *in)
{
	ask_data(arg, req, in, in_import, ARRAY_LEN(in_import), WORK_IMPORT, answer_seed);
}

static void
on_image_copy(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_IMAGE_COPY, answer_object);
}

static void
on_image_drop(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_IMAGE_DROP, answer_probe);
}

static void
on_image_make(void *arg, struct bus_req *req, const void *in)
{
	ask_data(arg, req, in, in_image_make, ARRAY_LEN(in_image_make), WORK_IMAGE_MAKE,
	    answer_object);
}

static void
on_image_show(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_IMAGE_SHOW, answer_region);
}

static void
on_firmware(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_FIRMWARE, answer_firmware);
}

static void
on_flush(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_SAVE, answer_clean);
}

static void
on_open(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_OPEN, answer_open);
}

static void
on_probe(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_PROBE, answer_probe);
}

static void
on_restore(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_RESTORE, answer_seed);
}

static void
on_rollback(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_ROLLBACK, answer_rollback);
}

static void
on_seed(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_SEED, answer_seed);
}

static void
on_show(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_SHOW, answer_show);
}

static void
on_vars(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_VARS, answer_region);
}

static void
on_delete(void *arg, struct bus_req *req, const void *in)
{
	ask(arg, req, in, WORK_DELETE, answer_delete);
}

static void
on_forget(void *arg, struct bus_req *req, const void *in)
{
	const struct log_ctx ctx = { .instance = ((const struct uefi_in *)in)->instance_id,
		.request_id = bus_req_id(req) };

	log_fields(LOG_NOTICE, &ctx, "an operator has this store forgotten");
	ask(arg, req, in, WORK_DELETE, answer_delete);
}

static cJSON *
list_one(const struct local *l)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "instance_id", l->instance_id) ||
	    !cJSON_AddStringToObject(o, "launch_id", l->launch_id) ||
	    !json_add_u64_str(o, "generation", l->generation) ||
	    !cJSON_AddStringToObject(o, "state", local_state_name(l->state)) ||
	    !json_add_u64(o, "since_ms", l->since_ms) ||
	    !cJSON_AddStringToObject(o, "why", l->why))
		return NULL;
	return steal_json(&o);
}

static int
by_id(const void *a, const void *b)
{
	return strcmp((*(const struct local *const *)a)->instance_id,
	    (*(const struct local *const *)b)->instance_id);
}

/* All of them, by id: the caller's.  NULL: no memory. */
static OWNED_BY(free) const struct local **
sorted(const struct uefid *u, size_t *ret_n)
{
	const struct local **v;
	const struct local *l;
	size_t n = 0;

	TAILQ_FOREACH(l, &u->locals, link)
		n++;
	v = calloc(n + 1, sizeof(*v));
	if (!v)
		return NULL;
	*ret_n = 0;
	TAILQ_FOREACH(l, &u->locals, link)
		v[(*ret_n)++] = l;
	if (n > 1)
		qsort(v, n, sizeof(*v), by_id);
	return v;
}

static void
on_list(void *arg, struct bus_req *req, const void *in)
{
	struct uefid *u = arg;
	AUTO(mem) void *mem = NULL;
	const struct local **v;
	struct page p;
	size_t n = 0;

	if (page_begin(&p, "stores", in, bus_max_payload(u->d.bus)) < 0) {
		bus_refuse_input(req, "after: expected a text");
		return;
	}
	v = mem = sorted(u, &n);
	if (!v) {
		page_deinit(&p);
		bus_refuse(req, "uefi.unavailable", true, "no memory");
		return;
	}
	for (size_t k = 0; k < n; k++) {
		AUTO(json) cJSON *item = NULL;

		if (!page_wants(&p, v[k]->instance_id))
			continue;
		item = list_one(v[k]);
		page_add(&p, v[k]->instance_id, item);
	}
	page_reply(&p, req, "uefi.unavailable");
}

/* ---- rows, sorted ---- */

#define REST(in_)								\
	.max_bytes = REQUEST_MAX, .deadline_ms = DEADLINE_MS, .needs = UEFID_NEED_KV,	\
	.in = (in_), .nin = ARRAY_LEN(in_), .in_size = sizeof(struct uefi_in),		\
	.code_prefix = "uefi"

#define REST_DATA								\
	.max_bytes = REQUEST_DATA_MAX, .deadline_ms = DEADLINE_MS, .needs = UEFID_NEED_KV,	\
	.code_prefix = "uefi"

static const struct bus_route routes[] = {
	{ "uefi.v1.<node>.adopt",	on_adopt,	BUS_REQUEST,	REST(in_instance) },
	{ "uefi.v1.<node>.close",	on_close,	BUS_REQUEST,	REST(in_launch) },
	{ "uefi.v1.<node>.export",	on_export,	BUS_REQUEST,	REST(in_vars) },
	{ "uefi.v1.<node>.flush",	on_flush,	BUS_REQUEST,	REST(in_instance) },
	{ "uefi.v1.<node>.image-copy",	on_image_copy,	BUS_REQUEST,	REST(in_image_copy) },
	{ "uefi.v1.<node>.image-drop",	on_image_drop,	BUS_REQUEST,	REST(in_image_drop) },
	{ "uefi.v1.<node>.image-make",	on_image_make,	BUS_REQUEST,	REST_DATA },
	{ "uefi.v1.<node>.image-show",	on_image_show,	BUS_REQUEST,	REST(in_image_show) },
	{ "uefi.v1.<node>.import",	on_import,	BUS_REQUEST,	REST_DATA },
	{ "uefi.v1.<node>.list",	on_list,	BUS_REQUEST,
	    .max_bytes = REQUEST_MAX, .deadline_ms = DEADLINE_LIST_MS, .code_prefix = "uefi" },
	{ "uefi.v1.<node>.open",	on_open,	BUS_REQUEST,	REST(in_open) },
	{ "uefi.v1.<node>.probe",	on_probe,	BUS_REQUEST,	REST(in_probe) },
	{ "uefi.v1.<node>.restore",	on_restore,	BUS_REQUEST,	REST(in_restore) },
	{ "uefi.v1.<node>.rollback",	on_rollback,	BUS_REQUEST,	REST(in_launch) },
	{ "uefi.v1.<node>.seed",	on_seed,	BUS_REQUEST,	REST(in_seed) },
	{ "uefi.v1.<node>.show",	on_show,	BUS_REQUEST,	REST(in_instance) },
	{ "uefi.v1.<node>.vars",	on_vars,	BUS_REQUEST,	REST(in_vars) },
	{ "uefi.v1.delete",		on_delete,	BUS_QUEUE,	REST(in_owner) },
	{ "uefi.v1.firmware",		on_firmware,	BUS_FANOUT,	REST(in_firmware) },
	{ "uefi.v1.forget",		on_forget,	BUS_QUEUE,	REST(in_instance) },
};

static const char *const counters[UEFID_COUNTS + 1] = {
	[UEFID_SEEDS]		= "seeds",
	[UEFID_OPENS]		= "opens",
	[UEFID_SAVES]		= "saves",
	[UEFID_SAVES_FAILED]	= "saves_failed",
	[UEFID_CLOSES]		= "closes",
	[UEFID_FENCED]		= "fenced",
	[UEFID_TAKEOVERS]	= "takeovers",
	[UEFID_RESTORES]	= "restores",
	[UEFID_IMPORTS]		= "imports",
};

int
uefid_serve(struct uefid *u)
{
	const struct bus_service s = {
		.name = "uefid",
		.description = "UEFI variable stores of this node's instances",
		.node = u->conf->common.node,
		.rows = routes,
		.n = ARRAY_LEN(routes),
		.arg = u,
		.counters = counters,
		.counts = u->counts,
	};

	return bus_serve(u->d.bus, &s);
}

void
uefid_publish(struct uefid *u, const char *event, const struct store_call *c)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	char subject[BUS_SUBJECT_MAX + 1];

	snprintf(subject, sizeof(subject), "uefi.v1.%.64s.event", u->conf->common.node);
	if (!o || !cJSON_AddStringToObject(o, "event", event) ||
	    !cJSON_AddStringToObject(o, "instance_id", c->instance_id) ||
	    !cJSON_AddStringToObject(o, "launch_id", c->launch_id) ||
	    !json_add_u64_str(o, "generation", c->generation) ||
	    bus_publish_json(u->d.bus, subject, o) < 0)
		log_debug("the event %s of %s was not sent: it is a hint", event, c->instance_id);
}
