/*
 * Answers: whatever JSON another daemon sends, and whatever text is in a message, the client
 * gets a document that parses.
 */
#include <libxml/parser.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/shapes_ec2.h"
#include "gwd/xml.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct action rows[] = {
	{ EC2_DescribeInstances, NULL, NULL, NULL }, { EC2_RunInstances, NULL, NULL, NULL },
	{ EC2_DescribeInstanceTypes, NULL, NULL, NULL }, { EC2_DescribeImages, NULL, NULL, NULL },
	{ EC2_CreateTags, NULL, NULL, NULL }, { STS_GetCallerIdentity, NULL, NULL, NULL },
};

static void
must_parse(const struct buf *b)
{
	xmlDocPtr doc = xmlReadMemory(buf_text(b), (int)b->len, "x", NULL,
	    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE);

	if (!doc)
		abort();
	xmlFreeDoc(doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(buf) struct buf answer = BUF_EMPTY(XML_ANSWER_MAX);
	AUTO(buf) struct buf error = BUF_EMPTY(XML_ANSWER_MAX);
	AUTO(json) cJSON *out = NULL;
	AUTO(str) char *text = NULL;
	char why[JSON_WHY_MAX];

	if (!size || !(text = strndup((const char *)data + 1, size - 1)))
		return 0;
	if (xml_error(data[0] % 2 ? API_STS : API_EC2, "R", "Code", text, false, &error) < 0)
		abort();
	must_parse(&error);
	if (json_parse(data + 1, size - 1, 1 << 20, &out, why) < 0)
		return 0;
	if (xml_answer(&rows[data[0] % ARRAY_LEN(rows)], "R", out, &answer) < 0)
		abort();
	must_parse(&answer);
	return 0;
}
