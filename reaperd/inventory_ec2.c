/* inventory_ec2.c - records of EC2's resources, "<account>.<id>" in a bucket of their own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/image.h"
#include "common/json.h"
#include "reaperd/inventory_impl.h"

#define ADDRESS_VALUE_MAX	1024

enum cas_result
inventory_read_address(const struct inventory_sources *s, const char *key,
    struct inv_address *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(json) cJSON *tree = NULL;
	struct inv_address out = { 0 };
	char why[JSON_WHY_MAX];
	const char *of;
	int n = snprintf(out.id, sizeof(out.id), "%s", key);

	if (n < 0 || (size_t)n >= sizeof(out.id))
		return CAS_INVALID;
	enum cas_result res = inventory_load(s, s->addresses, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	out.revision = e.revision;
	out.known = inventory_known_of(res, &e);
	if (res == CAS_OK) {
		of = json_parse(e.value, e.len, ADDRESS_VALUE_MAX, &tree, why) < 0 ? NULL :
		    json_text(tree, "instance_id");
		if (!of || !ident_is_ec2(of, "i") || inventory_copy_id(out.instance_id, of) < 0)
			out.known = KNOWN_UNREADABLE;
	}
	*ret = out;
	return res;
}

static enum cas_result
read_volume(const struct inventory_sources *s, const char *key, void *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(volume) struct volume v = { 0 };
	struct inv_volume out = { 0 };
	char why[JSON_WHY_MAX];
	enum cas_result res = inventory_load(s, s->volumes, key, &e);

	if (res != CAS_OK)
		return res;		/* a marker: its disk was removed before */
	(void)snprintf(out.account_id, sizeof(out.account_id), "%.12s", key);
	(void)snprintf(out.id, sizeof(out.id), "%s", key + 13);
	out.revision = e.revision;
	out.known = KNOWN_UNREADABLE;
	if (volume_from_json(e.value, e.len, &v, why) == 0 && strcmp(v.id, out.id) == 0) {
		out.known = KNOWN_PRESENT;
		out.state = v.state;
		memcpy(out.instance_id, v.instance_id, sizeof(out.instance_id));
		(void)snprintf(out.node, sizeof(out.node), "%s", v.node);
	}
	*(struct inv_volume *)ret = out;
	return CAS_OK;
}

static enum cas_result
read_image(const struct inventory_sources *s, const char *key, struct inv_image *ret,
    uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct inv_image out = { 0 };
	struct image i;
	char why[JSON_WHY_MAX];
	enum cas_result res = inventory_load(s, s->images, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	(void)snprintf(out.account_id, sizeof(out.account_id), "%.12s", key);
	(void)snprintf(out.id, sizeof(out.id), "%s", key + 13);
	out.known = inventory_known_of(res, &e);
	if (res == CAS_OK && (image_from_json(e.value, e.len, &i, why) < 0 ||
	    strcmp(i.id, out.id) != 0))
		out.known = KNOWN_UNREADABLE;
	else if (res == CAS_OK)
		memcpy(out.object, i.uefi_object, sizeof(out.object));
	*ret_revision = e.revision;
	*ret = out;
	return res;
}

enum cas_result
inventory_read_image(const struct inventory_sources *s, const char *account_id, const char *id,
    struct inv_image *ret, uint64_t *ret_revision)
{
	char key[CAS_KEY_MAX + 1];

	(void)snprintf(key, sizeof(key), "%.12s.%.21s", account_id, id);
	return read_image(s, key, ret, ret_revision);
}

/* ---- taking them all ---- */

typedef enum cas_result read_fn(const struct inventory_sources *s, const char *key, void *ret);

static enum cas_result
read_one_address(const struct inventory_sources *s, const char *key, void *ret)
{
	return inventory_read_address(s, key, ret);
}

/* A marker too: it proves that no image of the id comes any more. */
static enum cas_result
read_one_image(const struct inventory_sources *s, const char *key, void *ret)
{
	uint64_t revision;
	enum cas_result res = read_image(s, key, ret, &revision);

	return res == CAS_NOT_FOUND ? CAS_OK : res;
}

/* "<account>.<id>": keys of another form are not ours to judge. */
static bool
is_ours(const char *key, size_t id_max)
{
	return strspn(key, "0123456789") == 12 && key[12] == '.' && key[13] &&
	    strlen(key + 13) <= id_max;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(a, b);		/* id is each struct's first member */
}

struct kind {
	const char	*name;
	size_t		 size, id_max;
	read_fn		*read;
};

static int
take(const struct inventory_sources *s, struct bucket *b, const struct kind *kind, void **ret,
    size_t *ret_n, char *why, size_t why_size)
{
	struct kv_keys k = { 0 };
	enum cas_result res = remembered_list(s->remembered, b, "", s->now_ms, s->timeout_ms, &k);
	char *v = res == CAS_OK ? calloc(k.n + 1, kind->size) : NULL;
	size_t n = 0;

	if (res == CAS_OK && !v)
		res = CAS_NOMEM;
	for (size_t i = 0; res == CAS_OK && i < k.n; i++) {
		if (!is_ours(k.key[i], kind->id_max))
			continue;
		res = kind->read(s, k.key[i], v + n * kind->size);
		if (res == CAS_NOT_FOUND)
			res = CAS_OK;		/* gone */
		else
			n += res == CAS_OK;
	}
	kv_keys_deinit(&k);
	if (res != CAS_OK) {
		free(v);
		return inventory_fail(why, why_size, kind->name, res);
	}
	if (n > 1)
		qsort(v, n, kind->size, by_id);
	*ret = v;
	*ret_n = n;
	return 0;
}

int
inventory_take_ec2(const struct inventory_sources *s, struct inventory *inv, char *why,
    size_t size)
{
	static const struct kind addresses = { "addresses", sizeof(struct inv_address),
		CAS_KEY_MAX, read_one_address };
	static const struct kind volumes = { "volumes", sizeof(struct inv_volume),
		sizeof(((struct inv_volume *)0)->id) - 1, read_volume };
	static const struct kind images = { "images", sizeof(struct inv_image),
		sizeof(((struct inv_image *)0)->id) - 1, read_one_image };
	void *v;
	int r = take(s, s->addresses, &addresses, &v, &inv->naddresses, why, size);

	if (r < 0)
		return r;
	inv->addresses = v;
	if ((r = take(s, s->volumes, &volumes, &v, &inv->nvolumes, why, size)) < 0)
		return r;
	inv->volumes = v;
	if ((r = take(s, s->images, &images, &v, &inv->nimages, why, size)) < 0)
		return r;
	inv->images = v;
	return 0;
}
