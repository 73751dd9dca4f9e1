#include "gwd/route_rule.h"

#define ROUTE_PAUSE_MS	100	/* before the second try; doubled for the third */

static enum route_next
route_nobody(const struct route_attempt *a)
{
	if (a->at_queue)
		return ROUTE_UNAVAILABLE;
	if (a->tries < ROUTE_OWNER_TRIES)
		return ROUTE_AGAIN;
	return a->has_queue ? ROUTE_QUEUE : ROUTE_UNAVAILABLE;
}

enum route_next
route_decide(const struct route_attempt *a)
{
	switch (a->came) {
	case ROUTE_CAME_ANSWER:
	case ROUTE_CAME_ERROR:
		return ROUTE_RELAY;
	case ROUTE_CAME_INTERNAL:
		if (a->handled || a->at_queue || !a->has_queue)
			return ROUTE_RELAY;
		return ROUTE_QUEUE;
	case ROUTE_CAME_NOBODY:
		return route_nobody(a);
	case ROUTE_CAME_NOT_SENT:
		return ROUTE_UNAVAILABLE;
	case ROUTE_CAME_TIMEOUT:
		break;
	}
	return ROUTE_UNKNOWN;
}

unsigned
route_pause_ms(unsigned tries)
{
	return ROUTE_PAUSE_MS * (tries > 1 ? 2 : 1);
}
