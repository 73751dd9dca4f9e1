#include "gwd/route.h"

#include <stdlib.h>
#include <string.h>

#include "common/subjects.h"
#include "gwd/route_rule.h"

#define ROUTE_OWNER_PREFIX	"ec2.cmd."

struct route {
	struct bus		*bus;
	struct loop_timer	*pause;
	route_done_fn		*done;
	void			*arg;
	char			 owner[BUS_SUBJECT_MAX + 1];
	char			*account, *request_id;
	char			*command;
	char			*queue, *queue_in;	/* NULL: none */
	unsigned		 tries;
	bool			 at_queue;
};

static void
route_free(struct route *r)
{
	loop_timer_free(r->pause);
	free(r->account);
	free(r->request_id);
	free(r->command);
	free(r->queue);
	free(r->queue_in);
	free(r);
}

static void
route_end(struct route *r, enum route_outcome o, const cJSON *tree, const struct bus_error *e)
{
	r->done(r->arg, o, tree, e);
	route_free(r);
}

static bool
route_is_internal(const char *code)
{
	return strcmp(code, "InternalError") == 0 || strcmp(code, "ServerInternal") == 0 ||
	    strcmp(code, "internal") == 0;
}

static bool	 route_send(struct route *r);

static void
route_again(void *arg)
{
	struct route *r = arg;

	if (!route_send(r))
		route_end(r, ROUTE_SILENT, NULL, NULL);
}

static void
route_follow(struct route *r, const struct route_attempt *a, const cJSON *tree,
    const struct bus_error *e)
{
	switch (route_decide(a)) {
	case ROUTE_RELAY:
		route_end(r, tree ? ROUTE_DONE : ROUTE_REFUSED, tree, tree ? NULL : e);
		return;
	case ROUTE_AGAIN:
		loop_timer_in(r->pause, route_pause_ms(r->tries));
		return;
	case ROUTE_QUEUE:
		r->at_queue = true;
		route_again(r);
		return;
	case ROUTE_UNAVAILABLE:
		route_end(r, ROUTE_SILENT, NULL, NULL);
		return;
	case ROUTE_UNKNOWN:
	case ROUTE_NEXTS:
		break;
	}
	route_end(r, ROUTE_LOST, NULL, NULL);
}

static void
route_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	static const enum route_came came[BUS_RESULTS] = {
		[BUS_OK]		= ROUTE_CAME_ANSWER,
		[BUS_NO_RESPONDERS]	= ROUTE_CAME_NOBODY,
		[BUS_NOT_SENT]		= ROUTE_CAME_NOT_SENT,
		[BUS_TIMEOUT]		= ROUTE_CAME_TIMEOUT,
	};
	struct route *r = arg;
	struct route_attempt a = { .came = came[res], .tries = r->tries,
	    .has_queue = r->queue != NULL, .at_queue = r->at_queue };
	AUTO(json) cJSON *tree = NULL;
	struct bus_error e = { 0 };

	if (res == BUS_OK) {
		a.handled = bus_msg_header(m, HEADER_CMD_HANDLED) != NULL;
		if (bus_msg_json(m, &tree, &e) < 0)
			a.came = route_is_internal(e.code) ? ROUTE_CAME_INTERNAL :
			    ROUTE_CAME_ERROR;
	}
	route_follow(r, &a, tree, &e);
}

static bool
route_send(struct route *r)
{
	const char *data = r->at_queue ? r->queue_in : r->command;
	struct bus_header h[] = { { HEADER_ACCOUNT, r->account },
	    { HEADER_REQUEST_ID, r->request_id } };
	struct bus_ask ask = { .subject = r->at_queue ? r->queue : r->owner, .headers = h,
	    .nheaders = ARRAY_LEN(h), .data = data, .len = strlen(data),
	    .timeout_ms = r->at_queue ? ROUTE_QUEUE_MS : ROUTE_OWNER_MS };

	r->tries += !r->at_queue;
	return bus_ask(r->bus, &ask, route_answer, r) != 0;
}

static bool
route_copy(struct route *r, const struct route_ask *ask)
{
	int n = snprintf(r->owner, sizeof(r->owner), ROUTE_OWNER_PREFIX "%s", ask->instance_id);

	r->account = strdup(ask->account);
	r->request_id = strdup(ask->request_id);
	r->command = json_print(ask->command);
	if (ask->queue) {
		r->queue = strdup(ask->queue);
		r->queue_in = json_print(ask->queue_in);
	}
	return n > 0 && (size_t)n < sizeof(r->owner) && r->account && r->request_id &&
	    r->command && (!ask->queue || (r->queue && r->queue_in));
}

bool
route_start(struct bus *b, const struct route_ask *ask, route_done_fn *done, void *arg)
{
	struct route *r = calloc(1, sizeof(*r));

	if (!r)
		return false;
	r->bus = b;
	r->done = done;
	r->arg = arg;
	if (route_copy(r, ask) && loop_timer_new(bus_loop(b), route_again, r, &r->pause) == 0 &&
	    route_send(r))
		return true;
	route_free(r);
	return false;
}
