#include "vmd/vmd.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/buckets.h"
#include "common/file.h"
#include "common/subjects.h"
#include "vmd/beat.h"
#include "vmd/deadline.h"
#include "vmd/drain.h"
#include "vmd/fence.h"
#include "vmd/isolation.h"
#include "vmd/leftover.h"
#include "vmd/qmp_keep.h"
#include "vmd/room.h"
#include "vmd/run.h"
#include "vmd/trim.h"
#include "vmd/volume_sweep.h"
#include "vmd/wire.h"

bool
vmd_may_launch(const struct vmd *d)
{
	return !d->ending && d->lead && lead_is_mine(d->lead, vmd_now_ms(d));
}

void
vmd_set_ready(struct vmd *d, enum vmd_need need, bool holds)
{
	d->ready = holds ? d->ready | (unsigned)need : d->ready & ~(unsigned)need;
	bus_ready(d->d.bus, d->ready);
}

/* ---- records ---- */

static void
on_owned(void *arg, struct record *r)
{
	struct vmd *d = arg;
	struct vm *vm = vm_new(d, r);

	if (!vm)
		log_fields(LOG_ERR, &(const struct log_ctx){ .instance = record_instance(r)->id },
		    "%s: no memory to mind it: it stays as it is", record_instance(r)->id);
	else if (!run_claims(d, vm))
		recover_begin(vm);	/* whatever is there of it is found */
}

static void
on_changed(void *arg, struct record *r)
{
	struct vm *vm = record_owner(r);

	if (vm)
		vm_step(vm);
}

static void
on_lost(void *arg, struct record *r, const char *why)
{
	struct vm *vm = record_owner(r);

	if (vm)
		vm_lose(vm, why);
}

static void
on_confirmed(void *arg, struct record *r)
{
	on_changed(arg, r);
}

static void
on_listed(void *arg)
{
	struct vmd *d = arg;

	log_info("%zu instances are this node's", records_count(d->records));
	vmd_set_ready(d, VMD_NEED_RECORDS, true);
	if (vmd_may_launch(d))
		drain_recover(d);
}

static void
on_buckets(void *arg)
{
	struct vmd *d = arg;

	records_start(d->records);
}

/* For a reseed: the records that name this node. */
static bool
tell_held(void *arg, struct held *h)
{
	const struct vmd *d = arg;

	for (size_t n = 0; n < records_count(d->records); n++) {
		const struct record *r = records_get(d->records, n);
		AUTO(str) char *text = instance_to_json(record_instance(r));
		char key[sizeof(KEY_INSTANCE_PREFIX) + INSTANCE_ID_MAX];

		(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s",
		    record_instance(r)->id);
		if (!text || !held_add(h, BUCKET_INSTANCES, key, text, record_revision(r)))
			return false;
	}
	return records_are_listed(d->records);
}

static int
open_buckets(void *self)
{
	struct vmd *d = self;
	int r = bucket_open(d->d.kv, &bucket_specs[SPEC_INSTANCES], &d->instances);

	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_IMAGES], &d->images);
	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_ADDRESSES], &d->addresses);
	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_VOLUMES], &d->volumes);
	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_CLUSTER_STATE], &d->cluster_state);
	return r;
}

static int
open_records(void *self)
{
	static const struct records_handlers handlers = { on_owned, on_changed, on_lost,
		on_confirmed, on_listed };
	struct vmd *d = self;
	int r = records_new(d->d.loop, d->instances, d->conf->common.node, &handlers, d,
	    &d->records);

	if (r < 0)
		return r;
	held_by(d->d.held, tell_held, d);
	return kv_on_open(d->d.kv, on_buckets, d);
}

/* Guests live on; the next vmd adopts them. */
static void
close_records(void *self)
{
	struct vmd *d = self;

	d->ending = true;
	drain_free(d);
	run_free_all(d);
	for (size_t n = 0; n < records_count(d->records); n++)
		vm_free(record_owner(records_get(d->records, n)));
	while (d->ghosts)
		vm_free(d->ghosts);
	records_free(d->records);
}

/* ---- the node's lease ---- */

static void
on_gained(void *arg, uint64_t generation)
{
	struct vmd *d = arg;

	log_fields(LOG_INFO, &(const struct log_ctx){ .node = d->conf->common.node,
	    .generation = generation }, "the node's lease is held, generation %llu: records are "
	    "confirmed", (unsigned long long)generation);
	records_confirm(d->records, generation);
	vmd_set_ready(d, VMD_NEED_LEASE, true);
	if (records_are_listed(d->records))
		drain_recover(d);
}

