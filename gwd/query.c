#include "gwd/query.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/text.h"

static int PRINTF_LIKE(2, 3)
refuse(char why[static QUERY_WHY_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(why, QUERY_WHY_MAX, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes p[0..n-1] in place and ends it with a NUL: what is decoded is never longer, and
 * p[n] is the separator.  The length, or -EINVAL. */
static int
decode(char *p, size_t n, char why[static QUERY_WHY_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		int c = p[i] == '+' ? ' ' : (unsigned char)p[i];

		if (c == '%') {
			const int high = n - i > 2 ? hex_value(p[i + 1]) : -1;
			const int low = n - i > 2 ? hex_value(p[i + 2]) : -1;

			if (high < 0 || low < 0)
				return refuse(why, "A '%%' must be followed by two hexadecimal "
				    "digits.");
			c = high << 4 | low;
			i += 2;
		}
		p[used++] = (char)c;
	}
	if (!text_is_plain(p, used))
		return refuse(why, "A parameter must be UTF-8 text without control characters.");
	p[used] = '\0';
	return (int)used;
}

/* One "name=value" of len bytes; p[len] may be overwritten. */
static int
read_param(char *p, size_t len, struct query_param *ret, char why[static QUERY_WHY_MAX])
{
	char *eq = memchr(p, '=', len);
	const size_t name_len = eq ? (size_t)(eq - p) : len;
	const int n = decode(p, name_len, why);

	if (n < 0)
		return n;
	if (n == 0 || n > QUERY_NAME_MAX)
		return refuse(why, "A parameter's name must have 1 to %d bytes.", QUERY_NAME_MAX);
	ret->name = p;
	ret->value = eq ? eq + 1 : p + n;
	return eq ? decode(eq + 1, len - name_len - 1, why) : 0;
}

static size_t
count_params(const char *text, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '&';
	return n;
}

static int
read_params(struct query *q, char *copy, size_t len, char why[static QUERY_WHY_MAX])
{
	size_t n = q->n;
	int r;

	for (char *p = copy; p < copy + len;) {
		char *amp = memchr(p, '&', (size_t)(copy + len - p));
		const size_t one = amp ? (size_t)(amp - p) : (size_t)(copy + len - p);

		if (one && (r = read_param(p, one, &q->params[n++], why)) < 0)
			return r;
		p += one + 1;
	}
	q->n = n;
	return 0;
}

int
query_parse(struct query *q, const char *text, size_t len, char why[static QUERY_WHY_MAX])
{
	const size_t slot = q->text[0] ? 1 : 0;
	const size_t room = q->n + count_params(text, len);
	struct query_param *params;
	int r;

	if (!len)
		return 0;
	if (room > QUERY_PARAMS_MAX)
		return refuse(why, "A request may have at most %d parameters.", QUERY_PARAMS_MAX);
	if (q->text[slot])
		return -EINVAL;
	AUTO(str) char *copy = malloc(len + 1);

	if (!copy || !(params = reallocarray(q->params, room, sizeof(*params))))
		return -ENOMEM;
	q->params = params;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if ((r = read_params(q, copy, len, why)) < 0)
		return r;
	q->text[slot] = steal_str(&copy);
	return 0;
}

static bool
is_number(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return n > 0;
}

static int
compare_parts(const char *a, size_t a_len, const char *b, size_t b_len)
{
	const size_t n = a_len < b_len ? a_len : b_len;
	const int longer = (a_len > b_len) - (a_len < b_len);
	int r;

	if (longer && is_number(a, a_len) && is_number(b, b_len))
		return longer;
	r = memcmp(a, b, n);
	return r ? r : longer;
}

static int
compare_names(const char *a, const char *b)
{
	for (;;) {
		const size_t a_len = strcspn(a, "."), b_len = strcspn(b, ".");
		const int r = compare_parts(a, a_len, b, b_len);

		if (r)
			return r;
		if (!a[a_len] || !b[b_len])
			return (a[a_len] != '\0') - (b[b_len] != '\0');
		a += a_len + 1;
		b += b_len + 1;
	}
}

static int
compare_params(const void *a, const void *b)
{
	const struct query_param *x = a, *y = b;
	const int r = compare_names(x->name, y->name);

	/* Equal names keep an order of their own, whatever the sort does. */
	return r ? r : (x->name > y->name) - (x->name < y->name);
}

void
query_sort(struct query *q)
{
	if (q->n > 1)
		qsort(q->params, q->n, sizeof(*q->params), compare_params);
}

const char *
query_get(const struct query *q, const char *name)
{
	for (size_t i = 0; i < q->n; i++)
		if (!strcmp(q->params[i].name, name))
			return q->params[i].value;
	return NULL;
}

void
query_deinit(struct query *q)
{
	free(q->params);
	free(q->text[0]);
	free(q->text[1]);
	*q = (struct query){ 0 };
}
