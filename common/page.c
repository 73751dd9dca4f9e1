#include "common/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PAGE_MAX	(480u << 10)	/* bytes, under a server's usual max_payload */
#define WHOLE_MAX	(64u << 20)	/* the largest max_payload that a server may have */

/* ---- who answers ---- */

int
page_begin(struct page *p, const char *member, const cJSON *in, uint64_t max_payload)
{
	const cJSON *after = json_member(in, "after");

	if (after && !cJSON_IsNull(after) && !cJSON_IsString(after))
		return -EINVAL;
	*p = (struct page){ .after = cJSON_IsString(after) ? after->valuestring : NULL,
		.text = BUF_EMPTY(WHOLE_MAX), .max = WHOLE_MAX };
	/* Half of it: one more object, headers and "after" fit in. */
	if (p->after)
		p->max = max_payload && max_payload / 2 < PAGE_MAX ? (size_t)max_payload / 2 : PAGE_MAX;
	(void)!buf_printf(&p->text, "{\"%s\":[", member);
	return 0;
}

bool
page_wants(const struct page *p, const char *id)
{
	return !p->is_full && (!p->after || strcmp(id, p->after) > 0);
}

void
page_add(struct page *p, const char *id, const cJSON *item)
{
	AUTO(str) char *text = json_print(item);

	if (!text) {
		p->text.failed = true;
		return;
	}
	/* One always goes: a page without any would be asked for again for ever. */
	if (p->n > 0 && strcmp(id, p->last) != 0 && p->text.len + strlen(text) > p->max) {
		p->is_full = true;
		return;
	}
	(void)!buf_printf(&p->text, "%s%s", p->n > 0 ? "," : "", text);
	(void)snprintf(p->last, sizeof(p->last), "%s", id);
	p->n++;
}

const char *
page_end(struct page *p)
{
	if (p->is_full)
		(void)!buf_printf(&p->text, "],\"after\":\"%s\"}", p->last);
	else
		(void)!buf_add_str(&p->text, "]}");
	return buf_text(&p->text);
}

void
page_reply(struct page *p, struct bus_req *req, const char *code)
{
	const char *text = page_end(p);

	if (text)
		bus_reply_raw(req, NULL, 0, text, p->text.len);
	else
		bus_refuse(req, code, true, "no memory");
	page_deinit(p);
}

void
page_deinit(struct page *p)
{
	buf_deinit(&p->text);
}

/* ---- who asks ---- */

cJSON *
page_ask(const char *after)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	return in && cJSON_AddStringToObject(in, "after", after) ? steal_json(&in) : NULL;
}

/* The objects of a later page, moved to the end of all. */
static bool
move(cJSON *all, cJSON *page, const char *member)
{
	cJSON *to = cJSON_GetObjectItemCaseSensitive(all, member);
	cJSON *from = cJSON_GetObjectItemCaseSensitive(page, member), *item;

	if (!cJSON_IsArray(to) || !cJSON_IsArray(from))
		return false;
	while ((item = cJSON_DetachItemFromArray(from, 0)))
		(void)cJSON_AddItemToArray(to, item);
	return true;
}

int
page_next(const cJSON *page, char after[static PAGE_AFTER_SIZE])
{
	const char *next = json_text(page, "after");

	if (!json_member(page, "after"))
		return 0;
	if (!next || strlen(next) >= PAGE_AFTER_SIZE || strcmp(next, after) <= 0)
		return -EBADMSG;
	(void)snprintf(after, PAGE_AFTER_SIZE, "%s", next);
	return 1;
}

int
page_join(cJSON **all, cJSON *page, const char *member, char after[static PAGE_AFTER_SIZE])
{
	int r = page_next(page, after);

	if (r >= 0 && *all && !move(*all, page, member))
		r = -EBADMSG;
	if (r >= 0 && !*all) {
		cJSON_DeleteItemFromObjectCaseSensitive(page, "after");
		*all = page;
		return r;
	}
	cJSON_Delete(page);
	if (r < 0) {
		cJSON_Delete(*all);
		*all = NULL;
	}
	return r;
}

int
page_all_wait(struct bus *b, const char *subject, const char *member, uint64_t timeout_ms,
    cJSON **ret, struct bus_error *ret_error)
{
	AUTO(json) cJSON *all = NULL;
	char after[PAGE_AFTER_SIZE] = "";
	int r;

	do {
		AUTO(json) cJSON *in = page_ask(after);
		cJSON *page = NULL;

		*ret_error = (struct bus_error){ .code = "bus.memory", .message = "no memory",
			.retryable = true };
		if (!in || bus_call_wait(b, subject, in, timeout_ms, &page, ret_error) < 0)
			return -EIO;
		r = page_join(&all, page, member, after);
	} while (r > 0);
	if (r < 0) {
		*ret_error = (struct bus_error){ .code = "internal",
			.message = "a page of the list does not follow the one before it" };
		return -EIO;
	}
	*ret = steal_json(&all);
	return 0;
}
