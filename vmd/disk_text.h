/* disk_text.h - what qemu-img says, in our words.  Pure; disk.h has disk_info_parse. */
#pragma once

#include "vmd/disk.h"

/* The last line of its errors, printable.  text may be NULL. */
void	 disk_text_reason(const char *text, char why[static DISK_WHY_MAX]);
