#include "common/conf.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>

#include "common/file.h"
#include "tests/unit/unit.h"

struct sample {
	struct conf_common	 common;
	char			 image_dir[CONF_TEXT_MAX + 1];
	char			 net[CONF_TEXT_MAX + 1];
	uint32_t		 ratio, accel;
	bool			 flag;
	uint64_t		 grace_ms, reserve;
};

static const char *const accels[] = { "auto", "kvm", "tcg", NULL };
static const struct conf_key keys[] = {
	{ NULL, "image_dir", CONF_PATH, offsetof(struct sample, image_dir), "<state_dir>/images",
	  1, 200, NULL },
	{ NULL, "net", CONF_STR, offsetof(struct sample, net), "isolated", 1, 20, NULL },
	{ NULL, "ratio", CONF_U32, offsetof(struct sample, ratio), "8", 1, 100, NULL },
	{ NULL, "accel", CONF_WORD, offsetof(struct sample, accel), "auto", 0, 0, accels },
	{ NULL, "flag", CONF_BOOL, offsetof(struct sample, flag), "no", 0, 0, NULL },
	{ NULL, "grace", CONF_MS, offsetof(struct sample, grace_ms), "60s", 1, 3600000, NULL },
	{ NULL, "reserve", CONF_BYTES, offsetof(struct sample, reserve), "512M", 0, 0, NULL },
};

static struct conf_table tables[2];
static char path[64];		/* the fixture's file */
static struct sample s;
static char *why;

static void
setup(void)
{
	tables[0] = conf_common_table;
	tables[1] = (struct conf_table){ keys, ARRAY_LEN(keys) };
	snprintf(path, sizeof(path), "/tmp/test_conf.XXXXXX");
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	memset(&s, 0, sizeof(s));
}

static void
teardown(void)
{
	unlink(path);
	free(why);
	why = NULL;
}

static int
load_bytes(const void *p, size_t n)
{
	ck_assert_int_eq(file_write(path, p, n, 0600), 0);
	return conf_load(path, "vmd", tables, 2, &s, &why);
}

static int
load(const char *text)
{
	return load_bytes(text, strlen(text));
}

#define LEAST	"[cluster]\ncluster_size = 1\n[node]\nname = n1\n"

START_TEST(what_is_not_given_has_its_default)
{
	ck_assert_int_eq(load(LEAST), 0);
	ck_assert_uint_eq(s.common.cluster_size, 1);
	ck_assert_uint_eq(s.common.node_ttl_ms, 60000);
	ck_assert_str_eq(s.common.region, "us-east-1");
	ck_assert_str_eq(s.common.zone, "us-east-1a");
	ck_assert_str_eq(s.common.node, "n1");
	ck_assert_str_eq(s.common.state_dir, "/var/lib/spinifex");
	ck_assert_str_eq(s.common.nats_url, "nats://127.0.0.1:4222");
	ck_assert_str_eq(s.common.nats_user, "");
	ck_assert_int_eq(conf_log_priority(&s.common), LOG_INFO);
	ck_assert_str_eq(s.image_dir, "/var/lib/spinifex/images");
	ck_assert_uint_eq(s.ratio, 8);
	ck_assert_uint_eq(s.accel, 0);
	ck_assert_uint_eq(s.grace_ms, 60000);
	ck_assert_uint_eq(s.reserve, 512u << 20);
}
END_TEST

