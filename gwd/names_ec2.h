/*
 * names_ec2.h - every action that AWS has, sorted: what we do not serve is still told apart
 * from what does not exist.
 */
#pragma once

#include <stddef.h>

extern const char *const names_ec2[], *const names_sts[];
extern const size_t nnames_ec2, nnames_sts;
