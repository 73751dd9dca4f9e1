/* doctor_verb.h - `leasectl doctor`: looks, judges, prints.  The exit status. */
#pragma once

#include "common/tool.h"

int	 doctor_verb(struct tool *t, int argc, char **argv);
