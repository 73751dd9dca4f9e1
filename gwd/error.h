/*
 * error.h - EC2's error codes and the HTTP statuses they travel with.  Pure.
 */
#pragma once

#include <stdbool.h>

/* 400 unless AWS says otherwise; what we are to blame for is 5xx. */
unsigned error_status(const char *code);
