#include "leased/operator.h"

#include <string.h>

#include "common/json.h"
#include "common/subjects.h"

#define CALL_MS	5000

const struct json_field operator_list_fields[OPERATOR_LIST_FIELDS] = {
	{ "after",	JSON_STR,	offsetof(struct operator_list_in, after), 0, CAS_KEY_MAX,
	    .need = false },
};
const struct json_field operator_show_fields[OPERATOR_SHOW_FIELDS] = {
	{ "key",	JSON_STR,	offsetof(struct operator_show_in, key), 1, CAS_KEY_MAX,
	    .need = true },
};
const struct json_field operator_unlock_fields[OPERATOR_UNLOCK_FIELDS] = {
	{ "key",	JSON_STR,	offsetof(struct operator_unlock_in, key), 1, CAS_KEY_MAX,
	    .need = true },
	{ "expect_generation", JSON_U64_STR, offsetof(struct operator_unlock_in, generation), 1,
	    UINT64_MAX, .need = true },
};

static void
refuse_nomem(struct bus_req *req)
{
	bus_refuse(req, "lease.unavailable", true, "no memory");
}

/* ---- list ---- */

struct page {
	const char		 *after;
	const struct hold	**holds;
	size_t			  n, room;
};

static void
gather(void *arg, const struct hold *h)
{
	struct page *p = arg;

	if (p->n < p->room && strcmp(h->key, p->after) > 0)
		p->holds[p->n++] = h;
}

static int
by_key(const void *a, const void *b)
{
	const struct hold *const *x = a, *const *y = b;

	return strcmp((*x)->key, (*y)->key);
}

/* Since when its revision stands, as this node knows: sent by us, or first seen. */
static uint64_t
since_ms(const struct lease *l)
{
	if (l->state == LEASE_HELD)
		return l->sent_ms;
	return l->seen_revision != 0 ? l->seen_ms : 0;
}

static cJSON *
lease_json(const struct hold *h, uint64_t now)
{
	const struct lease *l = &h->lease;
	AUTO(json) cJSON *o = cJSON_CreateObject();
	uint64_t since = since_ms(l), until = lease_valid_until(l);
	struct cas_token t;

	lease_token(l, &t);
	if (!o || !cJSON_AddStringToObject(o, "key", h->key) ||
	    !cJSON_AddStringToObject(o, "holder", t.holder) ||
	    !json_add_u64_str(o, "generation", t.generation) ||
	    !json_add_u64_str(o, "revision",
	    l->state == LEASE_HELD ? l->revision : l->seen_revision) ||
	    !json_add_u64(o, "age_ms", since ? now - since : 0) ||
	    !json_add_u64(o, "renewals", l->state == LEASE_HELD ? l->renewals : 0) ||
	    !json_add_u64(o, "valid_for_ms", until > now ? until - now : 0) ||
	    !cJSON_AddStringToObject(o, "client", l->is_own ? "leased" : h->client))
		return NULL;
	return steal_json(&o);
}

static bool
add_leases(cJSON *out, const struct page *p, uint64_t now)
{
	size_t n = p->n < OPERATOR_PAGE ? p->n : OPERATOR_PAGE;
	cJSON *all = cJSON_AddArrayToObject(out, "leases");

	for (size_t i = 0; all && i < n; i++) {
		cJSON *one = lease_json(p->holds[i], now);

		if (!one || !cJSON_AddItemToArray(all, one)) {
			cJSON_Delete(one);
			return false;
		}
	}
	return all && (p->n <= n || cJSON_AddStringToObject(out, "after", p->holds[n - 1]->key));
}

void
operator_list(struct leased *d, struct bus_req *req, const struct operator_list_in *in)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	struct page p = { .after = in->after, .room = lease_table_count(d->table) };
	AUTO(mem) void *holds = calloc(p.room ? p.room : 1, sizeof(struct hold *));

	p.holds = holds;
	if (!out || !holds) {
		refuse_nomem(req);
		return;
	}
	lease_table_each(d->table, gather, &p);
	qsort(p.holds, p.n, sizeof(struct hold *), by_key);
	if (add_leases(out, &p, leased_now_ms(d)))
		bus_reply(req, out);
	else
		refuse_nomem(req);
}

/* ---- show and unlock: a read, and then what was asked ---- */

struct op {
	struct leased		*d;
	struct bus_req		*req;
	struct operator_unlock_in in;		/* show: the key alone */
	struct cas_token	 token;
};

static bool
add_here(cJSON *out, const struct hold *h, uint64_t now)
{
	cJSON *here = lease_json(h, now);

	if (here && cJSON_AddItemToObject(out, "here", here))
		return true;
	cJSON_Delete(here);
	return false;
}

