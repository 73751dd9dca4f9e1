#include "vmd/launch_job.h"

#include <errno.h>
#include <stdarg.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base64.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/instance_view.h"
#include "vmd/deadline.h"
#include "vmd/guest.h"
#include "vmd/images.h"
#include "vmd/net_around.h"
#include "vmd/seed.h"

#define KV_TIMEOUT_MS	5000

static struct store
store_of(const struct launch_job *j)
{
	return (struct store){ .bus = j->bus, .node = j->node, .instance_id = j->instance_id,
		.account_id = j->account_id, .arch = j->arch, .launch_id = j->launch_id,
		.request_id = j->request_id };
}

static bool	 fail(struct launch_job *j, bool retry, const char *code, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static bool
fail(struct launch_job *j, bool retry, const char *code, const char *fmt, ...)
{
	va_list ap;

	j->retry = retry;
	snprintf(j->code, sizeof(j->code), "%s", code);
	va_start(ap, fmt);
	vsnprintf(j->why, sizeof(j->why), fmt, ap);
	va_end(ap);
	return false;
}

static bool
fail_store(struct launch_job *j, const struct bus_error *e)
{
	return fail(j, e->retryable, e->code, "%.150s (%.64s)", e->message, e->code);
}

/* ---- the rows ---- */

static bool
remove_folder(struct launch_job *j)
{
	int r = guest_remove(j->dir);

	return r == 0 || fail(j, true, "", "%.150s: %s", j->dir, strerror(-r));
}

/* The record was read before the instance was, but another vmd may have been the one that
 * read it. */
static bool
read_image(struct launch_job *j, struct image *ret)
{
	char why[DISK_WHY_MAX] = "";
	enum images_result res = images_find(j->images, j->account_id, j->image_id, ret, why);

	return res == IMAGES_OK ||
	    fail(j, res == IMAGES_UNAVAILABLE, "", "image %s: %.180s", j->image_id, why);
}

/* This node has no firmware for it: then the BIOS, but only if there is no store, which an
 * earlier try may have made. */
static bool
falls_back(const struct launch_job *j, const struct store *s, struct bus_error *e)
{
	struct store_files files;

	return j->may_fall_back && strcmp(e->code, "uefi.no_firmware") == 0 &&
	    store_open(s, &files, e) < 0 && strcmp(e->code, "uefi.no_store") == 0;
}

static bool
seed_store(struct launch_job *j)
{
	struct store s = store_of(j);
	struct image image;
	struct bus_error e;

	if (!j->is_uefi || !j->is_first)
		return true;
	if (!read_image(j, &image))
		return false;
	s.image_id = image.id;
	s.image_object = image.uefi_object;
	if (store_seed(&s, &e) == 0)
		return true;
	j->falls_back = falls_back(j, &s, &e);
	return fail_store(j, &e);
}

static bool
delete_store(struct launch_job *j)
{
	struct store s = store_of(j);
	struct bus_error e;

	if (!j->is_uefi)
		return true;
	return store_delete(&s, &e) == 0 || fail_store(j, &e);
}

static bool
address_failed(struct launch_job *j, enum address_result res, enum cas_result store)
{
	if (res == ADDRESS_FULL)
		return fail(j, false, "", *j->address ? "the address %s is in use" :
		    "the subnet has no free address", j->address);
	return fail(j, store != CAS_INVALID && store != CAS_REFUSED, "", "addresses: %s",
	    cas_result_text(store));
}

static bool
take_address(struct launch_job *j)
{
	struct kv_store kv;
	enum address_result res;
	enum cas_result store = CAS_OK;
	bool made;

	if (*j->address && !j->is_first)
		return true;	/* it stays over stop and start */
	kv_store_init(&kv, j->addresses, KV_TIMEOUT_MS);
	if (*j->address)	/* was asked for */
		res = address_take_this(&kv.cas, j->account_id, j->instance_id, j->address, &store);
	else
		res = address_take(&kv.cas, &j->range, j->account_id, j->instance_id, j->address,
		    &made, &store);
	return res == ADDRESS_OK || address_failed(j, res, store);
}

static bool
free_address(struct launch_job *j)
{
	struct kv_store kv;
	enum address_result res;
	enum cas_result store = CAS_OK;

	kv_store_init(&kv, j->addresses, KV_TIMEOUT_MS);
	res = address_free(&kv.cas, &j->range, j->account_id, j->instance_id, j->address, &store);
	return res == ADDRESS_OK || address_failed(j, res, store);
}

/* Its file here. */
static bool
find_image(struct launch_job *j, char path[static 512], enum disk_format *ret_format)
{
	struct image image;

	if (!read_image(j, &image))
		return false;
	if (disk_format_from_name(image.format, ret_format) < 0 ||
	    file_path(path, 512, "%s/%s", j->image_dir, image.file) < 0)
		return fail(j, false, "", "image %s: its record cannot be used", j->image_id);
	return true;
}

static bool
make_disk(struct launch_job *j)
{
	struct disk_spec spec = {
		.qemu_img = j->qemu_img, .path = j->disk, .launch_id = j->launch_id,
		.bytes = j->disk_bytes, .uid = j->uid, .gid = j->gid,
	};
	char path[512], why[DISK_WHY_MAX] = "";
	int r;

	if (!j->is_first)
		return true;
	if (!find_image(j, path, &spec.image_format))
		return false;
	spec.image = path;
	r = disk_create(&spec, why);
	return r == 0 || r == -EEXIST ||
	    fail(j, false, "", "root disk: %.200s", *why && r != -ENOSPC ? why : strerror(-r));
}

static bool
fail_volume(struct launch_job *j, const struct volume_refusal *no)
{
	return fail(j, no->retryable, "", "%s", no->why);
}

/* What is kept is a volume like any other from here on. */
static bool
keep_root(struct launch_job *j)
{
	struct volume v = { .bytes = j->disk_bytes, .created_ms = j->created_ms, .made = true,
		.iops = j->volume_iops, .throughput = j->volume_throughput };
	const struct { char *to; size_t size; const char *from; } texts[] = {
		{ v.id, sizeof(v.id), j->volume_id },
		{ v.type, sizeof(v.type), j->volume_type },
		{ v.account_id, sizeof(v.account_id), j->account_id },
		{ v.zone, sizeof(v.zone), j->at.zone },
		{ v.image_id, sizeof(v.image_id), j->image_id },
		{ v.node, sizeof(v.node), j->node },
	};
	struct volume_refusal no;
	bool ok;

	for (size_t n = 0; n < ARRAY_LEN(texts); n++)
		snprintf(texts[n].to, texts[n].size, "%s", texts[n].from);
	v.tags = j->volume_tags.n ? instance_view_tags(&j->volume_tags) : NULL;
	if (j->volume_tags.n && !v.tags)
		return fail(j, true, "", "no memory");
	ok = volume_keep_root(&j->at, &v, &no) || fail_volume(j, &no);
	volume_deinit(&v);
	return ok;
}

static bool
remove_disk(struct launch_job *j)
{
	int r = disk_discard(j->disk, j->launch_id);

	if (j->keep_disk)
		return keep_root(j);
	if (r == 0)
		r = disk_remove(j->disk);
	return r == 0 || fail(j, true, "", "root disk: %s", strerror(-r));
}

static bool
prepare_volumes(struct launch_job *j)
{
	struct volume_refusal no;

	for (size_t n = 0; n < j->nvolumes; n++)
		if (!volume_prepare(&j->at, &j->volume[n], j->is_first, &j->volume_tags, &no))
			return fail_volume(j, &no);
	return true;
}

static bool
put_away_volumes(struct launch_job *j)
{
	struct volume_refusal no;

	for (size_t n = 0; n < j->nvolumes; n++)
		if (!volume_put_away(&j->at, &j->volume[n], j->is_first, &no)) {
			no.retryable = true;
			return fail_volume(j, &no);
		}
	return true;
}

/* For the guest's user alone, and never to be written again: a new one takes its name. */
static int
put_seed(const struct launch_job *j, const uint8_t *disk)
{
	AUTO(fd) int fd = -1;
	char tmp[sizeof(j->seed) + 4];
	int r = file_make_dirs(j->dir, 0711);

	if (r == 0)
		r = file_path(tmp, sizeof(tmp), "%s.tmp", j->seed);
	if (r < 0)
		return r;
	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0400);
	r = fd < 0 ? -errno : file_write_all(fd, disk, SEED_BYTES);
	if (r == 0 && (fchown(fd, j->uid, j->gid) < 0 || rename(tmp, j->seed) < 0))
		r = -errno;
	if (r < 0)
		(void)unlink(tmp);
	return r;
}

