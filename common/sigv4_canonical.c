#include "common/sigv4.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An encoded name or value: a piece of the scratch buffer, by offset since it moves. */
struct piece {
	size_t	 at, len;
};
struct pair {
	struct piece	 name, value;
};

static bool
is_unreserved(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '-' || c == '_' || c == '.' || c == '~';
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

/* The byte at p[*i], its escape resolved; *i moves past it. */
static unsigned char
decode_at(const char *p, size_t n, size_t *i)
{
	int high, low;

	if (p[*i] == '%' && *i + 2 < n && (high = hex_value(p[*i + 1])) >= 0 &&
	    (low = hex_value(p[*i + 2])) >= 0) {
		*i += 3;
		return (unsigned char)(high << 4 | low);
	}
	return (unsigned char)p[(*i)++];
}

static int
add_encoded(struct buf *b, unsigned char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char out[3] = { '%', digits[c >> 4], digits[c & 15] };

	return is_unreserved(c) ? buf_add(b, &c, 1) : buf_add(b, out, sizeof(out));
}

/* Decodes and encodes again, so that every spelling of a text has one form. */
static int
add_normal(struct buf *b, const char *p, size_t n, struct piece *ret)
{
	const size_t at = b->len;

	for (size_t i = 0; i < n;) {
		unsigned char c = p[i] == '+' ? ' ' : 0;
		int r;

		if (c)
			i++;
		else
			c = decode_at(p, n, &i);
		if ((r = add_encoded(b, c)) < 0)
			return r;
	}
	*ret = (struct piece){ .at = at, .len = b->len - at };
	return 0;
}

static int
compare_pieces(const uint8_t *text, struct piece a, struct piece b)
{
	const size_t n = a.len < b.len ? a.len : b.len;
	const int r = n ? memcmp(text + a.at, text + b.at, n) : 0;

	return r ? r : (a.len > b.len) - (a.len < b.len);
}

static int
compare_pairs(const void *a, const void *b, void *text)
{
	const struct pair *x = a, *y = b;
	const int r = compare_pieces(text, x->name, y->name);

	return r ? r : compare_pieces(text, x->value, y->value);
}

static size_t
count_pairs(const char *query)
{
	size_t n = 1;

	for (; *query; query++)
		n += *query == '&';
	return n;
}

/* Splits query into encoded pairs.  The signature itself is not signed. */
static int
read_pairs(const char *query, bool presigned, struct buf *text, struct pair *pairs, size_t *n)
{
	static const char signature[] = "X-Amz-Signature";

	for (const char *p = query; *p;) {
		const size_t len = strcspn(p, "&");
		const char *eq = memchr(p, '=', len);
		const size_t name_len = eq ? (size_t)(eq - p) : len;
		struct pair *pair = &pairs[*n];
		int r;

		if (len > 0) {
			if ((r = add_normal(text, p, name_len, &pair->name)) < 0 ||
			    (r = add_normal(text, eq ? eq + 1 : "",
			    eq ? len - name_len - 1 : 0, &pair->value)) < 0)
				return r;
			*n += !presigned || pair->name.len != sizeof(signature) - 1 ||
			    memcmp(text->data + pair->name.at, signature, pair->name.len);
		}
		p += len + (p[len] == '&');
	}
	return 0;
}

static int
add_piece(struct buf *ret, const struct buf *text, struct piece p)
{
	return p.len ? buf_add(ret, text->data + p.at, p.len) : 0;
}

static int
add_query(const char *query, bool presigned, struct buf *ret)
{
	AUTO(buf) struct buf text = BUF_EMPTY(SIGV4_CANONICAL_MAX);
	size_t n = 0;
	int r;

	if (!*query)
		return 0;
	AUTO(mem) void *mem = calloc(count_pairs(query), sizeof(struct pair));
	struct pair *pairs = mem;

	if (!pairs)
		return -ENOMEM;
	if ((r = read_pairs(query, presigned, &text, pairs, &n)) < 0)
		return r;
	qsort_r(pairs, n, sizeof(*pairs), compare_pairs, text.data);
	for (size_t i = 0; i < n; i++) {
		if ((i && (r = buf_add(ret, "&", 1)) < 0) ||
		    (r = add_piece(ret, &text, pairs[i].name)) < 0 ||
		    (r = buf_add(ret, "=", 1)) < 0 ||
		    (r = add_piece(ret, &text, pairs[i].value)) < 0)
			return r;
	}
	return 0;
}

/* Drops "." and empty segments and resolves "..": what is left starts with a slash. */
static size_t
normalize_path(const char *path, char *out)
{
	size_t n = 0;

	for (const char *p = path; *p;) {
		p += strspn(p, "/");
		const size_t len = strcspn(p, "/");

		if (len == 2 && !memcmp(p, "..", 2)) {
			while (n && out[--n] != '/')
				;
		} else if (len && !(len == 1 && *p == '.')) {
			out[n++] = '/';
			memcpy(out + n, p, len);
			n += len;
		}
		p += len;
	}
	if (!n || path[strlen(path) - 1] == '/')
		out[n++] = '/';
	return n;
}

static int
add_path(const struct sigv4_request *r, struct buf *ret)
{
	AUTO(str) char *normal = malloc(strlen(r->path) + 2);
	const char *p = r->path;
	size_t n = strlen(p);

	if (!normal)
		return -ENOMEM;
	if (r->double_encode) {
		n = normalize_path(r->path, normal);
		p = normal;
	}
	for (size_t i = 0; i < n;) {
		const unsigned char c = r->double_encode ? (unsigned char)p[i++] :
		    decode_at(p, n, &i);
		const int e = c == '/' ? buf_add(ret, "/", 1) : add_encoded(ret, c);

		if (e < 0)
			return e;
	}
	return n ? 0 : buf_add(ret, "/", 1);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

/* Trimmed, and each run of spaces as one. */
static int
add_value(struct buf *ret, const char *p)
{
	while (is_space(*p))
		p++;
	while (*p) {
		size_t n = strcspn(p, " \t");
		int r = buf_add(ret, p, n);

		if (r < 0)
			return r;
		p += n;
		while (is_space(*p))
			p++;
		if (*p && (r = buf_add(ret, " ", 1)) < 0)
			return r;
	}
	return 0;
}

/* One signed header: all its values in order, joined by commas. */
static int
add_header(const struct sigv4_request *req, const char *name, size_t len, struct buf *ret)
{
	size_t found = 0;
	int r;

	if ((r = buf_add(ret, name, len)) < 0)
		return r;
	for (size_t i = 0; i < req->nheaders; i++) {
		const struct sigv4_header *h = &req->headers[i];

		if (strncasecmp(h->name, name, len) || h->name[len])
			continue;
		if ((r = buf_add(ret, found++ ? "," : ":", 1)) < 0 ||
		    (r = add_value(ret, h->value)) < 0)
			return r;
	}
	return found ? buf_add(ret, "\n", 1) : -ENOENT;
}

static int
add_headers(const struct sigv4_request *req, const char *signed_headers, struct buf *ret)
{
	for (const char *p = signed_headers; *p;) {
		const size_t len = strcspn(p, ";");
		const int r = len ? add_header(req, p, len, ret) : -EINVAL;

		if (r < 0)
			return r;
		p += len + (p[len] == ';');
	}
	return 0;
}

int
sigv4_canonical(const struct sigv4_request *r, const char *signed_headers, bool presigned,
    struct buf *ret)
{
	int e;

	if ((e = buf_printf(ret, "%s\n", r->method)) < 0 ||
	    (e = add_path(r, ret)) < 0 ||
	    (e = buf_add(ret, "\n", 1)) < 0 ||
	    (e = add_query(r->query, presigned, ret)) < 0 ||
	    (e = buf_add(ret, "\n", 1)) < 0 ||
	    (e = add_headers(r, signed_headers, ret)) < 0)
		return e;
	return buf_printf(ret, "\n%s\n%s", signed_headers, r->payload_sha256);
}
