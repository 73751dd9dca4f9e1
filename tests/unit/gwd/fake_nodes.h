/*
 * fake_nodes.h - a small cluster in one process: a nats-server, a gwd without its HTTP side,
 * and nodes that answer as vmd does, as far as a test wants it.  Calls are ended into the
 * test's own hands: call_answer and call_fail are defined here.
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/image.h"
#include "common/instance_view.h"
#include "common/node.h"
#include "common/subjects.h"
#include "gwd/acts.h"
#include "gwd/cloud.h"
#include "gwd/gwd.h"
#include "tests/unit/nats_server.h"

#define FAKE_NODES	2
#define FAKE_PATIENCE_MS 20000
#define FAKE_ACCOUNT	"000000000001"
#define FAKE_IMAGE	"ami-0123456789abcdef0"
#define FAKE_INSTANCES	100

enum fake_mode {		/* what a node does with a RunInstances */
	FAKE_LAUNCHES,
	FAKE_IS_FULL,
	FAKE_BREAKS,		/* InternalError, and nothing is made */
	FAKE_MAKES_AND_BREAKS,	/* the records are there, the answer is an error */
	FAKE_REFUSES,
	FAKE_IS_BUSY,		/* with the same request */
};

struct fake;
struct fake_node {
	struct fake	*fake;
	char		 name[8];
	struct bus	*bus;		/* NULL: it is off */
	enum fake_mode	 mode;
	unsigned	 runs;		/* RunInstances that came */
	unsigned	 describes;
	uint32_t	 fits;
	size_t		 page;		/* instances of one answer; 0: all */
};
struct fake_ended {			/* a call, when it has ended */
	struct call	 call;
	bool		 ended;
	cJSON		*out;
	char		 code[96];
	char		 message[512];
};
struct fake_instance {
	struct instance	 i;
	uint64_t	 revision;
	struct bus_sub	*sub;
};
struct fake {
	struct nats_server	 server;
	struct gwd		 g;
	struct gwd_conf		 conf;
	struct kv		*kv;		/* the nodes' */
	struct bucket		*nodes, *instances, *images;
	struct fake_node	 node[FAKE_NODES];
	struct fake_instance	 made[FAKE_INSTANCES];
	size_t			 nmade;
	unsigned		 writes;	/* of records, under way */
	unsigned		 commands;	/* ec2.cmd that came */
};

/* ---- time ---- */

static inline void
fake_step(struct fake *f)
{
	ck_assert_int_ge(loop_step(f->g.d.loop, 20), 0);
}

#define fake_wait(f, condition)								\
	do {										\
		uint64_t until_ = loop_now_ms((f)->g.d.loop) + FAKE_PATIENCE_MS;	\
											\
		while (!(condition)) {							\
			ck_assert_msg(loop_now_ms((f)->g.d.loop) < until_,		\
			    "waited in vain for " #condition);				\
			fake_step(f);							\
		}									\
	} while (0)

/* ---- the ends of calls ---- */

void
call_answer(struct call *c, cJSON *out)
{
	struct fake_ended *e = (struct fake_ended *)c;

	ck_assert(!e->ended);
	e->ended = true;
	/* Parts of it may be others': they are there for the call only. */
	e->out = cJSON_Duplicate(out, true);
	cJSON_Delete(out);
	if (!e->out)
		snprintf(e->code, sizeof(e->code), "InternalError");
}

void
call_fail(struct call *c, const char *code, const char *fmt, ...)
{
	struct fake_ended *e = (struct fake_ended *)c;
	va_list ap;

	ck_assert(!e->ended);
	e->ended = true;
	snprintf(e->code, sizeof(e->code), "%s", code);
	va_start(ap, fmt);
	vsnprintf(e->message, sizeof(e->message), fmt, ap);
	va_end(ap);
}

static inline void
fake_begin(struct fake *f, struct fake_ended *e, action_fn *fn, const char *in)
{
	char why[JSON_WHY_MAX];

	memset(e, 0, sizeof(*e));
	e->call.gwd = &f->g;
	for (size_t i = 0; i < nactions; i++) {
		if (actions[i].fn == fn)
			e->call.action = &actions[i];
	}
	snprintf(e->call.account, sizeof(e->call.account), FAKE_ACCOUNT);
	ident_uuid(e->call.request_id);
	ck_assert_msg(json_parse(in, strlen(in), 1 << 20, &e->call.in, why) == 0, "%s", why);
	fn(&f->g, &e->call);
}

static inline void
fake_call(struct fake *f, struct fake_ended *e, action_fn *fn, const char *in)
{
	fake_begin(f, e, fn, in);
	fake_wait(f, e->ended);
}

static inline void
fake_ended_deinit(struct fake_ended *e)
{
	cJSON_Delete(e->call.in);
	cJSON_Delete(e->out);
}

/* ---- records ---- */

static inline void
fake_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct fake *f = arg;

	ck_assert_msg(res == CAS_OK, "%s", cas_result_text(res));
	f->writes--;
}

