#include "gwd/page.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A token is base64 of this, the action, a colon and the key. */
#define PAGE_VERSION	"1:"

static enum page_result
page_read_token(const struct page_rule *rule, const char *token, char *ret, size_t size)
{
	unsigned char plain[PAGE_TOKEN_MAX + 1];
	char head[80];
	size_t len = strlen(token), head_len;
	int n;

	if (len == 0 || len >= PAGE_TOKEN_MAX || len % 4 != 0)
		return PAGE_BAD_TOKEN;
	n = EVP_DecodeBlock(plain, (const unsigned char *)token, (int)len);
	if (n < 0)
		return PAGE_BAD_TOKEN;
	plain[n] = '\0';	/* padding decodes to NULs, which end the text as well */
	head_len = (size_t)snprintf(head, sizeof(head), PAGE_VERSION "%s:", rule->action);
	if (strncmp((char *)plain, head, head_len) != 0)
		return PAGE_BAD_TOKEN;
	len = strlen((char *)plain + head_len);
	if (len == 0 || len >= size)
		return PAGE_BAD_TOKEN;
	memcpy(ret, plain + head_len, len + 1);
	return PAGE_OK;
}

enum page_result
page_open(const struct page_rule *rule, const struct page_ask *ask, struct page *ret)
{
	struct page p = { 0 };
	enum page_result res;

	if (ask->has_ids && (ask->has_max || ask->token))
		return PAGE_WITH_IDS;
	if (ask->has_max && ask->max < (int64_t)rule->min)
		return PAGE_TOO_SMALL;
	if (ask->has_max && ask->max > (int64_t)rule->max)
		return PAGE_TOO_LARGE;
	if (ask->has_max)
		p.max = (uint32_t)ask->max;
	if (ask->token) {
		res = page_read_token(rule, ask->token, p.after, sizeof(p.after));
		if (res != PAGE_OK)
			return res;
	}
	*ret = p;
	return PAGE_OK;
}

static int
page_compare(const void *a, const void *b)
{
	const struct page_item *x = a, *y = b;

	return strcmp(x->key, y->key);
}

size_t
page_cut(const struct page *p, struct page_item *items, size_t n, size_t *ret_first,
    bool *ret_more)
{
	size_t first = 0, count;

	if (n > 1)
		qsort(items, n, sizeof(items[0]), page_compare);
	while (first < n && strcmp(items[first].key, p->after) <= 0)
		first++;
	count = n - first;
	if (p->max > 0 && count > p->max)
		count = p->max;
	*ret_first = first;
	*ret_more = first + count < n;
	return count;
}

int
page_token(const char *action, const char *last_key, char ret[static PAGE_TOKEN_MAX])
{
	char plain[PAGE_TOKEN_MAX];
	int n = snprintf(plain, sizeof(plain), PAGE_VERSION "%s:%s", action, last_key);

	if (n < 0 || 4 * ((n + 2) / 3) >= PAGE_TOKEN_MAX || strlen(last_key) > PAGE_KEY_MAX)
		return -ENAMETOOLONG;
	EVP_EncodeBlock((unsigned char *)ret, (unsigned char *)plain, n);
	return 0;
}
