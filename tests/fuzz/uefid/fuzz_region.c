/* A region is a guest's: reads it as uefid does.  The size is taken as right. */
#include <stdint.h>
#include <string.h>

#include "uefid/region.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
look(void *arg, const struct region_variable *v)
{
	const struct region *r = arg;

	if (v->data < r->bytes || v->size > (size_t)(r->bytes + r->size - v->data) ||
	    strlen(v->name) > REGION_NAME_MAX || strlen(v->guid) != REGION_GUID_LEN)
		__builtin_trap();
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[JSON_WHY_MAX];
	struct region r;

	if (region_open(data, size, size, &r, why) < 0)
		return 0;
	int res = region_list(&r, look, &r, why);

	if (region_is_complete(&r) != (res == 0 && !r.in_spare && !region_is_being_rewritten(&r)))
		__builtin_trap();
	return 0;
}
