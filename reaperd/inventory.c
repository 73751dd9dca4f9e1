#include "reaperd/inventory_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/json.h"
#include "common/subjects.h"
#include "common/uefi_record.h"
#include "common/vm_list.h"

int
inventory_copy_id(char ret[static INSTANCE_ID_MAX + 1], const char *id)
{
	int n = snprintf(ret, INSTANCE_ID_MAX + 1, "%s", id);

	return n > 0 && n <= INSTANCE_ID_MAX ? 0 : -EINVAL;
}

enum cas_result
inventory_load(const struct inventory_sources *s, struct bucket *b, const char *key,
    struct cas_entry *ret)
{
	uint64_t revision = remembered_revision(s->remembered, b, key);
	enum cas_result res;

	if (revision > 0) {
		*ret = (struct cas_entry){ .revision = revision, .is_marker = true };
		return CAS_NOT_FOUND;
	}
	res = kv_load_wait(b, key, s->timeout_ms, ret);
	if (res == CAS_NOT_FOUND && ret->is_marker)
		remembered_add(s->remembered, b, key, ret->revision);
	return res;
}

enum known
inventory_known_of(enum cas_result res, const struct cas_entry *e)
{
	if (res == CAS_OK)
		return KNOWN_PRESENT;
	return e->is_marker ? KNOWN_MARKER : KNOWN_NO_MESSAGE;
}

static bool
is_unfinished(const char *teardown)
{
	return teardown[0] && strcmp(teardown, "done") != 0;
}

enum cas_result
inventory_read_instance(const struct inventory_sources *s, const char *id,
    struct inv_instance *ret)
{
	__attribute__((cleanup(auto_cas_entry))) struct cas_entry e = { 0 };
	struct inv_instance out = { 0 };
	struct instance i = { 0 };
	char key[CAS_KEY_MAX + 1], why[JSON_WHY_MAX];
	int n = snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", id);

