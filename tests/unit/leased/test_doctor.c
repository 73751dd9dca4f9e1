/* What leasectl doctor makes of the facts: a cluster that is well, and then one thing amiss. */
#include "leased/doctor.h"

#include <string.h>

#include "tests/unit/unit.h"

static struct doctor_facts facts;
static struct doctor_report report;

static void
setup(void)
{
	facts = (struct doctor_facts){ .cluster_size = 3, .node_ttl_ms = 60000, .self = "n1",
	    .nats_conf = "/etc/nats.conf", .sync = DOCTOR_SYNC_ALWAYS, .store = "/store",
	    .is_connected = true, .nservers = 3, .nbuckets = 1, .nnodes = 2 };
	for (size_t i = 0; i < 3; i++)
		facts.server[i] = (struct doctor_server){ .at = "h:4222", .name = "nats",
		    .version = "2.10.27", .has_jetstream = true };
	facts.bucket[0] = (struct doctor_bucket){ .name = "b", .seen = DOCTOR_THERE,
	    .was_there = true, .in_files = true, .denies_delete = true, .denies_purge = true,
	    .replicas = 3, .current = 3, .per_key = 1, .duplicates_ms = 120000 };
	for (size_t i = 0; i < 2; i++) {
		facts.node[i] = (struct doctor_node){ .is_known = true, .has_clock = true,
		    .rate_low = 999, .rate_high = 1001 };
		memcpy(facts.node[i].name, i ? "n2" : "n1", 3);
		for (size_t k = 0; k < DOCTOR_DAEMONS; k++)
			facts.node[i].answers[k] = 1;
	}
}

/* The finding that says so, or NULL. */
static const struct doctor_finding *
said(const char *words)
{
	for (size_t i = 0; i < report.n; i++)
		if (strstr(report.finding[i].what, words))
			return &report.finding[i];
	return NULL;
}

START_TEST(a_cluster_that_is_well_is_found_well)
{
	doctor_judge(&facts, &report);
	ck_assert_int_eq(report.worst, DOCTOR_OK);
	ck_assert_uint_gt(report.n, 6);
	for (size_t i = 0; i < report.n; i++)
		ck_assert_msg(report.finding[i].level == DOCTOR_OK && !report.finding[i].act, "%s",
		    report.finding[i].what);
}
END_TEST

#define CASE(name)	static void name(void)
#define TEXT(to, text)	memcpy(to, text, sizeof(text))

CASE(silent_server)	{ TEXT(facts.server[1].why, "Connection refused"); }
CASE(other_version)	{ TEXT(facts.server[2].version, "2.11.0"); }
CASE(unguarded)		{ TEXT(facts.server[0].version, "2.9.10"); }
CASE(guarded)		{ facts.cluster_size = 1; facts.bucket[0].replicas = 1;
			    facts.bucket[0].current = 1; TEXT(facts.server[0].version, "2.9.10"); }
