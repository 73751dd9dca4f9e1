/*
 * fault.h - why a job could not do what was asked, as EC2 says it.  A job fills it, the loop tells
 * it to the client; zeroed: all went well.  Any thread, one at a time.
 */
#pragma once

#include "common/bus.h"
#include "gwd/action.h"
#include "gwd/cloud.h"

#define FAULT_MESSAGE_MAX	400

struct fault {
	char	 code[BUS_CODE_MAX + 1];	/* empty: none */
	char	 message[FAULT_MESSAGE_MAX];
};

/* The three return false, for `return fault_set(...)`. */
bool	 fault_set(struct fault *f, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool	 fault_set_store(struct fault *f, enum cas_result r);
bool	 fault_set_nomem(struct fault *f);
bool	 fault_is_set(const struct fault *f);
void	 fault_clear(struct fault *f);
/* Ends the call with it.  Loop thread only. */
void	 fault_tell(const struct fault *f, struct call *c);
/* Ends the call: with the fault, else with out, which it takes in any case. */
void	 fault_end(const struct fault *f, struct call *c, cJSON *out);