START_TEST(what_is_given_is_read_and_defaults_follow_it)
{
	ck_assert_int_eq(load("# a comment\n\n[ cluster ]\r\n cluster_size=3\n\tregion =\teu-west-1\n"
	    "[node]\nname = Node_1-b\nstate_dir = /srv/s\nlog_level = debug\n"
	    "[nats]\nurl = nats://a:1,nats://b:2 # not a comment\n"
	    "[vmd]\nnats_user = vmd\nratio = 100\naccel = tcg\nflag = yes\ngrace = 500ms\n"
	    "reserve = 3\nnet = bridge:br0\n[leased]\nwhatever = 7\n[vmctl]\nnats_user = x"), 0);
	ck_assert_uint_eq(s.common.cluster_size, 3);
	ck_assert_str_eq(s.common.zone, "eu-west-1a");
	ck_assert_str_eq(s.common.node, "Node_1-b");
	ck_assert_str_eq(s.common.nats_url, "nats://a:1,nats://b:2 # not a comment");
	ck_assert_str_eq(s.common.nats_user, "vmd");
	ck_assert_int_eq(conf_log_priority(&s.common), LOG_DEBUG);
	ck_assert_str_eq(s.image_dir, "/srv/s/images");
	ck_assert_uint_eq(s.ratio, 100);
	ck_assert_uint_eq(s.accel, 2);
	ck_assert(s.flag);
	ck_assert_uint_eq(s.grace_ms, 500);
	ck_assert_uint_eq(s.reserve, 3);
	ck_assert_str_eq(s.net, "bridge:br0");
}
END_TEST

static const struct {
	const char	*text, *why;
} wrong[] = {
	{ "", ":0: expected cluster_size in [cluster]" },
	{ "[node]\nname = n\n\n", ":3: expected cluster_size in [cluster]" },
	{ "\n[cluster]\nnode_ttl = 5s\n[node]\nname = n\n",
	  ":2: expected cluster_size in [cluster]" },
	{ "[cluster]\ncluster_size = 1\n", ":2: expected name in [node]" },
	{ "[cluster]\ncluster_size = 2\n", ":2: expected cluster_size to be 1, 3 or 5" },
	{ "[cluster]\ncluster_size = 03\n", ":2: expected cluster_size to be 1, 3 or 5" },
	{ "cluster_size = 1\n", ":1: expected a [section] before the first keyword" },
	{ "[cluster\n", ":1: expected ] at the end of a section's name" },
	{ "[\n", ":1: expected ] at the end of a section's name" },
	{ "[]\n", ":1: expected a section that exists, not []" },
	{ "[vms]\n", ":1: expected a section that exists, not [vms]" },
	{ "[cluster]\ncluster_size 1\n", ":2: expected keyword = value, [section] or # comment" },
	{ "[cluster]\nsize = 1\n", ":2: expected a keyword of [cluster], not size" },
	{ "[cluster]\nimage_dir = /x\n", ":2: expected a keyword of [cluster], not image_dir" },
	{ "[vmd]\ncluster_size = 1\n", ":2: expected a keyword of [vmd], not cluster_size" },
	{ "[vmd]\n= 1\n", ":2: expected a keyword of [vmd], not " },
	{ "[vmd]\nratio = 1\n[vmd]\nratio = 1\n", ":4: expected ratio once in [vmd]" },
	{ "[vmd]\nratio = 0\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\nratio = 101\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\nratio = -1\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\nratio =\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\nratio = 4294967297\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\nratio = 8 cores\n", ":2: expected ratio to be a number from 1 to 100" },
	{ "[vmd]\naccel = xen\n", ":2: expected accel to be auto, kvm or tcg" },
	{ "[vmd]\naccel = \n", ":2: expected accel to be auto, kvm or tcg" },
	{ "[vmd]\nflag = true\n", ":2: expected flag to be yes or no" },
	{ "[vmd]\ngrace = 60\n",
	  ":2: expected grace to be a time with its unit (ms, s, m, h, d) from 1ms to 1h" },
	{ "[vmd]\ngrace = 2h\n",
	  ":2: expected grace to be a time with its unit (ms, s, m, h, d) from 1ms to 1h" },
	{ "[vmd]\ngrace = 0\n",
	  ":2: expected grace to be a time with its unit (ms, s, m, h, d) from 1ms to 1h" },
	{ "[vmd]\ngrace = 60 s\n",
	  ":2: expected grace to be a time with its unit (ms, s, m, h, d) from 1ms to 1h" },
	{ "[vmd]\nreserve = 1KB\n",
	  ":2: expected reserve to be bytes, plain or in K, M, G, T from 0 to "
	  "18446744073709551615" },
	{ "[vmd]\nreserve = 16777216T\n",
	  ":2: expected reserve to be bytes, plain or in K, M, G, T from 0 to "
	  "18446744073709551615" },
	{ "[vmd]\nreserve = 99999999999999999999\n",
	  ":2: expected reserve to be bytes, plain or in K, M, G, T from 0 to "
	  "18446744073709551615" },
	{ "[vmd]\nnet =\n", ":2: expected net to have 1 to 20 bytes" },
	{ "[vmd]\nnet = 123456789012345678901\n", ":2: expected net to have 1 to 20 bytes" },
	{ "[vmd]\nimage_dir = images\n", ":2: expected image_dir to be an absolute path" },
	{ "[node]\nname = a.b\n", ":2: expected name to be 1 to 64 of A-Z a-z 0-9 _ and -" },
	{ "[node]\nname =\n", ":2: expected name to be 1 to 64 of A-Z a-z 0-9 _ and -" },
	{ "[node]\nname = a\x01\n", ":2: expected no control character" },
	{ "[node]\nname = a\x7f\n", ":2: expected no control character" },
	{ "[node]\nlog_level = loud\n",
	  ":2: expected log_level to be err, warning, notice, info or debug" },
};

