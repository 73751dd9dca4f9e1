/*
 * Variables that come from outside an instance: UefiData, and those that an image carries.  An
 * image's object has no record and no claim: it is written once, and the image's record, which
 * vmd writes after it, names it.  It says whose the image is to be: by that reaperd finds where
 * the record would be.
 */
#include "uefid/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/ident.h"
#include "uefid/look.h"
#include "uefid/region_write.h"
#include "uefid/uefi_data.h"

#define DICTIONARY_MAX	(64u << 10)	/* bytes; zlib looks back over 32 KiB */

/* ---- UefiData ---- */

static enum store_result
fill_with(struct store_call *c, const struct buf *like, const struct buf *dictionary,
    struct buf *ret)
{
	char why[JSON_WHY_MAX];
	struct region r;
	int e = region_open(like->data, like->len, like->len, &r, why);

	if (e == 0)
		e = uefi_data_region(c->uefi_data->data, c->uefi_data->len, dictionary, &r, ret, why);
	if (e == -ENOMEM)
		return store_fail(c, STORE_UNAVAILABLE, "no memory");
	return e == 0 ? STORE_OK : store_fail(c, STORE_INVALID, "%s", why);
}

enum store_result
store_fill(struct store_call *c, const struct buf *like, struct buf *ret)
{
	AUTO(buf) struct buf dictionary = BUF_EMPTY(DICTIONARY_MAX);
	const char *path = c->env->dictionary;
	int r = path[0] != '\0' ? file_read(path, &dictionary) : 0;

	if (r < 0)
		return store_fail(c, STORE_REFUSED, "uefi_dictionary: %s: %s", path,
		    strerrordesc_np(-r));
	return fill_with(c, like, &dictionary, ret);
}

/* ---- the first region of a store ---- */

struct transplant {
	struct region_writer	 w;
	char			*why;
	int			 res;
};

static bool
plant(void *arg, const struct region_variable *v)
{
	struct transplant *t = arg;

	if (v->attributes & REGION_NON_VOLATILE && v->size > 0)
		t->res = region_add(&t->w, v, t->why);
	return t->res == 0;
}

/* from's variables in a region like to. */
static enum store_result
transplant(struct store_call *c, const struct buf *from, const struct buf *to, struct buf *ret)
{
	char why[JSON_WHY_MAX] = "its variables do not fit";
	struct transplant t = { .why = why };
	struct region r, like;
	int e = region_open(from->data, from->len, from->len, &r, why);

	if (e == 0)
		e = region_open(to->data, to->len, to->len, &like, why);
	if (e == 0)
		e = region_begin(&like, REGION_REST_CLEAN, ret, &t.w, why);
	if (e == 0)
		e = region_list(&r, plant, &t, why);
	if (e == 0)
		e = t.res;
	return e == 0 ? STORE_OK : store_fail(c, STORE_MISMATCH, "the variables of image %s cannot be "
	    "put into a store of this node's firmware: %s", c->image_id, why);
}

static enum store_result
of_image(struct store_call *c, const struct buf *template, struct buf *ret)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct version v;
	char why[JSON_WHY_MAX];
	enum object_result o;

	if (!uefi_key_is_of(c->image_key, c->image_id))
		return store_fail(c, STORE_INVALID, "%s is no object of image %s", c->image_key,
		    c->image_id);
	o = version_get(c->env->objects, c->image_key, 0, &b, &v, why);
	if (o != OBJECT_OK)
		return store_fail_object(c, o, why);
	if (strcmp(v.firmware.arch, c->firmware.id.arch) != 0)
		return store_fail(c, STORE_MISMATCH, "the variables of image %s are for %s, not %s",
		    c->image_id, v.firmware.arch, c->firmware.id.arch);
	if (b.len != template->len)
		return transplant(c, &b, template, ret);
	*ret = b;
	b = BUF_EMPTY(0);
	return STORE_OK;
}

enum store_result
store_first(struct store_call *c, struct buf *ret, struct version *ret_v)
{
	AUTO(buf) struct buf template = BUF_EMPTY(0);
	char why[JSON_WHY_MAX];

	if (firmware_template(&c->firmware, &template, why) < 0)
		return store_fail(c, STORE_NO_FIRMWARE, "%s", why);
	ret_v->firmware = c->firmware.id;
	if (c->image_key[0] != '\0') {
		snprintf(ret_v->source, sizeof(ret_v->source), VERSION_IMAGE "%s", c->image_id);
		return of_image(c, &template, ret);
	}
	snprintf(ret_v->source, sizeof(ret_v->source), VERSION_TEMPLATE);
	*ret = template;
	template = BUF_EMPTY(0);
	return STORE_OK;
}

/* ---- an image's own object ---- */

static enum store_result
check_image(struct store_call *c)
{
	return ident_is_ec2(c->image_id, "ami") ? STORE_OK :
	    store_fail(c, STORE_INVALID, "%s is no image's id", c->image_id);
}

static enum store_result
put_of_image(struct store_call *c, struct version *v, const struct buf *region)
{
	enum store_result res;

	snprintf(v->owner, sizeof(v->owner), "%s", c->image_id);
	snprintf(v->account_id, sizeof(v->account_id), "%s", c->account_id);
	res = store_put_as(c, v, region);
	if (res == STORE_OK)
		snprintf(c->key, sizeof(c->key), "%s", v->key);
	return res;
}

enum store_result
store_image_make(struct store_call *c)
{
	AUTO(buf) struct buf template = BUF_EMPTY(0), region = BUF_EMPTY(0);
	struct version v = { .source = VERSION_IMPORT };
	char why[JSON_WHY_MAX];
	enum store_result res = check_image(c);

	if (res == STORE_OK)
		res = store_firmware(c, c->arch);
	if (res != STORE_OK)
		return res;
	if (firmware_template(&c->firmware, &template, why) < 0)
		return store_fail(c, STORE_NO_FIRMWARE, "%s", why);
	v.firmware = c->firmware.id;
	res = store_fill(c, &template, &region);
	return res == STORE_OK ? put_of_image(c, &v, &region) : res;
}

enum store_result
store_image_copy(struct store_call *c)
{
	struct version v = { 0 };
	struct look look = { 0 };
	struct uefi_record r;
	enum store_result res = check_image(c);

	if (res == STORE_OK)
		res = look_vars(c, &look);
	if (res == STORE_OK)
		res = store_record(c, &r);
	if (res == STORE_OK) {
		v.firmware = r.pointer.firmware;
		snprintf(v.source, sizeof(v.source), VERSION_INSTANCE "%s", c->instance_id);
		res = put_of_image(c, &v, &look.region);
	}
	look_deinit(&look);
	return res;
}

enum store_result
store_image_drop(struct store_call *c)
{
	AUTO(object_list) struct object_list list = { 0 };
	const struct objects *s = c->env->objects;
	char prefix[UEFI_KEY_MAX + 1], why[JSON_WHY_MAX];
	enum object_result o;
	enum store_result res = check_image(c);

	if (res != STORE_OK)
		return res;
	version_prefix(c->image_id, prefix);
	o = s->list(s->ctx, prefix, &list, why);
	for (size_t i = 0; o == OBJECT_OK && i < list.n; i++) {
		o = s->remove(s->ctx, list.v[i].key, why);
		if (o == OBJECT_NOT_FOUND)
			o = OBJECT_OK;
	}
	return o == OBJECT_OK ? STORE_OK : store_fail_object(c, o, why);
}
