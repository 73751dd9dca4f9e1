#include "gwd/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "gwd/cloud.h"

#define RUN_ATTEMPTS	5	/* at a token that others work on as well */

void
run_free(void *run)
{
	struct run *r = run;

	for (size_t i = 0; i < r->n; i++)
		cJSON_Delete(r->slots[i].instance);
	free(r->public_key);
	cJSON_Delete(r->in);
	cJSON_Delete(r->out);
	cJSON_Delete(r->network);
	free(r);
}

/* ---- the answer ---- */

static bool
run_answer(struct run *r)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list;

	if (!out || !cJSON_AddStringToObject(out, "ReservationId", r->reservation_id) ||
	    !cJSON_AddStringToObject(out, "OwnerId", r->account) ||
	    !cJSON_AddArrayToObject(out, "Groups"))
		return fault_set_nomem(&r->fault);
	list = cJSON_AddArrayToObject(out, "Instances");
	for (size_t i = 0; list && i < r->n; i++) {
		if (!r->slots[i].instance)
			continue;
		cJSON_AddItemToArray(list, r->slots[i].instance);
		r->slots[i].instance = NULL;
	}
	if (!list)
		return fault_set_nomem(&r->fault);
	r->out = steal_json(&out);
	return true;
}

/* ---- with and without a token ---- */

/* Fewer than were chosen: the token forgets the others, or a repeat would launch them. */
static void
run_keep_launched(struct run *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (r->slots[i].instance || r->slots[i].found != TOKEN_NEVER)
			r->slots[kept++] = r->slots[i];
	}
	if (kept == r->n)
		return;
	r->n = kept;
	/* Lost: another request of this token sends what is missing, which max allows. */
	if (r->token_key[0] != '\0' && run_token_write(r) != CAS_OK)
		log_debug("a client token keeps instances that were not launched");
}

static bool
run_send(struct run *r)
{
	if (!run_launch_send(r))
		return false;
	run_keep_launched(r);
	return run_answer(r);
}

static bool
run_fresh(struct run *r, bool *ret_again)
{
	enum cas_result res;

	if (!run_things_check(r) || !run_launch_place(r))
		return false;
	if (r->token_key[0] == '\0')
		return run_send(r);
	res = run_token_write(r);
	*ret_again = res == CAS_LOST;
	if (res != CAS_OK)
		return fault_set_store(&r->fault, res);
	return run_send(r);
}

/* Some were never launched: their gateway died, or is at it.  Touch, then send the same ids. */
static bool
run_resend(struct run *r, bool *ret_again)
{
	enum cas_result res;

	r->is_resend = true;
	if (!run_key_check(r) || !run_network_check(r) || !run_token_look(r, RUN_PATIENCE_MS))
		return false;
	res = run_token_write(r);
	*ret_again = res == CAS_LOST;
	if (res != CAS_OK)
		return fault_set_store(&r->fault, res);
	return run_send(r);
}

/* False: it has failed, or is to be begun again. */
static bool
run_by_token(struct run *r, bool *ret_again)
{
	enum token_verdict v = TOKEN_FRESH;

	if (!run_token_read(r, &v))
		return false;
	switch (v) {
	case TOKEN_FRESH:
		return run_fresh(r, ret_again);
	case TOKEN_RESEND:
		return run_resend(r, ret_again);
	case TOKEN_ANSWER:
		return run_answer(r);
	case TOKEN_DEAD:
		return fault_set(&r->fault, "IdempotentInstanceTerminated", "The request uses the same "
		    "client token as a previous one, whose instances are terminated.");
	case TOKEN_OTHER:
	case TOKEN_VERDICTS:
		break;
	}
	return fault_set(&r->fault, "IdempotentParameterMismatch", "The request uses the same client token "
	    "as a previous, but non-identical request.");
}

/* The slots as they were before the attempt. */
static void
run_reset(struct run *r)
{
	for (size_t i = 0; i < r->n; i++)
		cJSON_Delete(r->slots[i].instance);
	memset(r->slots, 0, sizeof(r->slots));
	r->n = 0;
	r->is_resend = r->is_away = false;
	fault_clear(&r->fault);
}

void
run_job(void *run)
{
	struct run *r = run;
	bool again = true;

	for (int i = 0; again && i < RUN_ATTEMPTS; i++) {
		again = false;
		run_reset(r);
		if (r->token_key[0] != '\0')
			(void)run_by_token(r, &again);
		else
			(void)run_fresh(r, &again);
	}
}
