#include "reaperd/obsolete.h"

#include <string.h>

#include "common/kv_peek.h"

static const char *const names[OBSOLETE_BUCKETS] = {
	"spinifex-dhcp-leases",
	"spinifex-vpcd-reconcile",
	"spinifex-dns-reconcile",
	"spinifex-route53-realize",
	"spinifex-route53-verify",
	"spinifex-quota-reconcile",
	"spinifex-rds-leader",
	"spinifex-ecs-leader",
	"bedrock-leader",
	"spinifex-eks-leader",
	"spinifex-elbv2-leader",
};

const char *
obsolete_name(size_t i)
{
	return names[i];
}

enum known
obsolete_look(const struct inventory_sources *s, size_t i)
{
	enum cas_result res = kv_peek_exists_wait(s->bus, names[i], s->timeout_ms);

	if (res == CAS_OK)
		return KNOWN_PRESENT;
	return res == CAS_NOT_FOUND ? KNOWN_NO_MESSAGE : KNOWN_UNREADABLE;
}

enum cas_result
obsolete_discard(const struct inventory_sources *s, const char *name)
{
	for (size_t i = 0; i < OBSOLETE_BUCKETS; i++)
		if (strcmp(name, names[i]) == 0)
			return kv_peek_discard_wait(s->bus, names[i], s->timeout_ms);
	return CAS_INVALID;
}