static bool
make_seed(struct launch_job *j)
{
	struct seed s = { .instance_id = j->instance_id, .address = j->address,
		.public_key = j->public_key };
	AUTO(mem) void *data = NULL;
	AUTO(mem) void *disk = NULL;
	uint8_t *p = NULL;
	int r = 0;

	if (j->user_data)
		r = base64_decode(j->user_data, strlen(j->user_data), &p, &s.user_len);
	if (r == -EINVAL)
		return fail(j, false, "", "user data: expected base64");
	s.user_data = data = p;
	p = NULL;
	if (r == 0)
		r = seed_make(&s, &p);
	disk = p;
	if (r == 0)
		r = put_seed(j, disk);
	return r == 0 || fail(j, r == -ENOMEM, "", "seed disk: %s", strerror(-r));
}

static bool
remove_seed(struct launch_job *j)
{
	return unlink(j->seed) == 0 || errno == ENOENT ||
	    fail(j, true, "", "seed disk: %s", strerror(errno));
}

/* All else of a network is made by the guard, and is gone with it. */
static bool
look_around(struct launch_job *j)
{
	char why[NET_AROUND_WHY_MAX] = "";
	int r = j->net.mode == NET_ISOLATED ? 0 : net_around_find(j->nats_urls, &j->net, why);

	return r == 0 || fail(j, r == -EAGAIN || r == -ENOMEM, "", "%s", why);
}

