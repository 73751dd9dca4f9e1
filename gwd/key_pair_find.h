/*
 * key_pair_find.h - a key pair by its id: its record is under its name, see key_pair.h.  Waits,
 * so for a job alone.
 */
#pragma once

#include "common/kv.h"
#include "gwd/key_pair.h"

/* The key of the account's record with that id.  CAS_NOT_FOUND: none has it. */
enum cas_result	 key_pair_find(struct bucket *b, const char *account, const char *id,
    char ret[static KEY_PAIR_KEY_MAX]) MUST_CHECK;
