/*
 * act_images.c - images that clients make, and UEFI variables as EC2 shows them.  Each runs as a
 * job: a record is read, and one node asked; vmd has the files and the records, uefid the
 * variables.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/image.h"
#include "common/instance.h"
#include "common/subjects.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/fault.h"
#include "gwd/gwd.h"
#include "gwd/tag_rule.h"

#define ASK_UEFID_MS	35000
#define ASK_VMD_MS	55000	/* a call has 60 s in all */
#define IMAGE_NAME_MIN	3	/* characters of an image's name */
#define IMAGE_NAME_MAX	128

struct image_job {
	struct call	*call;		/* not touched by the job, but for in */
	struct bus	*bus;
	struct bucket	*images, *instances;
	char		 account[CALL_ACCOUNT_MAX + 1];
	char		(*nodes)[65];	/* whom to ask; owned */
	size_t		 nnodes;
	cJSON		*out;
	struct fault	 fault;
};

static void
job_free(void *arg)
{
	struct image_job *j = arg;

	cJSON_Delete(j->out);
	free(j->nodes);
	free(j);
}

/* What vmd and uefid say, in EC2's words. */
static const struct {
	const char	*code, *ec2;
} codes[] = {
	{ "image.duplicate",	"InvalidAMIName.Duplicate" },
	{ "image.in_use",	"OperationNotPermitted" },
	{ "image.invalid",	"InvalidParameterValue" },
	{ "image.no_instance",	"InvalidInstanceID.NotFound" },
	{ "image.no_snapshot",	"InvalidSnapshot.NotFound" },
	{ "image.not_found",	"InvalidAMIID.NotFound" },
	{ "image.state",	"IncorrectInstanceState" },
	{ "image.uefi_data",	"InvalidParameterValue" },
	{ "uefi.deleting",	"IncorrectInstanceState" },
	{ "uefi.no_store",	"UnsupportedOperation" },
};

static bool
fail_node(struct image_job *j, const struct bus_error *e)
{
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (strcmp(e->code, codes[i].code) == 0)
			return fault_set(&j->fault, codes[i].ec2, "%s", e->message);
	if (e->retryable || strncmp(e->code, "bus.", 4) == 0)
		return fault_set(&j->fault, "Unavailable", "%s", e->message);
	return fault_set(&j->fault, "InternalError", "%s", e->message);
}

/* Of one node after another, as long as nobody is there: then nothing was done. */
static cJSON *
ask(struct image_job *j, const char *service, const char *verb, const cJSON *in,
    uint64_t timeout_ms)
{
	struct bus_error e = { .code = "bus.no_responders", .message = "No node answers.",
		.retryable = true };
	char subject[BUS_SUBJECT_MAX + 1];
	cJSON *out = NULL;

	if (!in) {
		(void)fault_set_nomem(&j->fault);
		return NULL;
	}
	for (size_t i = 0; i < j->nnodes; i++) {
		snprintf(subject, sizeof(subject), "%s.v1.%s.%s", service, j->nodes[i], verb);
		if (bus_call_wait(j->bus, subject, in, timeout_ms, &out, &e) == 0)
			return out;
		if (strcmp(e.code, "bus.no_responders") != 0)
			break;
	}
	(void)fail_node(j, &e);
	return NULL;
}

/* This one first. */
static void
prefer(struct image_job *j, const char *node)
{
	char name[65];

	for (size_t i = 1; i < j->nnodes; i++) {
		if (strcmp(j->nodes[i], node) != 0)
			continue;
		memcpy(name, j->nodes[0], sizeof(name));
		memcpy(j->nodes[0], j->nodes[i], sizeof(name));
		memcpy(j->nodes[i], name, sizeof(name));
	}
}

/* ---- what is read ---- */

static bool
read_image(struct image_job *j, struct image *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	const char *id = json_text(j->call->in, "ImageId");
	char key[64], why[JSON_WHY_MAX];
	enum cas_result r;

	snprintf(key, sizeof(key), "%s.%.24s", j->account, id);
	r = kv_load_wait(j->images, key, CLOUD_READ_MS, &e);
	if (r == CAS_NOT_FOUND)
		return fault_set(&j->fault, "InvalidAMIID.NotFound", "The image id '[%s]' does not exist", id);
	if (r != CAS_OK)
		return fault_set_store(&j->fault, r);
	return image_from_json(e.value, e.len, ret, why) == 0 || fault_set_nomem(&j->fault);
}

