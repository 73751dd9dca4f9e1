/* classes.c - the inventory, class by class, before its judge. */
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "reaperd/obsolete.h"
#include "reaperd/sweep.h"

static bool
is_asked(const struct sweep *s, enum reap_class class, const char *id)
{
	return (!s->ask.one_class || s->ask.class == class) &&
	    (!s->ask.id[0] || strcmp(s->ask.id, id) == 0);
}

static struct sweep_verdict *
add(struct sweep *s, enum reap_class class, const char *id, struct judgement j)
{
	struct sweep_verdicts *v = &s->verdicts;

	if (v->n == v->room) {
		size_t room = v->room ? v->room * 2 : 64;
		struct sweep_verdict *more = reallocarray(v->v, room, sizeof(*more));

		if (!more) {
			(void)snprintf(s->why, sizeof(s->why), "no memory for verdicts");
			return NULL;
		}
		v->v = more;
		v->room = room;
	}
	v->v[v->n] = (struct sweep_verdict){ .class = class, .j = j };
	(void)snprintf(v->v[v->n].id, sizeof(v->v[v->n].id), "%s", id);
	return &v->v[v->n++];
}

/* Whose it last was, and that node's beat; node empty: nobody's. */
static void
add_node(struct sweep *s, struct inventory *inv, struct sweep_verdict *v, const char *node)
{
	const struct asked_node *n;

	if (!v || !verdict_is_reap(v->j.verdict) || !node[0])
		return;
	n = nodes_look(&s->from, &inv->asked, node);
	v->beat_ms = n ? n->beat_ms : 0;
	(void)snprintf(v->holder, sizeof(v->holder), "%s", node);
}

/* Who could use a store or its objects yet: who has its claim, else whose its instance is. */
static const char *
store_node(const struct inventory *inv, const char *id)
{
	const struct inv_claim *c = inventory_claim(inv, id);
	const struct inv_instance *in = inventory_find(inv, id);

	return c && c->holder[0] ? c->holder : in ? in->node : "";
}

static void
judge_stores(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->nstores && !s->why[0]; i++) {
		const struct inv_store *st = &inv->stores[i];
		struct instance_facts of = inventory_instance(inv, st->id);

		/* A marker is the proof of an end, not a thing to judge. */
		if (st->facts.known == KNOWN_MARKER || !is_asked(s, REAP_UEFI_STORE, st->id))
			continue;
		struct sweep_verdict *v = add(s, REAP_UEFI_STORE, st->id,
		    judge_store(&st->facts, &of));

		if (v) {
			v->revision = st->revision;
			v->generation = st->generation;
		}
		add_node(s, inv, v, store_node(inv, st->id));
	}
}

static void
judge_objects(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->objects.n && !s->why[0]; i++) {
		const char *key = inv->objects.v[i];
		char owner[INVENTORY_OWNER_MAX + 1];

		if (!inventory_object_owner(key, "i", owner) ||
		    (!is_asked(s, REAP_UEFI_OBJECT, key) && !is_asked(s, REAP_UEFI_OBJECT, owner)))
			continue;
		struct store_facts st = inventory_store(inv, owner);
		/* Only an orphan's age is asked for: it costs reading the object. */
		uint64_t written_ms = st.known == KNOWN_MARKER ?
		    inventory_object(&s->from, key).written_ms : 0;
		struct sweep_verdict *v = add(s, REAP_UEFI_OBJECT, key,
		    judge_object(&st, written_ms, &s->time, s->prune_age_ms));

		if (v)
			v->stamp_ms = written_ms;
		add_node(s, inv, v, store_node(inv, owner));
	}
}

static void
judge_image_object(struct sweep *s, const struct inventory *inv, const char *key,
    const char *owner)
{
	const struct inv_image *img = inventory_image(inv, owner);
	struct image_facts f = inventory_image_facts(img, key, "");
	struct inv_object o = { 0 };
	struct sweep_verdict *v;

	/* As above: reading the object is for those alone that nothing names. */
	if (f.known != KNOWN_UNREADABLE && !f.names_it)
		o = inventory_object(&s->from, key);
	f.has_account = o.account_id[0] != '\0';
	v = add(s, REAP_UEFI_IMAGE, key, judge_image(&f, o.written_ms, &s->time,
	    s->image_grace_ms));
	if (!v)
		return;
	v->stamp_ms = o.written_ms;
	memcpy(v->account_id, img ? img->account_id : o.account_id, sizeof(v->account_id));
}