static bool
make_deadline(struct launch_job *j)
{
	int r = j->has_deadline ? deadline_write(j->deadline, j->ttl_ms, j->generation,
	    j->valid_until_ms, true) : 0;

	return r == 0 || fail(j, false, "", "deadline: %s", strerror(-r));
}

static bool
remove_deadline(struct launch_job *j)
{
	return unlink(j->deadline) == 0 || errno == ENOENT ||
	    fail(j, true, "", "deadline: %s", strerror(errno));
}

static bool
open_store(struct launch_job *j)
{
	struct store s = store_of(j);
	struct bus_error e;

	if (!j->is_uefi)
		return true;
	if (store_open(&s, &j->files, &e) < 0) {
		/* Held by a node that lives: not a thing to wait for. */
		if (strcmp(e.code, "uefi.held") == 0)
			e.retryable = false;
		return fail_store(j, &e);
	}
	if (strcmp(j->files.lock, j->lock) != 0)
		return fail(j, false, "", "uefid's lock is %.100s, not %.100s", j->files.lock,
		    j->lock);
	return true;
}

/* A store that owes a write-back to one that is going is not worth waiting for. */
static bool
close_owed(struct launch_job *j, const struct store *s, struct bus_error *e)
{
	if (j->end != LAUNCH_END_INSTANCE || strcmp(e->code, "uefi.owed") != 0)
		return false;
	return store_delete(s, e) == 0 && store_close(s, e) == 0;
}

static bool
close_store(struct launch_job *j)
{
	struct store s = store_of(j);
	struct bus_error e = { 0 };
	bool kept = true;
	int r = guest_settle(j->lock);

	/* No guard of this launch can begin any more; only then is the claim given up. */
	if (r < 0)
		return fail(j, true, r == -EWOULDBLOCK ? LAUNCH_LOCKED : "", "the guest's lock: %s",
		    strerror(-r));
	if (!j->is_uefi)
		return true;
	if (!j->has_run && store_rollback(&s, &kept, &e) == 0 && !kept)
		return true;
	return store_close(&s, &e) == 0 || close_owed(j, &s, &e) || fail_store(j, &e);
}

static const struct {
	const char	*what, *word;
	bool		(*act)(struct launch_job *j);	/* NULL: made elsewhere */
	bool		(*undo)(struct launch_job *j);	/* NULL: nothing is left */
	enum launch_end	 until;
} launch_table[LAUNCH_ROWS] = {
	[LAUNCH_ROW_FOLDER]	= { "folder", "folder", NULL, remove_folder, LAUNCH_END_INSTANCE },
	[LAUNCH_ROW_STORE]	= { "variable store", "seed", seed_store, delete_store,
				    LAUNCH_END_INSTANCE },
	[LAUNCH_ROW_ADDRESS]	= { "address", "address", take_address, free_address, LAUNCH_END_INSTANCE },
	[LAUNCH_ROW_DISK]	= { "root disk", "disk", make_disk, remove_disk, LAUNCH_END_INSTANCE },
	[LAUNCH_ROW_VOLUMES]	= { "volumes", "volumes", prepare_volumes, put_away_volumes,
				    LAUNCH_END_INSTANCE },
	[LAUNCH_ROW_SEED]	= { "seed disk", "data", make_seed, remove_seed, LAUNCH_END_LAUNCH },
	[LAUNCH_ROW_NETWORK]	= { "network", "network", look_around, NULL, LAUNCH_END_LAUNCH },
	[LAUNCH_ROW_DEADLINE]	= { "deadline", "deadline", make_deadline, remove_deadline, LAUNCH_END_LAUNCH },
	[LAUNCH_ROW_OPEN]	= { "open store", "open", open_store, close_store, LAUNCH_END_LAUNCH },
};

static void
name_failed(struct launch_job *j, unsigned row)
{
	snprintf(j->failed, sizeof(j->failed), "%s", launch_table[row].what);
}

void
launch_job_free(struct launch_job *j)
{
	if (!j)
		return;
	free(j->public_key);
	free(j->user_data);
	instance_tags_deinit(&j->volume_tags);
	free(j);
}

const char *
launch_row_name(enum launch_row row)
{
	return launch_table[row].word;
}

void
launch_job_do(void *job)
{
	struct launch_job *j = job;
	uint64_t before_ms = clock_now_ms(&clock_system), now_ms;

	j->ok = false;
	for (unsigned row = 0; row < LAUNCH_ROWS; row++, before_ms = now_ms) {
		bool done = !launch_table[row].act || launch_table[row].act(j);

		now_ms = clock_now_ms(&clock_system);
		j->row_ms[row] = (uint32_t)(now_ms - before_ms);
		if (!done) {
			name_failed(j, row);
			return;
		}
	}
	j->ok = true;
}

void
launch_job_undo(void *job)
{
	struct launch_job *j = job;

	j->ok = false;
	j->undone = 0;
	for (unsigned row = LAUNCH_ROWS; row-- > 0; ) {
		if (launch_table[row].until > j->end)
			continue;
		if (launch_table[row].undo && !launch_table[row].undo(j)) {
			name_failed(j, row);
			return;
		}
		j->undone |= 1u << row;
	}
	j->ok = true;
}
