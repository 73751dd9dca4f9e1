/*
 * recovery.h - an instance that is not stopped, and whose node is dead: its record comes here,
 * and what was being done with it is done here.  Only when nothing can run it there any more:
 *
 *	its node is buried (leased: silent for T, or an operator's word that it is off), and
 *	it was launched under on_isolation = stop, so its guard ended it by then, or there is
 *	the operator's word, and
 *	nobody holds the lock of its disk
 *
 * The record was read before the burial; it moves at exactly that revision.  Loop thread only.
 */
#pragma once

#include "vmd/takeover_impl.h"

/* Ends with takeover_go_on, or with a refusal. */
void	 recovery_begin(struct takeover *t);
/* Does it become a launch? */
bool	 recovery_launches(const struct takeover *t);
/* What the record becomes here, but for its node. */
void	 recovery_change(struct takeover *t);
