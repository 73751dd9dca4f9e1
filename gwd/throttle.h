/*
 * throttle.h - who guesses is slowed down, and nobody else.  What counts are distinct failures:
 * of one key from one address, wrong signatures that differ; of one address, keys that differ.
 * So a client that tries one dead key for ever fills its own measure alone, and a key that has
 * worked from an address in the past hour is never refused there.  Nothing of what an address
 * does touches another address, so no key can be locked from afar.
 *
 * A fixed table: what does not fit pushes out what was seen longest ago, which lets its owner
 * off.  Pure: times are arguments, milliseconds of any one clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/cleanup.h"

#define THROTTLE_WINDOW_MS	60000	/* in which failures are counted, from the first */
#define THROTTLE_KEY_MAX	30	/* distinct failures of a key from an address */
#define THROTTLE_ADDRESS_MAX	30	/* failing keys of an address */
#define THROTTLE_TRUST_MS	3600000	/* how long a success counts */

struct throttle;

void	 throttle_free(struct throttle *t);	/* NULL is fine */
/* salt: random, so that nobody can choose whom a table shares his place with. */
OWNED_BY(throttle_free) struct throttle *throttle_new(uint64_t salt);


/* May it be tried at all?  now_ms is never 0. */
bool	 throttle_may(struct throttle *t, const char *address, const char *key, uint64_t now_ms);
/* It was refused; signature tells one failure from the same one again. */
void	 throttle_failed(struct throttle *t, const char *address, const char *key,
    const char *signature, uint64_t now_ms);
void	 throttle_passed(struct throttle *t, const char *address, const char *key, uint64_t now_ms);
