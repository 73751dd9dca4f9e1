#include "vmd/volume_world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/file.h"
#include "common/instance_view.h"
#include "vmd/disk.h"

#define KV_TIMEOUT_MS	4000
#define ATTEMPTS	5	/* of a swap that meets another's */
#define BEGUN		"new"	/* in the name of a disk that is being made */

static bool	 refuse(struct volume_refusal *no, const char *code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static bool
refuse(struct volume_refusal *no, const char *code, const char *fmt, ...)
{
	va_list ap;

	no->code = code;
	no->retryable = false;
	va_start(ap, fmt);
	vsnprintf(no->why, sizeof(no->why), fmt, ap);
	va_end(ap);
	return false;
}

static bool
refuse_store(struct volume_refusal *no, enum cas_result res)
{
	if (res == CAS_UNKNOWN)
		return refuse(no, "InternalError", "It is not known whether it was done.");
	refuse(no, "ServiceUnavailable", "volumes: %s", cas_result_text(res));
	no->retryable = res == CAS_UNAVAILABLE || res == CAS_LOST;
	return false;
}

int
volume_path(const char *disk_dir, const char *id, char ret[static VOLUME_PATH_MAX])
{
	return file_path(ret, VOLUME_PATH_MAX, "%s/%s.qcow2", disk_dir, id);
}

/* ---- one record ---- */

/* CAS_OK, or what the store said; a record that cannot be read is CAS_INVALID. */
static enum cas_result
load(const struct volume_place *at, const char *id, struct volume *v, uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[VOLUME_KEY_MAX], why[JSON_WHY_MAX];
	enum cas_result res;

	volume_key(at->account_id, id, key);
	res = kv_load_wait(at->bucket, key, KV_TIMEOUT_MS, &e);
	if (res == CAS_OK || res == CAS_NOT_FOUND)
		*ret_revision = e.revision;
	if (res == CAS_OK && volume_from_json(e.value, e.len, v, why) < 0)
		res = CAS_INVALID;
	return res;
}

bool
volume_read(const struct volume_place *at, const char *id, struct volume *v,
    uint64_t *ret_revision, struct volume_refusal *no)
{
	enum cas_result res = load(at, id, v, ret_revision);

	if (res == CAS_NOT_FOUND)
		return refuse(no, "InvalidVolume.NotFound", "The volume '%s' does not exist.", id);
	return res == CAS_OK || refuse_store(no, res);
}

static enum cas_result
swap(const struct volume_place *at, const struct volume *v, uint64_t *revision)
{
	AUTO(str) char *text = volume_to_json(v);
	char key[VOLUME_KEY_MAX];

	volume_key(v->account_id, v->id, key);
	return text ? kv_put_wait(at->bucket, key, text, strlen(text), *revision, KV_TIMEOUT_MS,
	    revision) : CAS_NOMEM;
}

bool
volume_write(const struct volume_place *at, const struct volume *v, uint64_t *revision,
    struct volume_refusal *no)
{
	enum cas_result res = swap(at, v, revision);

	return res == CAS_OK || refuse_store(no, res);
}

/* ---- disks ---- */

/* Made by whoever claimed it first; a disk that was made once and is not here is elsewhere. */
static bool
make_disk(const struct volume_place *at, struct volume *v, uint64_t *revision,
    struct volume_refusal *no)
{
	char path[VOLUME_PATH_MAX], why[DISK_WHY_MAX] = "";
	struct disk_spec spec = { .qemu_img = at->qemu_img, .path = path, .launch_id = BEGUN,
		.bytes = v->bytes, .uid = at->uid, .gid = at->gid };
	int r = volume_path(at->disk_dir, v->id, path);

	if (r == 0 && v->made) {
		if (access(path, F_OK) == 0)
			return true;
		return refuse(no, "Unsupported", "The disk of the volume '%s' is on the node %.64s, "
		    "which does not share its disk_dir with %.64s.", v->id, v->node, at->node);
	}
	if (r == 0)
		r = disk_create(&spec, why);
	if (r < 0 && r != -EEXIST)
		return refuse(no, "InternalError", "The disk of the volume '%s' cannot be made: %.150s",
		    v->id, *why ? why : strerror(-r));
	v->made = true;
	return volume_write(at, v, revision, no);
}

bool
volume_finish(const struct volume_place *at, const struct volume *v, uint64_t revision,
    struct volume_refusal *no)
{
	char path[VOLUME_PATH_MAX], key[VOLUME_KEY_MAX];
	enum cas_result res;
	int r = volume_path(at->disk_dir, v->id, path);

	/* Another's to remove, unless the folder is shared. */
	if (r == 0 && *v->node && strcmp(v->node, at->node) != 0 && access(path, F_OK) < 0)
		return true;
	if (r == 0)
		r = disk_discard(path, BEGUN);
	if (r == 0)
		r = disk_remove(path);
	if (r < 0)
		return refuse(no, "InternalError", "%.180s: %s", path, strerror(-r));
	volume_key(v->account_id, v->id, key);
	res = kv_remove_wait(at->bucket, key, revision, KV_TIMEOUT_MS, &revision);
	return res == CAS_OK || res == CAS_LOST || refuse_store(no, res);
}

/* ---- for a command ---- */

static enum cas_result
claim(const struct volume_place *at, struct volume *v, const char *device, uint64_t wall_ms,
    uint64_t *revision, struct volume_refusal *no)
{
	if (strcmp(v->zone, at->zone) != 0) {
		refuse(no, "InvalidVolume.ZoneMismatch", "The volume '%s' is not in the same "
		    "availability zone as instance '%s'", v->id, at->instance_id);
		return CAS_INVALID;
	}
	if (volume_claim(v, at->instance_id, device, wall_ms) < 0) {
		if (v->state == VOLUME_DELETING)
			refuse(no, "IncorrectState", "Volume '%s' is in the 'deleting' state.", v->id);
		else
			refuse(no, "VolumeInUse", "%s is already attached to an instance", v->id);
		return CAS_INVALID;
	}
	if (!v->made)
		snprintf(v->node, sizeof(v->node), "%s", at->node);
	return swap(at, v, revision);
}

bool
volume_take(const struct volume_place *at, const char *id, const char *device, uint64_t wall_ms,
    struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no)
{
	AUTO(volume) struct volume v = { 0 };
	enum cas_result res = CAS_LOST;
	uint64_t revision = 0;

	no->code = NULL;
	for (int n = 0; n < ATTEMPTS && res == CAS_LOST; n++) {
		volume_deinit(&v);
		if (!volume_read(at, id, &v, &revision, no))
			return false;
		res = claim(at, &v, device, wall_ms, &revision, no);
	}
	if (res != CAS_OK)
		return no->code ? false : refuse_store(no, res);
	if (!make_disk(at, &v, &revision, no)) {
		struct volume_refusal ignored;	/* else the next look at it lets it go */

		(void)!volume_let_go(at, id, revision, false, &ignored);
		return false;
	}
	*ret = v;
	v = (struct volume){ 0 };
	*ret_revision = revision;
	return true;
}

/* NULL: it stays as it is. */
static bool
change(const struct volume_place *at, const char *id, const enum volume_state *to,
    const bool *keep, struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no)
{
	AUTO(volume) struct volume v = { 0 };
	enum cas_result res = CAS_LOST;

	for (int n = 0; n < ATTEMPTS && res == CAS_LOST; n++) {
		volume_deinit(&v);
		if (!volume_read(at, id, &v, ret_revision, no))
			return false;
		if (!volume_is_of(&v, at->instance_id))
			return refuse(no, "InvalidAttachment.NotFound", "The volume '%s' is not attached "
			    "to instance '%s'.", id, at->instance_id);
		if ((!to || v.state == *to) && (!keep || v.keep == *keep)) {
			res = CAS_OK;
			break;
		}
		v.state = to ? *to : v.state;
		v.keep = keep ? *keep : v.keep;
		res = swap(at, &v, ret_revision);
	}
	if (res != CAS_OK)
		return refuse_store(no, res);
	*ret = v;
	v = (struct volume){ 0 };
	return true;
}

bool
volume_set_state(const struct volume_place *at, const char *id, enum volume_state to,
    struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no)
{
	return change(at, id, &to, NULL, ret, ret_revision, no);
}

bool
volume_set_keep(const struct volume_place *at, const char *id, bool keep, struct volume *ret,
    uint64_t *ret_revision, struct volume_refusal *no)
{
	return change(at, id, NULL, &keep, ret, ret_revision, no);
}

bool
volume_let_go(const struct volume_place *at, const char *id, uint64_t revision, bool outlive,
    struct volume_refusal *no)
{
	AUTO(volume) struct volume v = { 0 };
	uint64_t now = 0;
	enum cas_result res;

	if (!volume_read(at, id, &v, &now, no))
		return strcmp(no->code, "InvalidVolume.NotFound") == 0;
	if (now != revision || !volume_is_of(&v, at->instance_id))
		return true;
	if (outlive)
		volume_outlive(&v);
	else
		volume_release(&v);
	res = swap(at, &v, &revision);
	if (res != CAS_OK && res != CAS_LOST)
		return refuse_store(no, res);
	return res == CAS_LOST || v.state != VOLUME_DELETING || volume_finish(at, &v, revision, no);
}

/* ---- for a launch and its end ---- */

/* The record of one that comes with its instance. */
static enum cas_result
make_record(const struct volume_place *at, const struct instance_volume *iv,
    const struct instance_tags *tags, struct volume *v, uint64_t *revision)
{
	*v = (struct volume){ .state = VOLUME_ATTACHING, .bytes = iv->bytes,
		.created_ms = iv->attached_ms, .attached_ms = iv->attached_ms, .keep = iv->keep,
		.iops = iv->iops, .throughput = iv->throughput };
	const struct { char *to; size_t size; const char *from; } texts[] = {
		{ v->id, sizeof(v->id), iv->id },
		{ v->type, sizeof(v->type), iv->type },
		{ v->device, sizeof(v->device), iv->device },
		{ v->account_id, sizeof(v->account_id), at->account_id },
		{ v->instance_id, sizeof(v->instance_id), at->instance_id },
		{ v->zone, sizeof(v->zone), at->zone },
		{ v->node, sizeof(v->node), at->node },
	};

	for (size_t n = 0; n < ARRAY_LEN(texts); n++)
		snprintf(texts[n].to, texts[n].size, "%s", texts[n].from);
	v->tags = tags->n ? instance_view_tags(tags) : NULL;
	if (tags->n && !v->tags)
		return CAS_NOMEM;
	*revision = 0;
	return swap(at, v, revision);
}

bool
volume_prepare(const struct volume_place *at, const struct instance_volume *iv, bool is_first,
    const struct instance_tags *tags, struct volume_refusal *no)
{
	AUTO(volume) struct volume v = { 0 };
	uint64_t revision = 0;
	enum cas_result res = load(at, iv->id, &v, &revision);

	if (res == CAS_NOT_FOUND && is_first && revision == 0)
		res = make_record(at, iv, tags, &v, &revision);
	if (res == CAS_NOT_FOUND)
		return refuse(no, "InvalidVolume.NotFound", "The volume '%s' does not exist.", iv->id);
	if (res != CAS_OK) {
		refuse_store(no, res);
		no->retryable |= res == CAS_UNKNOWN;	/* it is found, or made, the next time */
		return false;
	}
	if (!volume_is_of(&v, at->instance_id))
		return refuse(no, "VolumeInUse", "The volume '%s' is not the instance's any more.", iv->id);
	if (!make_disk(at, &v, &revision, no))
		return false;
	if (v.state != VOLUME_ATTACHING)
		return true;
	v.state = VOLUME_IN_USE;
	if (volume_write(at, &v, &revision, no))
		return true;
	no->retryable = true;
	return false;
}

bool
volume_put_away(const struct volume_place *at, const struct instance_volume *iv, bool is_first,
    struct volume_refusal *no)
{
	AUTO(volume) struct volume v = { 0 };
	uint64_t revision = 0;
	enum cas_result res = load(at, iv->id, &v, &revision);

	if (res == CAS_NOT_FOUND)
		return true;
	if (res != CAS_OK)
		return refuse_store(no, res);
	if (volume_is_of(&v, at->instance_id)) {
		v.keep = iv->keep && !is_first;
		volume_outlive(&v);
		if (!volume_write(at, &v, &revision, no))
			return false;
	} else if (v.state != VOLUME_DELETING) {
		return true;
	}
	return v.state != VOLUME_DELETING || volume_finish(at, &v, revision, no);
}

bool
volume_keep_root(const struct volume_place *at, const struct volume *like,
    struct volume_refusal *no)
{
	struct volume was = { 0 };
	uint64_t revision = 0;
	enum cas_result res = load(at, like->id, &was, &revision);

	volume_deinit(&was);
	if (res == CAS_OK)
		return true;
	if (res == CAS_NOT_FOUND && revision > 0)
		return true;	/* it was deleted since */
	return res == CAS_NOT_FOUND ? volume_write(at, like, &revision, no) : refuse_store(no, res);
}
