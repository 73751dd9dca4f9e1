#include "common/kv_wire.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base64.h"
#include "common/clock.h"

#define ACK_MAX		(64u << 10)	/* bytes of an acknowledgement */
#define MESSAGE_MAX	(32u << 20)	/* of a stored message: base64 of max_payload's largest */
#define INFO_MAX	(64u << 20)	/* of a page of 100,000 subjects */

#define NS_PER_MS	UINT64_C(1000000)
#define DUPLICATE_MS	UINT64_C(120000)	/* a nonce of Nats-Msg-Id is kept so long */

/* err_codes of the server; what is not here says nothing about a write. */
static const struct {
	uint64_t	code;
	enum kv_class	class;
} codes[] = {
	{ 10002, KV_REFUSED },		/* resource limits of the account */
	{ 10008, KV_UNAVAILABLE },	/* no leader */
	{ 10023, KV_REFUSED },		/* insufficient resources */
	{ 10028, KV_REFUSED },		/* memory limit */
	{ 10039, KV_UNAVAILABLE },	/* JetStream is off for the account */
	{ 10047, KV_REFUSED },		/* storage limit */
	{ 10054, KV_REFUSED },		/* message larger than the stream allows */
	{ 10059, KV_GONE },		/* no such stream */
	{ 10060, KV_GONE },		/* Nats-Expected-Stream names another */
	{ 10076, KV_UNAVAILABLE },	/* JetStream is off */
	{ 10077, KV_REFUSED },		/* the store failed: no space */
};

static cJSON *
parse(const void *data, size_t len, size_t max)
{
	char why[JSON_WHY_MAX];
	cJSON *tree = NULL;

	if (json_parse(data, len, max, &tree, why) < 0)
		return NULL;
	if (cJSON_IsObject(tree))
		return tree;
	cJSON_Delete(tree);
	return NULL;
}

static uint64_t
member_u64(const cJSON *o, const char *key)
{
	uint64_t v;

	return json_get_u64(json_member(o, key), &v) ? v : 0;
}

/* The err_code of an answer that is an error, 0 for one without a code; false: no error. */
static bool
error_code(const cJSON *tree, uint64_t *ret)
{
	const cJSON *e = json_member(tree, "error");

	if (!cJSON_IsObject(e))
		return false;
	*ret = member_u64(e, "err_code");
	return true;
}

/* ---- answers to a write ---- */

/* "wrong last sequence: 4"; false without a number. */
static bool
named_sequence(const cJSON *tree, uint64_t *ret)
{
	const char *text = json_text(json_member(tree, "error"), "description");
	const char *p = text ? strrchr(text, ':') : NULL;
	uint64_t v = 0;

	if (!p || p[1] != ' ' || !isdigit((unsigned char)p[2]))
		return false;
	for (p += 2; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*p - '0'), &v))
			return false;
	*ret = v;
	return *p == '\0';
}

static void
classify_error(const cJSON *tree, uint64_t code, uint64_t expected, struct kv_ack *ret)
{
	if (code == 10071) {
		ret->class = named_sequence(tree, &ret->seq) && ret->seq > expected
		    ? KV_BEHIND : KV_REREAD;
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].code == code)
			ret->class = codes[i].class;
}

void
kv_wire_ack(enum bus_result res, const void *data, size_t len, uint64_t expected,
    struct kv_ack *ret)
{
	AUTO(json) cJSON *tree = NULL;
	uint64_t code;

	*ret = (struct kv_ack){ .class = KV_UNSURE };
	if (res == BUS_NO_RESPONDERS || res == BUS_NOT_SENT)
		ret->class = KV_UNAVAILABLE;
	if (res != BUS_OK)
		return;
	tree = parse(data, len, ACK_MAX);
	if (!tree)
		return;
	if (error_code(tree, &code)) {
		classify_error(tree, code, expected, ret);
		return;
	}
	ret->seq = member_u64(tree, "seq");
	/* A duplicate may be of somebody else's write with the same key and expectation. */
	if (ret->seq > 0 && !cJSON_IsTrue(json_member(tree, "duplicate")))
		ret->class = KV_WON;
}

