/* The keys were made with ssh-keygen, which knows their fingerprints as well. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/ssh_key.h"

#define ED25519_BLOB \
    "AAAAC3NzaC1lZDI1NTE5AAAAIKEC2fiBE4kpuOsI3mu4LbAew0DoQZLrZ5oluu5F/7gn"
#define ED25519_PRINT	"IflDCxl5hxL5tugwvIM0h8tUewm2NxTpmvyVtGRqCqs="
#define RSA_BLOB \
    "AAAAB3NzaC1yc2EAAAADAQABAAABAQDj+wLk+0QKqg/LjldJaBpu+mAZ/DKDh8+PRYqKoaBW" \
    "ZLY8y7WjB+wNTx3lnXoCEcRUOak9r50RkpwZKAgaulXdf6YnOEeKIS4oZXE82RqHj3rj9/ER" \
    "CiWANgh+lCamQcvQFkxHY1wuuvlCF2c8jh7fzqOPjrb+VyEhF/w1CP4mRnSkS9iIB96ueBw8" \
    "7FJGFnbvjKZRkUNrXZ6yZg+OXs39OcrSQoQopgEJFmQoZcszTlV+uSwIF3GNbxi4f2PLJMOW" \
    "fwbdMnrEMh9XJK2eP2arJh/4+fnRdex6ke07+dMPrQiZ5J1lMwL59x8GhSu/ag4U+hDr42YG" \
    "EI070LcJBuyr"
#define RSA_SPKI \
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA4/sC5PtECqoPy45XSWgabvpgGfwy" \
    "g4fPj0WKiqGgVmS2PMu1owfsDU8d5Z16AhHEVDmpPa+dEZKcGSgIGrpV3X+mJzhHiiEuKGVx" \
    "PNkah4964/fxEQolgDYIfpQmpkHL0BZMR2NcLrr5QhdnPI4e386jj462/lchIRf8NQj+JkZ0" \
    "pEvYiAferngcPOxSRhZ274ymUZFDa12esmYPjl7N/TnK0kKEKKYBCRZkKGXLM05VfrksCBdx" \
    "jW8YuH9jyyTDln8G3TJ6xDIfVyStnj9mqyYf+Pn50XXsepHtO/nTD60ImeSdZTMC+fcfBoUr" \
    "v2oOFPoQ6+NmBhCNO9C3CQbsqwIDAQAB"
#define RSA_PRINT	"e7:00:c0:87:7e:72:0f:80:63:12:39:31:90:3d:a5:47"
#define ECDSA_BLOB \
    "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBBKOcNB2FIZ/OovDavCG" \
    "C7VWo358b9RlXPM+vc0UGQSnNS4CKkK2ZeA77yr/PxKzU0k/bferIi4PIYTatOBhLEE="

struct read_case {
	const char		*material;
	enum ssh_key_type	 type;
};
static const struct read_case read_cases[] = {
	{ "ssh-ed25519 " ED25519_BLOB " me@host", SSH_KEY_ED25519 },
	{ "ssh-ed25519 " ED25519_BLOB, SSH_KEY_ED25519 },
	{ "  ssh-ed25519\t" ED25519_BLOB "\r\n", SSH_KEY_ED25519 },
	{ ED25519_BLOB, SSH_KEY_ED25519 },
	{ "ssh-rsa " RSA_BLOB " a comment with spaces\n", SSH_KEY_RSA },
	{ "---- BEGIN SSH2 PUBLIC KEY ----\nComment: \"2048-bit RSA, \\\nmore of it\"\n"
	  RSA_BLOB "\n---- END SSH2 PUBLIC KEY ----\n", SSH_KEY_RSA },
	{ "-----BEGIN PUBLIC KEY-----\n" RSA_SPKI "\n-----END PUBLIC KEY-----\n", SSH_KEY_RSA },
	{ RSA_SPKI, SSH_KEY_RSA },
};

START_TEST(each_form_of_a_public_key_is_read)
{
	const struct read_case *c = &read_cases[_i];
	AUTO(ssh_key) struct ssh_key k = { 0 };

	ck_assert_int_eq(ssh_key_read(c->material, "name", &k), 0);
	ck_assert_int_eq(k.type, c->type);
	ck_assert_ptr_null(k.private_pem);
	if (c->type == SSH_KEY_RSA) {
		ck_assert_str_eq(k.fingerprint, RSA_PRINT);
		ck_assert_str_eq(k.public_line, "ssh-rsa " RSA_BLOB " name");
	} else {
		ck_assert_str_eq(k.fingerprint, ED25519_PRINT);
		ck_assert_str_eq(k.public_line, "ssh-ed25519 " ED25519_BLOB " name");
	}
}
END_TEST

START_TEST(what_is_no_key_is_refused)
{
	static const char *const bad[] = { "", " ", "ssh-rsa", "ssh-rsa ", "ssh-rsa AAAA", "hello",
	    "ssh-ed25519 " RSA_BLOB "AAAA", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKEC2fiBE4kpuOsI",
	    "ecdsa-sha2-nistp256 " ECDSA_BLOB, ECDSA_BLOB, "-----BEGIN PUBLIC KEY-----\n",
	    "MIIBIjAN", "=AAA", "A===", "AA=A", "AA*A",
	    /* an RSA blob whose numbers are empty; one whose length passes its end */
	    "AAAAB3NzaC1yc2EAAAAAAAAAAA==", "AAAAB3NzaC1yc2H/////" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct ssh_key k = { 0 };

		ck_assert_msg(ssh_key_read(bad[i], "name", &k) == -EINVAL, "'%s'", bad[i]);
		ck_assert_ptr_null(k.public_line);
	}
}
END_TEST