static void
judge_images(struct sweep *s, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->objects.n && !s->why[0]; i++) {
		const char *key = inv->objects.v[i];
		char owner[INVENTORY_OWNER_MAX + 1];

		if (inventory_object_owner(key, "ami", owner) &&
		    (is_asked(s, REAP_UEFI_IMAGE, key) || is_asked(s, REAP_UEFI_IMAGE, owner)))
			judge_image_object(s, inv, key, owner);
	}
}

/* Of a node that was asked. */
static uint64_t
beat_of(struct sweep *s, struct inventory *inv, const char *node)
{
	const struct asked_node *n = asked_get(&inv->asked, node) ?
	    nodes_look(&s->from, &inv->asked, node) : NULL;

	return n ? n->beat_ms : 0;
}

static void
judge_claims(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->nclaims && !s->why[0]; i++) {
		struct inv_claim *c = &inv->claims[i];
		struct store_facts st = inventory_store(inv, c->id);

		if (!is_asked(s, REAP_UEFI_CLAIM, c->id))
			continue;
		if (st.known == KNOWN_MARKER && c->facts.known == KNOWN_PRESENT)
			inventory_ask_holder(&s->from, &inv->asked, c);
		struct sweep_verdict *v = add(s, REAP_UEFI_CLAIM, c->id,
		    judge_claim(&c->facts, &st));

		if (v) {
			v->revision = c->revision;
			v->generation = c->generation;
			memcpy(v->holder, c->holder, sizeof(v->holder));
			v->beat_ms = beat_of(s, inv, c->holder);
		}
	}
}

static void
judge_instances(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->ninstances && !s->why[0]; i++) {
		const struct inv_instance *in = &inv->instances[i];

		if (!is_asked(s, REAP_INSTANCE_TERMINATED, in->id))
			continue;
		struct sweep_verdict *v = add(s, REAP_INSTANCE_TERMINATED, in->id,
		    judge_instance(&in->facts, &s->time, s->terminated_keep_ms));

		if (v) {
			v->revision = in->revision;
			v->stamp_ms = in->facts.terminated_ms;
		}
		add_node(s, inv, v, in->node);
	}
}

/* ---- what a node has to end ---- */

/* For how long this reaperd has seen it there, and what its node says of it once that is long. */
static struct node_facts
node_facts(struct sweep *s, struct inventory *inv, enum reap_class class, const char *id,
    const struct inv_instance *in, struct asked_vm *ret)
{
	const struct sweep_mark *m = sweep_marks_find(&s->before, class, id);
	struct node_facts n = { .limit_ms = s->stuck_ms };
	const cJSON *list;

	*ret = (struct asked_vm){ .pid = 0 };
	if (!m)
		return n;
	n.seen_ms = s->now_ms - m->first_ms;
	n.was_asked = m->asked;
	if (n.seen_ms < n.limit_ms)
		return n;
	list = asked_list(&inv->asked, s->from.bus, in->node, s->from.timeout_ms);
	n.answered = list != NULL;
	n.has_it = list && asked_find(list, in->id, ret);
	return n;
}

static void
keep_said(struct sweep *s, struct sweep_verdict *v, const struct asked_vm *vm)
{
	bool has_phase = vm->phase && vm->phase[0], has_why = vm->why && vm->why[0];

	if ((has_phase || has_why) && asprintf(&v->said, "%s%s%s", has_phase ? vm->phase : "",
	    has_phase && has_why ? ": " : "", has_why ? vm->why : "") < 0) {
		v->said = NULL;
		(void)snprintf(s->why, sizeof(s->why), "no memory for verdicts");
	}
}

static void
judge_teardown_of(struct sweep *s, struct inventory *inv, const struct inv_instance *in)
{
	struct asked_vm vm;
	struct node_facts n = node_facts(s, inv, REAP_TEARDOWN_STUCK, in->id, in, &vm);
	struct judgement j = judge_teardown(&in->facts, &n);
	struct sweep_verdict *v = j.verdict == KEEP_IN_USE ? NULL :
	    add(s, REAP_TEARDOWN_STUCK, in->id, j);

	if (!v)
		return;
	v->revision = in->revision;
	v->seen_ms = n.seen_ms;
	v->is_silent = !n.answered;
	memcpy(v->holder, in->node, sizeof(v->holder));
	memcpy(v->instance_id, in->id, sizeof(v->instance_id));
	v->beat_ms = beat_of(s, inv, in->node);
	keep_said(s, v, &vm);
}

