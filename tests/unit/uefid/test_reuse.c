/* The table of design's local copy: each row, and each near miss. */
#include <stdio.h>
#include <stdlib.h>

#include "uefid/reuse.h"
#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"
#define KEY_A	"uefi/" ID "/11111111-1111-4111-8111-111111111111"
#define KEY_B	"uefi/" ID "/22222222-2222-4222-8222-222222222222"
#define BOOT_A	"aaaaaaaa-1111-4111-8111-111111111111"
#define BOOT_B	"bbbbbbbb-1111-4111-8111-111111111111"
#define SUM_A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SUM_B	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static const struct row {
	const char		*what;
	enum reuse_seeded	 state;
	uint64_t		 generation;	/* of seeded.json; the claim's is 9 */
	const char		*boot_id;	/* of seeded.json; now it is BOOT_A */
	const char		*key;		/* of seeded.json; the pointer's is KEY_A */
	const char		*synced;
	const char		*vars;		/* NULL: none */
	bool			 is_complete;
	enum reuse		 then;
} rows[] = {
	{ "this boot, all saved", REUSE_PRESENT, 9, BOOT_A, KEY_A, SUM_A, SUM_A, true, REUSE_COPY },
	{ "this boot, unsaved writes", REUSE_PRESENT, 9, BOOT_A, KEY_A, SUM_A, SUM_B, true, REUSE_COPY },
	{ "this boot, a crash after the move", REUSE_PRESENT, 9, BOOT_A, KEY_B, SUM_A, SUM_B, true, REUSE_COPY },
	{ "this boot, a move of unknown outcome", REUSE_PRESENT, 9, BOOT_A, KEY_B, "", SUM_B, false, REUSE_COPY },
	{ "another boot, exactly the object", REUSE_PRESENT, 9, BOOT_B, KEY_A, SUM_A, SUM_A, false, REUSE_COPY },
	{ "another boot, newer and whole", REUSE_PRESENT, 9, BOOT_B, KEY_A, SUM_A, SUM_B, true, REUSE_COPY },
	{ "another boot, newer and torn", REUSE_PRESENT, 9, BOOT_B, KEY_A, SUM_A, SUM_B, false, REUSE_SET_ASIDE },
	{ "another boot, another object", REUSE_PRESENT, 9, BOOT_B, KEY_B, SUM_A, SUM_B, true, REUSE_SET_ASIDE },
	{ "another boot, another object's bytes", REUSE_PRESENT, 9, BOOT_B, KEY_B, SUM_A, SUM_A, true, REUSE_SET_ASIDE },
	{ "another boot, a move of unknown outcome", REUSE_PRESENT, 9, BOOT_B, KEY_A, "", SUM_B, true, REUSE_COPY },
	{ "an older generation", REUSE_PRESENT, 8, BOOT_A, KEY_A, SUM_A, SUM_A, true, REUSE_FETCH },
	{ "a newer generation", REUSE_PRESENT, 10, BOOT_A, KEY_A, SUM_A, SUM_A, true, REUSE_FETCH },
	{ "another generation without bytes", REUSE_PRESENT, 8, BOOT_A, KEY_B, SUM_A, NULL, false, REUSE_FETCH },
	{ "nothing there", REUSE_ABSENT, 0, "", "", "", NULL, false, REUSE_FETCH },
	{ "a crash in a fetch", REUSE_ABSENT, 0, "", "", "", SUM_A, true, REUSE_FETCH },
	{ "unreadable", REUSE_UNREADABLE, 0, "", "", "", SUM_A, true, REUSE_REFUSE },
	{ "unreadable without bytes", REUSE_UNREADABLE, 0, "", "", "", NULL, false, REUSE_REFUSE },
	{ "bytes lost, nothing owed", REUSE_PRESENT, 9, BOOT_A, KEY_A, SUM_A, NULL, false, REUSE_FETCH },
	{ "bytes lost, owed", REUSE_PRESENT, 9, BOOT_A, KEY_A, "", NULL, false, REUSE_REFUSE },
	{ "bytes lost, another object", REUSE_PRESENT, 9, BOOT_A, KEY_B, SUM_A, NULL, false, REUSE_REFUSE },
};

START_TEST(each_row_of_the_table_decides)
{
	const struct row *row = &rows[_i];
	struct reuse_facts f = {
		.state = row->state,
		.seeded = { .generation = row->generation },
		.has_vars = row->vars != NULL,
		.vars_sha256 = row->vars,
		.is_complete = row->is_complete,
		.generation = 9,
		.boot_id = BOOT_A,
		.pointer_key = KEY_A,
	};

	snprintf(f.seeded.boot_id, sizeof(f.seeded.boot_id), "%s", row->boot_id);
	snprintf(f.seeded.key, sizeof(f.seeded.key), "%s", row->key);
	snprintf(f.seeded.synced_sha256, sizeof(f.seeded.synced_sha256), "%s", row->synced);
	ck_assert_msg(reuse_judge(&f) == row->then, "%s", row->what);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("reuse");

	tcase_add_loop_test(t, each_row_of_the_table_decides, 0, ARRAY_LEN(rows));
	return unit_run("reuse", t);
}
