#include "vmd/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"
#include "vmd/address.h"
#include "vmd/describe.h"
#include "vmd/images.h"
#include "vmd/room.h"
#include "vmd/run_request.h"
#include "vmd/wire.h"

#define ADDRESS_TIMEOUT_MS	5000	/* of one read or write */

struct run {
	struct run		*next;
	struct vmd		*d;
	struct bus_req		*req;
	struct run_request	 q;
	const struct type	*type;
	struct image		 image;
	struct capacity_need	 need;
	size_t			 units;		/* of need, reserved and not yet a vm's */
	bool			 mine[RUN_IDS_MAX];	/* made by this request */
	size_t			 pending;	/* writes under way */
	struct run_refusal	 no;
	bool			 retry, failed;
};

struct image_job {
	struct bucket		*images;
	char			 account_id[13];
	char			 id[22];
	enum images_result	 res;
	struct image		 image;
	char			 why[DISK_WHY_MAX];
};

static struct run_node
node_of(const struct vmd *d)
{
	return (struct run_node){ d->conf->common.node, d->conf->common.zone, d->arch,
		vmd_isolation_name(d) };
}

/* ---- life ---- */

static void
run_free(struct run *run)
{
	struct run **at = &run->d->runs;

	while (*at != run)
		at = &(*at)->next;
	*at = run->next;
	for (; run->units > 0; run->units--)
		capacity_release(&run->d->capacity, &run->need);
	run_request_deinit(&run->q);
	free(run);
}

void
run_free_all(struct vmd *d)
{
	while (d->runs)
		run_free(d->runs);
}

static void
run_refuse(struct run *run)
{
	if (run->no.code)
		bus_refuse(run->req, run->no.code, run->retry, "%s", run->no.why);
	else
		bus_refuse(run->req, "InternalError", true, "no memory");
	run_free(run);
}

static void
fail(struct run *run, const char *code, bool retry, const char *why)
{
	/* The first reason is told, but "not known" over any that says that nothing was done. */
	if (run->failed && (retry || strcmp(code, "InternalError") != 0))
		return;
	run->failed = true;
	run->retry = retry;
	run->no.code = code;
	snprintf(run->no.why, sizeof(run->no.why), "%s", why);
}

bool
run_claims(struct vmd *d, struct vm *vm)
{
	for (struct run *run = d->runs; run; run = run->next) {
		for (size_t n = 0; n < run->q.n; n++) {
			if (!run->mine[n] || strcmp(run->q.id[n], vm->id) != 0)
				continue;
			vm->is_held = true;
			vm_follow(vm, bus_req_id(run->req));
			if (run->units > 0) {
				run->units--;
				vm->need = run->need;
				vm->is_reserved = true;
			}
			return true;
		}
	}
	return false;
}

/* ---- the end ---- */

static int
answer(struct run *run)
{
	struct describe_view view = wire_view(run->d);
	AUTO(json) cJSON *reservation = NULL;

	for (size_t n = 0; n < run->q.n; n++) {
		struct vm *vm = vm_find(run->d, run->q.id[n]);

		if (!vm)
			return -ENOENT;
		if (describe_into(&reservation, vm_instance(vm), wire_extra(vm), &view) < 0)
			return -ENOMEM;
	}
	bus_reply(run->req, reservation);
	return 0;
}

static void
let_go(struct run *run)
{
	for (size_t n = 0; n < run->q.n; n++) {
		struct vm *vm = run->mine[n] ? vm_find(run->d, run->q.id[n]) : NULL;

		if (vm && vm->is_held) {
			vm->is_held = false;
			vm_rest(vm);
		}
	}
}

static void
succeed(struct run *run)
{
	int r = answer(run);

	/* Made is made: they are launched though the answer could not be. */
	let_go(run);
	if (r < 0)
		bus_refuse(run->req, "InternalError", true, "%s", r == -ENOMEM ? "no memory" :
		    "an instance was moved while it was made");
	run_free(run);
}

static void
undo_end(struct run *run)
{
	if (--run->pending == 0)
		run_refuse(run);
}

struct undo {
	struct run	*run;
	char		 id[INSTANCE_ID_MAX + 1];
};

static void
on_taken_back(void *arg, int r)
{
	struct undo *u = arg;
	struct run *run = u->run;
	struct vm *vm = r < 0 ? vm_find(run->d, u->id) : NULL;

	if (vm) {		/* it may stand: then it is a failed launch, and says so */
		vm->is_held = false;
		launch_fail(vm, "", "its reservation could not be completed");
	}
	free(u);
	undo_end(run);
}

