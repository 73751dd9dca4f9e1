#include "gwd/glob.h"

#include <stddef.h>

/* The start of the character after the one at p: continuation bytes are passed over. */
static const char *
glob_next(const char *p)
{
	for (p++; ((unsigned char)*p & 0xc0) == 0x80; p++)
		;
	return p;
}

/* Does the byte at *pattern match the byte at text?  Moves both on if it does. */
static bool
glob_step(const char **pattern, const char **text)
{
	const char *p = *pattern;

	if (**text == '\0' || *p == '\0')
		return false;
	if (*p == '?') {
		*pattern = p + 1;
		*text = glob_next(*text);
		return true;
	}
	if (*p == '\\' && p[1] != '\0')
		p++;			/* a lone one at the end stands for itself */
	if (*p != **text)
		return false;
	*pattern = p + 1;
	*text += 1;
	return true;
}

/*
 * Only the last star has to be tried again: what an earlier one swallowed can be given to the
 * later, so there is no recursion and no exponential pattern.
 */
bool
glob_match(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (!glob_step(&pattern, &text)) {
			if (!star)
				return false;
			resume = glob_next(resume);
			pattern = star;
			text = resume;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