static void
on_shown(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct op *o = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	const struct hold *h = lease_table_find(o->d->table, o->in.key);
	struct lease_seen seen;
	const char *state;

	sync_seen(res, e, &seen);
	state = seen.result == CAS_NOT_FOUND ? "free" : seen.is_corrupt ? "corrupt" : "held";
	if (seen.is_corrupt)
		seen.token.generation = seen.revision;	/* what unlock wants to be told */
	if (seen.result != CAS_OK && seen.result != CAS_NOT_FOUND)
		bus_refuse(o->req, "lease.unavailable", true, "%s", cas_result_text(seen.result));
	else if (!out || !cJSON_AddStringToObject(out, "key", o->in.key) ||
	    !cJSON_AddStringToObject(out, "state", state) ||
	    !cJSON_AddStringToObject(out, "holder", seen.token.holder) ||
	    !json_add_u64_str(out, "generation", seen.token.generation) ||
	    !json_add_u64_str(out, "revision", seen.revision) ||
	    (h && !add_here(out, h, leased_now_ms(o->d))))
		refuse_nomem(o->req);
	else
		bus_reply(o->req, out);
	free(o);
}

static void
begin(struct leased *d, struct bus_req *req, const struct operator_unlock_in *in,
    kv_loaded_fn *then)
{
	struct op *o;

	if (!cas_key_is_valid(in->key)) {
		bus_refuse(req, "lease.invalid_key", false, "not a valid lease key");
		return;
	}
	o = calloc(1, sizeof(*o));
	if (o)
		*o = (struct op){ .d = d, .req = req, .in = *in };
	if (o && kv_load(d->sync, in->key, CALL_MS, then, o))
		return;
	free(o);
	refuse_nomem(req);
}

void
operator_show(struct leased *d, struct bus_req *req, const struct operator_show_in *in)
{
	struct operator_unlock_in key = { .generation = 0 };

	memcpy(key.key, in->key, sizeof(key.key));
	begin(d, req, &key, on_shown);
}

static void
on_unlocked(void *arg, enum cas_result res, uint64_t revision)
{
	struct op *o = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (res == CAS_OK)
		log_fields(LOG_NOTICE, &(struct log_ctx){ .lease = o->in.key,
		    .node = o->token.holder, .generation = o->in.generation,
		    .request_id = bus_msg_header(bus_req_msg(o->req), HEADER_REQUEST_ID) },
		    "an operator unlocked %s, which %s had with generation %ju", o->in.key,
		    o->token.holder[0] ? o->token.holder : "nobody readable",
		    (uintmax_t)o->in.generation);
	if (res == CAS_LOST)
		bus_refuse(o->req, "lease.stale", false, "the key moved: its holder is alive");
	else if (res != CAS_OK)
		bus_refuse(o->req, "lease.unavailable", true, "%s", cas_result_text(res));
	else if (!out || !cJSON_AddBoolToObject(out, "unlocked", true))
		refuse_nomem(o->req);
	else
		bus_reply(o->req, out);
	free(o);
}

/* False: answered. */
static bool
may_unlock(struct op *o, const struct lease_seen *seen)
{
	uint64_t generation = seen->is_corrupt ? seen->revision : seen->token.generation;

	if (seen->result == CAS_NOT_FOUND)
		bus_refuse(o->req, "lease.stale", false, "nobody holds %s", o->in.key);
	else if (seen->result != CAS_OK)
		bus_refuse(o->req, "lease.unavailable", true, "%s", cas_result_text(seen->result));
	else if (!bucket_is_sound(o->d->sync))
		bus_refuse(o->req, "lease.unavailable", true, "the store went back, or its "
		    "server was met just now: nothing is unlocked there");
	else if (generation != o->in.generation)
		bus_refuse(o->req, "lease.stale", false,
		    "the generation is %ju, of %s; nothing was unlocked", (uintmax_t)generation,
		    seen->is_corrupt ? "a value that is no token" : seen->token.holder);
	else
		return true;
	return false;
}

static void
on_read(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct op *o = arg;
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	if (!may_unlock(o, &seen)) {
		free(o);
		return;
	}
	o->token = seen.token;
	if (!kv_remove(o->d->sync, o->in.key, seen.revision, CALL_MS, on_unlocked, o)) {
		refuse_nomem(o->req);
		free(o);
	}
}

void
operator_unlock(struct leased *d, struct bus_req *req, const struct operator_unlock_in *in)
{
	static const char *const reserved[] = { KEY_NODE_PREFIX, KEY_UEFI_CLAIM_PREFIX };

	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (strncmp(in->key, reserved[i], strlen(reserved[i])) == 0) {
			bus_refuse(req, "lease.owned", false, "%s* holds no leases to unlock",
			    reserved[i]);
			return;
		}
	begin(d, req, in, on_read);
}
