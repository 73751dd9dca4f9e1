/* Volumes that come and go while QEMU runs; see guest.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/json.h"
#include "vmd/guest_impl.h"

#define LOOK_MS		500	/* between looks for a device that is to go: its event may be missed */

/*
 *	in	look -> (there: done)  nodes -> blockdev-add -> device_add
 *	out	look -> device_del -> look ... gone -> nodes -> blockdev-del
 */
struct guest_plugging {
	TAILQ_ENTRY(guest_plugging)	 link;
	struct guest			*g;
	bool				 is_out;
	char				 id[25];
	cJSON				*node, *device;	/* arguments, until they are sent; owned */
	bool				 is_asked;	/* device_del was taken */
	bool				 is_looking;
	uint64_t			 until_ms;
	struct loop_timer		*timer;
	guest_done_fn			*done;
	void				*arg;
	int				 r;		/* of what failed, while it is taken back */
	char				 why[GUEST_WHY_MAX];
};

static void	 look(struct guest_plugging *p);

static void
plugging_free(struct guest_plugging *p)
{
	cJSON_Delete(p->node);
	cJSON_Delete(p->device);
	loop_timer_free(p->timer);
	free(p);
}

static void
finish(struct guest_plugging *p, int r, const char *why)
{
	struct guest *g = p->g;
	guest_done_fn *done = p->done;
	void *arg = p->arg;
	char text[GUEST_WHY_MAX];

	(void)snprintf(text, sizeof(text), "%s", why);
	TAILQ_REMOVE(&g->pluggings, p, link);
	plugging_free(p);
	guest_hold(g);
	done(arg, g, r == -ECONNRESET && g->run == GUEST_RUN_ENDED ? -ESRCH : r, text);
	guest_drop(g);
}

/* A step, or the end of all.  args is taken. */
static void
step(struct guest_plugging *p, const char *command, cJSON *args, qmp_done_fn *next)
{
	int r = args ? qmp_call(p->g->qmp, command, args, QMP_CALL_MS, next, p) : -ENOMEM;

	if (r < 0)
		finish(p, r, strerror(-r));
}

static cJSON *
one_text(const char *key, const char *text)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	return obj && cJSON_AddStringToObject(obj, key, text) ? steal_json(&obj) : NULL;
}

/* Is one of the list's objects named so? */
static bool
is_listed(const cJSON *list, const char *member, const char *prefix, const char *id)
{
	const cJSON *item;
	char name[40];

	(void)snprintf(name, sizeof(name), "%s%s", prefix, id);
	cJSON_ArrayForEach(item, list) {
		const char *text = json_text(item, member);

		if (text && strcmp(text, name) == 0)
			return true;
	}
	return false;
}

/* ---- in ---- */

static void
on_taken_back(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;

	finish(p, r == 0 ? p->r : r, p->why);
}

static void
on_device_added(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;

	if (r != -EREMOTEIO) {
		finish(p, r, why);
		return;
	}
	p->r = r;
	(void)snprintf(p->why, sizeof(p->why), "%s", why);
	step(p, "blockdev-del", one_text("node-name", p->id), on_taken_back);
}

static void
on_node_added(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;

	if (r < 0)
		finish(p, r, why);
	else
		step(p, "device_add", steal_json(&p->device), on_device_added);
}

static cJSON *
node_args(const struct qemu_volume *v)
{
	AUTO(json) cJSON *node = one_text("driver", "qcow2");
	cJSON *file = node ? cJSON_AddObjectToObject(node, "file") : NULL;
	char name[40];

	(void)snprintf(name, sizeof(name), "f-%s", v->id);
	if (!file || !cJSON_AddStringToObject(node, "node-name", v->id) ||
	    !cJSON_AddStringToObject(node, "discard", "unmap") ||
	    !cJSON_AddStringToObject(file, "driver", "file") ||
	    !cJSON_AddStringToObject(file, "node-name", name) ||
	    !cJSON_AddStringToObject(file, "filename", v->path) ||
	    !cJSON_AddStringToObject(file, "locking", "on") ||
	    !cJSON_AddStringToObject(file, "discard", "unmap"))
		return NULL;
	return steal_json(&node);
}

static cJSON *
device_args(const struct qemu_volume *v)
{
	AUTO(json) cJSON *device = one_text("driver", "virtio-blk-pci");
	char name[40], bus[16];

	(void)snprintf(name, sizeof(name), "dev-%s", v->id);
	(void)snprintf(bus, sizeof(bus), "hot%u", v->port);
	if (!device || !cJSON_AddStringToObject(device, "id", name) ||
	    !cJSON_AddStringToObject(device, "drive", v->id) ||
	    !cJSON_AddStringToObject(device, "bus", bus) ||
	    !cJSON_AddStringToObject(device, "serial", strchr(v->id, '-') + 1))
		return NULL;
	return steal_json(&device);
}

