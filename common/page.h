/*
 * page.h - a list of objects by id that may be longer than a message: asked for with "after" it
 * comes in pages, each with the last id as "after" where there are more; asked for without, it
 * is whole, as one answer.  Each object is of some moment between the first question and the
 * last answer, as it would be of one between question and answer.  Pure, but for page_reply, and for
 * page_all_wait, which is for jobs.
 */
#pragma once

#include "common/buf.h"
#include "common/bus.h"

#define PAGE_AFTER_SIZE	256

/* ---- who answers: begin, add in the order of ids, reply ---- */

struct page {
	const char	*after;		/* borrowed; NULL: the whole list is wanted */
	struct buf	 text;
	size_t		 max;
	size_t		 n;
	bool		 is_full;
	char		 last[PAGE_AFTER_SIZE];
};
/* in: the request.  max_payload: the server's, 0: not known.  0; -EINVAL: "after" is no text. */
int	 page_begin(struct page *p, const char *member, const cJSON *in, uint64_t max_payload)
    MUST_CHECK;
/* Is this object of the page?  Once it is full none is. */
bool	 page_wants(const struct page *p, const char *id);
/* A copy of item, of an id that it wants; NULL: there was no memory for it.  Objects of one id are
 * of one page. */
void	 page_add(struct page *p, const char *id, const cJSON *item);
/* Borrowed; NULL: no memory. */
const char *page_end(struct page *p);
/* All that, and page_deinit; code: of the refusal for want of memory. */
void	 page_reply(struct page *p, struct bus_req *req, const char *code);
void	 page_deinit(struct page *p);

/* ---- who asks ---- */

/* {"after": after}.  NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *page_ask(const char *after);
/* 1: there is a next page, and after is what to ask for it with; 0: it was the last; -EBADMSG: it
 * does not go on from after. */
int	 page_next(const cJSON *page, char after[static PAGE_AFTER_SIZE]) MUST_CHECK;
/*
 * Takes page, the answer to page_ask(after), after being "" at first, into *all, which is NULL
 * then.  As page_next; at 0 *all is the whole, at -EBADMSG it is gone.  An answer without the list
 * is taken as it is when it is the first.
 */
int	 page_join(cJSON **all, cJSON *page, const char *member, char after[static PAGE_AFTER_SIZE])
    MUST_CHECK;
/* As bus_call_wait, which asks for each page. */
int	 page_all_wait(struct bus *b, const char *subject, const char *member, uint64_t timeout_ms,
    cJSON **ret, struct bus_error *ret_error) MUST_CHECK;