static inline void
fake_put(struct fake *f, struct bucket *b, const char *key, const char *text)
{
	f->writes++;
	ck_assert_ptr_nonnull(text);
	ck_assert(kv_put(b, key, text, strlen(text), 0, 5000, fake_written, f));
	fake_wait(f, f->writes == 0);
}

struct fake_write {
	struct fake		*fake;
	struct fake_instance	*at;
};

static inline void
fake_record_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct fake_write *w = arg;

	ck_assert_msg(res == CAS_OK, "%s: %s", w->at->i.id, cas_result_text(res));
	w->at->revision = revision;
	w->fake->writes--;
	free(w);
}

static inline void
fake_write_record(struct fake *f, struct fake_instance *at)
{
	AUTO(str) char *text = instance_to_json(&at->i);
	struct fake_write *w = malloc(sizeof(*w));
	char key[64];

	if (!w || !text)
		abort();
	*w = (struct fake_write){ f, at };
	snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", at->i.id);
	f->writes++;
	ck_assert(kv_put(f->instances, key, text, strlen(text), at->revision, 5000,
	    fake_record_written, w));
}

static inline struct fake_instance *
fake_find(struct fake *f, const char *id)
{
	for (size_t n = 0; n < f->nmade; n++) {
		if (strcmp(f->made[n].i.id, id) == 0)
			return &f->made[n];
	}
	return NULL;
}

static inline void	 fake_serve_instance(struct fake_node *n, struct fake_instance *at);

static inline struct fake_instance *
fake_make(struct fake_node *n, const char *id, const char *reservation, size_t index)
{
	struct fake *f = n->fake;
	struct fake_instance *at = fake_find(f, id);

	if (at)
		return at;
	ck_assert_uint_lt(f->nmade, FAKE_INSTANCES);
	at = &f->made[f->nmade++];
	*at = (struct fake_instance){ .i = { .state = INSTANCE_RUNNING,
	    .launch_index = (uint32_t)index, .launch_time_ms = 1793408523004 } };
	snprintf(at->i.id, sizeof(at->i.id), "%s", id);
	snprintf(at->i.account_id, sizeof(at->i.account_id), FAKE_ACCOUNT);
	snprintf(at->i.reservation_id, sizeof(at->i.reservation_id), "%s", reservation);
	snprintf(at->i.node, sizeof(at->i.node), "%s", n->name);
	snprintf(at->i.image_id, sizeof(at->i.image_id), FAKE_IMAGE);
	snprintf(at->i.instance_type, sizeof(at->i.instance_type), "t3.micro");
	snprintf(at->i.zone, sizeof(at->i.zone), "us-east-1a");
	fake_write_record(f, at);
	fake_serve_instance(n, at);
	return at;
}

/* ---- what a node serves ---- */