/* Only what is being torn down has a verdict here. */
static void
judge_teardowns(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->ninstances && !s->why[0]; i++) {
		const struct inv_instance *in = &inv->instances[i];

		if (in->facts.known == KNOWN_PRESENT && is_asked(s, REAP_TEARDOWN_STUCK, in->id))
			judge_teardown_of(s, inv, in);
	}
}

static void
judge_guest_of(struct sweep *s, struct inventory *inv, const char *node,
    const struct asked_vm *vm)
{
	const struct inv_instance *in = inventory_find(inv, vm->id);
	struct instance_facts facts = inventory_instance(inv, vm->id);
	char id[SWEEP_ID_MAX + 1];
	const struct sweep_mark *m;
	struct node_facts n = { .limit_ms = s->stuck_ms, .answered = true, .has_it = true };
	struct sweep_verdict *v;

	(void)snprintf(id, sizeof(id), "%s/%s", node, vm->id);
	if (!is_asked(s, REAP_GUEST, id) && !is_asked(s, REAP_GUEST, vm->id))
		return;
	m = sweep_marks_find(&s->before, REAP_GUEST, id);
	n.seen_ms = m ? s->now_ms - m->first_ms : 0;
	n.was_asked = m && m->asked;
	v = add(s, REAP_GUEST, id, judge_guest(&facts, in && strcmp(in->node, node) == 0, &n));
	if (!v)
		return;
	v->revision = inventory_revision(inv, vm->id);
	v->stamp_ms = vm->started_ms;
	v->pid = vm->pid;
	v->seen_ms = n.seen_ms;
	v->beat_ms = beat_of(s, inv, node);
	(void)snprintf(v->holder, sizeof(v->holder), "%s", node);
	(void)snprintf(v->instance_id, sizeof(v->instance_id), "%s", vm->id);
	keep_said(s, v, vm);
}

static void
add_silent(struct sweep *s, struct inventory *inv, const char *node)
{
	struct sweep_verdict *v = add(s, REAP_GUEST, node, (struct judgement){ KEEP_UNKNOWN,
	    "the node does not answer: what runs there is not known" });

	if (!v)
		return;
	v->beat_ms = beat_of(s, inv, node);
	(void)snprintf(v->holder, sizeof(v->holder), "%s", node);
}

static void
judge_guests_of(struct sweep *s, struct inventory *inv, const char *node)
{
	const cJSON *list = asked_list(&inv->asked, s->from.bus, node, s->from.timeout_ms), *o;
	struct asked_vm vm;

	if (!list && is_asked(s, REAP_GUEST, node))
		add_silent(s, inv, node);
	cJSON_ArrayForEach(o, json_member(list, "instances"))
		if (!s->why[0] && asked_read(o, &vm) && vm.pid > 0)
			judge_guest_of(s, inv, node, &vm);
}

/* Of every node that is known, and not only of those that answer. */
static void
judge_guests(struct sweep *s, struct inventory *inv)
{
	struct kv_keys nodes = { 0 };

	if (s->why[0] || (s->ask.one_class && s->ask.class != REAP_GUEST) ||
	    nodes_list(&s->from, &nodes, s->why, sizeof(s->why)) < 0)
		return;
	for (size_t i = 0; i < nodes.n && !s->why[0]; i++)
		judge_guests_of(s, inv, nodes.key[i]);
	kv_keys_deinit(&nodes);
}

static void
judge_addresses(struct sweep *s, struct inventory *inv)
{
	for (size_t i = 0; i < inv->naddresses && !s->why[0]; i++) {
		const struct inv_address *a = &inv->addresses[i];
		struct instance_facts of = inventory_instance(inv, a->instance_id);

		if (!is_asked(s, REAP_ADDRESS, a->id) && !is_asked(s, REAP_ADDRESS, a->instance_id))
			continue;
		struct sweep_verdict *v = add(s, REAP_ADDRESS, a->id, judge_address(a->known, &of));
		const struct inv_instance *in = inventory_find(inv, a->instance_id);

		if (v) {
			v->revision = a->revision;
			memcpy(v->instance_id, a->instance_id, sizeof(v->instance_id));
		}
		add_node(s, inv, v, in ? in->node : "");
	}
}

