/*
 * conf_value.h - one value of conf.h's tables: from text, and to text that reads back.  Its
 * callers are conf.c and conf_print.c.  Pure; any thread.
 */
#pragma once

#include "common/conf.h"

#define CONF_EXPECT_MAX	400	/* bytes of a sentence that says what was expected */

/* 0, or -EINVAL with "expected memory_reserve to be ..." in expect; out is then untouched. */
int	 conf_value_set(const struct conf_key *k, const char *text, void *out,
    char expect[static CONF_EXPECT_MAX]) MUST_CHECK;

/* The value as conf_value_set reads it. */
void	 conf_value_text(const struct conf_key *k, const void *in,
    char ret[static CONF_TEXT_MAX + 1]);