static inline void
fake_on_run(void *arg, struct bus_req *req, const void *in)
{
	struct fake_node *n = arg;
	const struct instance_view view = { "us-east-1", NULL };
	AUTO(json) cJSON *out = NULL;
	const cJSON *id;
	size_t index = 0;

	n->runs++;
	if (n->mode == FAKE_IS_FULL) {
		bus_refuse(req, "InsufficientInstanceCapacity", false, "full");
		return;
	}
	if (n->mode == FAKE_REFUSES) {
		bus_refuse(req, "InvalidSubnetID.NotFound", false, "no such subnet");
		return;
	}
	if (n->mode == FAKE_IS_BUSY) {
		bus_refuse(req, "ServiceUnavailable", true, "the same request is being done");
		return;
	}
	if (n->mode == FAKE_BREAKS) {
		bus_refuse(req, "InternalError", false, "broken");
		return;
	}
	cJSON_ArrayForEach(id, json_member(in, "InstanceIds")) {
		struct fake_instance *at = fake_make(n, id->valuestring,
		    json_text(in, "ReservationId"), index++);

		if (!out)
			out = instance_view_reservation(&at->i);
		cJSON_AddItemToArray(cJSON_GetObjectItem(out, "Instances"),
		    instance_view(&at->i, &view));
	}
	if (n->mode == FAKE_MAKES_AND_BREAKS)
		bus_refuse(req, "InternalError", false, "broken");
	else
		bus_reply(req, out);
}

static inline bool
fake_is_asked(const cJSON *in, const struct fake_node *n, const struct instance *i)
{
	const cJSON *ids = json_member(in, "InstanceIds"), *id;
	const char *after = json_text(in, "After");

	if (strcmp(i->node, n->name) != 0 || (after && strcmp(i->id, after) <= 0))
		return false;
	cJSON_ArrayForEach(id, ids) {
		if (strcmp(id->valuestring, i->id) == 0)
			return true;
	}
	return !ids;
}

static inline int
fake_compare(const void *a, const void *b)
{
	return strcmp((*(const struct instance *const *)a)->id,
	    (*(const struct instance *const *)b)->id);
}

static inline void
fake_on_describe(void *arg, struct bus_req *req, const void *in)
{
	struct fake_node *n = arg;
	const struct instance_view view = { "us-east-1", NULL };
	const struct instance *mine[FAKE_INSTANCES];
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(out, "Reservations");
	size_t count = 0;

	n->describes++;
	for (size_t k = 0; k < n->fake->nmade; k++) {
		if (fake_is_asked(in, n, &n->fake->made[k].i))
			mine[count++] = &n->fake->made[k].i;
	}
	qsort(mine, count, sizeof(mine[0]), fake_compare);
	for (size_t k = 0; k < count && (n->page == 0 || k < n->page); k++) {
		cJSON *r = instance_view_reservation(mine[k]);

		cJSON_AddItemToArray(cJSON_GetObjectItem(r, "Instances"),
		    instance_view(mine[k], &view));
		cJSON_AddItemToArray(list, r);
	}
	if (n->page > 0 && count > n->page)
		cJSON_AddStringToObject(out, "After", mine[n->page - 1]->id);
	bus_req_header(req, HEADER_NODE, n->name);
	bus_reply(req, out);
}

static inline void
fake_on_status(void *arg, struct bus_req *req, const void *in)
{
	struct fake_node *n = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *types = cJSON_AddObjectToObject(out, "types");

	cJSON_AddStringToObject(out, "zone", "us-east-1a");
	ck_assert(json_add_u64(out, "memory_free_mib", n == &n->fake->node[0] ? 4096 : 2048));
	ck_assert(json_add_u64(out, "vcpus_free", 4));
	ck_assert(json_add_u64(types, "t3.micro", n->fits));
	bus_req_header(req, HEADER_NODE, n->name);
	bus_reply(req, out);
}

static inline void
fake_on_start(void *arg, struct bus_req *req, const void *in)
{
	struct fake_node *n = arg;
	const char *id = cJSON_GetArrayItem(json_member(in, "InstanceIds"), 0)->valuestring;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(out, "StartingInstances");

	n->fake->commands++;
	cJSON_AddItemToArray(list, instance_view_change(id, INSTANCE_STOPPED, INSTANCE_PENDING));
	bus_reply(req, out);
}

