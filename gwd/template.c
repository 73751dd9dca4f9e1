#include "gwd/template.h"

#include <stdlib.h>
#include <string.h>

static bool
template_is_place(const cJSON *node)
{
	return cJSON_IsString(node) && node->valuestring[0] == '$';
}

static const char *
template_value_of(const struct template_value *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(v[i].name, name) == 0)
			return v[i].text;
	}
	abort();
}

/* Fills the place that is a child of parent.  False: no memory. */
static bool
template_put(cJSON *parent, cJSON *place, const char *text)
{
	cJSON *item = text ? cJSON_CreateString(text) : NULL;

	if (!text) {
		cJSON_Delete(cJSON_DetachItemViaPointer(parent, place));
		return true;
	}
	if (item && place->string)
		item->string = strdup(place->string);
	if (!item || (place->string && !item->string)) {
		cJSON_Delete(item);
		return false;
	}
	return cJSON_ReplaceItemViaPointer(parent, place, item) != 0;
}

/* The recursion is as deep as our own texts are. */
static bool
template_walk(cJSON *node, const struct template_value *v, size_t n)
{
	cJSON *child = node->child;

	while (child) {
		cJSON *next = child->next;

		if (!template_is_place(child) ? !template_walk(child, v, n) :
		    !template_put(node, child, template_value_of(v, n, child->valuestring + 1)))
			return false;
		child = next;
	}
	return true;
}

cJSON *
template_fill(const char *json, const struct template_value *v, size_t n)
{
	AUTO(json) cJSON *tree = cJSON_Parse(json);

	if (!tree || !template_walk(tree, v, n))
		return NULL;
	return steal_json(&tree);
}
