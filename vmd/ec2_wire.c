/* ec2.DescribeInstances, ec2.AccountTeardownOutstanding, spinifex.node.status; see wire.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/subjects.h"
#include "vmd/room.h"
#include "vmd/wire.h"

#define TIMEOUT_MS	5000

/* ---- describe ---- */

/* The ids that are asked for, sorted; NULL with n 0: all. */
struct wanted {
	const char	**id;
	size_t		 n;
	const char	*after;
};

static int
compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Absent, null, or a list of texts. */
static bool
is_texts(const cJSON *list)
{
	const cJSON *item;

	if (!list || cJSON_IsNull(list))
		return true;
	cJSON_ArrayForEach(item, list)
		if (!cJSON_IsString(item))
			return false;
	return cJSON_IsArray(list);
}

/* 0; -EINVAL: it is no request; -ENOMEM. */
static int
read_wanted(const cJSON *in, struct wanted *ret)
{
	const cJSON *ids = json_member(in, "InstanceIds"), *id;
	const cJSON *after = json_member(in, "After");

	*ret = (struct wanted){ .after = cJSON_IsString(after) ? after->valuestring : "" };
	if (!is_texts(ids) || (after && !cJSON_IsString(after) && !cJSON_IsNull(after)))
		return -EINVAL;
	if (cJSON_GetArraySize(ids) == 0)
		return 0;
	ret->id = calloc((size_t)cJSON_GetArraySize(ids), sizeof(*ret->id));
	if (!ret->id)
		return -ENOMEM;
	cJSON_ArrayForEach(id, ids)
		ret->id[ret->n++] = id->valuestring;
	qsort(ret->id, ret->n, sizeof(*ret->id), compare);
	return 0;
}

static bool
is_wanted(const struct wanted *w, const struct instance *i, const char *account)
{
	const char *id = i->id;

	if (strcmp(i->account_id, account) != 0)
		return false;
	return !w->id || bsearch(&id, w->id, w->n, sizeof(*w->id), compare);
}

/*
 * Of one that runs the text is kept: it is asked for much more often than it changes.  Made anew
 * when record or guest say something else.  NULL: no memory.
 */
static const char *
shown(struct vm *vm, const struct record *r, const struct describe_view *view)
{
	struct describe_extra x = wire_extra(vm);
	uint64_t revision = record_revision(r);

	if (vm->shown.text && vm->shown.revision == revision && vm->shown.impaired == x.impaired &&
	    strcmp(vm->shown.launch_id, x.launch) == 0)
		return vm->shown.text;
	free(vm->shown.text);
	vm->shown.text = describe_text(record_instance(r), x, view);
	vm->shown.revision = revision;
	vm->shown.impaired = x.impaired;
	snprintf(vm->shown.launch_id, sizeof(vm->shown.launch_id), "%s", x.launch);
	return vm->shown.text;
}

static int
add_one(struct describe *out, const struct record *r, const struct describe_view *view)
{
	struct vm *vm = record_owner(r);
	const struct instance *i = record_instance(r);
	const char *text;

	if (!vm || !vm->guest)
		return describe_add(out, i, wire_extra(vm), view);
	text = shown(vm, r, view);
	return text ? describe_add_text(out, i->id, text) : -ENOMEM;
}

/* 0; 1: there are more; -ENOMEM. */
static int
fill(const struct vmd *d, const struct wanted *w, const char *account, struct describe *out)
{
	struct describe_view view = wire_view(d);
	struct records *rs = d->records;

	for (size_t n = records_index_after(rs, w->after); n < records_count(rs); n++) {
		const struct instance *i = record_instance(records_get(rs, n));
		int r;

		if (!is_wanted(w, i, account))
			continue;
		r = add_one(out, records_get(rs, n), &view);
		if (r == -EMSGSIZE)
			return 1;
		if (r < 0)
			return r;
	}
	return 0;
}

void
ec2_on_describe(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
	const char *account = wire_account(req);
	struct wanted w;
	struct describe out;
	const char *text = NULL;
	int r;

	if (!account)
		return;
	describe_begin(&out);
	r = read_wanted(in, &w);
	if (r == 0)
		r = fill(d, &w, account, &out);
	if (r >= 0)
		text = describe_end(&out, r == 1);
	bus_req_header(req, HEADER_NODE, d->conf->common.node);
	if (text)
		bus_reply_raw(req, NULL, 0, text, strlen(text));
	else if (r == -EINVAL)
		bus_refuse_input(req, "InstanceIds: expected a list of ids; After: an id");
	else
		bus_refuse(req, "InternalError", true, "no memory");
	describe_deinit(&out);
	free(w.id);
}

/* ---- what is left to tear down, over the whole cluster ---- */

struct teardown_job {
	struct vmd	*d;			/* touched on the loop only */
	struct bus_req	*req;
	struct bucket	*instances;
	char		 account[13];
	cJSON		*out;			/* NULL: failed */
	char		 why[JSON_WHY_MAX];
};