/* Nothing is left behind: what was made is removed at the revision it was made at. */
static void
take_back(struct run *run)
{
	run->pending = 1;
	for (size_t n = 0; n < run->q.n; n++) {
		struct vm *vm = run->mine[n] ? vm_find(run->d, run->q.id[n]) : NULL;
		struct undo *u = vm ? malloc(sizeof(*u)) : NULL;

		if (!vm)
			continue;
		if (u) {
			u->run = run;
			snprintf(u->id, sizeof(u->id), "%s", vm->id);
		}
		if (!u || record_remove(vm->r, on_taken_back, u) < 0) {
			free(u);
			vm->is_held = false;
			launch_fail(vm, "", "its reservation could not be completed");
			continue;
		}
		run->pending++;
	}
	undo_end(run);
}

/* ---- an address that was asked for ---- */

struct address_job {
	struct bucket		*addresses;
	char			 account_id[13];
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 address[ADDRESS_TEXT_MAX];
	enum address_result	 res;
	enum cas_result		 store;
};

static void
run_address_job(void *job)
{
	struct address_job *j = job;
	struct kv_store kv;

	kv_store_init(&kv, j->addresses, ADDRESS_TIMEOUT_MS);
	j->res = address_take_this(&kv.cas, j->account_id, j->instance_id, j->address, &j->store);
}

static void
on_address(void *arg, void *job)
{
	struct run *run = arg;
	struct address_job *j = job;
	char why[64];

	snprintf(why, sizeof(why), "Address %s is in use.", j->address);
	if (j->res == ADDRESS_FULL)
		fail(run, "InvalidIPAddress.InUse", false, why);
	else if (j->res != ADDRESS_OK)
		fail(run, "ServiceUnavailable", true, "addresses cannot be written now");
	free(j);
	if (run->failed)
		take_back(run);
	else
		succeed(run);
}

/* After the record, whose launch takes the address where this is cut short.  False: it is left to
 * that. */
static bool
ask_address(struct run *run)
{
	struct address_job *j = *run->q.private_ip && run->mine[0] ? calloc(1, sizeof(*j)) : NULL;

	if (!j)
		return false;
	j->addresses = run->d->addresses;
	snprintf(j->account_id, sizeof(j->account_id), "%s", run->q.account_id);
	snprintf(j->instance_id, sizeof(j->instance_id), "%s", run->q.id[0]);
	snprintf(j->address, sizeof(j->address), "%s", run->q.private_ip);
	if (jobs_submit(run->d->d.jobs, NULL, run_address_job, on_address, run, j, NULL) == 0)
		return true;
	free(j);
	return false;
}

/* ---- records ---- */

static void
on_made(void *arg, int res, struct record *r)
{
	struct run *run = arg;

	if (res == -EEXIST)
		fail(run, "InvalidParameterValue", false, "an instance id was used before");
	else if (res == -EAGAIN)
		fail(run, "ServiceUnavailable", true, "instance records cannot be written now");
	else if (res < 0)
		fail(run, "InternalError", false,
		    "it is not known whether the instances were made");
	if (--run->pending > 0)
		return;
	if (run->failed)
		take_back(run);
	else if (!ask_address(run))
		succeed(run);
}

static int
make_one(struct run *run, size_t n, uint64_t volume_bytes)
{
	struct run_node node = node_of(run->d);
	struct instance i;
	int r = run_request_instance(&run->q, n, &run->image, run->type, &node, volume_bytes, &i);

	if (r < 0)
		return r;
	ident_uuid(i.launch_id);
	i.created_ms = i.launch_time_ms = vmd_wall_ms(run->d);
	for (size_t v = 0; v < i.nvolumes; v++)
		i.volume[v].attached_ms = i.created_ms;
	run->mine[n] = true;
	r = records_create(run->d->records, &i, on_made, run);
	run->mine[n] = r == 0;
	instance_deinit(&i);
	return r;
}

static void
make_all(struct run *run, uint64_t volume_bytes)
{
	run->pending = 1;
	for (size_t n = 0; n < run->q.n; n++) {
		if (vm_find(run->d, run->q.id[n]))
			continue;		/* a request repeated after a crash */
		if (make_one(run, n, volume_bytes) < 0)
			fail(run, "InternalError", true, "no memory");
		else
			run->pending++;
	}
	on_made(run, 0, NULL);
}

static size_t
missing(const struct run *run)
{
	size_t n = 0;

	for (size_t k = 0; k < run->q.n; k++)
		n += vm_find(run->d, run->q.id[k]) == NULL;
	return n;
}

