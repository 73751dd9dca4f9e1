/*
 * token.h - what a ClientToken means for a request: launch, launch again what a dead gateway
 * may not have sent, answer what is there, or refuse.
 *
 * The record of a token is created by compare-and-swap before anything is launched, with the
 * instance ids chosen, and is touched (swapped) again before each later send.  So of two
 * gateways that work on one token, the one that fails and wants to forget the token loses its
 * swap to the one that is about to send, and a launch never lacks a record:
 *
 *	A creates at 0 -> r1, sends, is refused ............ forgets at r1: lost, B has it
 *	B ................... reads r1, touches -> r2, sends the same ids ... answers them
 *
 * Sending the same ids twice launches nothing twice: vmd creates their records at expected 0
 * only.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/json.h"

#define TOKEN_TEXT_MAX	64	/* characters of a ClientToken */
#define TOKEN_KEY_MAX	96	/* bytes of its key, with the NUL */
#define TOKEN_HEX	64

/* 1..64 characters of printable ASCII. */
bool	 token_is_valid(const char *token);
/* "<account>.<sha256 of the token>". */
void	 token_key(const char *account, const char *token, char ret[static TOKEN_KEY_MAX]);
/* What a request asks, but for its token, as a digest.  False: no memory. */
bool	 token_digest(const cJSON *in, char ret[static TOKEN_HEX + 1]) MUST_CHECK;

enum token_instance {		/* what the instance record of an id of the token says */
	TOKEN_NEVER,		/* the key never had a message: not launched, or not yet */
	TOKEN_GONE,		/* its final marker: terminated, and forgotten since */
	TOKEN_TERMINATED,	/* it says so */
	TOKEN_THERE,		/* any other state */
};
enum token_verdict {
	TOKEN_FRESH,		/* no record: create one and launch */
	TOKEN_OTHER,		/* other parameters: IdempotentParameterMismatch */
	TOKEN_DEAD,		/* IdempotentInstanceTerminated */
	TOKEN_RESEND,		/* some were never launched: touch, send the same ids again */
	TOKEN_ANSWER,		/* answer the present state */
	TOKEN_VERDICTS
};
struct token_found {
	bool				 exists;
	bool				 same_params;
	const enum token_instance	*instances;
	size_t				 n;
};
/*
 * An id without a message is launched: a launch that ended with fewer than it chose left only
 * those it made in the record.  Any instance that is left is answered; only when none is, the
 * token is dead.
 */
enum token_verdict token_judge(const struct token_found *f);
