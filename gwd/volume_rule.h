/*
 * volume_rule.h - what a volume may be: EC2's sizes and speeds, by its type.  wish is what the
 * client wants: VolumeType, Iops, Throughput, and a size.  Pure; any thread.
 */
#pragma once

#include "common/json.h"
#include "gwd/shape.h"

/* Where it says none, EC2's default. */
const char *volume_rule_type(const cJSON *wish);
uint64_t volume_rule_number(const cJSON *wish, const char *member);	/* 0: it says none */
/* size: the member with it, in GiB; where that is not there, the size is not checked.  0, or
 * -EINVAL with the refusal. */
int	 volume_rule_check(const cJSON *wish, const char *size, struct shape_error *e);