static inline void
fake_on_command(void *arg, struct bus_req *req, const void *in)
{
	struct fake_instance *at = arg;
	const cJSON *attributes = json_member(in, "attributes");
	enum instance_state before = at->i.state;
	AUTO(json) cJSON *out = NULL;

	bus_req_header(req, HEADER_CMD_HANDLED, "1");
	if (json_member(attributes, "stop_instance"))
		at->i.state = INSTANCE_STOPPING;
	if (json_member(attributes, "terminate_instance"))
		at->i.state = INSTANCE_SHUTTING_DOWN;
	out = instance_view_change(at->i.id, before, at->i.state);
	bus_reply(req, out);
}

static inline void
fake_serve_instance(struct fake_node *n, struct fake_instance *at)
{
	static const struct bus_route row = { .subject = "ec2.cmd.<instance-id>",
	    .handler = fake_on_command, .kind = BUS_REQUEST, .max_bytes = 1 << 16,
	    .deadline_ms = 15000, .code_prefix = "" };
	char subject[64];

	snprintf(subject, sizeof(subject), "ec2.cmd.%s", at->i.id);
	ck_assert_int_eq(bus_sub_new(n->bus, subject, &row, at, &at->sub), 0);
}

static const struct bus_route fake_rows[] = {
	{ .subject = "ec2.DescribeInstances", .handler = fake_on_describe, .kind = BUS_FANOUT,
	  .max_bytes = 1 << 16, .deadline_ms = 5000, .code_prefix = "" },
	{ .subject = "ec2.RunInstances.*.*.<node>", .handler = fake_on_run, .kind = BUS_REQUEST,
	  .max_bytes = 1 << 17, .deadline_ms = 30000, .code_prefix = "" },
	{ .subject = "ec2.StartInstances", .handler = fake_on_start, .kind = BUS_QUEUE,
	  .max_bytes = 1 << 12, .deadline_ms = 30000, .code_prefix = "" },
	{ .subject = "spinifex.node.status", .handler = fake_on_status, .kind = BUS_FANOUT,
	  .max_bytes = 1 << 12, .deadline_ms = 2000, .code_prefix = "" },
};

static inline void
fake_node_on(struct fake *f, size_t at)
{
	struct fake_node *n = &f->node[at];
	const struct bus_conf conf = { .name = n->name, .url = f->server.url };
	const struct bus_service service = { .name = "vmd", .description = "a fake",
	    .node = n->name, .rows = fake_rows, .n = ARRAY_LEN(fake_rows), .arg = n };

	ck_assert_int_eq(bus_new(f->g.d.loop, &conf, &n->bus), 0);
	ck_assert_int_eq(bus_serve(n->bus, &service), 0);
	fake_wait(f, bus_is_up(n->bus));
}

/* As a machine that is gone: nobody answers for it or its instances. */
static inline void
fake_node_off(struct fake *f, size_t at)
{
	struct fake_node *n = &f->node[at];

	for (size_t k = 0; k < f->nmade; k++) {
		if (strcmp(f->made[k].i.node, n->name) != 0)
			continue;
		bus_sub_free(f->made[k].sub);
		f->made[k].sub = NULL;
	}
	bus_free(n->bus);
	n->bus = NULL;
}

/* ---- up and down ---- */

static const struct bucket_spec fake_spec_nodes = { .name = BUCKET_NODES, .description = "",
	.loss = BUCKET_KEPT };
static const struct bucket_spec fake_spec_instances = { .name = BUCKET_INSTANCES, .description = "",
	.loss = BUCKET_KEPT };
static const struct bucket_spec fake_spec_images = { .name = BUCKET_IMAGES, .description = "",
	.loss = BUCKET_KEPT };

static inline void
fake_conf(struct fake *f)
{
	f->conf.common.cluster_size = 1;
	snprintf(f->conf.common.region, sizeof(f->conf.common.region), "us-east-1");
	snprintf(f->conf.common.zone, sizeof(f->conf.common.zone), "us-east-1a");
	snprintf(f->conf.types_file, sizeof(f->conf.types_file), "etc/instance-types");
	f->g.conf = &f->conf;
	f->g.d.conf = &f->conf.common;
	f->g.d.clock = &clock_system;
}