/* ---- headers ---- */

/* The line at p without its CR LF; NULL after the last. */
static const char *
next_line(const char *p, size_t *ret_len)
{
	const char *end = strstr(p, "\r\n");

	if (!end || end == p)
		return NULL;
	*ret_len = (size_t)(end - p);
	return p;
}

/* Splits "Name: value"; false when there is no colon. */
static bool
split(const char *line, size_t len, size_t *ret_name, const char **ret_value)
{
	const char *colon = memchr(line, ':', len), *v;

	if (!colon)
		return false;
	v = colon + 1;
	while (v < line + len && *v == ' ')
		v++;
	*ret_name = (size_t)(colon - line);
	*ret_value = v;
	return true;
}

bool
kv_headers_find(const char *headers, const char *name, char *ret, size_t size)
{
	size_t len = 0, n;
	const char *line, *v;

	for (line = headers ? next_line(headers, &len) : NULL; line;
	    line = next_line(line + len + 2, &len)) {
		if (!split(line, len, &n, &v) || n != strlen(name) ||
		    strncmp(line, name, n) != 0)
			continue;
		n = (size_t)(line + len - v);
		if (n >= size)
			return false;
		memcpy(ret, v, n);
		ret[n] = '\0';
		return true;
	}
	return false;
}

void
kv_headers_each(const char *headers, void (*fn)(void *arg, const char *name, const char *value),
    void *arg)
{
	size_t len = 0, n;
	const char *line, *v;

	for (line = headers ? next_line(headers, &len) : NULL; line;
	    line = next_line(line + len + 2, &len)) {
		if (!split(line, len, &n, &v))
			continue;
		AUTO(str) char *name = strndup(line, n);
		AUTO(str) char *value = strndup(v, (size_t)(line + len - v));

		if (name && value)
			fn(arg, name, value);
	}
}

/* ---- answers to a leader read ---- */

void
kv_message_deinit(struct kv_message *m)
{
	free(m->value);
	free(m->headers);
	*m = (struct kv_message){ 0 };
}

/* The base64 text of a member, decoded; a missing one is empty. */
static bool
member_bytes(const cJSON *o, const char *key, char **ret, size_t *ret_len)
{
	const char *text = json_text(o, key);
	uint8_t *bytes;

	if (base64_decode(text ? text : "", text ? strlen(text) : 0, &bytes, ret_len) < 0)
		return false;
	*ret = (char *)bytes;
	return true;
}

static bool
read_message(const cJSON *o, const char *subject, struct kv_message *m)
{
	const char *got = json_text(o, "subject"), *time = json_text(o, "time");
	char op[16];
	size_t n;

	m->seq = member_u64(o, "seq");
	if (m->seq == 0 || !got || strcmp(got, subject) != 0 ||
	    !member_bytes(o, "data", &m->value, &m->len) ||
	    !member_bytes(o, "hdrs", &m->headers, &n))
		return false;
	if (time && clock_from_text(time, &m->wall_ms) < 0)
		return false;
	m->is_marker = kv_headers_find(m->headers, KV_HEADER_OP, op, sizeof(op)) &&
	    (strcmp(op, "DEL") == 0 || strcmp(op, "PURGE") == 0);
	return true;
}

static enum kv_got
error_got(uint64_t code)
{
	if (code == 10037)
		return KV_NONE;
	return code == 10059 ? KV_LOST_STREAM : KV_AWAY;
}

enum kv_got
kv_wire_message(enum bus_result res, const void *data, size_t len, const char *subject,
    struct kv_message *ret)
{
	AUTO(json) cJSON *tree = res == BUS_OK ? parse(data, len, MESSAGE_MAX) : NULL;
	struct kv_message m = { 0 };
	const cJSON *o;
	uint64_t code;

	if (!tree)
		return KV_AWAY;
	if (error_code(tree, &code))
		return error_got(code);
	o = json_member(tree, "message");
	if (!cJSON_IsObject(o) || !read_message(o, subject, &m)) {
		kv_message_deinit(&m);
		return KV_AWAY;
	}
	*ret = m;
	return KV_GOT;
}

