/* A store's objects. */
#include "uefid/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/gzip.h"
#include "common/ident.h"
#include "uefid/region.h"

void
version_prefix(const char *owner, char ret[static UEFI_KEY_MAX + 1])
{
	snprintf(ret, UEFI_KEY_MAX + 1, "uefi/%.30s/", owner);
}

void
version_new_key(struct version *v)
{
	char uuid[IDENT_UUID_LEN + 1];

	ident_uuid(uuid);
	snprintf(v->key, sizeof(v->key), "uefi/%s/%s", v->owner, uuid);
}

int
version_key_over(struct version *v, const char *before)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1024);
	char h[DIGEST_HEX + 1];
	int r = buf_printf(&b, "%s %s %" PRIu64 " %s %s %s", v->owner, before, v->generation,
	    v->source, v->firmware.code_sha256, v->sha256);

	if (r == 0)
		r = digest_bytes(b.data, b.len, h);
	if (r == 0)
		snprintf(v->key, sizeof(v->key), "uefi/%s/%.8s-%.4s-4%.3s-%c%.3s-%.12s", v->owner, h,
		    h + 8, h + 13, "89ab"[h[16] % 4], h + 17, h + 20);
	return r;
}

static int
refuse(char why[static JSON_WHY_MAX], const char *what)
{
	snprintf(why, JSON_WHY_MAX, "an object of a variable store needs %s", what);
	return -EINVAL;
}

int
version_check(const struct version *v, char why[static JSON_WHY_MAX])
{
	if (!ident_is_ec2(v->owner, "i") && !ident_is_ec2(v->owner, "ami"))
		return refuse(why, "an instance or an image as owner");
	if (!uefi_key_is_of(v->key, v->owner))
		return refuse(why, "a key directly under its owner's prefix");
	if (v->writer_node[0] == '\0')
		return refuse(why, "a writer");
	if (v->source[0] == '\0')
		return refuse(why, "a source");
	if (v->firmware.arch[0] == '\0')
		return refuse(why, "an architecture");
	if (v->firmware.vars_size == 0)
		return refuse(why, "the size of its region");
	if (strlen(v->firmware.code_sha256) != DIGEST_HEX)
		return refuse(why, "the digest of its firmware's code");
	return 0;
}

static const char *
owner_name(const struct version *v)
{
	return ident_is_ec2(v->owner, "ami") ? "image-id" : "instance-id";
}

static int
version_to_info(const struct version *v, struct object_info *ret)
{
	char size[24], generation[24];
	int r = 0;

	snprintf(ret->key, sizeof(ret->key), "%s", v->key);
	snprintf(size, sizeof(size), "%" PRIu64, v->firmware.vars_size);
	snprintf(generation, sizeof(generation), "%" PRIu64, v->generation);
	r |= object_meta_add(ret, owner_name(v), v->owner);
	r |= object_meta_add(ret, OBJECT_META_ACCOUNT, v->account_id);
	r |= object_meta_add(ret, "writer-node", v->writer_node);
	r |= object_meta_add(ret, "firmware-arch", v->firmware.arch);
	r |= object_meta_add(ret, "firmware-vars-size", size);
	r |= object_meta_add(ret, "firmware-code-sha256", v->firmware.code_sha256);
	r |= object_meta_add(ret, "firmware-code-path", v->code_path);
	r |= object_meta_add(ret, "source", v->source);
	r |= object_meta_add(ret, "generation", v->generation ? generation : "");
	r |= object_meta_add(ret, "region-sha256", v->sha256);
	return r == 0 ? 0 : -EINVAL;
}

static void
take(const struct object_info *o, const char *name, char *ret, size_t size)
{
	const char *value = object_meta(o, name);

	snprintf(ret, size, "%s", value && strlen(value) < size ? value : "");
}

static uint64_t
take_number(const struct object_info *o, const char *name)
{
	const char *value = object_meta(o, name);
	uint64_t n = 0;

	if (!value || value[0] == '0' || strspn(value, "0123456789") != strlen(value))
		return 0;
	for (; *value != '\0'; value++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*value - '0'), &n))
			return 0;
	return n;
}

