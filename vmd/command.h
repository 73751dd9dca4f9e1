/*
 * command.h - ec2.cmd.<instance-id>: what is asked of one instance of this node, served by its
 * owner alone.  A command is judged on the record as it is when its turn to be written comes.
 * Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

struct command {
	struct vmd		*d;
	char			 id[INSTANCE_ID_MAX + 1];
	struct policy_ask	 ask;
	enum policy_why		 why;		/* what a stop or terminate leaves as reason */
	enum policy_verdict	 verdict;
	enum instance_state	 before, after;
	bool			 has_room;	/* of a start */
	/* attribute.c's */
	cJSON			*data;		/* what is to be written; owned */
	cJSON			*answer;	/* of what is not a change of state; owned; NULL */
	enum instance_tagged	 tagged;
	bool			 value;
	/* Ends it, once: code NULL when it was done.  Whoever is to be told is; c is freed
	 * by the caller. */
	void			(*end)(struct command *c, const char *code, bool retryable,
				    const char *why);
	void			*arg;		/* of end: the bus_req of a command from the bus */
	const char		*request_id;	/* of it, until it ends; NULL: nobody's */
};

/* Serves ec2.cmd.<id> for as long as vm lives.  0 or -ENOMEM. */
int	 command_serve(struct vm *vm) MUST_CHECK;
/* Takes c, made with calloc: start, stop, reboot or terminate, as c->ask says. */
void	 command_change(struct command *c, struct vm *vm);
/* Calls end and frees c. */
void	 command_end(struct command *c, const char *code, bool retryable, const char *why);
/* The same for what record_change answered: 0, or why it was not written. */
void	 command_written(struct command *c, int r);
/* The record's part of every start: pending, a new launch, no old reasons. */
void	 command_make_pending(struct vmd *d, struct instance *i);

/* attribute.c: in is the payload */
void	 attribute_tag(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_untag(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_set_termination(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_set_stop(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_set_metadata(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_set_data(struct command *c, struct vm *vm, const cJSON *in);
void	 attribute_set_monitoring(struct command *c, struct vm *vm, const cJSON *in);
/* output.c */
void	 output_get(struct command *c, struct vm *vm, const cJSON *in);
