/*
 * The JSON door: whatever parses prints, and what it prints parses again to the same text; a
 * struct decoded from it encodes to something that decodes again.
 */
#include <stddef.h>
#include <string.h>

#include "common/json.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX	65536
/* What a text may grow by: a raw byte of a string takes up to six when it is escaped. */
#define PRINTED_MAX	(6 * INPUT_MAX)

struct inner {
	char		 holder[9];
	uint64_t	 generation;
};
struct outer {
	char		 id[9];
	char		*note;
	uint64_t	 number, generation, at_ms;
	uint32_t	 small;
	bool		 flag;
	cJSON		*tree;
	struct inner	 claim;
};
static const struct json_field inner_fields[] = {
	{ .key = "holder", .type = JSON_STR, .offset = offsetof(struct inner, holder),
	  .max = 8, .need = true },
	{ .key = "generation", .type = JSON_U64_STR,
	  .offset = offsetof(struct inner, generation) },
};
static const struct json_field fields[] = {
	{ .key = "id", .type = JSON_STR, .offset = offsetof(struct outer, id), .max = 8 },
	{ .key = "note", .type = JSON_DUP, .offset = offsetof(struct outer, note) },
	{ .key = "number", .type = JSON_U64, .offset = offsetof(struct outer, number) },
	{ .key = "generation", .type = JSON_U64_STR,
	  .offset = offsetof(struct outer, generation) },
	{ .key = "small", .type = JSON_U32, .offset = offsetof(struct outer, small) },
	{ .key = "flag", .type = JSON_BOOL, .offset = offsetof(struct outer, flag) },
	{ .key = "at", .type = JSON_TIME, .offset = offsetof(struct outer, at_ms) },
	{ .key = "tree", .type = JSON_TREE, .offset = offsetof(struct outer, tree) },
	{ .key = "claim", .type = JSON_OBJECT, .offset = offsetof(struct outer, claim),
	  .sub = inner_fields, .nsub = ARRAY_LEN(inner_fields) },
};

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static void
print_and_reparse(const cJSON *tree)
{
	char why[JSON_WHY_MAX];
	AUTO(str) char *text = json_print(tree);
	AUTO(json) cJSON *again = NULL;

	must(text != NULL);
	must(json_parse(text, strlen(text), PRINTED_MAX, &again, why) == 0);
	AUTO(str) char *second = json_print(again);

	must(second && strcmp(text, second) == 0);
}

static void
decode_and_encode(const cJSON *tree, enum json_mode mode)
{
	struct outer o = { 0 }, back = { 0 };
	char why[JSON_WHY_MAX];

	if (json_decode(tree, fields, ARRAY_LEN(fields), mode, &o, sizeof(o), why) < 0) {
		must(memchr(why, '\0', sizeof(why)) != NULL && !o.note && !o.tree);
		return;
	}
	AUTO(json) cJSON *encoded = json_encode(fields, ARRAY_LEN(fields), &o);

	must(encoded != NULL);
	must(json_decode(encoded, fields, ARRAY_LEN(fields), JSON_STRICT, &back, sizeof(back),
	    why) == 0);
	must(o.number == back.number && o.generation == back.generation &&
	    o.claim.generation == back.claim.generation && o.at_ms == back.at_ms);
	json_release(fields, ARRAY_LEN(fields), &o);
	json_release(fields, ARRAY_LEN(fields), &back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX] = "";

	if (json_parse(data, size, INPUT_MAX, &tree, why) < 0) {
		must(why[0] != '\0');
		return 0;
	}
	print_and_reparse(tree);
	decode_and_encode(tree, JSON_LOOSE);
	decode_and_encode(tree, JSON_STRICT);
	return 0;
}