enum kv_got
kv_wire_next(enum bus_result res, const void *data, size_t len, const char *start,
    uint64_t after, char ret_rest[static KV_SUBJECT_SIZE], uint64_t *ret_seq)
{
	AUTO(json) cJSON *tree = res == BUS_OK ? parse(data, len, MESSAGE_MAX) : NULL;
	const cJSON *o = tree ? json_member(tree, "message") : NULL;
	const char *subject = cJSON_IsObject(o) ? json_text(o, "subject") : NULL;
	uint64_t code, seq = cJSON_IsObject(o) ? member_u64(o, "seq") : 0;
	size_t skip = strlen(start);

	if (!tree)
		return KV_AWAY;
	if (error_code(tree, &code))
		return error_got(code);
	/* What is not what was asked for says nothing of what there is. */
	if (!subject || seq <= after || strncmp(subject, start, skip) != 0 ||
	    strlen(subject + skip) >= KV_SUBJECT_SIZE)
		return KV_AWAY;
	(void)snprintf(ret_rest, KV_SUBJECT_SIZE, "%s", subject + skip);
	*ret_seq = seq;
	return KV_GOT;
}

/* ---- answers to STREAM.INFO and STREAM.CREATE ---- */

void
kv_info_deinit(struct kv_info *i)
{
	for (size_t k = 0; k < i->n; k++)
		free(i->subject[k]);
	free(i->subject);
	*i = (struct kv_info){ 0 };
}

static bool
read_subjects(const cJSON *state, struct kv_info *i)
{
	const cJSON *list = json_member(state, "subjects"), *item;
	size_t n = 0;

	if (!cJSON_IsObject(list))
		return true;
	cJSON_ArrayForEach(item, list)
		n++;
	i->subject = calloc(n ? n : 1, sizeof(*i->subject));
	if (!i->subject)
		return false;
	cJSON_ArrayForEach(item, list) {
		i->subject[i->n] = strdup(item->string);
		if (!i->subject[i->n])
			return false;
		i->n++;
	}
	return true;
}

static bool
read_info(const cJSON *tree, struct kv_info *i)
{
	const char *created = json_text(tree, "created");
	const cJSON *state = json_member(tree, "state");
	int n;

	if (!created || !cJSON_IsObject(state))
		return false;
	n = snprintf(i->created, sizeof(i->created), "%s", created);
	if (n <= 0 || (size_t)n >= sizeof(i->created))
		return false;
	i->last_seq = member_u64(state, "last_seq");
	i->replicas = member_u64(json_member(tree, "config"), "num_replicas");
	/* From 2.10 on a server that is alone leads, too: in a cluster without a name. */
	i->is_clustered = json_text(json_member(tree, "cluster"), "name") != NULL;
	i->total = member_u64(tree, "total");
	i->offset = member_u64(tree, "offset");
	return read_subjects(state, i);
}

enum kv_got
kv_wire_info(enum bus_result res, const void *data, size_t len, struct kv_info *ret,
    uint64_t *ret_code)
{
	AUTO(json) cJSON *tree = res == BUS_OK ? parse(data, len, INFO_MAX) : NULL;
	struct kv_info i = { 0 };

	*ret_code = 0;
	if (!tree)
		return KV_AWAY;
	if (error_code(tree, ret_code))
		return error_got(*ret_code);
	if (!read_info(tree, &i)) {
		kv_info_deinit(&i);
		return KV_AWAY;
	}
	*ret = i;
	return KV_GOT;
}

/* ---- requests ---- */

bool
kv_wire_subject(const char *bucket, const char *rest, char ret[static KV_SUBJECT_SIZE])
{
	int n = snprintf(ret, KV_SUBJECT_SIZE, "$KV.%s.%s", bucket, rest);

	return n > 0 && n < KV_SUBJECT_SIZE;
}

bool
kv_wire_api(const char *verb, const char *bucket, char ret[static KV_SUBJECT_SIZE])
{
	int n = snprintf(ret, KV_SUBJECT_SIZE, "$JS.API.STREAM.%s.KV_%s", verb, bucket);

	return n > 0 && n < KV_SUBJECT_SIZE;
}

