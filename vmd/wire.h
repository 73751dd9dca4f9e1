/*
 * wire.h - the subjects of vmd: their rows, and what their handlers share.  Loop thread only.
 */
#pragma once

#include "vmd/describe.h"
#include "vmd/vm.h"

/* Serves all rows.  0 or -errno. */
int	 wire_serve(struct vmd *d) MUST_CHECK;

/* The account of an EC2 request; NULL: there is none, and the request has been refused. */
const char *wire_account(struct bus_req *req);
struct describe_view wire_view(const struct vmd *d);
struct describe_extra wire_extra(const struct vm *vm);

/* ec2_wire.c */
void	 ec2_on_describe(void *arg, struct bus_req *req, const void *in);
void	 ec2_on_teardown(void *arg, struct bus_req *req, const void *in);
void	 ec2_on_status(void *arg, struct bus_req *req, const void *in);
/* vm_wire.c */
struct vm_kill_in { char instance_id[INSTANCE_ID_MAX + 1]; };
void	 vm_on_finish(void *arg, struct bus_req *req, const void *in);	/* vm_kill_in */
void	 vm_on_kill(void *arg, struct bus_req *req, const void *in);
struct vm_start_in { char instance_id[INSTANCE_ID_MAX + 1]; bool discard_owed; };
struct vm_recover_in { char instance_id[INSTANCE_ID_MAX + 1]; bool discard_owed, fenced; };
void	 vm_on_recover(void *arg, struct bus_req *req, const void *in);
void	 vm_on_list(void *arg, struct bus_req *req, const void *in);
void	 vm_on_start(void *arg, struct bus_req *req, const void *in);
void	 vm_on_drain(void *arg, struct bus_req *req, const void *in);
/* image_wire.c */
void	 image_on_create(void *arg, struct bus_req *req, const void *in);
void	 image_on_register(void *arg, struct bus_req *req, const void *in);
void	 image_on_import(void *arg, struct bus_req *req, const void *in);
void	 image_on_list(void *arg, struct bus_req *req, const void *in);
void	 image_on_remove(void *arg, struct bus_req *req, const void *in);
