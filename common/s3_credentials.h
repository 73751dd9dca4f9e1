/*
 * s3_credentials.h - who asks: a file as AWS's tools keep it, or the environment.
 *
 *	[default]
 *	aws_access_key_id = AKIA...
 *	aws_secret_access_key = ...
 *	aws_session_token = ...		(may be left out)
 *
 * May block: for jobs.
 */
#pragma once

#include <stddef.h>

#include "common/cleanup.h"

#define S3_KEY_ID_MAX	128
#define S3_SECRET_MAX	255
#define S3_SESSION_MAX	2047

struct s3_credentials {
	char	 key_id[S3_KEY_ID_MAX + 1];
	char	 secret[S3_SECRET_MAX + 1];
	char	 token[S3_SESSION_MAX + 1];	/* empty: none */
};
/*
 * From path, which nobody but its reader or root may read, or without one from the environment
 * (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN).  0, or -errno with a sentence.
 */
int	 s3_credentials_load(const char *path, struct s3_credentials *ret, char *why, size_t size)
    MUST_CHECK;
/* The same of the file's text; other sections and keywords are passed over. */
int	 s3_credentials_parse(const char *text, struct s3_credentials *ret) MUST_CHECK;
