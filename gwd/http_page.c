/*
 * http_page.c - in our words what the library refuses by itself.  A request line, a header or a
 * chunk that it cannot read never reaches a handler: it answers with a page of HTML, and has no
 * option for another.  It sends that page by MHD_queue_response, as all of its users do, so
 * that our function of this name, which the dynamic linker finds first, sees it.  Where a build
 * of the library does not look its own functions up, its pages stay: nothing else is lost.
 */
#include <dlfcn.h>
#include <string.h>

#include "gwd/http_impl.h"

typedef enum MHD_Result queue_fn(struct MHD_Connection *mhd, unsigned int status,
    struct MHD_Response *r);

static queue_fn *
library_queue(void)
{
	static queue_fn *fn;

	if (!fn) {
		void *p = dlsym(RTLD_NEXT, "MHD_queue_response");

		memcpy(&fn, &p, sizeof(fn));	/* ISO C has no cast for it */
	}
	return fn;
}

enum MHD_Result
http_queue(struct MHD_Connection *mhd, unsigned status, struct MHD_Response *r)
{
	return library_queue()(mhd, status, r);
}

enum MHD_Result
MHD_queue_response(struct MHD_Connection *mhd, unsigned int status, struct MHD_Response *page)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	const struct connection *c = info ? info->socket_context : NULL;
	struct MHD_Response *ours = c ? http_refusal(c->http, status,
	    "The request cannot be read, or is too large.") : NULL;
	const enum MHD_Result res = http_queue(mhd, status, ours ? ours : page);

	if (ours)
		MHD_destroy_response(ours);
	return res;
}
