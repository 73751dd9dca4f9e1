/* run_instance.c - the instance that a request to run describes. */
#include "vmd/run_request.h"

#include <errno.h>
#include <stdio.h>

#include "common/network.h"
#include "common/volume.h"
#include "vmd/address.h"

#define SET(member, text)	snprintf((member), sizeof(member), "%s", (text))

/* What the request says, and the default network of the zone for what it does not. */
static void
set_network(const struct run_request *q, struct instance *i)
{
	struct network_subnet subnet;
	struct network net;

	network_of(i->account_id, &net);
	network_subnet_of(i->account_id, i->zone, &subnet);
	SET(i->vpc_id, *q->vpc_id ? q->vpc_id : net.vpc_id);
	SET(i->subnet_id, *q->subnet_id ? q->subnet_id : subnet.id);
	SET(i->subnet_cidr, *q->subnet_cidr ? q->subnet_cidr : subnet.cidr);
	snprintf(i->group_id, sizeof(i->group_id), "%.*s",
	    (int)strcspn(q->groups ? q->groups : net.group_id, " "), q->groups ? q->groups : net.group_id);
	SET(i->private_ip, q->private_ip);
	/* They follow from the id: a request repeated after a crash names the same ones. */
	network_id("eni", i->id, i->eni_id, sizeof(i->eni_id));
	network_id("vol", i->id, i->volume_id, sizeof(i->volume_id));
	address_mac(i->id, i->mac);
}

/* Their ids follow from the instance's, too. */
static void
set_volumes(const struct run_request *q, const struct image *image, struct instance *i)
{
	for (size_t n = 0; n < q->nmappings; n++) {
		const struct run_mapping *m = &q->mapping[n];
		struct instance_volume v = { .bytes = m->gib * VOLUME_GIB, .keep = m->keep, .iops = m->iops,
			.throughput = m->throughput };
		char seed[sizeof(i->id) + sizeof(m->device)];

		if (run_is_root(m, image)) {
			i->keep_volume = m->keep;
			i->volume_iops = m->iops;
			i->volume_throughput = m->throughput;
			SET(i->volume_type, m->type);
			continue;
		}
		snprintf(seed, sizeof(seed), "%s/%s", i->id, m->device);
		network_id("vol", seed, v.id, sizeof(v.id));
		SET(v.device, m->device);
		SET(v.type, *m->type ? m->type : "gp2");
		(void)!instance_volume_add(i, &v);	/* as many as may be: checked before */
	}
}

static int
set_owned(const struct run_request *q, struct instance *i)
{
	struct instance like = { .public_key = q->public_key, .user_data = q->user_data,
	    .groups = q->groups };
	struct instance copy;

	memcpy(like.tags, q->tags, sizeof(like.tags));
	if (instance_copy(&like, &copy) < 0)
		return -ENOMEM;
	i->public_key = copy.public_key;
	i->user_data = copy.user_data;
	i->groups = copy.groups;
	memcpy(i->tags, copy.tags, sizeof(i->tags));
	return 0;
}

int
run_request_instance(const struct run_request *q, size_t n, const struct image *image,
    const struct type *type, const struct run_node *node, uint64_t volume_bytes,
    struct instance *ret)
{
	struct instance i = {
		.state = INSTANCE_PENDING, .launch_index = q->launch_index[n],
		.volume_bytes = volume_bytes,
		.disable_api_termination = q->disable_api_termination,
		.disable_api_stop = q->disable_api_stop, .monitoring = q->monitoring,
		.ebs_optimized = q->ebs_optimized,
	};

	SET(i.id, q->id[n]);
	SET(i.account_id, q->account_id);
	SET(i.reservation_id, q->reservation_id);
	SET(i.node, node->name);
	SET(i.image_id, image->id);
	SET(i.instance_type, type->name);
	SET(i.arch, type->arch);
	SET(i.boot_mode, image->boot_mode);
	SET(i.key_name, q->key_name);
	SET(i.client_token, q->client_token);
	SET(i.zone, node->zone);
	SET(i.root_device, image->root_device);
	SET(i.shutdown_behavior, q->shutdown_behavior);
	SET(i.on_isolation, node->on_isolation);
	SET(i.metadata_endpoint, q->metadata_endpoint);
	SET(i.metadata_tokens, q->metadata_tokens);
	SET(i.auto_recovery, q->auto_recovery);
	i.metadata_hops = q->metadata_hops;
	set_network(q, &i);
	set_volumes(q, image, &i);
	if (set_owned(q, &i) < 0)
		return -ENOMEM;
	*ret = i;
	return 0;
}