CASE(too_old)		{ TEXT(facts.server[0].version, "2.8.4"); }
CASE(no_version)	{ TEXT(facts.server[0].version, "dev"); }
CASE(no_jetstream)	{ facts.server[0].has_jetstream = false; }
CASE(one_url)		{ facts.nservers = 1; }
CASE(even)		{ facts.cluster_size = 2; }
CASE(no_connection)	{ facts.is_connected = false; }
CASE(lazy)		{ facts.sync = DOCTOR_SYNC_LAZY; }
CASE(hidden)		{ facts.sync = DOCTOR_SYNC_HIDDEN; }
CASE(no_server_here)	{ facts.sync = DOCTOR_SYNC_NONE; }
CASE(few_replicas)	{ facts.bucket[0].replicas = 1; }
CASE(many_replicas)	{ facts.bucket[0].replicas = 5; }
CASE(behind)		{ facts.bucket[0].current = 2; }
CASE(no_leader)		{ facts.bucket[0].seen = DOCTOR_UNKNOWN; }
CASE(gone)		{ facts.bucket[0].seen = DOCTOR_MISSING; }
CASE(not_yet)		{ facts.bucket[0].seen = DOCTOR_MISSING; facts.bucket[0].was_there = false; }
CASE(remade)		{ facts.bucket[0].seen = DOCTOR_MISSING; facts.bucket[0].is_remade = true; }
CASE(in_memory)		{ facts.bucket[0].in_files = false; }
CASE(many_values)	{ facts.bucket[0].per_key = 10; }
CASE(short_guard)	{ facts.bucket[0].duplicates_ms = 1000; }
CASE(purgeable)		{ facts.bucket[0].denies_purge = false; }
CASE(deletable)		{ facts.bucket[0].denies_delete = false; }
CASE(erasable)		{ facts.bucket[0].denies_delete = false; facts.bucket[0].may_erase = true; }
CASE(fast)		{ facts.node[1].rate_low = 1030; facts.node[1].rate_high = 1040; }
CASE(twice_as_fast)	{ facts.node[1].rate_low = 1990; facts.node[1].rate_high = 2010; }
CASE(slow)		{ facts.node[1].rate_low = 490; facts.node[1].rate_high = 510; }
CASE(unsure_rate)	{ facts.node[1].rate_low = 700; facts.node[1].rate_high = 1400; }
CASE(ahead)		{ facts.node[1].ahead_ms = 5000; }
CASE(far_ahead)		{ facts.node[1].ahead_ms = 40000; }
CASE(far_behind)	{ facts.node[1].ahead_ms = -40000; }
CASE(unsure_time)	{ facts.node[1].ahead_ms = 5000; facts.node[1].unsure_ms = 4500; }
CASE(one_silent)	{ facts.node[1].answers[2] = 0; }
CASE(all_silent)	{ memset(facts.node[1].answers, 0, sizeof(facts.node[1].answers));
			    facts.node[1].has_clock = false; }
CASE(self_silent)	{ memset(facts.node[0].answers, 0, sizeof(facts.node[0].answers)); }
CASE(self_absent)	{ facts.self = "n3"; }
CASE(twice)		{ facts.node[1].answers[0] = 2; }
CASE(no_record)		{ facts.node[1].is_known = false; }
CASE(other_subjects)	{ facts.node[1].is_other_version = true; }

