/* Forms: whatever comes, what is accepted is text that XML can carry, in a stable order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/query.h"
#include "gwd/text.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(query) struct query q = { .n = 0 };
	char why[QUERY_WHY_MAX] = "";
	const char *text = (const char *)data;
	const size_t half = size / 2;

	if (query_parse(&q, text, half, why) < 0 || query_parse(&q, text + half, size - half, why) < 0)
		return *why ? 0 : (abort(), 1);
	query_sort(&q);
	for (size_t i = 0; i < q.n; i++) {
		const struct query_param *p = &q.params[i];

		if (!*p->name || strlen(p->name) > QUERY_NAME_MAX ||
		    !text_is_plain(p->name, strlen(p->name)) ||
		    !text_is_plain(p->value, strlen(p->value)) || !query_get(&q, p->name))
			abort();
	}
	return 0;
}
