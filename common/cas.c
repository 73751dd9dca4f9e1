#include "common/cas.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/hash.h"
#include "common/json.h"

#define TOKEN_MAX	1024	/* bytes of a token's JSON */

static const char *const result_text[CAS_RESULTS] = {
	[CAS_OK]		= "done",
	[CAS_NOT_FOUND]		= "not found",
	[CAS_LOST]		= "lost the race",
	[CAS_UNAVAILABLE]	= "the store cannot be reached",
	[CAS_UNKNOWN]		= "the outcome is not known",
	[CAS_BUCKET_LOST]	= "the bucket is gone, or went back",
	[CAS_REFUSED]		= "the store refused: no space, too large, or not allowed",
	[CAS_INVALID]		= "not a valid key or call",
	[CAS_NOMEM]		= "no memory",
};

const char *
cas_result_text(enum cas_result r)
{
	return (unsigned)r < CAS_RESULTS ? result_text[r] : "unknown";
}

void
cas_entry_deinit(struct cas_entry *e)
{
	free(e->value);
	*e = (struct cas_entry){ 0 };
}

/* ---- keys ---- */

static bool
key_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '-' || c == '/' || c == '_' || c == '=' || c == '.';
}

/* What keys and prefixes have in common; the last byte is judged by the caller. */
static bool
is_plain(const char *s, size_t *ret_len)
{
	size_t n;

	if (!s || *s == '\0' || *s == '.' || *s == '_')
		return false;
	for (n = 0; s[n] != '\0'; n++)
		if (n == CAS_KEY_MAX || !key_byte(s[n]) || (s[n] == '.' && s[n + 1] == '.'))
			return false;
	*ret_len = n;
	return true;
}

bool
cas_key_is_valid(const char *key)
{
	size_t n;

	return is_plain(key, &n) && key[n - 1] != '.';
}

bool
cas_prefix_is_valid(const char *prefix)
{
	size_t n;

	return is_plain(prefix, &n) && n > 1 && prefix[n - 1] == '.';
}

uint64_t
cas_key_hash(const char *key)
{
	return hash_text(HASH_BEGIN, key);
}

/* ---- tokens ---- */

static const struct json_field token_fields[] = {
	{ "holder",	JSON_STR,	offsetof(struct cas_token, holder), 1, CAS_HOLDER_MAX,
	    .need = true },
	{ "generation",	JSON_U64,	offsetof(struct cas_token, generation), 0, UINT64_MAX, .need = false },
};

int
cas_token_parse(const char *value, size_t len, uint64_t revision, struct cas_token *ret)
{
	struct cas_token t = { 0 };
	char why[JSON_WHY_MAX];
	int r = json_read(value, len, TOKEN_MAX, token_fields, ARRAY_LEN(token_fields),
	    JSON_LOOSE, &t, sizeof(t), why);

	if (r < 0)
		return r == -ENOMEM ? r : -EINVAL;
	if (t.generation == 0)
		t.generation = revision;
	*ret = t;
	return 0;
}

int
cas_token_print(const struct cas_token *t, char *ret, size_t size)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	AUTO(str) char *text = NULL;

	if (!o || !cJSON_AddStringToObject(o, "holder", t->holder) ||
	    !json_add_u64(o, "generation", t->generation) || !(text = json_print(o)))
		return -ENOMEM;
	if (strlen(text) >= size)
		return -ENAMETOOLONG;
	memcpy(ret, text, strlen(text) + 1);
	return (int)strlen(text);
}