static bool
is_listed(const struct inv_instance *in, const char *volume_id)
{
	for (size_t i = 0; in && i < INSTANCE_VOLUMES_MAX && in->volumes[i][0]; i++)
		if (strcmp(in->volumes[i], volume_id) == 0)
			return true;
	return false;
}

static void
judge_volume_of(struct sweep *s, const struct inventory *inv, const struct inv_volume *vol)
{
	const struct inv_instance *in = inventory_find(inv, vol->instance_id);
	struct instance_facts of = inventory_instance(inv, vol->instance_id);
	const struct sweep_mark *m = sweep_marks_find(&s->before, REAP_VOLUME_ORPHAN, vol->id);
	const struct volume_facts f = { .known = vol->known, .limit_ms = s->stuck_ms,
		.is_deleting = vol->state == VOLUME_DELETING,
		.is_somebodys = vol->instance_id[0] != '\0', .is_listed = is_listed(in, vol->id),
		.seen_ms = m ? s->now_ms - m->first_ms : 0 };
	struct sweep_verdict *v = add(s, REAP_VOLUME_ORPHAN, vol->id, judge_volume(&f, &of));

	if (!v)
		return;
	v->revision = vol->revision;
	v->seen_ms = f.seen_ms;
	memcpy(v->holder, vol->node, sizeof(v->holder));
	memcpy(v->instance_id, vol->instance_id, sizeof(v->instance_id));
	memcpy(v->account_id, vol->account_id, sizeof(v->account_id));
}

static void
judge_volumes(struct sweep *s, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->nvolumes && !s->why[0]; i++) {
		const struct inv_volume *v = &inv->volumes[i];

		if (is_asked(s, REAP_VOLUME_ORPHAN, v->id) ||
		    (v->instance_id[0] && is_asked(s, REAP_VOLUME_ORPHAN, v->instance_id)))
			judge_volume_of(s, inv, v);
	}
}

/* One that is not there has no verdict. */
static void
judge_buckets(struct sweep *s)
{
	for (size_t i = 0; i < OBSOLETE_BUCKETS && !s->why[0]; i++) {
		const char *name = obsolete_name(i);
		enum known known;

		if (!is_asked(s, REAP_BUCKET_OBSOLETE, name))
			continue;
		known = obsolete_look(&s->from, i);
		if (known != KNOWN_NO_MESSAGE)
			(void)add(s, REAP_BUCKET_OBSOLETE, name, judge_bucket(known));
	}
}

static void
add_control_plane(struct sweep *s, const struct inv_instance *in, struct judgement j)
{
	struct sweep_verdict *v = add(s, REAP_CONTROL_PLANE_ORPHAN, in->id, j);

	if (!v)
		return;
	v->revision = in->revision;
	memcpy(v->holder, in->node, sizeof(v->holder));
	v->control_plane = malloc(sizeof(*v->control_plane));
	if (v->control_plane)
		*v->control_plane = in->control_plane;
	else
		(void)snprintf(s->why, sizeof(s->why), "no memory for verdicts");
}

/* Sorted by instance, as the inventory is. */
static void
judge_control_planes(struct sweep *s, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->ninstances && !s->why[0]; i++) {
		const struct inv_instance *in = &inv->instances[i];

		if (!is_asked(s, REAP_CONTROL_PLANE_ORPHAN, in->id))
			continue;
		if (in->facts.known == KNOWN_UNREADABLE)	/* it may be one */
			add_control_plane(s, in, (struct judgement){ KEEP_UNKNOWN,
			    "instance record read failed" });
		else if (in->control_plane.is_one)
			add_control_plane(s, in, judge_control_plane(control_plane_cluster(
			    s->from.bus, &in->control_plane, s->from.timeout_ms)));
	}
}

void
classes_judge(struct sweep *s, struct inventory *inv)
{
	judge_stores(s, inv);
	judge_objects(s, inv);
	judge_claims(s, inv);
	judge_images(s, inv);
	judge_addresses(s, inv);
	judge_instances(s, inv);
	judge_teardowns(s, inv);
	judge_guests(s, inv);
	judge_volumes(s, inv);
	judge_buckets(s);
	judge_control_planes(s, inv);
}