static bool
add_dependent(cJSON *obj, const char *name, const char *state)
{
	return !*state || cJSON_AddStringToObject(obj, name, state);
}

static bool
add_instance(cJSON *list, const struct instance *i)
{
	cJSON *obj = cJSON_CreateObject(), *teardown;

	if (!obj || !cJSON_AddItemToArray(list, obj)) {
		cJSON_Delete(obj);
		return false;
	}
	if (!cJSON_AddStringToObject(obj, "instance_id", i->id) ||
	    !cJSON_AddStringToObject(obj, "state", instance_state_name(i->state)))
		return false;
	if (!*i->teardown_uefi && !*i->teardown_volume && !*i->teardown_address)
		return true;
	teardown = cJSON_AddObjectToObject(obj, "teardown");
	return teardown && add_dependent(teardown, "uefi", i->teardown_uefi) &&
	    add_dependent(teardown, "volume", i->teardown_volume) &&
	    add_dependent(teardown, "address", i->teardown_address);
}

/* False: the list would not be the truth. */
static bool
add_record(struct teardown_job *j, cJSON *list, const char *key)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(j->instances, key, TIMEOUT_MS, &e);
	struct instance i;
	bool ok;

	if (res == CAS_NOT_FOUND)
		return true;
	if (res != CAS_OK) {
		snprintf(j->why, sizeof(j->why), "%s", cas_result_text(res));
		return false;
	}
	if (instance_from_json(e.value, e.len, key + strlen(KEY_INSTANCE_PREFIX), &i, j->why) < 0)
		return false;
	ok = strcmp(i.account_id, j->account) != 0 || add_instance(list, &i);
	instance_deinit(&i);
	return ok;
}

static void
list_teardown(void *job)
{
	struct teardown_job *j = job;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "instances") : NULL;
	struct kv_keys keys = { 0 };
	enum cas_result res = kv_list_wait(j->instances, KEY_INSTANCE_PREFIX, TIMEOUT_MS, &keys);
	bool ok = list && res == CAS_OK;

	if (res != CAS_OK)
		snprintf(j->why, sizeof(j->why), "%s", cas_result_text(res));
	for (size_t n = 0; ok && n < keys.n; n++)
		ok = add_record(j, list, keys.key[n]);
	kv_keys_deinit(&keys);
	j->out = ok ? steal_json(&out) : NULL;
}

static void
drop_teardown(void *job)
{
	struct teardown_job *j = job;

	cJSON_Delete(j->out);
	free(j);
}

static void
on_teardown_listed(void *arg, void *job)
{
	struct teardown_job *j = job;

	if (j->out)
		bus_reply(j->req, j->out);
	else
		bus_refuse(j->req, "ServiceUnavailable", true, "instance records: %s",
		    *j->why ? j->why : "no memory");
	drop_teardown(j);
}

void
ec2_on_teardown(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
	const char *account = wire_account(req);
	struct teardown_job *j;

	if (!account)
		return;
	j = calloc(1, sizeof(*j));
	if (j) {
		*j = (struct teardown_job){ .d = d, .req = req, .instances = d->instances };
		snprintf(j->account, sizeof(j->account), "%s", account);
	}
	if (!j || jobs_submit(d->d.jobs, NULL, list_teardown, on_teardown_listed, NULL, j,
	    drop_teardown) < 0) {
		free(j);
		bus_refuse(req, "InternalError", true, "no memory");
	}
}

/* ---- what the node offers ---- */

static bool
add_types(const struct vmd *d, cJSON *out)
{
	cJSON *types = cJSON_AddObjectToObject(out, "types");

	for (size_t n = 0; types && n < d->types.n; n++) {
		const struct type *t = &d->types.row[n];
		const struct capacity_need need = room_need(d, t);

		if (t->offered && strcmp(t->arch, d->arch) == 0 &&
		    !json_add_u64(types, t->name, capacity_fits(&d->capacity, &need)))
			return false;
	}
	return types != NULL;
}

void
ec2_on_status(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();

	room_see(d);
	bus_req_header(req, HEADER_NODE, d->conf->common.node);
	if (!out || !cJSON_AddStringToObject(out, "node", d->conf->common.node) ||
	    !cJSON_AddStringToObject(out, "zone", d->conf->common.zone) ||
	    !cJSON_AddStringToObject(out, "arch", d->arch) ||
	    !cJSON_AddStringToObject(out, "accel", accel_name(d->accel)) ||
	    !cJSON_AddBoolToObject(out, "drained", d->drained) ||
	    !json_add_u64(out, "vcpus", d->capacity.vcpus) ||
	    !json_add_u64(out, "vcpus_free", capacity_vcpus_free(&d->capacity)) ||
	    !json_add_u64(out, "memory_mib", d->capacity.memory_mib) ||
	    !json_add_u64(out, "memory_free_mib", capacity_memory_free(&d->capacity)) ||
	    !add_types(d, out))
		bus_refuse(req, "InternalError", true, "no memory");
	else
		bus_reply(req, out);
}
