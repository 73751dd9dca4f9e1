#include "vmd/wire.h"

#include <string.h>

#include "common/subjects.h"
#include "vmd/drain.h"
#include "vmd/run.h"
#include "vmd/takeover.h"

#define KIB	1024u

struct vm_id_in { char instance_id[INSTANCE_ID_MAX + 1]; };
static const struct json_field id_fields[] = {
	{ .key = "instance_id", .type = JSON_STR,
	    .offset = offsetof(struct vm_id_in, instance_id), .min = 1, .max = INSTANCE_ID_MAX,
	    .need = true },
};

#define RECORDS	VMD_NEED_RECORDS
#define LEASE	(VMD_NEED_RECORDS | VMD_NEED_LEASE)
#define EC2(s, fn, k, bytes, ms, need)	{ .subject = (s), .handler = (fn), .kind = (k),	\
	.max_bytes = (bytes), .deadline_ms = (ms), .needs = (need), .code_prefix = "" }
#define VM(s, fn, bytes, ms, need)	{ .subject = "vm.v1.<node>." s, .handler = (fn),	\
	.kind = BUS_REQUEST, .max_bytes = (bytes), .deadline_ms = (ms), .needs = (need),	\
	.code_prefix = "vm" }
#define IN(table, count, type)	.in = (table), .nin = (count), .in_size = sizeof(type)

/* Sorted by subject.  A type's name is one token, or two around its dot. */
static const struct bus_route vmd_routes[] = {
	EC2("ec2.AccountTeardownOutstanding", ec2_on_teardown, BUS_QUEUE, KIB, 15000, 0),
	EC2("ec2.DescribeInstances", ec2_on_describe, BUS_FANOUT, 64 * KIB, 5000, RECORDS),
	EC2("ec2.RunInstances.*.*.<node>", run_on_request, BUS_REQUEST, 128 * KIB, 30000, LEASE),
	EC2("ec2.RunInstances.*.<node>", run_on_request, BUS_REQUEST, 128 * KIB, 30000, LEASE),
	EC2("ec2.StartInstances", takeover_on_request, BUS_QUEUE, 4 * KIB, 30000, LEASE),
	EC2("spinifex.node.status", ec2_on_status, BUS_FANOUT, KIB, 2000, LEASE),
	{ .subject = "vm.v1.<node>.drain", .handler = drain_on_request, .kind = BUS_REQUEST,
	    .max_bytes = KIB, .deadline_ms = DRAIN_MAX_MS + 60000, .needs = RECORDS,
	    .code_prefix = "vm", IN(drain_fields, 1, struct drain_in) },
	VM("image-import", image_on_import, 4 * KIB, 600000, 0),
	VM("image-list", image_on_list, KIB, 15000, 0),
	VM("image-remove", image_on_remove, KIB, 60000, 0),
	VM("list", vm_on_list, KIB, 5000, RECORDS),
	{ .subject = "vm.v1.<node>.start", .handler = vm_on_start, .kind = BUS_REQUEST,
	    .max_bytes = KIB, .deadline_ms = 30000, .needs = LEASE, .code_prefix = "vm",
	    IN(id_fields, ARRAY_LEN(id_fields), struct vm_id_in) },
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
	bus_refuse(req, "InvalidParameterValue", false, "header %s: expected an account, 12 digits",
	    HEADER_ACCOUNT);
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
