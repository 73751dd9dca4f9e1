#include "gwd/monitor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "gwd/gwd.h"

#define TEXT_TYPE	"text/plain; charset=utf-8"

struct waiter {
	struct http_exchange	*x;
	struct waiters		*list;
	TAILQ_ENTRY(waiter)	 entry;
};
TAILQ_HEAD(waiters, waiter);

struct monitor {
	struct http	*http;
	struct health	*health;
	struct scrape	*scrape;
	struct waiters	 waiters[MONITOR_PAGES];
	bool		 is_made[MONITOR_PAGES];	/* just now */
};

static const char *const paths[MONITOR_PAGES] = {
	[MONITOR_HEALTH]	= "/health",
	[MONITOR_METRICS]	= "/metrics",
};

static void
reply_text(struct http_exchange *x, unsigned status, const char *text)
{
	struct buf body = BUF_EMPTY(256);

	(void)!buf_add_str(&body, text);
	http_reply(x, status, TEXT_TYPE, &body, false);
}

void
monitor_answer(struct monitor *m, enum monitor_page p, unsigned status,
    const char *content_type, struct buf *body)
{
	struct waiter *w;

	m->is_made[p] = false;
	while ((w = TAILQ_FIRST(&m->waiters[p]))) {
		struct http_exchange *x = w->x;
		struct buf copy = BUF_EMPTY(body->len + 1);

		TAILQ_REMOVE(&m->waiters[p], w, entry);
		free(w);
		if (body->failed || buf_add(&copy, body->data, body->len) < 0) {
			buf_deinit(&copy);
			reply_text(x, 500, "no memory\n");
		} else
			http_reply(x, status, content_type, &copy, false);
	}
	buf_deinit(body);
}

static void
on_gone(void *arg)
{
	struct waiter *w = arg;

	TAILQ_REMOVE(w->list, w, entry);
	free(w);
}

static void
wait_for(struct monitor *m, enum monitor_page p, struct http_exchange *x)
{
	struct waiter *w = calloc(1, sizeof(*w));

	if (!w) {
		reply_text(x, 500, "no memory\n");
		return;
	}
	w->x = x;
	w->list = &m->waiters[p];
	TAILQ_INSERT_TAIL(w->list, w, entry);
	http_on_gone(x, on_gone, w);
	if (m->is_made[p])
		return;
	m->is_made[p] = true;
	switch (p) {
	case MONITOR_HEALTH:
		health_begin(m->health);
		break;
	case MONITOR_METRICS:
		scrape_begin(m->scrape);
		break;
	case MONITOR_PAGES:
		break;
	}
}

static void
handle(void *arg, struct http_exchange *x, const struct http_request *r)
{
	if (strcmp(r->method, "GET") && strcmp(r->method, "HEAD")) {
		reply_text(x, 405, "GET /health or /metrics\n");
		return;
	}
	for (int p = 0; p < MONITOR_PAGES; p++) {
		if (strcmp(r->path, paths[p]) == 0) {
			wait_for(arg, (enum monitor_page)p, x);
			return;
		}
	}
	reply_text(x, 404, "GET /health or /metrics\n");
}

static void
refuse(void *arg, unsigned status, const char *message, struct buf *ret)
{
	if (buf_printf(ret, "%s\n", message) < 0)
		buf_deinit(ret);
}

int
monitor_new(struct gwd *g, int listen_fd, struct monitor **ret)
{
	const struct http_conf conf = { .listen_fd = listen_fd, .refusal_type = TEXT_TYPE,
	    .handle = handle, .refuse = refuse };
	struct http_conf mine = conf;
	struct monitor *m = calloc(1, sizeof(*m));
	int r;

	if (!m) {
		close(listen_fd);
		return -ENOMEM;
	}
	for (size_t p = 0; p < MONITOR_PAGES; p++)
		TAILQ_INIT(&m->waiters[p]);
	mine.arg = m;
	r = http_new(g->d.loop, &mine, &m->http);
	if (r == 0)
		r = health_new(g, m, &m->health);
	if (r == 0)
		r = scrape_new(g, m, &m->scrape);
	if (r == 0)
		r = http_admit(m->http);
	if (r < 0) {
		monitor_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

void
monitor_free(struct monitor *m)
{
	if (!m)
		return;
	http_free(m->http);		/* those that wait are gone with it */
	scrape_free(m->scrape);
	health_free(m->health);
	free(m);
}
