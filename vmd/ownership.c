#include "vmd/ownership.h"

#include <string.h>

enum ownership
ownership_judge(const char *node, uint64_t landed, const struct ownership_read *r)
{
	if (r->result != CAS_OK && r->result != CAS_NOT_FOUND)
		return OWNERSHIP_NOTHING;
	if (r->revision < landed || r->revision == 0)
		return OWNERSHIP_NOTHING;
	if (r->revision == landed)
		return r->is_marker ? OWNERSHIP_NOTHING : OWNERSHIP_SAME;
	if (r->result == CAS_NOT_FOUND)
		return r->is_marker ? OWNERSHIP_REMOVED : OWNERSHIP_NOTHING;
	if (!r->readable)
		return OWNERSHIP_NOTHING;
	return strcmp(r->node, node) == 0 ? OWNERSHIP_NEWER : OWNERSHIP_MOVED;
}
