/*
 * run_request.h - RunInstances as gwd sends it: EC2's input plus the ids that it chose.
 * The door: JSON becomes a struct, or one of EC2's codes with its text.  Pure.
 */
#pragma once

#include <string.h>

#include "common/image.h"
#include "common/instance.h"
#include "common/types.h"

#define RUN_IDS_MAX	100	/* instances of one request on one node */
#define RUN_WHY_MAX	256

struct run_request {
	char		 account_id[13];
	char		 reservation_id[20];
	char		 id[RUN_IDS_MAX][INSTANCE_ID_MAX + 1];
	size_t		 n;
	char		 image_id[22];
	char		 instance_type[33];
	char		 key_name[256];
	char		*public_key;		/* key_name's; owned */
	char		*user_data;		/* base64; owned */
	char		 client_token[65];
	char		 zone[65];		/* "": any */
	char		 vpc_id[22], subnet_id[25], subnet_cidr[19];	/* "": the default one of the zone */
	char		 private_ip[16];	/* "": any */
	char		*groups;		/* as in the record; owned; NULL: the default one */
	char		 shutdown_behavior[10];	/* "stop", "terminate" */
	bool		 disable_api_termination, disable_api_stop, ebs_optimized, monitoring;
	struct instance_tags tags[INSTANCE_TAGGED];	/* owned */
	char		 metadata_endpoint[9], metadata_tokens[9], auto_recovery[9];
	uint32_t	 metadata_hops;
	uint32_t	 launch_index[RUN_IDS_MAX];
	struct run_mapping {
		char		 device[33];
		char		 type[9];	/* "": not given */
		uint32_t	 iops, throughput;	/* 0: not given */
		uint64_t	 gib;		/* 0: not given */
		bool		 keep;
	}		 mapping[INSTANCE_VOLUMES_MAX + 1];	/* each device once */
	size_t		 nmappings;
};
struct run_refusal {
	const char	*code;			/* EC2's */
	bool		 malformed;		/* no request at all: nobody who speaks EC2 sent it */
	char		 why[RUN_WHY_MAX];
};

/* 0, or -EINVAL with the refusal; -ENOMEM.  On failure *ret is untouched. */
int	 run_request_read(const cJSON *in, const char *account_id, struct run_request *ret,
    struct run_refusal *ret_refusal) MUST_CHECK;
void	 run_request_deinit(struct run_request *q);

static inline bool
run_is_root(const struct run_mapping *m, const struct image *image)
{
	return strcmp(m->device, image->root_device) == 0;
}

struct run_node {			/* where it is to run */
	const char	*name, *zone, *arch;
	const char	*on_isolation;	/* "keep", "stop" */
};
/* Do request, image, type and node go together?  Sets *ret_bytes, the size of the root disk.
 * 0, or -EINVAL. */
int	 run_request_check(const struct run_request *q, const struct image *image,
    const struct type *type, const struct run_node *node, uint64_t *ret_bytes,
    struct run_refusal *ret_refusal) MUST_CHECK;
/* The nth instance, pending.  launch_id and times are the caller's to set.  0 or -ENOMEM. */
int	 run_request_instance(const struct run_request *q, size_t n, const struct image *image,
    const struct type *type, const struct run_node *node, uint64_t volume_bytes,
    struct instance *ret) MUST_CHECK;
