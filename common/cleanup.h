/*
 * cleanup.h - a local that owns something releases it when it goes out of scope.
 *
 *	AUTO(fd) int fd = open(...);		closed at the end of the block
 *	*ret = steal_str(&s);			the caller has it now
 *
 * The attribute does not run on exit(), abort() or longjmp().  Never jump past such a
 * declaration.
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __clang__
# define OWNED_BY(fn)	__attribute__((warn_unused_result))
#else	/* gcc -fanalyzer reports a leak, a double free or the wrong free */
# define OWNED_BY(fn)	__attribute__((malloc(fn, 1), warn_unused_result))
#endif

#define MUST_CHECK	__attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a)	__attribute__((format(printf, f, a)))

#define AUTO(kind)	__attribute__((cleanup(auto_##kind)))
#define DEFINE_AUTO(type, kind, release)						\
	static inline void __attribute__((unused)) auto_##kind(type *p)		\
	{ if (*p) release(*p); }							\
	static inline type __attribute__((unused)) steal_##kind(type *p)		\
	{ type t = *p; *p = NULL; return t; }

DEFINE_AUTO(char *, str, free)
DEFINE_AUTO(void *, mem, free)
DEFINE_AUTO(FILE *, file, fclose)
DEFINE_AUTO(DIR *, dir, closedir)

static inline void __attribute__((unused))
auto_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline int __attribute__((unused))
steal_fd(int *fd)
{
	int t = *fd;

	*fd = -1;
	return t;
}

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))
