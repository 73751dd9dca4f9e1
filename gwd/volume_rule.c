#include "gwd/volume_rule.h"

#include <inttypes.h>
#include <string.h>

#include "common/volume.h"

static const struct volume_rule {
	const char	*type;
	uint64_t	 size_min, iops_min, iops_max, throughput_min, throughput_max;
	bool		 needs_iops;
} volume_rules[] = {
	{ "gp2",	1,	0, 0,		0, 0,		false },
	{ "gp3",	1,	3000, 16000,	125, 1000,	false },
	{ "io1",	4,	100, 64000,	0, 0,		true },
	{ "io2",	4,	100, 64000,	0, 0,		true },
	{ "sc1",	125,	0, 0,		0, 0,		false },
	{ "st1",	125,	0, 0,		0, 0,		false },
	{ "standard",	1,	0, 0,		0, 0,		false },
};

const char *
volume_rule_type(const cJSON *wish)
{
	const char *type = json_text(wish, "VolumeType");

	return type && *type ? type : "gp2";
}

uint64_t
volume_rule_number(const cJSON *wish, const char *member)
{
	const cJSON *m = json_member(wish, member);
	uint64_t n;

	return m && json_get_u64(m, &n) ? n : 0;
}

static int
check_speed(const cJSON *wish, const struct volume_rule *rule, struct shape_error *e)
{
	const uint64_t iops = volume_rule_number(wish, "Iops");
	const uint64_t throughput = volume_rule_number(wish, "Throughput");
	const bool has_iops = json_member(wish, "Iops"), has_throughput = json_member(wish, "Throughput");

	if (rule->needs_iops && !has_iops)
		return shape_refuse(e, "MissingParameter", "The request must contain the parameter "
		    "iops for %s volumes.", rule->type);
	if ((has_iops && !rule->iops_max) || (has_throughput && !rule->throughput_max))
		return shape_refuse(e, "InvalidParameterCombination", "The parameter %s is not "
		    "supported for %s volumes.", has_iops && !rule->iops_max ? "iops" : "throughput",
		    rule->type);
	if (has_iops && (iops < rule->iops_min || iops > rule->iops_max))
		return shape_refuse(e, "InvalidParameterValue", "Volume iops of %" PRIu64 " is not "
		    "between %" PRIu64 " and %" PRIu64 ".", iops, rule->iops_min, rule->iops_max);
	if (has_throughput && (throughput < rule->throughput_min || throughput > rule->throughput_max))
		return shape_refuse(e, "InvalidParameterValue", "Volume throughput of %" PRIu64 " is "
		    "not between %" PRIu64 " and %" PRIu64 ".", throughput, rule->throughput_min,
		    rule->throughput_max);
	return 0;
}

int
volume_rule_check(const cJSON *wish, const char *size, struct shape_error *e)
{
	const char *type = volume_rule_type(wish);
	const uint64_t gib = volume_rule_number(wish, size);

	for (size_t i = 0; i < ARRAY_LEN(volume_rules); i++) {
		const struct volume_rule *rule = &volume_rules[i];

		if (strcmp(rule->type, type) != 0)
			continue;
		if (json_member(wish, size) && (gib < rule->size_min || gib > VOLUME_GIB_MAX))
			return shape_refuse(e, "InvalidParameterValue", "Volume of %" PRIu64 "GiB is "
			    "not between %" PRIu64 "GiB and %dGiB, as %s volumes are.", gib,
			    rule->size_min, VOLUME_GIB_MAX, type);
		return check_speed(wish, rule, e);
	}
	return shape_refuse(e, "InvalidParameterValue", "Value (%.32s) for parameter volumeType is "
	    "invalid.", type);
}
