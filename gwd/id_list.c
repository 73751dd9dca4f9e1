#include "gwd/id_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"

void
id_list_deinit(struct id_list *l)
{
	free(l->id);
	*l = (struct id_list){ 0 };
}

int
id_list_find(const struct id_list *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strcmp(l->id[i], id) == 0)
			return (int)i;
	}
	return -1;
}

enum id_list_result
id_list_read(const cJSON *names, const char *prefix, struct id_list *ret, const char **ret_bad)
{
	struct id_list l = { 0 };
	int n = cJSON_GetArraySize(names);
	const cJSON *name;

	if (n > ID_LIST_MAX)
		return ID_LIST_TOO_MANY;
	l.id = calloc((size_t)n + 1, sizeof(l.id[0]));
	if (!l.id)
		return ID_LIST_NOMEM;
	cJSON_ArrayForEach(name, names) {
		const char *text = cJSON_IsString(name) ? name->valuestring : "";

		if (prefix && !ident_is_ec2(text, prefix)) {
			*ret_bad = text;
			id_list_deinit(&l);
			return ID_LIST_MALFORMED;
		}
		if (id_list_find(&l, text) < 0)
			l.id[l.n++] = text;
	}
	*ret = l;
	return ID_LIST_OK;
}

static size_t
id_list_missing(const struct id_list *l, const bool *found)
{
	size_t missing = 0;

	for (size_t i = 0; i < l->n; i++)
		missing += !found[i];
	return missing;
}

/* Adds text to why, all of it or nothing. */
static bool
id_list_add(char *why, size_t size, size_t *at, const char *text)
{
	size_t len = strlen(text);

	if (len >= size - *at)
		return false;
	memcpy(why + *at, text, len + 1);
	*at += len;
	return true;
}

/* False when they do not all fit. */
static bool
id_list_name_missing(const struct id_list *l, const bool *found, char *why, size_t size,
    size_t *at)
{
	const char *comma = "";

	for (size_t i = 0; i < l->n; i++) {
		if (found[i])
			continue;
		if (!id_list_add(why, size, at, comma) ||
		    !id_list_add(why, size, at, l->id[i]))
			return false;
		comma = ", ";
	}
	return true;
}

bool
id_list_complete(const struct id_list *l, const bool *found, const char *what, char *why,
    size_t why_size)
{
	size_t missing = id_list_missing(l, found), at, room;
	const char *tail = missing > 1 ? "' do not exist" : "' does not exist";
	int n;

	if (missing == 0)
		return true;
	n = snprintf(why, why_size, "The %s%s '", what, missing > 1 ? "s" : "");
	room = strlen(tail) + strlen("...") + 1;
	if (n < 0 || (size_t)n + room >= why_size)
		return false;
	at = (size_t)n;
	if (!id_list_name_missing(l, found, why, why_size - room, &at))
		id_list_add(why, why_size, &at, "...");
	id_list_add(why, why_size, &at, tail);
	return false;
}