static bool
add_limits(cJSON *o, const struct kv_config *c)
{
	uint64_t window = c->ttl_ms > 0 && c->ttl_ms < DUPLICATE_MS ? c->ttl_ms : DUPLICATE_MS;

	return cJSON_AddNumberToObject(o, "max_consumers", -1) &&
	    cJSON_AddNumberToObject(o, "max_msgs", -1) &&
	    cJSON_AddNumberToObject(o, "max_bytes", -1) &&
	    cJSON_AddNumberToObject(o, "max_msg_size", -1) &&
	    cJSON_AddNumberToObject(o, "max_msgs_per_subject", 1) &&
	    json_add_u64(o, "max_age", c->ttl_ms * NS_PER_MS) &&
	    json_add_u64(o, "duplicate_window", window * NS_PER_MS) &&
	    json_add_u64(o, "num_replicas", c->replicas);
}

/*
 * Records are deleted by markers alone, so nobody may purge or roll up: either would remove a
 * marker, and with it the proof that a key is gone.  Only where names are never used again may
 * single messages be deleted.  Reads are the leader's: no direct get.
 */
static bool
add_rules(cJSON *o, bool may_erase)
{
	return cJSON_AddStringToObject(o, "retention", "limits") &&
	    cJSON_AddStringToObject(o, "storage", "file") &&
	    cJSON_AddStringToObject(o, "discard", "new") &&
	    cJSON_AddFalseToObject(o, "allow_direct") &&
	    cJSON_AddFalseToObject(o, "allow_rollup_hdrs") &&
	    cJSON_AddBoolToObject(o, "deny_delete", !may_erase) &&
	    cJSON_AddTrueToObject(o, "deny_purge");
}

char *
kv_wire_config(const struct kv_config *c)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *subjects = o ? cJSON_AddArrayToObject(o, "subjects") : NULL;
	char stream[KV_STREAM_SIZE], all[KV_SUBJECT_SIZE];
	cJSON *item;

	(void)snprintf(stream, sizeof(stream), "KV_%s", c->bucket);
	if (!subjects || !kv_wire_subject(c->bucket, ">", all) ||
	    !(item = cJSON_CreateString(all)))
		return NULL;
	cJSON_AddItemToArray(subjects, item);
	if (!cJSON_AddStringToObject(o, "name", stream) ||
	    !cJSON_AddStringToObject(o, "description", c->description ? c->description : "") ||
	    !add_limits(o, c) || !add_rules(o, c->may_erase) ||
	    (c->first_seq > 0 && !json_add_u64(o, "first_seq", c->first_seq)))
		return NULL;
	return json_print(o);
}

char *
kv_wire_more_replicas(const void *info, size_t len, uint32_t replicas)
{
	AUTO(json) cJSON *tree = parse(info, len, INFO_MAX);
	AUTO(json) cJSON *config = tree ?
	    cJSON_DetachItemFromObjectCaseSensitive(tree, "config") : NULL;
	cJSON *n = config ? cJSON_CreateNumber(replicas) : NULL;

	if (!n || !cJSON_ReplaceItemInObjectCaseSensitive(config, "num_replicas", n)) {
		cJSON_Delete(n);
		return NULL;
	}
	return json_print(config);
}

/* ---- the answer to STREAM.MSG.DELETE ---- */

enum cas_result
kv_wire_erased(enum bus_result res, const void *data, size_t len)
{
	AUTO(json) cJSON *tree = NULL;
	uint64_t code;

	if (res == BUS_NO_RESPONDERS || res == BUS_NOT_SENT)
		return CAS_UNAVAILABLE;
	tree = res == BUS_OK ? parse(data, len, MESSAGE_MAX) : NULL;
	if (!tree)
		return CAS_UNKNOWN;
	if (!error_code(tree, &code))
		return cJSON_IsTrue(json_member(tree, "success")) ? CAS_OK : CAS_UNKNOWN;
	if (code == 10043)		/* no such sequence */
		return CAS_NOT_FOUND;
	if (code == 10059)
		return CAS_BUCKET_LOST;
	return code == 10008 ? CAS_UNAVAILABLE : CAS_REFUSED;
}
