/*
 * prom.h - Prometheus' text format, version 0.0.4: a family's head, then its samples.  What is
 * added goes into a buffer that remembers its failure.  Pure; any thread.
 */
#pragma once

#include "common/buf.h"

#define PROM_TYPE	"text/plain; version=0.0.4; charset=utf-8"

struct prom_label { const char *name, *value; };	/* value: any text; name NULL ends a list */

/* type: "counter", "gauge", "histogram", "untyped". */
void	 prom_family(struct buf *out, const char *name, const char *type, const char *help);
/* A line of the family: name, suffix ("_sum" or ""), labels up to NULL name, value. */
void	 prom_sample(struct buf *out, const char *name, const char *suffix,
    const struct prom_label *labels, double value);