static const struct row {
	void			(*make)(void);
	enum doctor_level	 worst;
	const char		*about, *what;
} rows[] = {
	{ silent_server,  DOCTOR_WRONG,   "servers", "no nats-server answers at h:4222: Connection refused" },
	{ other_version,  DOCTOR_WARNING, "servers", "different versions" },
	{ unguarded,      DOCTOR_WARNING, "servers", "can lose what is acknowledged later" },
	{ guarded,        DOCTOR_WARNING, "servers", "nats-server 2.9.10" },
	{ too_old,        DOCTOR_WRONG,   "servers", "too old" },
	{ no_version,     DOCTOR_WRONG,   "servers", "too old" },
	{ no_jetstream,   DOCTOR_WRONG,   "servers", "without JetStream" },
	{ one_url,        DOCTOR_WARNING, "servers", "1 of 3 servers are configured here" },
	{ even,           DOCTOR_WRONG,   "buckets", "3 replicas, and cluster_size is 2" },
	{ no_connection,  DOCTOR_WRONG,   "servers", "no connection to NATS" },
	{ lazy,           DOCTOR_WRONG,   "sync", "/store is synced every minute or two" },
	{ hidden,         DOCTOR_WARNING, "sync", "/etc/nats.conf" },
	{ no_server_here, DOCTOR_OK,      "sync", "no /etc/nats.conf is here" },
	{ few_replicas,   DOCTOR_WRONG,   "buckets", "b has 1 of 3 replicas" },
	{ many_replicas,  DOCTOR_WRONG,   "buckets", "b has 5 replicas, and cluster_size is 3" },
	{ behind,         DOCTOR_WARNING, "buckets", "of the 3 replicas of b 2 are current" },
	{ no_leader,      DOCTOR_WRONG,   "buckets", "has no leader" },
	{ gone,           DOCTOR_WRONG,   "buckets", "b is gone" },
	{ not_yet,        DOCTOR_WARNING, "buckets", "b is not made yet" },
	{ remade,         DOCTOR_OK,      "buckets", "b is not made yet" },
	{ in_memory,      DOCTOR_WRONG,   "buckets", "b is kept in memory" },
	{ many_values,    DOCTOR_WRONG,   "buckets", "more than one value" },
	{ short_guard,    DOCTOR_WRONG,   "buckets", "forgets a write's Nats-Msg-Id" },
	{ purgeable,      DOCTOR_WRONG,   "buckets", "may be purged" },
	{ deletable,      DOCTOR_WRONG,   "buckets", "lets single messages be deleted" },
	{ erasable,       DOCTOR_OK,      "buckets", "b has 3 of 3 replicas" },
	{ fast,           DOCTOR_WARNING, "clocks", "a second of n2 is 961 to 970 ms of ours" },
	{ twice_as_fast,  DOCTOR_WRONG,   "clocks", "a second of n2 is 497 to 502 ms of ours" },
	{ slow,           DOCTOR_WRONG,   "clocks", "a second of n2 is 1960 to 2040 ms of ours" },
	{ unsure_rate,    DOCTOR_OK,      "clocks", "the clock of n2 agrees" },
	{ ahead,          DOCTOR_WARNING, "clocks", "the time of n2 is 5000 ms ahead of ours" },
	{ far_ahead,      DOCTOR_WRONG,   "clocks", "the time of n2 is 40000 ms ahead of ours" },
	{ far_behind,     DOCTOR_WRONG,   "clocks", "the time of n2 is 40000 ms behind ours" },
	{ unsure_time,    DOCTOR_OK,      "clocks", "the clock of n2 agrees" },
	{ one_silent,     DOCTOR_WRONG,   "nodes", "vmd of n2 does not answer" },
	{ all_silent,     DOCTOR_WARNING, "nodes", "n2 does not answer" },
	{ self_silent,    DOCTOR_WRONG,   "nodes", "n1 does not answer" },
	{ self_absent,    DOCTOR_WRONG,   "nodes", "this node, n3, is not in the cluster" },
	{ twice,          DOCTOR_WRONG,   "nodes", "2 processes answer as leased of n2" },
	{ no_record,      DOCTOR_WARNING, "nodes", "n2 has no record" },
	{ other_subjects, DOCTOR_WRONG,   "nodes", "another version of the subjects" },
};

START_TEST(what_is_amiss_is_named_with_what_to_do)
{
	const struct row *r = &rows[_i];
	const struct doctor_finding *f;

	r->make();
	doctor_judge(&facts, &report);
	f = said(r->what);
	ck_assert_msg(f != NULL, "not said: %s", r->what);
	ck_assert_str_eq(f->about, r->about);
	ck_assert_msg(report.worst == r->worst, "%s: %d", r->what, (int)report.worst);
	if (f->level != DOCTOR_OK)
		ck_assert_msg(f->act && *f->act, "%s: nothing to do", f->what);
}
END_TEST

START_TEST(findings_end_at_their_ceiling_with_a_word_about_it)
{
	facts.nnodes = DOCTOR_NODES;
	for (size_t i = 0; i < DOCTOR_NODES; i++) {
		facts.node[i] = (struct doctor_node){ .is_other_version = true, .name = "n" };
		for (size_t k = 0; k < DOCTOR_DAEMONS; k++)
			facts.node[i].answers[k] = 2;
	}
	doctor_judge(&facts, &report);
	ck_assert_uint_eq(report.n, DOCTOR_FINDINGS);
	ck_assert_str_eq(report.finding[report.n - 1].what, "there is more to say than has room here");
	ck_assert_int_eq(report.finding[report.n - 1].level, DOCTOR_WRONG);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("doctor");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, a_cluster_that_is_well_is_found_well);
	tcase_add_loop_test(tc, what_is_amiss_is_named_with_what_to_do, 0, ARRAY_LEN(rows));
	tcase_add_test(tc, findings_end_at_their_ceiling_with_a_word_about_it);
	return unit_run("doctor", tc);
}
