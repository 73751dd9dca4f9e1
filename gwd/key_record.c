#include "gwd/key_record.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/sigv4.h"

static const struct json_field fields[] = {
	{ "account_id", JSON_STR, offsetof(struct key_record, account_id), 12, 12, true, NULL, 0 },
	{ "user", JSON_STR, offsetof(struct key_record, user), 1, 64, true, NULL, 0 },
	{ "secret", JSON_STR, offsetof(struct key_record, secret), 1, SEAL_TEXT_MAX - 1, true,
	    NULL, 0 },
	{ "status", JSON_STR, offsetof(struct key_record, status), 1, 8, true, NULL, 0 },
	{ "created", JSON_TIME, offsetof(struct key_record, created_ms), 0, 0, false, NULL, 0 },
};

bool
key_account_is_valid(const char *account)
{
	return strlen(account) == 12 && strspn(account, "0123456789") == 12;
}

int
key_record_from_json(const char *value, size_t len, struct key_record *ret,
    char why[static JSON_WHY_MAX])
{
	struct key_record rec = { .created_ms = 0 };
	const int r = json_read(value, len, KEY_RECORD_MAX, fields, ARRAY_LEN(fields), JSON_LOOSE,
	    &rec, sizeof(rec), why);

	if (r < 0)
		return r;
	if (!key_account_is_valid(rec.account_id)) {
		(void)snprintf(why, JSON_WHY_MAX, "account_id: expected 12 digits");
		return -EINVAL;
	}
	*ret = rec;
	return 0;
}

char *
key_record_to_json(const struct key_record *r)
{
	AUTO(json) cJSON *obj = json_encode(fields, ARRAY_LEN(fields), r);

	return obj ? json_print(obj) : NULL;
}

void
key_random(char ret_id[static KEY_ID_LEN + 1], char ret_secret[static KEY_SECRET_LEN + 1])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	uint8_t bytes[16 + KEY_SECRET_LEN / 4 * 3];
	uint8_t text[KEY_SECRET_LEN + 1];

	ident_bytes(bytes, sizeof(bytes));
	memcpy(ret_id, "AKIA", 4);
	for (size_t i = 0; i < 16; i++)
		ret_id[4 + i] = digits[bytes[i] % 32];
	ret_id[KEY_ID_LEN] = '\0';
	EVP_EncodeBlock(text, bytes + 16, KEY_SECRET_LEN / 4 * 3);
	memcpy(ret_secret, text, sizeof(text));
	OPENSSL_cleanse(bytes, sizeof(bytes));
	OPENSSL_cleanse(text, sizeof(text));
}

/* ---- the table ---- */

static void
entry_free(struct key_entry *e)
{
	OPENSSL_cleanse(e, sizeof(*e));
	free(e);
}

void
key_table_deinit(struct key_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		entry_free(t->entry[i]);
	free(t->entry);
	*t = (struct key_table){ .n = 0 };
}

/* Where id stands, or would. */
static size_t
position(const struct key_table *t, const char *id, bool *ret_found)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const int r = strcmp(id, t->entry[mid]->key.id);

		if (r == 0) {
			*ret_found = true;
			return mid;
		}
		if (r < 0)
			high = mid;
		else
			low = mid + 1;
	}
	*ret_found = false;
	return low;
}

struct key_entry *
key_table_find(const struct key_table *t, const char *id)
{
	bool found;
	const size_t i = position(t, id, &found);

	return found ? t->entry[i] : NULL;
}

struct key_entry *
key_table_put(struct key_table *t, const char *id)
{
	bool found;
	const size_t i = position(t, id, &found);
	struct key_entry *e;

	if (found)
		return t->entry[i];
	if (t->n == t->room) {
		const size_t room = t->room ? 2 * t->room : 16;
		struct key_entry **p = reallocarray(t->entry, room, sizeof(struct key_entry *));

		if (!p)
			return NULL;
		t->entry = p;
		t->room = room;
	}
	if (!(e = calloc(1, sizeof(*e))))
		return NULL;
	(void)snprintf(e->key.id, sizeof(e->key.id), "%s", id);
	memmove(&t->entry[i + 1], &t->entry[i], (t->n - i) * sizeof(struct key_entry *));
	t->entry[i] = e;
	t->n++;
	return e;
}

static void
remove_at(struct key_table *t, size_t i)
{
	entry_free(t->entry[i]);
	t->n--;
	memmove(&t->entry[i], &t->entry[i + 1], (t->n - i) * sizeof(struct key_entry *));
}

void
key_table_remove(struct key_table *t, const char *id)
{
	bool found;
	const size_t i = position(t, id, &found);

	if (found)
		remove_at(t, i);
}

void
key_table_sweep(struct key_table *t, uint64_t pass)
{
	for (size_t i = t->n; i-- > 0;)
		if (t->entry[i]->pass != pass)
			remove_at(t, i);
}

const uint8_t *
key_signing_key(struct key_entry *e, const char *date, const char *region, const char *service)
{
	struct key_scope *s;

	for (size_t i = 0; i < KEY_SCOPES; i++) {
		s = &e->scope[i];
		if (!strcmp(s->date, date) && !strcmp(s->service, service) &&
		    !strcmp(s->region, region))
			return s->signing_key;
	}
	s = &e->scope[e->next_scope];
	memset(s, 0, sizeof(*s));
	if (sigv4_signing_key(e->secret, date, region, service, s->signing_key) < 0)
		return NULL;
	e->next_scope = (e->next_scope + 1) % KEY_SCOPES;
	(void)snprintf(s->date, sizeof(s->date), "%s", date);
	(void)snprintf(s->region, sizeof(s->region), "%s", region);
	(void)snprintf(s->service, sizeof(s->service), "%s", service);
	return s->signing_key;
}