void
version_from_info(const struct object_info *o, struct version *ret)
{
	struct version v = { .bytes = o->bytes, .written_ms = o->written_ms };

	snprintf(v.key, sizeof(v.key), "%.*s", (int)sizeof(v.key) - 1, o->key);
	take(o, object_meta(o, "image-id") ? "image-id" : "instance-id", v.owner,
	    sizeof(v.owner));
	take(o, OBJECT_META_ACCOUNT, v.account_id, sizeof(v.account_id));
	take(o, "writer-node", v.writer_node, sizeof(v.writer_node));
	take(o, "firmware-arch", v.firmware.arch, sizeof(v.firmware.arch));
	v.firmware.vars_size = take_number(o, "firmware-vars-size");
	take(o, "firmware-code-sha256", v.firmware.code_sha256,
	    sizeof(v.firmware.code_sha256));
	take(o, "firmware-code-path", v.code_path, sizeof(v.code_path));
	take(o, "source", v.source, sizeof(v.source));
	v.generation = take_number(o, "generation");
	take(o, "region-sha256", v.sha256, sizeof(v.sha256));
	*ret = v;
}

/* Is what lies under the key already the region that is to be put there? */
static enum object_result
check_same(const struct objects *s, const struct version *v, size_t n,
    char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf packed = BUF_EMPTY(OBJECT_BYTES_MAX), out = BUF_EMPTY(n);
	char sha256[DIGEST_HEX + 1];
	enum object_result res = s->get(s->ctx, v->key, &packed, NULL, why);

	if (res != OBJECT_OK)
		return res == OBJECT_NOT_FOUND ? OBJECT_UNAVAILABLE : res;
	if (gzip_unpack(packed.data, packed.len, &out) == 0 &&
	    digest_bytes(out.data, out.len, sha256) == 0 && strcmp(sha256, v->sha256) == 0)
		return OBJECT_OK;
	snprintf(why, JSON_WHY_MAX, "%s: expected the same bytes there, or nothing", v->key);
	return OBJECT_EXISTS;
}

enum object_result
version_put(const struct objects *s, const struct version *v, const void *region, size_t n,
    char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf packed = BUF_EMPTY(OBJECT_BYTES_MAX);
	struct object_info info = { 0 };
	enum object_result res;
	struct region view;

	if (version_check(v, why) < 0)
		return OBJECT_INVALID;
	if (n != v->firmware.vars_size) {
		snprintf(why, JSON_WHY_MAX, "the region has %zu bytes, expected %" PRIu64, n,
		    v->firmware.vars_size);
		return OBJECT_INVALID;
	}
	if (strcmp(v->source, VERSION_SET_ASIDE) != 0 &&
	    region_open(region, n, v->firmware.vars_size, &view, why) < 0)
		return OBJECT_INVALID;
	if (version_to_info(v, &info) < 0) {
		snprintf(why, JSON_WHY_MAX, "the object's metadata does not fit its limits");
		return OBJECT_INVALID;
	}
	if (gzip_pack(region, n, &packed) < 0) {
		snprintf(why, JSON_WHY_MAX, "no memory");
		return OBJECT_NOMEM;
	}
	res = s->put(s->ctx, &info, packed.data, packed.len, why);
	return res == OBJECT_EXISTS ? check_same(s, v, n, why) : res;
}

enum object_result
version_get(const struct objects *s, const char *key, uint64_t vars_size, struct buf *ret,
    struct version *ret_v, char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf packed = BUF_EMPTY(OBJECT_BYTES_MAX);
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct object_info info;
	struct region view;
	enum object_result res = s->get(s->ctx, key, &packed, &info, why);
	struct version v;
	int r;

	if (res != OBJECT_OK)
		return res;
	version_from_info(&info, &v);
	if (vars_size == 0)
		vars_size = v.firmware.vars_size;
	if (vars_size > REGION_MAX) {
		snprintf(why, JSON_WHY_MAX, "a region of %" PRIu64 " bytes is over the limit of %u",
		    vars_size, REGION_MAX);
		return OBJECT_INVALID;
	}
	out = BUF_EMPTY((size_t)vars_size);
	r = gzip_unpack(packed.data, packed.len, &out);
	if (r == -ENOMEM)
		return OBJECT_NOMEM;
	if (r < 0) {
		snprintf(why, JSON_WHY_MAX, "the object is not one gzip member of at most %" PRIu64
		    " bytes", vars_size);
		return OBJECT_INVALID;
	}
	if (region_open(out.data, out.len, vars_size, &view, why) < 0)
		return OBJECT_INVALID;
	if (ret_v)
		*ret_v = v;
	*ret = out;
	out = BUF_EMPTY(0);
	return OBJECT_OK;
}
