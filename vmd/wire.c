#include "vmd/wire.h"

#include <string.h>

#include "common/subjects.h"
#include "vmd/drain.h"
#include "vmd/run.h"
#include "vmd/takeover.h"

#define KIB	1024u

static const struct json_field kill_fields[] = {
	{ .key = "instance_id", .type = JSON_STR,
	    .offset = offsetof(struct vm_kill_in, instance_id), .min = 1, .max = INSTANCE_ID_MAX,
	    .need = true },
};

static const struct json_field start_fields[] = {
	{ .key = "instance_id", .type = JSON_STR,
	    .offset = offsetof(struct vm_start_in, instance_id), .min = 1, .max = INSTANCE_ID_MAX,
	    .need = true },
	{ .key = "discard_owed", .type = JSON_BOOL,
	    .offset = offsetof(struct vm_start_in, discard_owed) },
};

static const struct json_field recover_fields[] = {
	{ .key = "instance_id", .type = JSON_STR,
	    .offset = offsetof(struct vm_recover_in, instance_id), .min = 1,
	    .max = INSTANCE_ID_MAX, .need = true },
	{ .key = "discard_owed", .type = JSON_BOOL,
	    .offset = offsetof(struct vm_recover_in, discard_owed) },
	{ .key = "fenced", .type = JSON_BOOL, .offset = offsetof(struct vm_recover_in, fenced) },
};

#define RECORDS	VMD_NEED_RECORDS
#define LEASE	(VMD_NEED_RECORDS | VMD_NEED_LEASE)
#define OPEN	(LEASE | VMD_NEED_OPEN)
#define NO_IN	NULL, 0, 0
#define KILL_IN	kill_fields, ARRAY_LEN(kill_fields), sizeof(struct vm_kill_in)
#define RECOVER_IN recover_fields, ARRAY_LEN(recover_fields), sizeof(struct vm_recover_in)
#define START_IN start_fields, ARRAY_LEN(start_fields), sizeof(struct vm_start_in)

/* Sorted by subject: handler, kind, max bytes, deadline in ms, needs, input, prefix of codes.
 * A type's name is one token, or two around its dot. */
static const struct bus_route vmd_routes[] = {
	{ "ec2.AccountTeardownOutstanding", ec2_on_teardown, BUS_QUEUE, KIB, 15000, 0, NO_IN, "" },
	{ "ec2.DescribeInstances", ec2_on_describe, BUS_FANOUT, 64 * KIB, 5000, RECORDS, NO_IN,
	    "" },
	{ "ec2.RunInstances.*.*.<node>", run_on_request, BUS_REQUEST, 384 * KIB, 30000, LEASE,
	    NO_IN, "" },
	{ "ec2.RunInstances.*.<node>", run_on_request, BUS_REQUEST, 384 * KIB, 30000, LEASE,
	    NO_IN, "" },
	{ "ec2.StartInstances", takeover_on_start, BUS_QUEUE, 4 * KIB, 30000, OPEN, NO_IN, "" },
	{ "ec2.StopInstances", takeover_on_stop, BUS_QUEUE, 4 * KIB, 30000, OPEN, NO_IN, "" },
	{ "spinifex.node.status", ec2_on_status, BUS_FANOUT, KIB, 2000, LEASE, NO_IN, "" },
	{ "vm.v1.<node>.drain", drain_on_request, BUS_REQUEST, KIB, DRAIN_MAX_MS + 60000, RECORDS,
	    drain_fields, 1, sizeof(struct drain_in), "vm" },
	{ "vm.v1.<node>.finish", vm_on_finish, BUS_REQUEST, KIB, 5000, RECORDS, KILL_IN, "vm" },
	{ "vm.v1.<node>.image-create", image_on_create, BUS_REQUEST, 128 * KIB, 600000, 0, NO_IN,
	    "image" },
	{ "vm.v1.<node>.image-import", image_on_import, BUS_REQUEST, 4 * KIB, 600000, 0, NO_IN,
	    "image" },
	{ "vm.v1.<node>.image-list", image_on_list, BUS_REQUEST, KIB, 15000, 0, NO_IN, "image" },
	{ "vm.v1.<node>.image-register", image_on_register, BUS_REQUEST, 260 * KIB, 600000, 0, NO_IN,
	    "image" },
	{ "vm.v1.<node>.image-remove", image_on_remove, BUS_REQUEST, KIB, 60000, 0, NO_IN,
	    "image" },
	{ "vm.v1.<node>.kill", vm_on_kill, BUS_REQUEST, KIB, 5000, RECORDS, KILL_IN, "vm" },
	{ "vm.v1.<node>.list", vm_on_list, BUS_REQUEST, KIB, 5000, RECORDS, NO_IN, "vm" },
	{ "vm.v1.<node>.recover", vm_on_recover, BUS_REQUEST, KIB, 60000, LEASE, RECOVER_IN, "vm" },
	{ "vm.v1.<node>.start", vm_on_start, BUS_REQUEST, KIB, 30000, LEASE, START_IN, "vm" },
};

static const char *const vmd_counters[] = {
	[VMD_COUNT_LAUNCHED]		= "launched",
	[VMD_COUNT_LAUNCH_FAILED]	= "launches_failed",
	[VMD_COUNT_CRASHED]		= "crashed",
	[VMD_COUNT_RESTARTED]		= "restarted",
	[VMD_COUNT_LOST]		= "ownership_lost",
	[VMD_COUNT_ADOPTED]		= "adopted",
	[VMD_COUNTS]			= NULL,
};

int
wire_serve(struct vmd *d)
{
	return bus_serve(d->d.bus, &(const struct bus_service){
		.name = "vmd", .description = "launches and minds this node's guests",
		.node = d->conf->common.node, .rows = vmd_routes, .n = ARRAY_LEN(vmd_routes),
		.arg = d, .counters = vmd_counters, .counts = d->counts });
}

const char *
wire_account(struct bus_req *req)
{
	const char *account = bus_msg_header(bus_req_msg(req), HEADER_ACCOUNT);

	if (account && strlen(account) == 12 && strspn(account, "0123456789") == 12)
		return account;
	bus_refuse_input(req, "header %s: expected an account, 12 digits", HEADER_ACCOUNT);
	return NULL;
}

struct describe_view
wire_view(const struct vmd *d)
{
	return (struct describe_view){ .view = { .region = d->conf->common.region,
		.types = &d->types } };
}

struct describe_extra
wire_extra(const struct vm *vm)
{
	return (struct describe_extra){
		.launch = vm && vm->guest ? guest_launch_id(vm->guest) : "",
		.impaired = vm && vm->guest && guest_is_impaired(vm->guest),
	};
}