START_TEST(a_key_of_endless_text_is_refused)
{
	AUTO(str) char *text = malloc(SSH_KEY_MATERIAL_MAX + 2);
	struct ssh_key k = { 0 };

	memset(text, 'A', SSH_KEY_MATERIAL_MAX + 1);
	text[SSH_KEY_MATERIAL_MAX + 1] = '\0';
	ck_assert_int_eq(ssh_key_read(text, "name", &k), -EINVAL);
	text[SSH_KEY_MATERIAL_MAX] = '\0';
	ck_assert_int_eq(ssh_key_read(text, "name", &k), -EINVAL);
}
END_TEST

/* ssh-keygen -y prints the public side of a private key. */
static void
check_with_ssh_keygen(const struct ssh_key *k)
{
	char path[] = "/tmp/test_ssh_key.XXXXXX", command[80], line[2048] = "";
	int fd = mkstemp(path);
	FILE *f;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, k->private_pem, strlen(k->private_pem)),
	    (int)strlen(k->private_pem));
	close(fd);
	snprintf(command, sizeof(command), "ssh-keygen -y -f %s", path);
	f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), f));
	ck_assert_int_eq(pclose(f), 0);
	unlink(path);
	/* type and blob; the comment of an RSA key is not in its file */
	ck_assert_int_eq(strncmp(line, k->public_line, strlen(k->public_line) - strlen(" my key")), 0);
}

START_TEST(a_made_key_is_one_that_openssh_takes)
{
	for (enum ssh_key_type t = SSH_KEY_RSA; t < SSH_KEY_TYPES; t++) {
		AUTO(ssh_key) struct ssh_key k = { 0 };
		AUTO(ssh_key) struct ssh_key again = { 0 };

		ck_assert_int_eq(ssh_key_make(t, "my key", &k), 0);
		ck_assert_int_eq(k.type, t);
		ck_assert_int_eq(ssh_key_read(k.public_line, "my key", &again), 0);
		ck_assert_str_eq(again.public_line, k.public_line);
		if (t == SSH_KEY_ED25519)
			ck_assert_str_eq(again.fingerprint, k.fingerprint);
		else	/* of the private key: 20 bytes, as EC2 has it */
			ck_assert_uint_eq(strlen(k.fingerprint), 59);
		if (system("command -v ssh-keygen >/dev/null") == 0)
			check_with_ssh_keygen(&k);
	}
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("ssh_key");
	TCase *t = tcase_create("ssh_key");
	SRunner *r;
	int failed;

	tcase_set_timeout(t, 60);	/* an RSA key may take a while under sanitizers */
	tcase_add_loop_test(t, each_form_of_a_public_key_is_read, 0, (int)ARRAY_LEN(read_cases));
	tcase_add_test(t, what_is_no_key_is_refused);
	tcase_add_test(t, a_key_of_endless_text_is_refused);
	tcase_add_test(t, a_made_key_is_one_that_openssh_takes);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
