/*
 * glob.h - the wildcards of EC2's filters: '*' stands for any characters, '?' for exactly one,
 * and '\' takes the meaning from the character after it.  Text is UTF-8 and case counts.
 * Pure; any thread.
 */
#pragma once

#include <stdbool.h>

/* Time is bounded by the product of the two lengths, whatever the pattern. */
bool	 glob_match(const char *pattern, const char *text);