START_TEST(a_wrong_line_is_named_with_what_was_expected)
{
	ck_assert_int_eq(load(wrong[_i].text), -EINVAL);
	ck_assert_ptr_nonnull(why);
	ck_assert_mem_eq(why, path, strlen(path));
	ck_assert_str_eq(why + strlen(path), wrong[_i].why);
}
END_TEST

START_TEST(a_line_that_is_too_long_or_has_a_nul_is_refused)
{
	char line[CONF_LINE_MAX + 3];

	memset(line, '#', sizeof(line));
	line[CONF_LINE_MAX + 1] = '\n';
	line[CONF_LINE_MAX + 2] = '\0';
	ck_assert_int_eq(load(line), -EINVAL);
	ck_assert_str_eq(why + strlen(path), ":1: expected at most 1024 bytes in a line");
	free(why);
	ck_assert_int_eq(load_bytes("[node]\nname = a\0b\n", 18), -EINVAL);
	ck_assert_str_eq(why + strlen(path), ":2: expected no control character");
}
END_TEST

START_TEST(a_file_that_cannot_be_read_says_why)
{
	AUTO(mem) void *big = calloc(1, CONF_FILE_MAX + 1);

	unlink(path);
	ck_assert_int_eq(conf_load(path, "vmd", tables, 2, &s, &why), -ENOENT);
	ck_assert_str_eq(why + strlen(path), ": No such file or directory");
	free(why);
	ck_assert_int_eq(load_bytes(big, CONF_FILE_MAX + 1), -EMSGSIZE);
}
END_TEST

START_TEST(a_default_that_grows_too_long_is_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(4096);
	const struct conf_key long_keys[] = {
		{ NULL, "image_dir", CONF_PATH, offsetof(struct sample, image_dir),
		  "<state_dir>/x", 1, 128, NULL },
	};

	buf_printf(&b, LEAST "state_dir = /%0127d\n", 0);
	tables[1] = (struct conf_table){ long_keys, 1 };
	ck_assert_int_eq(load(buf_text(&b)), -EINVAL);
	ck_assert_str_eq(why + strlen(path), ":5: expected image_dir to have 1 to 128 bytes");
}
END_TEST

