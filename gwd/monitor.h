/*
 * monitor.h - the operator's door: /health and /metrics, on a loopback address of its own, with
 * nothing that a client of EC2 could reach.  Of each page one is being made at a time, and all
 * who ask meanwhile get it.  Loop thread only.
 */
#pragma once

#include "common/buf.h"
#include "common/kv.h"
#include "gwd/http.h"

struct gwd;

enum monitor_page { MONITOR_HEALTH, MONITOR_METRICS, MONITOR_PAGES };

struct monitor;
/* Takes listen_fd, also on failure.  0 or -errno. */
int	 monitor_new(struct gwd *g, int listen_fd, struct monitor **ret) MUST_CHECK;
void	 monitor_free(struct monitor *m);	/* NULL is fine */

/* Ends a page: everybody who waits for it gets body, which is taken. */
void	 monitor_answer(struct monitor *m, enum monitor_page p, unsigned status,
    const char *content_type, struct buf *body);

/* ---- the pages; each ends by monitor_answer, now or later ---- */

struct health;
int	 health_new(struct gwd *g, struct monitor *m, struct health **ret) MUST_CHECK;
void	 health_free(struct health *h);		/* NULL is fine */
void	 health_begin(struct health *h);

struct scrape;
int	 scrape_new(struct gwd *g, struct monitor *m, struct scrape **ret) MUST_CHECK;
void	 scrape_free(struct scrape *s);		/* NULL is fine */
void	 scrape_begin(struct scrape *s);
