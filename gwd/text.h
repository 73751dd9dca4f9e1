/*
 * text.h - which bytes are characters that XML 1.0 can carry.  Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at p, of n left: 1 to 4.  0: not UTF-8, or a character that XML has
 * no way to write (controls but tab, line feed, carriage return; U+FFFE, U+FFFF). */
size_t	 text_char(const char *p, size_t n);
bool	 text_is_plain(const char *p, size_t n);	/* all of it is such characters */
