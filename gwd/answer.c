#include "gwd/answer.h"

#include <stdlib.h>

struct answer {
	cJSON		*tree;
	unsigned	 refs;
};

struct answer *
answer_new(cJSON *tree)
{
	struct answer *a = malloc(sizeof(*a));

	if (!a) {
		cJSON_Delete(tree);
		return NULL;
	}
	*a = (struct answer){ .tree = tree, .refs = 1 };
	return a;
}

struct answer *
answer_ref(struct answer *a)
{
	a->refs++;
	return a;
}

void
answer_unref(struct answer *a)
{
	if (!a || --a->refs > 0)
		return;
	cJSON_Delete(a->tree);
	free(a);
}

cJSON *
answer_json(const struct answer *a)
{
	return a->tree;
}