START_TEST(what_is_printed_reads_back_the_same)
{
	AUTO(str) char *text = NULL;
	AUTO(str) char *again = NULL;
	struct sample first;
	size_t n;

	ck_assert_int_eq(load(LEAST "[vmd]\ngrace = 90s\nreserve = 1536K\nflag = yes\n"
	    "accel = kvm\nnats_user = v\n"), 0);
	first = s;
	FILE *f = open_memstream(&text, &n);

	conf_print(f, "vmd", tables, 2, &s);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, "[cluster]\ncluster_size = 1\nnode_ttl = 1m\n"));
	ck_assert_ptr_nonnull(strstr(text, "[nats]\nurl = nats://127.0.0.1:4222\nca =\n"));
	ck_assert_ptr_nonnull(strstr(text, "grace = 90s\nreserve = 1536K\n"));
	memset(&s, 0, sizeof(s));
	ck_assert_int_eq(load(text), 0);
	ck_assert_mem_eq(&s, &first, sizeof(s));
	f = open_memstream(&again, &n);
	conf_print(f, "vmd", tables, 2, &s);
	fclose(f);
	ck_assert_str_eq(again, text);
}
END_TEST

START_TEST(a_tool_has_its_own_user_or_its_daemons)
{
	struct conf_common c = { 0 };

	ck_assert_int_eq(load(LEAST "[vmd]\nnats_user = vmd\nratio = 5\n"), 0);
	ck_assert_int_eq(conf_load_tool(path, "vmctl", "vmd", &c, &why), 0);
	ck_assert_str_eq(c.nats_user, "vmd");
	ck_assert_str_eq(c.node, "n1");
	memset(&c, 0, sizeof(c));
	memset(&s, 0, sizeof(s));
	ck_assert_int_eq(load(LEAST "[vmd]\nnats_user = vmd\n[vmctl]\nnats_user = op\n"), 0);
	ck_assert_int_eq(conf_load_tool(path, "vmctl", "vmd", &c, &why), 0);
	ck_assert_str_eq(c.nats_user, "op");
	memset(&c, 0, sizeof(c));
	memset(&s, 0, sizeof(s));
	ck_assert_int_eq(load(LEAST "[vmctl]\nratio = 7\n"), 0);
	ck_assert_int_eq(conf_load_tool(path, "vmctl", "vmd", &c, &why), -EINVAL);
	ck_assert_str_eq(why + strlen(path), ":6: expected a keyword of [vmctl], not ratio");
}
END_TEST

/* The shipped file, read from the tree's top: as it is, and with its defaults spelled out. */
START_TEST(the_shipped_file_loads_and_shows_the_defaults)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONF_FILE_MAX);
	struct conf_common as_is = { 0 }, spelled = { 0 };

	ck_assert_int_eq(file_read("etc/spinifex.conf", &b), 0);
	ck_assert_int_eq(conf_load("etc/spinifex.conf", "vmd", tables, 1, &as_is, &why), 0);
	for (size_t i = 0; i + 1 < b.len; i++)
		if ((i == 0 || b.data[i - 1] == '\n') && b.data[i] == '#' &&
		    b.data[i + 1] >= 'a' && b.data[i + 1] <= 'z')
			b.data[i] = ' ';
	ck_assert_int_eq(file_write(path, b.data, b.len, 0600), 0);
	ck_assert_msg(conf_load_tool(path, "vmctl", "vmd", &spelled, &why) == 0, "%s", why);
	ck_assert_mem_eq(&spelled, &as_is, sizeof(as_is));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("conf");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_is_not_given_has_its_default);
	tcase_add_test(tc, what_is_given_is_read_and_defaults_follow_it);
	tcase_add_loop_test(tc, a_wrong_line_is_named_with_what_was_expected, 0,
	    ARRAY_LEN(wrong));
	tcase_add_test(tc, a_line_that_is_too_long_or_has_a_nul_is_refused);
	tcase_add_test(tc, a_file_that_cannot_be_read_says_why);
	tcase_add_test(tc, a_default_that_grows_too_long_is_refused);
	tcase_add_test(tc, what_is_printed_reads_back_the_same);
	tcase_add_test(tc, a_tool_has_its_own_user_or_its_daemons);
	tcase_add_test(tc, the_shipped_file_loads_and_shows_the_defaults);
	return unit_run("conf", tc);
}
