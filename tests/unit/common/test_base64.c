#include "common/base64.h"

#include <string.h>

#include "tests/unit/unit.h"

static const struct {
	const char	*plain, *coded;
} pairs[] = {
	{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
	{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xfb\xff\xfe", "+//+" },
};

START_TEST(text_is_coded_and_decoded_as_rfc_4648_says)
{
	AUTO(str) char *coded = base64_encode(pairs[_i].plain, strlen(pairs[_i].plain));
	AUTO(mem) void *owner = NULL;
	uint8_t *plain;
	size_t n;

	ck_assert_str_eq(coded, pairs[_i].coded);
	ck_assert_int_eq(base64_decode(coded, strlen(coded), &plain, &n), 0);
	owner = plain;
	ck_assert_uint_eq(n, strlen(pairs[_i].plain));
	ck_assert_str_eq((char *)plain, pairs[_i].plain);
}
END_TEST

static const char *const wrong[] = {
	"Z", "Zg", "Zg=", "Zg==Zg==", "=Zg=", "====", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Zm-_",
	"Zg==\n", "Z=g=",
};

START_TEST(everything_else_is_refused)
{
	uint8_t *plain = NULL;
	size_t n = 7;

	ck_assert_int_lt(base64_decode(wrong[_i], strlen(wrong[_i]), &plain, &n), 0);
	ck_assert_ptr_null(plain);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(every_byte_comes_back)
{
	uint8_t all[256 + 2];

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (uint8_t)(i * 7);
	for (size_t len = 0; len <= sizeof(all); len++) {
		AUTO(str) char *coded = base64_encode(all, len);
		uint8_t *plain;
		size_t n;

		ck_assert_int_eq(base64_decode(coded, strlen(coded), &plain, &n), 0);
		ck_assert_uint_eq(n, len);
		ck_assert_mem_eq(plain, all, len);
		free(plain);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("base64");

	tcase_add_loop_test(tc, text_is_coded_and_decoded_as_rfc_4648_says, 0, ARRAY_LEN(pairs));
	tcase_add_loop_test(tc, everything_else_is_refused, 0, ARRAY_LEN(wrong));
	tcase_add_test(tc, every_byte_comes_back);
	return unit_run("base64", tc);
}