/* ---- out ---- */

static void
on_node_removed(void *arg, int r, const cJSON *answer, const char *why)
{
	finish(arg, r, why);
}

static void
on_asked(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;

	/* Refused: it was asked before, and that is still on its way, or it has gone just now. */
	if (r < 0 && r != -EREMOTEIO) {
		finish(p, r, why);
		return;
	}
	p->is_asked = true;
	loop_timer_in(p->timer, LOOK_MS);
}

static void
wait_for_guest(struct guest_plugging *p)
{
	char name[40];

	(void)snprintf(name, sizeof(name), "dev-%s", p->id);
	if (!p->is_asked)
		step(p, "device_del", one_text("id", name), on_asked);
	else if (clock_now_ms(&clock_system) >= p->until_ms)
		finish(p, -ETIMEDOUT, "the guest has not let go of the volume");
	else
		loop_timer_in(p->timer, LOOK_MS);
}

/* ---- what there is ---- */

static void
on_nodes(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;
	bool has_node = is_listed(answer, "node-name", "", p->id);

	if (r < 0)
		finish(p, r, why);
	else if (p->is_out && has_node)
		step(p, "blockdev-del", one_text("node-name", p->id), on_node_removed);
	else if (p->is_out)
		finish(p, 0, "");
	else if (has_node)
		step(p, "device_add", steal_json(&p->device), on_device_added);
	else
		step(p, "blockdev-add", steal_json(&p->node), on_node_added);
}

static void
on_devices(void *arg, int r, const cJSON *answer, const char *why)
{
	struct guest_plugging *p = arg;
	bool has_device = is_listed(answer, "name", "dev-", p->id);
	cJSON *flat;

	p->is_looking = false;
	if (r < 0) {
		finish(p, r, why);
	} else if (has_device && p->is_out) {
		wait_for_guest(p);
	} else if (has_device) {
		finish(p, 0, "");
	} else {
		loop_timer_off(p->timer);
		flat = cJSON_CreateObject();
		if (flat && !cJSON_AddTrueToObject(flat, "flat")) {
			cJSON_Delete(flat);
			flat = NULL;
		}
		step(p, "query-named-block-nodes", flat, on_nodes);
	}
}

static void
look(struct guest_plugging *p)
{
	p->is_looking = true;
	step(p, "qom-list", one_text("path", "/machine/peripheral"), on_devices);
}

static void
on_timer(void *arg)
{
	look(arg);
}

void
guest_disk_deleted(struct guest *g)
{
	struct guest_plugging *p;

	TAILQ_FOREACH(p, &g->pluggings, link)
		if (p->is_asked && !p->is_looking)
			loop_timer_in(p->timer, 0);
}

void
guest_disk_ended(struct guest *g)
{
	while (!g->freed && !TAILQ_EMPTY(&g->pluggings))
		finish(TAILQ_FIRST(&g->pluggings), -ESRCH, "QEMU has ended");
}

void
guest_disk_forget(struct guest *g)
{
	struct guest_plugging *p;

	while ((p = TAILQ_FIRST(&g->pluggings))) {
		TAILQ_REMOVE(&g->pluggings, p, link);
		plugging_free(p);
	}
}

/* The first look comes on the next turn: done is never called from inside the call. */
static int
begin(struct guest *g, const char *id, const struct qemu_volume *v, guest_done_fn *done,
    void *arg)
{
	struct guest_plugging *p;
	int r = guest_check_minded(g);

	if (r < 0)
		return r;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->g = g;
	p->done = done;
	p->arg = arg;
	p->is_out = v == NULL;
	p->until_ms = clock_now_ms(&clock_system) + GUEST_UNPLUG_MS;
	(void)snprintf(p->id, sizeof(p->id), "%s", id);
	if (v) {
		p->node = node_args(v);
		p->device = device_args(v);
	}
	if ((v && (!p->node || !p->device)) ||
	    loop_timer_new(g->env->loop, on_timer, p, &p->timer) < 0) {
		plugging_free(p);
		return -ENOMEM;
	}
	TAILQ_INSERT_TAIL(&g->pluggings, p, link);
	loop_timer_in(p->timer, 0);
	return 0;
}

int
guest_plug(struct guest *g, const struct qemu_volume *v, guest_done_fn *done, void *arg)
{
	return begin(g, v->id, v, done, arg);
}

int
guest_unplug(struct guest *g, const char *volume_id, guest_done_fn *done, void *arg)
{
	return begin(g, volume_id, NULL, done, arg);
}
