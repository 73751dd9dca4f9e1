/* Requests by their shapes: the first byte says which action, the rest is the form. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/params.h"
#include "gwd/shapes_ec2.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct action rows[] = {
	{ EC2_RunInstances, NULL, NULL, NULL }, { EC2_DescribeInstances, NULL, NULL, NULL },
	{ EC2_ModifyInstanceAttribute, NULL, NULL, NULL }, { EC2_DescribeInstanceTypes, NULL, NULL, NULL },
	{ EC2_CreateTags, NULL, NULL, NULL }, { EC2_DescribeImages, NULL, NULL, NULL },
	{ EC2_ImportKeyPair, NULL, NULL, NULL }, { STS_GetCallerIdentity, NULL, NULL, NULL },
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(query) struct query q = { .n = 0 };
	AUTO(json) cJSON *in = NULL;
	struct shape_error e = { .code = "" };
	char why[QUERY_WHY_MAX];
	bool dry_run;
	int r;

	if (!size || query_parse(&q, (const char *)data + 1, size - 1, why) < 0)
		return 0;
	r = params_read(&rows[data[0] % ARRAY_LEN(rows)], &q, &in, &dry_run, &e);
	if (r == 0 ? !cJSON_IsObject(in) : in || !*e.code || !*e.message)
		abort();
	return 0;
}
