/*
 * objects_s3.h - the table of objects.h over an S3 server: an object's metadata is sent as
 * x-amz-meta-*, a put carries "If-None-Match: *" and is sent once, since one without an answer
 * may have been done; what changes nothing, and a removal, is repeated within the call's time.
 * The bucket is made by an operator.
 */
#pragma once

#include "common/objects.h"
#include "common/s3.h"

struct objects_s3 {
	struct objects	 objects;	/* ctx is this struct */
	struct s3_conf	 conf;
};
void	 objects_s3_init(struct objects_s3 *s, const struct s3_conf *conf);
