/*
 * guard_io.h - what a guard says, reads and writes.  Nothing but libc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A line on standard error. */
void	 guard_io_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Reads a small file whole; the length, or -1 with errno.  ret ends with a NUL. */
ssize_t	 guard_io_read(const char *path, char *ret, size_t size);
bool	 guard_io_write(int fd, const char *p, size_t n);	/* all of it */
/* Field 22 of /proc/PID/stat: clock ticks since boot.  0: cannot tell. */
unsigned long long guard_io_start_time(pid_t pid);
/* Of this process; one that cannot be had is said. */
void	 guard_io_oom_score(const char *score);
