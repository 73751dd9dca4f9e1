/*
 * gzip.h - bytes as one gzip member and back.  No state; any thread.
 */
#pragma once

#include "common/buf.h"

/* One member without name or time, so equal bytes give equal output from one zlib.
 * 0, -EMSGSIZE over ret's ceiling, -ENOMEM. */
int	 gzip_pack(const void *p, size_t n, struct buf *ret) MUST_CHECK;
/*
 * Exactly one whole member and nothing after it, its checksum right, into ret (empty, made
 * with its ceiling).  0; -EMSGSIZE: it holds more than ret's ceiling; -EBADMSG: not such a
 * member; -ENOMEM.  ret is empty on failure.
 */
int	 gzip_unpack(const void *p, size_t n, struct buf *ret) MUST_CHECK;