/* The account's instance, and its node is asked first. */
static bool
read_instance(struct image_job *j, const char *id)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[64], why[JSON_WHY_MAX];
	struct instance i;
	bool is_ours, is_gone;
	enum cas_result r;

	snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%.24s", id);
	r = kv_load_wait(j->instances, key, CLOUD_READ_MS, &e);
	if (r != CAS_OK && r != CAS_NOT_FOUND)
		return fault_set_store(&j->fault, r);
	if (r == CAS_OK && instance_from_json(e.value, e.len, id, &i, why) < 0)
		return fault_set_nomem(&j->fault);
	is_ours = r == CAS_OK && strcmp(i.account_id, j->account) == 0;
	is_gone = is_ours && (i.state == INSTANCE_TERMINATED || i.state == INSTANCE_SHUTTING_DOWN);
	if (is_ours)
		prefer(j, i.node[0] != '\0' ? i.node : i.last_node);
	if (r == CAS_OK)
		instance_deinit(&i);
	if (!is_ours)
		return fault_set(&j->fault, "InvalidInstanceID.NotFound", "The instance ID '%s' does not exist", id);
	return !is_gone || fault_set(&j->fault, "IncorrectInstanceState", "The instance '%s' is terminated.", id);
}

static bool
add_copy(cJSON *to, const char *name, const cJSON *in, const char *member)
{
	const char *text = json_text(in, member);

	return !text || text[0] == '\0' || cJSON_AddStringToObject(to, name, text);
}

/* ---- GetInstanceUefiData ---- */

static void
get_uefi_data(void *arg)
{
	struct image_job *j = arg;
	const char *id = json_text(j->call->in, "InstanceId"), *data;
	AUTO(json) cJSON *in = cJSON_CreateObject(), *answer = NULL;

	if (!read_instance(j, id))
		return;
	if (in && cJSON_AddStringToObject(in, "instance_id", id))
		answer = ask(j, "uefi", "export", in, ASK_UEFID_MS);
	else
		(void)fault_set_nomem(&j->fault);
	data = json_text(answer, "data");
	if (!data)
		return;
	j->out = cJSON_CreateObject();
	if (!j->out || !cJSON_AddStringToObject(j->out, "InstanceId", id) ||
	    !cJSON_AddStringToObject(j->out, "UefiData", data))
		(void)fault_set_nomem(&j->fault);
}

/* ---- DescribeImageAttribute ---- */

static bool
add_value(struct image_job *j, const char *member, const char *value)
{
	cJSON *o = cJSON_AddObjectToObject(j->out, member);

	return (o && (!value || cJSON_AddStringToObject(o, "Value", value))) || fault_set_nomem(&j->fault);
}

static void
show_variables(struct image_job *j, const struct image *i)
{
	AUTO(json) cJSON *in = cJSON_CreateObject(), *answer = NULL;
	const char *data = NULL;

	if (i->uefi_object[0] != '\0') {
		if (!in || !cJSON_AddStringToObject(in, "image_id", i->id) ||
		    !cJSON_AddStringToObject(in, "object", i->uefi_object)) {
			(void)fault_set_nomem(&j->fault);
			return;
		}
		answer = ask(j, "uefi", "image-show", in, ASK_UEFID_MS);
		data = json_text(answer, "data");
		if (!data)
			return;
	}
	(void)!add_value(j, "UefiData", data);
}

/* What no image has here: EC2 shows it empty. */
static const struct {
	const char	*attribute, *member;
} no_value[] = {
	{ "imdsSupport",	"ImdsSupport" },
	{ "kernel",		"KernelId" },
	{ "lastLaunchedTime",	"LastLaunchedTime" },
	{ "ramdisk",		"RamdiskId" },
	{ "sriovNetSupport",	"SriovNetSupport" },
	{ "tpmSupport",		"TpmSupport" },
};

/* False: none of these. */
static bool
show_nothing(struct image_job *j, const char *attribute)
{
	for (size_t n = 0; n < ARRAY_LEN(no_value); n++)
		if (strcmp(attribute, no_value[n].attribute) == 0) {
			(void)!add_value(j, no_value[n].member, NULL);
			return true;
		}
	return false;
}

/* To whom it is given: to everybody, or to nobody. */
static void
show_permissions(struct image_job *j, const struct image *i)
{
	cJSON *list = cJSON_AddArrayToObject(j->out, "LaunchPermissions"), *all = NULL;

	if (list && i->is_public && (all = cJSON_CreateObject()) && !cJSON_AddItemToArray(list, all)) {
		cJSON_Delete(all);
		all = NULL;
	}
	if (!list || (i->is_public && (!all || !cJSON_AddStringToObject(all, "Group", "all"))))
		(void)fault_set_nomem(&j->fault);
}

