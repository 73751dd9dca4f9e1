/* disk_text.h - what qemu-img says, in our words.  Pure; disk.h has disk_info_parse. */
#pragma once

#include "vmd/disk.h"

/* The last line of its errors, printable.  text may be NULL. */
void	 disk_text_reason(const char *text, char why[static DISK_WHY_MAX]);

/* "what path: reason", a long path cut.  Returns r, a negative errno. */
int	 disk_text_say(char why[static DISK_WHY_MAX], int r, const char *what, const char *path);
