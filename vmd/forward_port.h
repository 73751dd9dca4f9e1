/*
 * forward_port.h - which port of the node leads to which guest: the first that is free, kept in
 * the guest's folder for the vmd that adopts it.  Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

/* For a launch; 0: none is wanted, or none is free, which is logged. */
uint16_t forward_port_take(const struct vm *vm);
/* Of a guest that an earlier vmd launched; 0: none. */
uint16_t forward_port_recall(const struct vm *vm);