static void
describe_attribute(void *arg)
{
	struct image_job *j = arg;
	const char *attribute = json_text(j->call->in, "Attribute");
	struct image i;

	if (!read_image(j, &i))
		return;
	j->out = cJSON_CreateObject();
	if (!j->out || !cJSON_AddStringToObject(j->out, "ImageId", i.id))
		(void)fault_set_nomem(&j->fault);
	else if (strcmp(attribute, "uefiData") == 0)
		show_variables(j, &i);
	else if (strcmp(attribute, "bootMode") == 0)
		(void)!add_value(j, "BootMode", i.boot_mode);
	else if (strcmp(attribute, "description") == 0)
		(void)!add_value(j, "Description", i.description);
	else if (strcmp(attribute, "launchPermission") == 0)
		show_permissions(j, &i);
	else if (strcmp(attribute, "productCodes") == 0)
		(void)(cJSON_AddArrayToObject(j->out, "ProductCodes") || fault_set_nomem(&j->fault));
	else if (!show_nothing(j, attribute))	/* EC2's words for blockDeviceMapping, of old */
		(void)fault_set(&j->fault, "AuthFailure", "Unauthorized attempt to access restricted resource");
}

/* ---- RegisterImage, CreateImage ---- */

static int
check_name(const cJSON *in, struct shape_error *e)
{
	const char *name = json_text(in, "Name");
	size_t n = name ? strlen(name) : 0;

	if (n < IMAGE_NAME_MIN || n > IMAGE_NAME_MAX || strspn(name, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789()[] ./-'@_") != n)
		return shape_refuse(e, "InvalidAMIName.Malformed", "AMI names must be between 3 and 128 "
		    "characters long, and may contain letters, numbers, '(', ')', '[', ']', ' ', '.', "
		    "'/', '-', ''', '@' and '_'");
	return 0;
}

static int
check_tags(const cJSON *in, struct shape_error *e)
{
	static const char *const types[] = { "image", NULL };
	const cJSON *specs = json_member(in, "TagSpecifications"), *spec;
	char why[TAG_MESSAGE_MAX];
	const char *code;

	cJSON_ArrayForEach(spec, specs) {
		const char *type = json_text(spec, "ResourceType");

		if (type && strcmp(type, "snapshot") == 0)
			return shape_refuse(e, "UnsupportedOperation", "Snapshots have no tags here.");
	}
	code = tag_rule_check_specs(specs, types, why);
	return code ? shape_refuse(e, code, "%s", why) : 0;
}

static const char *
root_device(const cJSON *in)
{
	const char *root = json_text(in, "RootDeviceName");
	const cJSON *first = cJSON_GetArrayItem(json_member(in, "BlockDeviceMappings"), 0);

	return root ? root : json_text(first, "DeviceName");
}

/* Of the root device, which is the only one that an image has here. */
static const char *
root_snapshot(const cJSON *in)
{
	const cJSON *list = json_member(in, "BlockDeviceMappings");
	const cJSON *first = cJSON_GetArrayItem(list, 0);
	const char *device = json_text(first, "DeviceName"), *root = root_device(in);

	if (cJSON_GetArraySize(list) != 1 || !device || !root || strcmp(device, root) != 0)
		return NULL;
	return json_text(json_member(first, "Ebs"), "SnapshotId");
}

int
act_register_image_check(const cJSON *in, struct shape_error *e)
{
	const char *arch = json_text(in, "Architecture"), *type = json_text(in, "VirtualizationType");

	if (check_name(in, e) < 0)
		return -EINVAL;
	if (arch && strcmp(arch, "x86_64") != 0 && strcmp(arch, "arm64") != 0)
		return shape_refuse(e, "InvalidParameterValue", "Architecture: expected x86_64 or arm64");
	if (type && strcmp(type, "hvm") != 0)
		return shape_refuse(e, "InvalidParameterValue", "VirtualizationType: expected hvm");
	if (!root_snapshot(in))
		return shape_refuse(e, "InvalidRequest", "The request must have one block device "
		    "mapping, of the root device, with the snapshot of an image.");
	return 0;
}

static cJSON *
registration(const struct image_job *j)
{
	const cJSON *in = j->call->in;
	AUTO(json) cJSON *o = cJSON_CreateObject();
	const char *arch = json_text(in, "Architecture"), *mode = json_text(in, "BootMode");

	if (!arch)
		arch = "x86_64";
	if (!mode)
		mode = strcmp(arch, "arm64") == 0 ? "uefi" : "legacy-bios";
	if (!o || !cJSON_AddStringToObject(o, "account_id", j->account) ||
	    !cJSON_AddStringToObject(o, "arch", arch) ||
	    !cJSON_AddStringToObject(o, "boot_mode", mode) ||
	    !cJSON_AddStringToObject(o, "snapshot_id", root_snapshot(in)) ||
	    !cJSON_AddStringToObject(o, "root_device", root_device(in)) ||
	    !add_copy(o, "name", in, "Name") || !add_copy(o, "description", in, "Description") ||
	    !add_copy(o, "uefi_data", in, "UefiData"))
		return NULL;
	return steal_json(&o);
}

static void
answer_image(struct image_job *j, const cJSON *answer)
{
	const char *id = json_text(answer, "image_id");

	if (!answer)
		return;
	j->out = cJSON_CreateObject();
	if (!id || !j->out || !cJSON_AddStringToObject(j->out, "ImageId", id))
		(void)fault_set_nomem(&j->fault);
}

static void
register_image(void *arg)
{
	struct image_job *j = arg;
	AUTO(json) cJSON *in = registration(j);
	AUTO(json) cJSON *answer = ask(j, "vm", "image-register", in, ASK_VMD_MS);

	answer_image(j, answer);
}

int
act_create_image_check(const cJSON *in, struct shape_error *e)
{
	if (check_name(in, e) < 0 || check_tags(in, e) < 0)
		return -EINVAL;
	if (cJSON_GetArraySize(json_member(in, "BlockDeviceMappings")) > 0)
		return shape_refuse(e, "UnsupportedOperation", "An image has the root device of its "
		    "instance and no other.");
	return 0;
}

static bool
add_tags(cJSON *to, const cJSON *in)
{
	AUTO(json) cJSON *tags = tag_rule_of(json_member(in, "TagSpecifications"), "image");

	if (!tags || !cJSON_AddItemToObject(to, "tags", tags))
		return false;
	(void)steal_json(&tags);
	return true;
}

static void
create_image(void *arg)
{
	struct image_job *j = arg;
	const cJSON *call = j->call->in;
	AUTO(json) cJSON *in = cJSON_CreateObject(), *answer = NULL;

	if (!read_instance(j, json_text(call, "InstanceId")))
		return;
	if (in && cJSON_AddStringToObject(in, "account_id", j->account) &&
	    add_copy(in, "instance_id", call, "InstanceId") && add_copy(in, "name", call, "Name") &&
	    add_copy(in, "description", call, "Description") && add_tags(in, call))
		answer = ask(j, "vm", "image-create", in, ASK_VMD_MS);
	else
		(void)fault_set_nomem(&j->fault);
	answer_image(j, answer);
}

/* ---- DeregisterImage ---- */

static void
deregister_image(void *arg)
{
	struct image_job *j = arg;
	AUTO(json) cJSON *in = cJSON_CreateObject(), *answer = NULL;
	struct image i;

	if (!read_image(j, &i))
		return;
	if (in && cJSON_AddStringToObject(in, "image_id", i.id))
		answer = ask(j, "vm", "image-remove", in, ASK_VMD_MS);
	else
		(void)fault_set_nomem(&j->fault);
	if (answer)
		j->out = cJSON_CreateObject();
}

/* ---- on the loop ---- */

static void
done(void *arg, void *job)
{
	struct image_job *j = job;

	fault_end(&j->fault, j->call, steal_json(&j->out));
	job_free(j);
}

static bool
take_nodes(struct image_job *j, const struct nodes *nodes)
{
	j->nnodes = nodes_count(nodes);
	j->nodes = calloc(j->nnodes ? j->nnodes : 1, sizeof(j->nodes[0]));
	for (size_t i = 0; j->nodes && i < j->nnodes; i++)
		snprintf(j->nodes[i], sizeof(j->nodes[i]), "%s", nodes_name(nodes, i));
	return j->nodes != NULL;
}

static void
begin(struct gwd *g, struct call *c, job_run_fn *run)
{
	struct image_job *j = calloc(1, sizeof(*j));

	if (j) {
		j->call = c;
		j->bus = g->d.bus;
		j->images = g->cloud->images;
		j->instances = g->cloud->instances;
		snprintf(j->account, sizeof(j->account), "%s", c->account);
	}
	if (!j || !take_nodes(j, g->cloud->nodes)) {
		ask_fail_nomem(c);
	} else {
		if (jobs_submit(g->d.jobs, NULL, run, done, NULL, j, job_free) == 0)
			return;
		call_fail(c, "RequestLimitExceeded", "Request limit exceeded.");
	}
	if (j)
		job_free(j);
}

void
act_create_image(struct gwd *g, struct call *c)
{
	begin(g, c, create_image);
}

void
act_deregister_image(struct gwd *g, struct call *c)
{
	begin(g, c, deregister_image);
}

void
act_describe_image_attribute(struct gwd *g, struct call *c)
{
	begin(g, c, describe_attribute);
}

void
act_get_instance_uefi_data(struct gwd *g, struct call *c)
{
	begin(g, c, get_uefi_data);
}

void
act_register_image(struct gwd *g, struct call *c)
{
	begin(g, c, register_image);
}
