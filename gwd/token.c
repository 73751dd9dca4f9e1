#include "gwd/token.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

#include "common/sigv4.h"

_Static_assert(TOKEN_HEX == SIGV4_HEX, "a digest is one of theirs");

bool
token_is_valid(const char *token)
{
	size_t len = strlen(token);

	if (len == 0 || len > TOKEN_TEXT_MAX)
		return false;
	for (const char *p = token; *p; p++) {
		if (*p < 0x20 || *p > 0x7e)
			return false;
	}
	return true;
}

void
token_key(const char *account, const char *token, char ret[static TOKEN_KEY_MAX])
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	int at = snprintf(ret, TOKEN_KEY_MAX, "%.16s.", account);

	SHA256((const uint8_t *)token, strlen(token), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		at += snprintf(ret + at, TOKEN_KEY_MAX - (size_t)at, "%02x", digest[i]);
}

bool
token_digest(const cJSON *in, char ret[static TOKEN_HEX + 1])
{
	AUTO(json) cJSON *rest = cJSON_Duplicate(in, true);
	AUTO(str) char *text = NULL;

	cJSON_DeleteItemFromObjectCaseSensitive(rest, "ClientToken");
	text = rest ? json_print(rest) : NULL;
	if (text)
		sigv4_sha256_hex(text, strlen(text), ret);
	return text != NULL;
}

enum token_verdict
token_judge(const struct token_found *f)
{
	size_t count[TOKEN_THERE + 1] = { 0 };

	if (!f->exists)
		return TOKEN_FRESH;
	if (!f->same_params)
		return TOKEN_OTHER;
	for (size_t i = 0; i < f->n; i++)
		count[f->instances[i]]++;
	if (count[TOKEN_NEVER] > 0)
		return TOKEN_RESEND;
	return count[TOKEN_THERE] > 0 ? TOKEN_ANSWER : TOKEN_DEAD;
}