	if (n < 0 || (size_t)n >= sizeof(key) || inventory_copy_id(out.id, id) < 0)
		return CAS_INVALID;
	enum cas_result res = inventory_load(s, s->instances, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	out.revision = e.revision;
	out.facts.known = inventory_known_of(res, &e);
	if (res == CAS_OK && instance_from_json(e.value, e.len, id, &i, why) < 0) {
		out.facts.known = KNOWN_UNREADABLE;
	} else if (res == CAS_OK) {
		out.facts.is_terminated = i.state == INSTANCE_TERMINATED;
		out.facts.terminated_ms = i.terminated_ms;
		out.facts.is_ending = i.state == INSTANCE_SHUTTING_DOWN;
		out.facts.freed_address = strcmp(i.teardown_address, "done") == 0;
		memcpy(out.node, i.node, sizeof(out.node));
		memcpy(out.account_id, i.account_id, sizeof(out.account_id));
		memcpy(out.end_request, i.end_request, sizeof(out.end_request));
		out.state = i.state;
		if (i.keep_volume)
			memcpy(out.kept_volume, i.volume_id, sizeof(out.kept_volume));
		for (size_t v = 0; v < i.nvolumes && v < INSTANCE_VOLUMES_MAX; v++)
			memcpy(out.volumes[v], i.volume[v].id, sizeof(out.volumes[v]));
		control_plane_of(&i, &out.control_plane);
		out.facts.has_pending = is_unfinished(i.teardown_uefi) ||
		    is_unfinished(i.teardown_volume) || is_unfinished(i.teardown_address);
		instance_deinit(&i);
	}
	*ret = out;
	return res;
}

enum cas_result
inventory_read_store(const struct inventory_sources *s, const char *id, struct inv_store *ret)
{
	__attribute__((cleanup(auto_cas_entry))) struct cas_entry e = { 0 };
	struct inv_store out = { 0 };
	struct uefi_record r;
	char why[JSON_WHY_MAX];

	if (inventory_copy_id(out.id, id) < 0)
		return CAS_INVALID;
	enum cas_result res = inventory_load(s, s->stores, id, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	out.revision = e.revision;
	out.facts.known = inventory_known_of(res, &e);
	if (res == CAS_OK && uefi_record_parse(e.value, e.len, id, &r, why) < 0) {
		out.facts.known = KNOWN_UNREADABLE;
	} else if (res == CAS_OK) {
		out.facts.is_deleting = r.deleting;
		out.generation = r.generation;
		memcpy(out.account_id, r.account_id, sizeof(out.account_id));
	}
	*ret = out;
	return res;
}

enum cas_result
inventory_read_claim(const struct inventory_sources *s, const char *id, struct inv_claim *ret)
{
	__attribute__((cleanup(auto_cas_entry))) struct cas_entry e = { 0 };
	struct inv_claim out = { 0 };
	struct cas_token token;
	char key[CAS_KEY_MAX + 1];
	int n = snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", id);

	if (n < 0 || (size_t)n >= sizeof(key) || inventory_copy_id(out.id, id) < 0)
		return CAS_INVALID;
	enum cas_result res = inventory_load(s, s->sync, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	out.revision = e.revision;
	out.facts.known = inventory_known_of(res, &e);
	if (res == CAS_OK && cas_token_parse(e.value, e.len, e.revision, &token) < 0) {
		out.facts.known = KNOWN_UNREADABLE;
	} else if (res == CAS_OK) {
		out.generation = token.generation;
		memcpy(out.holder, token.holder, sizeof(out.holder));
	}
	*ret = out;
	return res;
}

bool
inventory_is_buried(const struct inventory_sources *s, const char *node)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct cas_token token;
	char key[CAS_KEY_MAX + 1];

	(void)snprintf(key, sizeof(key), KEY_NODE_PREFIX "%s", node);
	return kv_load_wait(s->sync, key, s->timeout_ms, &e) == CAS_OK &&
	    cas_token_parse(e.value, e.len, e.revision, &token) == 0 &&
	    strcmp(token.holder, node) != 0;
}

void
inventory_ask_holder(const struct inventory_sources *s, struct asked *a, struct inv_claim *c)
{
	const cJSON *list = asked_list(a, s->bus, c->holder, s->timeout_ms);
	struct vm_seen seen;

	c->facts.holder_answered = c->facts.holder_runs_it = c->facts.holder_buried = false;
	if (!list || vm_list_find(list, c->id, &seen) < 0) {
		c->facts.holder_buried = inventory_is_buried(s, c->holder);
		return;
	}
	c->facts.holder_runs_it = seen.has_process || seen.is_in_launch;
	c->facts.holder_answered = true;
}

/* ---- taking it all ---- */

int
inventory_fail(char *why, size_t size, const char *what, enum cas_result res)
{
	(void)snprintf(why, size, "%s: %s", what, cas_result_text(res));
	return -EIO;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The sorted ids of a bucket's keys, without their prefix.  Keys of another form are passed
 * over: they are not ours to judge. */
static enum cas_result
list_ids(const struct inventory_sources *s, struct bucket *b, const char *prefix,
    struct kv_keys *ret)
{
	size_t skip = strlen(prefix), kept = 0;
	enum cas_result res = remembered_list(s->remembered, b, prefix, s->now_ms, s->timeout_ms, ret);

	if (res != CAS_OK)
		return res;
	for (size_t i = 0; i < ret->n; i++) {
		char *key = ret->key[i];

		if (strncmp(key, prefix, skip) != 0 || strlen(key + skip) > INSTANCE_ID_MAX ||
		    strncmp(key + skip, "i-", 2) != 0) {
			free(key);
			continue;
		}
		memmove(key, key + skip, strlen(key + skip) + 1);
		ret->key[kept++] = key;
	}
	ret->n = kept;
	if (kept > 1)
		qsort(ret->key, kept, sizeof(ret->key[0]), by_text);
	return CAS_OK;
}

/* One more than n of size bytes each; room is had by doubling. */
static bool
has_room(void **list, size_t n, size_t size)
{
	void *more;

	if (n & (n - 1))		/* not at a power of two: there is room */
		return true;
	more = reallocarray(*list, n ? 2 * n : 1, size);
	if (more)
		*list = more;
	return more != NULL;
}

/* Most of all that ever ran are gone: of those only what their judges need is kept. */
static bool
add_instance(struct inventory *inv, const struct inv_instance *in)
{
	void *gone = inv->gone, *instances = inv->instances;
	bool ok;

	if (in->facts.known == KNOWN_MARKER) {
		ok = has_room(&gone, inv->ngone, sizeof(inv->gone[0]));
		inv->gone = gone;
		if (!ok)
			return false;
		inv->gone[inv->ngone] = (struct inv_gone){ .revision = in->revision };
		memcpy(inv->gone[inv->ngone++].id, in->id, sizeof(in->id));
		return true;
	}
	ok = has_room(&instances, inv->ninstances, sizeof(inv->instances[0]));
	inv->instances = instances;
	if (ok)
		inv->instances[inv->ninstances++] = *in;
	return ok;
}

static int
take_instances(const struct inventory_sources *s, struct inventory *inv, char *why, size_t size)
{
	struct kv_keys k = { 0 };
	struct inv_instance in;
	enum cas_result res = list_ids(s, s->instances, KEY_INSTANCE_PREFIX, &k);

	for (size_t i = 0; res == CAS_OK && i < k.n; i++) {
		res = inventory_read_instance(s, k.key[i], &in);
		if (res == CAS_OK || res == CAS_NOT_FOUND)
			res = add_instance(inv, &in) ? CAS_OK : CAS_NOMEM;
	}
	kv_keys_deinit(&k);
	return res == CAS_OK ? 0 : inventory_fail(why, size, "instance records", res);
}

static int
take_stores(const struct inventory_sources *s, struct inventory *inv, char *why, size_t size)
{
	struct kv_keys k = { 0 };
	enum cas_result res = list_ids(s, s->stores, "", &k);

	inv->stores = res == CAS_OK ? calloc(k.n + 1, sizeof(inv->stores[0])) : NULL;
	if (res == CAS_OK && !inv->stores)
		res = CAS_NOMEM;
	for (size_t i = 0; res == CAS_OK && i < k.n; i++) {
		res = inventory_read_store(s, k.key[i], &inv->stores[i]);
		if (res == CAS_NOT_FOUND)
			res = CAS_OK;
		inv->nstores += res == CAS_OK;
	}
	kv_keys_deinit(&k);
	return res == CAS_OK ? 0 : inventory_fail(why, size, "UEFI store records", res);
}

static int
take_claims(const struct inventory_sources *s, struct inventory *inv, char *why, size_t size)
{
	struct kv_keys k = { 0 };
	enum cas_result res = list_ids(s, s->sync, KEY_UEFI_CLAIM_PREFIX, &k);

	inv->claims = res == CAS_OK ? calloc(k.n + 1, sizeof(inv->claims[0])) : NULL;
	if (res == CAS_OK && !inv->claims)
		res = CAS_NOMEM;
	for (size_t i = 0; res == CAS_OK && i < k.n; i++) {
		res = inventory_read_claim(s, k.key[i], &inv->claims[inv->nclaims]);
		if (res == CAS_NOT_FOUND)
			res = CAS_OK;		/* free: nothing to judge */
		else
			inv->nclaims += res == CAS_OK;
	}
	kv_keys_deinit(&k);
	return res == CAS_OK ? 0 : inventory_fail(why, size, "UEFI claims", res);
}

static int
take_objects(const struct inventory_sources *s, struct inventory *inv, char *why, size_t size)
{
	char because[JSON_WHY_MAX] = "";
	enum object_result res = s->objects->keys(s->objects->ctx, "uefi/", &inv->objects, because);

	if (res == OBJECT_OK)
		return 0;
	(void)snprintf(why, size, "objects: %s", because[0] ? because : object_result_text(res));
	return -EIO;
}

int
inventory_take(const struct inventory_sources *s, struct inventory *ret, char *why,
    size_t why_size)
{
	struct inventory inv = { 0 };
	int r;

	/* Objects before the records: a store made meanwhile has its record before its object,
	 * so no object here can seem to be without one. */
	r = take_objects(s, &inv, why, why_size);
	if (r == 0)
		r = take_stores(s, &inv, why, why_size);
	if (r == 0)
		r = take_claims(s, &inv, why, why_size);
	if (r == 0)
		r = inventory_take_ec2(s, &inv, why, why_size);
	/* Instances last: whatever is not terminated now was not terminated before. */
	if (r == 0)
		r = take_instances(s, &inv, why, why_size);
	if (r < 0)
		inventory_deinit(&inv);
	else
		*ret = inv;
	return r;
}

void
inventory_deinit(struct inventory *i)
{
	free(i->instances);
	free(i->gone);
	free(i->stores);
	free(i->claims);
	free(i->addresses);
	free(i->volumes);
	free(i->images);
	object_keys_deinit(&i->objects);
	asked_deinit(&i->asked);
	*i = (struct inventory){ 0 };
}

static int
by_id(const void *id, const void *member)
{
	return strcmp(id, member);		/* id is each struct's first member */
}

const struct inv_instance *
inventory_find(const struct inventory *i, const char *id)
{
	return i->ninstances == 0 ? NULL : bsearch(id, i->instances, i->ninstances,
	    sizeof(i->instances[0]), by_id);
}

static const struct inv_gone *
find_gone(const struct inventory *i, const char *id)
{
	return i->ngone == 0 ? NULL : bsearch(id, i->gone, i->ngone, sizeof(i->gone[0]), by_id);
}

struct instance_facts
inventory_instance(const struct inventory *i, const char *id)
{
	const struct inv_instance *f = inventory_find(i, id);

	if (f)
		return f->facts;
	return (struct instance_facts){ .known = find_gone(i, id) ? KNOWN_MARKER : KNOWN_NO_MESSAGE };
}

uint64_t
inventory_revision(const struct inventory *i, const char *id)
{
	const struct inv_instance *f = inventory_find(i, id);
	const struct inv_gone *gone = f ? NULL : find_gone(i, id);

	return f ? f->revision : gone ? gone->revision : 0;
}

struct store_facts
inventory_store(const struct inventory *i, const char *id)
{
	const struct inv_store *f = i->nstores == 0 ? NULL : bsearch(id, i->stores, i->nstores,
	    sizeof(i->stores[0]), by_id);

	return f ? f->facts : (struct store_facts){ .known = KNOWN_NO_MESSAGE };
}

const struct inv_claim *
inventory_claim(const struct inventory *i, const char *id)
{
	return i->nclaims == 0 ? NULL : bsearch(id, i->claims, i->nclaims, sizeof(i->claims[0]),
	    by_id);
}

const struct inv_image *
inventory_image(const struct inventory *i, const char *id)
{
	return i->nimages == 0 ? NULL : bsearch(id, i->images, i->nimages, sizeof(i->images[0]),
	    by_id);
}

struct image_facts
inventory_image_facts(const struct inv_image *img, const char *key, const char *account_id)
{
	enum known known = img ? img->known : KNOWN_NO_MESSAGE;

	return (struct image_facts){ .known = known, .has_account = account_id[0] != '\0',
	    .names_it = known == KNOWN_PRESENT && strcmp(img->object, key) == 0 };
}

bool
inventory_object_owner(const char *key, const char *kind,
    char ret[static INVENTORY_OWNER_MAX + 1])
{
	static const char prefix[] = "uefi/";
	size_t n;

	if (strncmp(key, prefix, sizeof(prefix) - 1) != 0)
		return false;
	key += sizeof(prefix) - 1;
	n = strcspn(key, "/");
	if (key[n] != '/' || n > INVENTORY_OWNER_MAX)
		return false;
	memcpy(ret, key, n);
	ret[n] = '\0';
	return ident_is_ec2(ret, kind);
}

struct inv_object
inventory_object(const struct inventory_sources *s, const char *key)
{
	struct buf body = BUF_EMPTY(OBJECT_BYTES_MAX);
	struct object_info info = { 0 };
	struct inv_object ret = { 0 };
	char why[JSON_WHY_MAX];
	const char *account;

	if (s->objects->get(s->objects->ctx, key, &body, &info, why) == OBJECT_OK) {
		ret.written_ms = info.written_ms;
		account = object_meta(&info, OBJECT_META_ACCOUNT);
		if (account && strlen(account) == 12 && strspn(account, "0123456789") == 12)
			memcpy(ret.account_id, account, sizeof(ret.account_id));
	}
	buf_deinit(&body);
	return ret;
}
