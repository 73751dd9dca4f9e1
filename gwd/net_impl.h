/*
 * net_impl.h - what the files of rules of a network have in common; see net.h.
 */
#pragma once

#include "common/cidr.h"
#include "gwd/net.h"
#include "gwd/template.h"

#define NET_ID_MAX	40	/* "vpc-cidr-assoc-" and 17 digits */

/* Always NULL, to be returned. */
cJSON	*net_fail(struct net *n, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
cJSON	*net_done(void);	/* {} */
cJSON	*net_true(void);	/* {"Return": true} */
/* {<member>: a copy of thing as it is shown} */
cJSON	*net_made(const struct net *n, enum net_kind k, const cJSON *thing);
/*
 * A thing of the kind from a template, with the tags of in's TagSpecifications, put into the
 * document.  Borrowed; NULL: refused (too many), or no memory.
 */
cJSON	*net_make(struct net *n, enum net_kind k, const cJSON *in, const char *json,
    const struct template_value *v, size_t nv);
void	 net_remove(struct net *n, enum net_kind k, cJSON *thing);
void	 net_new_id(const char *prefix, char ret[static NET_ID_MAX]);

bool	 net_text_is(const cJSON *thing, const char *member, const char *text);
/* The first of a kind whose member is text; NULL: none. */
cJSON	*net_first(const struct net *n, enum net_kind k, const char *member, const char *text);
/* Replaces or adds.  False: no memory. */
bool	 net_set(cJSON *thing, const char *member, cJSON *value);
bool	 net_set_text(cJSON *thing, const char *member, const char *text);
bool	 net_set_bool(cJSON *thing, const char *member, bool value);
/* Removes what has member text from list; how many. */
size_t	 net_drop(cJSON *list, const char *member, const char *text);
bool	 net_is_used(const struct net *n, const char *id);	/* by an instance */
/* Is the address one of the subnet's, and nobody's that n knows?  False: refused. */
bool	 net_address_is_free(struct net *n, const cJSON *subnet, const char *ip);
/* The refusal of what others hang on. */
cJSON	*net_fail_dependent(struct net *n, const char *what, const char *id, const char *by);

/* ---- net_default.c ---- */

/* Puts the default network's things in where their ids are missing.  False: no memory. */
bool	 net_add_default(struct net *n);
/* A route table, a list and a security group of a new VPC.  False: no memory, or refused. */
bool	 net_add_vpc_parts(struct net *n, const char *vpc, const char *cidr);
/* The two rules of a security group.  False: no memory. */
bool	 net_add_group_rules(struct net *n, const char *group, bool from_itself);
/* ---- net_interface.c ---- */
/* [{"GroupId", "GroupName"}] of ids, all of that VPC; without ids its default one.  Owned; NULL:
 * refused, or no memory. */
OWNED_BY(cJSON_Delete) cJSON *net_groups(struct net *n, const char *vpc, const cJSON *ids);
/* ---- net_group.c ---- */
cJSON	*net_view_group(const struct net *n, const cJSON *group);