static void
on_lease_lost(void *arg)
{
	struct vmd *d = arg;

	log_fields(LOG_WARNING, &(const struct log_ctx){ .node = d->conf->common.node },
	    "the node's lease is not held: nothing is launched, guests run on");
	vmd_set_ready(d, VMD_NEED_LEASE, false);
}

static int
watch_lease(void *self)
{
	struct vmd *d = self;
	char key[CAS_KEY_MAX + 1];

	snprintf(key, sizeof(key), KEY_NODE_PREFIX "%.64s", d->conf->common.node);
	return lead_new(d->d.bus, &(const struct lead_spec){ .node = d->conf->common.node,
	    .client = "vmd", .key = key, .ttl_ms = d->conf->common.node_ttl_ms,
	    .gained = on_gained, .lost = on_lease_lost, .arg = d }, &d->lead);
}

static void
drop_lease(void *self)
{
	struct vmd *d = self;

	d->ending = true;
	lead_free(d->lead);
	d->lead = NULL;
}

/* ---- this node ---- */

static int
set_arch(struct vmd *d)
{
	const char *want = vmd_conf_arch(d), *own;
	struct utsname u;

	if (uname(&u) < 0)
		return -errno;
	own = strcmp(u.machine, "aarch64") == 0 ? ARM64 : u.machine;
	snprintf(d->arch, sizeof(d->arch), "%.16s", want ? want : own);
	d->is_foreign = strcmp(d->arch, own) != 0;
	snprintf(d->qemu, sizeof(d->qemu), "%s/qemu-system-%.16s", d->conf->qemu_dir,
	    strcmp(d->arch, ARM64) == 0 ? "aarch64" : d->arch);
	snprintf(d->qemu_img, sizeof(d->qemu_img), "%s/qemu-img", d->conf->qemu_dir);
	return access(d->qemu, X_OK) < 0 || access(d->qemu_img, X_OK) < 0 ? -errno : 0;
}

/* KVM runs nothing but the machine's own architecture. */
static int
choose_accel(struct vmd *d, char why[static ACCEL_WHY_MAX])
{
	if (!d->is_foreign)
		return accel_choose((enum accel_setting)d->conf->accel, &d->accel, why);
	snprintf(why, ACCEL_WHY_MAX, "%s is not this machine's own architecture", d->arch);
	d->accel = ACCEL_WITH_TCG;
	return d->conf->accel == ACCEL_KVM ? -ENOTSUP : 0;
}

/* A guard is run, or asked for at a socket. */
static bool
is_usable(const char *guard)
{
	struct stat st;

	return stat(guard, &st) == 0 && access(guard, S_ISSOCK(st.st_mode) ? W_OK : X_OK) == 0;
}

static int
find_qemu(void *self)
{
	struct vmd *d = self;
	char why[ACCEL_WHY_MAX] = "";
	int r;

	d->conf = (const struct vmd_conf *)d->d.conf;
	r = set_arch(d);
	if (r < 0) {
		log_err("%s and %s are needed", d->qemu, d->qemu_img);
		return r;
	}
	if (!is_usable(d->conf->guard)) {
		log_err("%s is needed, a program or a socket", d->conf->guard);
		return -errno;
	}
	r = choose_accel(d, why);
	if (r < 0)
		log_err("accel = kvm: %s", why);
	else
		log_info("guests run with %s%s%s", accel_name(d->accel), *why ? ": " : "", why);
	return r;
}

static int
read_types(void *self)
{
	struct vmd *d = self;
	char why[512];
	int r = types_load(d->conf->types_file, &d->types, why, sizeof(why));

	if (r < 0)
		log_err("%s", why);
	return r;
}

static void
forget_types(void *self)
{
	types_deinit(&((struct vmd *)self)->types);
}

static int
check_isolation(const struct vmd *d)
{
	char why[ISOLATION_WHY_MAX] = "";
	int r = d->conf->on_isolation == VMD_ISOLATION_STOP ?
	    isolation_check(d->disk_dir, why) : 0;

	if (r < 0)
		log_err("%s", why);
	return r;
}

static int
make_folders(void *self)
{
	struct vmd *d = self;
	const char *state = d->conf->common.state_dir;
	char vms[512];
	int r = *d->conf->image_dir ? file_path(d->image_dir, sizeof(d->image_dir), "%s",
	    d->conf->image_dir) : file_path(d->image_dir, sizeof(d->image_dir), "%s/images", state);

	if (r == 0)
		r = *d->conf->disk_dir ? file_path(d->disk_dir, sizeof(d->disk_dir), "%s",
		    d->conf->disk_dir) : file_path(d->disk_dir, sizeof(d->disk_dir), "%s/disks",
		    state);
	if (r == 0)
		r = file_path(vms, sizeof(vms), "%s/vm", state);
	if (r == 0)
		r = file_make_dirs(d->image_dir, 0755);
	if (r == 0)
		r = file_make_dirs(d->disk_dir, 0755);
	if (r == 0)
		r = file_make_dirs(vms, 0755);
	return r < 0 ? r : check_isolation(d);
}