static void
on_image(void *arg, void *job)
{
	struct run *run = arg;
	struct image_job *j = job;
	struct run_node node = node_of(run->d);
	uint64_t volume_bytes = 0;
	size_t want = missing(run);

	room_see(run->d);
	run->image = j->image;
	if (j->res == IMAGES_NOT_FOUND)
		fail(run, "InvalidAMIID.NotFound", false, j->why);
	else if (j->res == IMAGES_UNAVAILABLE)
		fail(run, "ServiceUnavailable", true, j->why);
	else if (j->res != IMAGES_OK)
		fail(run, "InternalError", false, j->why);
	else if (run_request_check(&run->q, &run->image, run->type, &node, &volume_bytes,
	    &run->no) < 0)
		run->failed = true;
	else if (!capacity_reserve(&run->d->capacity, &run->need, want))
		fail(run, "InsufficientInstanceCapacity", false, "We currently do not have "
		    "sufficient capacity for the requested instance type on this node.");
	free(j);
	if (run->failed) {
		run_refuse(run);
		return;
	}
	run->units = want;
	make_all(run, volume_bytes);
}

/* ---- the request ---- */

static bool
is_under_way(const struct vmd *d, const struct run_request *q)
{
	for (const struct run *run = d->runs; run; run = run->next)
		for (size_t a = 0; a < run->q.n; a++)
			for (size_t b = 0; b < q->n; b++)
				if (strcmp(run->q.id[a], q->id[b]) == 0)
					return true;
	return false;
}

static const char *
find_type(struct run *run)
{
	struct vmd *d = run->d;

	run->type = types_find(&d->types, run->q.instance_type);
	if (!run->type) {
		snprintf(run->no.why, sizeof(run->no.why),
		    "The instance type '%s' does not exist", run->q.instance_type);
		return "InvalidParameterValue";
	}
	run->need = room_need(d, run->type);
	if (run->type->offered)
		return NULL;
	snprintf(run->no.why, sizeof(run->no.why), "The requested configuration is currently not "
	    "supported: the hardware of %s is not offered.", run->type->name);
	return "Unsupported";
}

static void
run_image_job(void *job)
{
	struct image_job *j = job;

	j->res = images_find(j->images, j->account_id, j->id, &j->image, j->why);
}

static int
ask_image(struct run *run)
{
	struct image_job *j = calloc(1, sizeof(*j));

	if (!j)
		return -ENOMEM;
	j->images = run->d->images;
	snprintf(j->account_id, sizeof(j->account_id), "%s", run->q.account_id);
	snprintf(j->id, sizeof(j->id), "%s", run->q.image_id);
	if (jobs_submit(run->d->d.jobs, NULL, run_image_job, on_image, run, j, NULL) == 0)
		return 0;
	free(j);
	return -ENOMEM;
}

/* False: it was refused or answered. */
static bool
is_to_be_made(struct run *run)
{
	struct vmd *d = run->d;
	const char *code;

	if (missing(run) == 0) {
		succeed(run);		/* made before: its present state */
		return false;
	}
	code = find_type(run);
	if (code) {
		run->no.code = code;
	} else if (!ident_is_ec2(run->q.image_id, "ami")) {
		fail(run, "InvalidAMIID.Malformed", false, "Invalid id: it is not an image id");
	} else if (d->drained) {
		fail(run, "InsufficientInstanceCapacity", false, "This node is drained.");
	} else if (!vmd_may_launch(d)) {
		fail(run, "ServiceUnavailable", true, "This node does not hold its lease.");
	} else {
		return true;
	}
	run_refuse(run);
	return false;
}

void
run_on_request(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
	const char *account = wire_account(req);
	struct run_refusal no = { .code = NULL };
	struct run *run;
	int r;

	if (!account)
		return;
	run = calloc(1, sizeof(*run));
	r = run ? run_request_read(in, account, &run->q, &no) : -ENOMEM;
	if (r == 0 && is_under_way(d, &run->q)) {
		no.code = "ServiceUnavailable";
		snprintf(no.why, sizeof(no.why), "the same request is being done");
		run_request_deinit(&run->q);
		r = -EBUSY;
	}
	if (no.malformed) {
		bus_refuse_input(req, "%s", no.why);
		free(run);
		return;
	}
	if (r < 0) {
		bus_refuse(req, no.code ? no.code : "InternalError", r != -EINVAL, "%s",
		    no.code ? no.why : "no memory");
		free(run);
		return;
	}
	run->d = d;
	run->req = req;
	run->next = d->runs;
	d->runs = run;
	if (!is_to_be_made(run))
		return;
	if (ask_image(run) < 0) {
		fail(run, "InternalError", true, "no memory");
		run_refuse(run);
	}
}
