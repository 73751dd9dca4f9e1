/*
 * net.h - the network of an account as one document, and the rules of changing it: VPCs,
 * subnets, security groups and their rules, route tables, gateways, lists, options and
 * interfaces, each as EC2 shows it.  It is one record, so that what hangs on what is judged at
 * one revision, and a change is there as a whole or not at all.  The default network, which
 * follows from the account's id, is put in where it is missing.
 *
 * Members of a thing that begin with '.' are ours and never shown.  Pure; one owner at a time.
 */
#pragma once

#include <stdbool.h>

#include "common/json.h"

#define NET_RECORD_MAX	(768 * 1024)	/* bytes of JSON */
#define NET_SCHEMA	1

enum net_kind {
	NET_VPC, NET_SUBNET, NET_GROUP, NET_RULE, NET_TABLE, NET_GATEWAY, NET_ACL, NET_DHCP,
	NET_INTERFACE, NET_KINDS
};
struct net_row {
	const char	*list;		/* "Vpcs", in the document and in EC2's answers */
	const char	*one;		/* "Vpc": in the answer of what makes one */
	const char	*id;		/* "VpcId" */
	const char	*prefix;	/* "vpc" */
	const char	*code;		/* "InvalidVpcID", of .NotFound */
	const char	*what;		/* "vpc ID" */
	const char	*type;		/* "vpc", of its tags */
	const char	*tags;		/* member with them: "Tags" */
	const char	*limit;		/* code of one too many */
	int		 most;
};
extern const struct net_row net_rows[NET_KINDS];

struct net {
	cJSON		*doc;		/* owned */
	char		 account[13];
	char		 region[65];
	const char *const *zones;	/* of the cluster, the default one first; borrowed */
	size_t		 nzones;
	const cJSON	*used;		/* what instances use: {<id of a subnet or group>: true}; NULL:
					   not asked for */
	char		 code[64];	/* of a refusal; empty: none */
	char		 message[400];
};
void	 net_deinit(struct net *n);
/*
 * The document of text, or of nobody yet (text NULL), with the default network in it.  0;
 * -EINVAL with why, -ENOMEM.  account, region and zones are set before.
 */
int	 net_open(struct net *n, const char *text, size_t len, char why[static JSON_WHY_MAX])
    MUST_CHECK;
OWNED_BY(free) char *net_print(const struct net *n);	/* NULL: no memory */

cJSON	*net_list(const struct net *n, enum net_kind k);
cJSON	*net_find(const struct net *n, enum net_kind k, const char *id);	/* NULL: none */
/* The same, and where there is none the refusal. */
cJSON	*net_need(struct net *n, enum net_kind k, const char *id);
bool	 net_is_default_vpc(const struct net *n, const char *id);		/* id NULL: no */
/* What a thing of a kind is shown as: owned; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *net_view(const struct net *n, enum net_kind k, const cJSON *thing);
/* The kind whose ids begin so; NET_KINDS: none. */
enum net_kind net_kind_of(const char *id);

/* ---- changes: each in the shapes of its action ---- */

/* The answer, owned; {} where the action has none.  NULL: refused with n->code, or no memory
 * with an empty one; the document is then not to be used. */
typedef cJSON *net_fn(struct net *n, const cJSON *in);

struct net_change {		/* static */
	const char	*action;
	net_fn		*fn;
	bool		 needs_used;	/* n->used has to be there */
	bool		 only_reads;	/* nothing is written */
};
extern const struct net_change net_changes_vpc[], net_changes_group[], net_changes_route[],
    net_changes_interface[];	/* each ends with a NULL action */

/* of CreateTags and DeleteTags: in has Resources, ids of ours alone, and Tags */
net_fn	 net_tags_set, net_tags_drop;