static int
set_net(struct vmd *d)
{
	char why[160];
	int r = vmd_conf_net(d->conf, &d->net, why, sizeof(why));

	if (r < 0)
		log_err("%s", why);
	else
		r = forward_parse(d->conf->forward, &d->forward);
	if (r == 0 && d->net.mode == NET_OUTBOUND && access(d->conf->passt, X_OK) < 0) {
		r = -errno;
		log_err("net = outbound needs passt: %s: %s", d->conf->passt, strerror(-r));
	}
	return r;
}

static int
set_env(void *self)
{
	struct vmd *d = self;
	const struct passwd *pw = getpwnam(d->conf->guest_user);
	int r;

	if (!pw || pw->pw_uid == 0) {
		log_err("guest_user: %s", pw ? "guests do not run as root" : "there is no such user");
		return -EINVAL;
	}
	d->env = (struct guest_env){
		.loop = d->d.loop, .jobs = d->d.jobs, .guard = d->conf->guard, .passt = d->conf->passt,
		.uid = pw->pw_uid, .gid = pw->pw_gid, .kvm_gid = accel_kvm_group(),
	};
	memcpy(d->env.boot_id, d->d.boot_id, sizeof(d->env.boot_id));
	room_init(d);
	r = set_net(d);
	return r == 0 ? qmp_keep_new(&d->env.keep) : r;
}

static void
drop_env(void *self)
{
	struct vmd *d = self;

	qmp_keep_free(d->env.keep);
}

/* ---- the rest ---- */

static int
serve(void *self)
{
	vmd_set_ready(self, VMD_NEED_OPEN, true);
	return wire_serve(self);
}

static int
begin_beat(void *self)
{
	struct vmd *d = self;

	return beat_new(d, &d->beat);
}

static void
end_beat(void *self)
{
	beat_free(((struct vmd *)self)->beat);
}

static int
begin_fence(void *self)
{
	struct vmd *d = self;

	return fence_new(d, &d->fence);
}

static void
end_fence(void *self)
{
	fence_free(((struct vmd *)self)->fence);
}

static int
begin_deadline(void *self)
{
	struct vmd *d = self;

	return deadline_new(d, &d->deadline);
}

static void
end_deadline(void *self)
{
	deadline_free(((struct vmd *)self)->deadline);
}

static int
begin_leftover(void *self)
{
	struct vmd *d = self;

	return leftover_new(d, &d->leftover);
}

static void
end_leftover(void *self)
{
	struct vmd *d = self;

	leftover_free(d->leftover);
	d->leftover = NULL;
}

static int
begin_volume_sweep(void *self)
{
	struct vmd *d = self;

	return volume_sweep_new(d, &d->volume_sweep);
}

static void
end_volume_sweep(void *self)
{
	struct vmd *d = self;

	volume_sweep_free(d->volume_sweep);
	d->volume_sweep = NULL;
}

static int
begin_trim(void *self)
{
	struct vmd *d = self;

	return trim_new(d, &d->trim);
}

static void
end_trim(void *self)
{
	trim_free(((struct vmd *)self)->trim);
}

const struct daemon_step vmd_steps[] = {
	{ "find QEMU and its guard",	find_qemu,	NULL },
	{ "read the instance types",	read_types,	forget_types },
	{ "make its folders",		make_folders,	NULL },
	{ "find the guests' user",	set_env,	drop_env },
	{ "open buckets",		open_buckets,	NULL },
	{ "read instance records",	open_records,	close_records },
	{ "serve subjects",		serve,		NULL },
	{ "watch the node's lease",	watch_lease,	drop_lease },
	{ "send heartbeats",		begin_beat,	end_beat },
	{ "watch variable stores",	begin_fence,	end_fence },
	{ "move guests' deadlines",	begin_deadline,	end_deadline },
	{ "remove what has left",	begin_leftover,	end_leftover },
	{ "watch volumes",		begin_volume_sweep, end_volume_sweep },
	{ "cut console logs",		begin_trim,	end_trim },
};
const size_t vmd_nsteps = ARRAY_LEN(vmd_steps);
