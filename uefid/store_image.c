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
template(struct store_call *c, struct buf *ret)
{
	char why[JSON_WHY_MAX];

	return firmware_template(&c->firmware, ret, why) == 0 ? STORE_OK :
	    store_fail(c, STORE_NO_FIRMWARE, "%s", why);
}

/* The image's variables as they are, where the node has firmware of their size; else its own. */
static enum store_result
of_image(struct store_call *c, struct buf *ret)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0), like = BUF_EMPTY(0);
	struct version v;
	char why[JSON_WHY_MAX];
	enum object_result o;
	enum store_result res;

	if (!uefi_key_is_of(c->image_key, c->image_id))
		return store_fail(c, STORE_INVALID, "%s is no object of image %s", c->image_key,
		    c->image_id);
	o = version_get(c->env->objects, c->image_key, 0, &b, &v, why);
	if (o != OBJECT_OK)
		return store_fail_get(c, c->image_key, o, why);
	if (strcmp(v.firmware.arch, c->firmware.id.arch) != 0)
		return store_fail(c, STORE_MISMATCH, "the variables of image %s are for %s, not %s",
		    c->image_id, v.firmware.arch, c->firmware.id.arch);
	if (store_firmware(c, c->arch, FIRMWARE_PLAIN, b.len) != STORE_OK) {
		res = template(c, &like);
		if (res == STORE_OK)
			res = transplant(c, &b, &like, ret);
		return res == STORE_OK ? store_firmware_for(c, ret) : res;
	}
	res = store_firmware_for(c, &b);
	if (res != STORE_OK)
		return res;
	*ret = b;
	b = BUF_EMPTY(0);
	return STORE_OK;
}

enum store_result
store_first(struct store_call *c, struct buf *ret, struct version *ret_v)
{
	enum store_result res;

	if (c->image_key[0] != '\0') {
		snprintf(ret_v->source, sizeof(ret_v->source), VERSION_IMAGE "%s", c->image_id);
		res = of_image(c, ret);
	} else {
		snprintf(ret_v->source, sizeof(ret_v->source), VERSION_TEMPLATE);
		res = template(c, ret);
	}
	ret_v->firmware = c->firmware.id;
	return res;
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
	res = store_put_as(c, v, NULL, region);
	if (res == STORE_OK)
		snprintf(c->key, sizeof(c->key), "%s", v->key);
	return res;
}

enum store_result
store_image_make(struct store_call *c)
{
	AUTO(buf) struct buf blank = BUF_EMPTY(0), region = BUF_EMPTY(0);
	struct version v = { .source = VERSION_IMPORT };
	bool is_bare = c->is_enrolled && c->uefi_data->len == 0;
	enum store_result res = check_image(c);

	if (res == STORE_OK)
		res = store_firmware(c, c->arch, c->is_enrolled ? FIRMWARE_ENROLLED : FIRMWARE_PLAIN,
		    0);
	if (res == STORE_OK)
		res = template(c, &blank);
	if (res == STORE_OK && !is_bare)
		res = store_fill(c, &blank, &region);
	if (res != STORE_OK)
		return res;
	v.firmware = c->firmware.id;
	if (is_bare)
		snprintf(v.source, sizeof(v.source), VERSION_TEMPLATE);
	return put_of_image(c, &v, is_bare ? &blank : &region);
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
