/* S3's documents: a page of a listing, an error.  libxml2 parses; nothing is fetched. */
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <string.h>

#include "common/s3.h"

DEFINE_AUTO(xmlDocPtr, doc, xmlFreeDoc)

static bool
is_named(const xmlNode *n, const char *name)
{
	return n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

/* The text of the child of that name, all of it; false when there is none or no room. */
static bool
text_of(const xmlNode *parent, const char *name, char *ret, size_t size)
{
	for (xmlNode *n = parent->children; n; n = n->next) {
		if (!is_named(n, name))
			continue;
		xmlChar *text = xmlNodeGetContent(n);
		int len = text ? snprintf(ret, size, "%s", (const char *)text) : -1;

		xmlFree(text);
		return len >= 0 && (size_t)len < size;
	}
	return false;
}

static int
refuse(char why[static JSON_WHY_MAX], const char *what)
{
	snprintf(why, JSON_WHY_MAX, "the S3 server's listing %s", what);
	return -EINVAL;
}

static bool
number(const char *text, uint64_t *ret)
{
	uint64_t n = 0;

	if (!*text || strlen(text) > 18 || strspn(text, "0123456789") != strlen(text))
		return false;
	for (; *text; text++)
		n = 10 * n + (uint64_t)(*text - '0');
	*ret = n;
	return true;
}

static int
take_object(const xmlNode *n, s3_listed_fn *fn, void *arg, char why[static JSON_WHY_MAX])
{
	struct object_info o = { 0 };
	char size[24], time[64];

	if (!text_of(n, "Key", o.key, sizeof(o.key)) || !object_key_is_valid(o.key))
		return refuse(why, "has a key that is none of ours");
	if (!text_of(n, "Size", size, sizeof(size)) || !number(size, &o.bytes))
		return refuse(why, "has an object without a size");
	/* One without a time counts as young: 0. */
	if (text_of(n, "LastModified", time, sizeof(time)) &&
	    clock_from_text(time, &o.written_ms) < 0)
		return refuse(why, "has a time that is none");
	return fn(arg, &o) ? 0 : -ENOMEM;
}

int
s3_page_read(const void *p, size_t n, s3_listed_fn *fn, void *arg, struct s3_page *ret,
    char why[static JSON_WHY_MAX])
{
	struct s3_page page = { 0 };
	char truncated[8];

	if (n > S3_LIST_MAX)
		return refuse(why, "is too long");
	AUTO(doc) xmlDocPtr doc = xmlReadMemory(p, (int)n, NULL, NULL,
	    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;

	if (!root || doc->intSubset || !is_named(root, "ListBucketResult"))
		return refuse(why, "is none");
	if (!text_of(root, "IsTruncated", truncated, sizeof(truncated)))
		return refuse(why, "does not say whether it is whole");
	page.is_truncated = strcmp(truncated, "true") == 0;
	if (page.is_truncated &&
	    (!text_of(root, "NextContinuationToken", page.token, sizeof(page.token)) ||
	    !page.token[0]))
		return refuse(why, "is cut without saying where to go on");
	for (const xmlNode *c = root->children; c; c = c->next) {
		int r = is_named(c, "Contents") ? take_object(c, fn, arg, why) : 0;

		if (r < 0)
			return r;
	}
	*ret = page;
	return 0;
}

void
s3_error_word(const struct buf *b, const char *name, char *ret, size_t size)
{
	AUTO(doc) xmlDocPtr doc = xmlReadMemory(b->len ? (const char *)b->data : "", (int)b->len,
	    NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
	char text[512] = "";

	if (!root || !is_named(root, "Error") || !text_of(root, name, text, sizeof(text)))
		text[0] = '\0';
	for (char *p = text; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	snprintf(ret, size, "%.*s", (int)size - 1, text);
}