static inline void
fake_open_buckets(struct fake *f)
{
	struct image image = { .id = FAKE_IMAGE, .account_id = FAKE_ACCOUNT, .name = "demo",
	    .arch = "x86_64", .boot_mode = "uefi", .format = "qcow2", .file = "demo",
	    .virtual_bytes = 1 << 20, .root_device = "/dev/sda1", .created_ms = 1793408523004 };
	AUTO(str) char *text = NULL;

	memset(image.sha256, 'a', sizeof(image.sha256) - 1);
	text = image_to_json(&image, NULL);
	ck_assert_int_eq(bucket_open(f->kv, &fake_spec_nodes, &f->nodes), 0);
	ck_assert_int_eq(bucket_open(f->kv, &fake_spec_instances, &f->instances), 0);
	ck_assert_int_eq(bucket_open(f->kv, &fake_spec_images, &f->images), 0);
	fake_wait(f, bucket_is_open(f->nodes) && bucket_is_open(f->instances) &&
	    bucket_is_open(f->images));
	fake_put(f, f->images, FAKE_ACCOUNT "." FAKE_IMAGE, text);
}

static inline void
fake_join(struct fake *f, size_t at)
{
	struct fake_node *n = &f->node[at];
	struct node node = { .since_ms = 1793408523004 };
	AUTO(str) char *text = NULL;

	n->fake = f;
	n->fits = 10;
	snprintf(n->name, sizeof(n->name), "n%zu", at + 1);
	snprintf(node.name, sizeof(node.name), "%s", n->name);
	snprintf(node.zone, sizeof(node.zone), "us-east-1a");
	ident_uuid(node.uuid);
	ident_uuid(node.boot_id);
	text = node_to_json(&node);
	fake_put(f, f->nodes, n->name, text);
	fake_node_on(f, at);
}

static inline struct fake *
fake_new(void)
{
	struct fake *f = calloc(1, sizeof(*f));
	struct bus_conf bus = { .name = "gwd" };
	char dir[128];
	struct kv_conf conf = { .state_dir = dir, .cluster_size = 1, .node_ttl_ms = 60000 };

	ck_assert_ptr_nonnull(f);
	nats_server_start(&f->server);
	fake_conf(f);
	bus.url = f->server.url;
	ck_assert_int_eq(loop_new(&f->g.d.loop), 0);
	ck_assert_int_eq(bus_new(f->g.d.loop, &bus, &f->g.d.bus), 0);
	ck_assert_int_eq(jobs_new(f->g.d.loop, 8, 256, &f->g.d.jobs), 0);
	snprintf(dir, sizeof(dir), "%s/gwd", f->server.dir);
	ck_assert_int_eq(kv_new(f->g.d.bus, &conf, &f->g.d.kv), 0);
	snprintf(dir, sizeof(dir), "%s/vmd", f->server.dir);
	ck_assert_int_eq(kv_new(f->g.d.bus, &conf, &f->kv), 0);
	fake_open_buckets(f);
	for (size_t n = 0; n < FAKE_NODES; n++)
		fake_join(f, n);
	ck_assert_int_eq(cloud_up(&f->g), 0);
	fake_wait(f, nodes_count(f->g.cloud->nodes) == FAKE_NODES &&
	    bucket_is_open(f->g.cloud->tokens) && bucket_is_open(f->g.cloud->key_pairs) &&
	    bucket_is_open(f->g.cloud->images) && bucket_is_open(f->g.cloud->networks) && bucket_is_open(f->g.cloud->instances));
	return f;
}

static inline void
fake_free(struct fake *f)
{
	fake_wait(f, f->writes == 0);
	for (size_t n = 0; n < FAKE_NODES; n++) {
		if (f->node[n].bus)
			fake_node_off(f, n);
	}
	for (size_t n = 0; n < f->nmade; n++)
		instance_deinit(&f->made[n].i);
	jobs_free(f->g.d.jobs);
	cloud_down(&f->g);
	kv_free(f->g.d.kv);
	kv_free(f->kv);
	bus_free(f->g.d.bus);
	loop_free(f->g.d.loop);
	nats_server_stop(&f->server);
	free(f);
}
