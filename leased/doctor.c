#include "leased/doctor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"

/* The oldest server that the daemons know, and the first whose replicated streams lose nothing
 * when it is killed after it refused a write: see start.h. */
#define OLDEST_SERVER	version_of("2.9.0")
#define GUARDED_SERVER	version_of("2.9.22")
#define DUPLICATES_MS	120000

/* leased allows for rates that differ by 1.5 times; long before that something is broken. */
#define RATE_WARNING	20	/* thousandths */
#define RATE_WRONG	200
#define WALL_WARNING_MS	1000

const char *const doctor_daemons[DOCTOR_DAEMONS] = { "leased", "uefid", "vmd", "reaperd", "gwd" };

static void say(struct doctor_report *r, enum doctor_level level, const char *about,
    const char *act, const char *fmt, ...) PRINTF_LIKE(5, 6);
static void
say(struct doctor_report *r, enum doctor_level level, const char *about, const char *act,
    const char *fmt, ...)
{
	struct doctor_finding *f = &r->finding[r->n < DOCTOR_FINDINGS ? r->n : DOCTOR_FINDINGS - 1];
	va_list ap;

	if (level > r->worst)
		r->worst = level;
	*f = (struct doctor_finding){ .level = level, .about = about, .act = act };
	if (r->n == DOCTOR_FINDINGS) {
		f->level = r->worst;
		(void)snprintf(f->what, sizeof(f->what), "there is more to say than has room here");
		return;
	}
	va_start(ap, fmt);
	(void)vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
	r->n++;
}

/* ---- servers ---- */

/* 2.9.10 as a number that grows with it; 0: no version. */
static uint64_t
version_of(const char *text)
{
	unsigned a, b, c;

	if (sscanf(text, "%u.%u.%u", &a, &b, &c) != 3 || b > 9999 || c > 9999)
		return 0;
	return a * 100000000ull + b * 10000u + c;
}

static void
judge_version(const struct doctor_facts *f, const struct doctor_server *s, struct doctor_report *r)
{
	uint64_t v = version_of(s->version);

	if (v < OLDEST_SERVER)
		say(r, DOCTOR_WRONG, "servers", "Upgrade it to 2.9.22 or later.",
		    "%s at %s is nats-server %s, which is too old", s->name, s->at, s->version);
	else if (f->cluster_size > 1 && v < GUARDED_SERVER)
		say(r, DOCTOR_WARNING, "servers", "Upgrade the servers to 2.9.22 or later, one "
		    "after another.", "%s at %s is nats-server %s: a server that is killed soon "
		    "after two writers met at one key can lose what is acknowledged later",
		    s->name, s->at, s->version);
	else
		say(r, DOCTOR_OK, "servers", NULL, "%s at %s is nats-server %s", s->name, s->at,
		    s->version);
}

static void
judge_server(const struct doctor_facts *f, const struct doctor_server *s, struct doctor_report *r)
{
	if (s->why[0] != '\0') {
		say(r, DOCTOR_WRONG, "servers", "Start spinifex-nats.service there, or mend the "
		    "way to it. Without a majority of the servers nothing can be written.",
		    "no nats-server answers at %s: %s", s->at, s->why);
		return;
	}
	judge_version(f, s, r);
	if (!s->has_jetstream)
		say(r, DOCTOR_WRONG, "servers", "Take the configuration that spinifex-setup makes.",
		    "%s at %s runs without JetStream", s->name, s->at);
}

static void
judge_servers(const struct doctor_facts *f, struct doctor_report *r)
{
	const struct doctor_server *first = NULL;

	for (size_t i = 0; i < f->nservers; i++) {
		const struct doctor_server *s = &f->server[i];

		judge_server(f, s, r);
		if (s->why[0] != '\0')
			continue;
		if (first && strcmp(first->version, s->version) != 0)
			say(r, DOCTOR_WARNING, "servers", "Bring all servers to one version.",
			    "%s and %s are of different versions", first->name, s->name);
		first = first ? first : s;
	}
	if (f->cluster_size % 2 == 0)
		say(r, DOCTOR_WARNING, "servers", "Use 1, 3 or 5 servers.",
		    "an even cluster_size of %u survives no more than one less", f->cluster_size);
	if (f->nservers < f->cluster_size)
		say(r, DOCTOR_WARNING, "servers", "Name every server in url of section nats.",
		    "%zu of %u servers are configured here: this node is cut off when they end, though "
		    "others run", f->nservers, f->cluster_size);
	if (!f->is_connected)
		say(r, DOCTOR_WRONG, "servers", "Mend what is said of the servers, or nats_user, "
		    "nats_password_file and ca; then ask again.",
		    "no connection to NATS: buckets, clocks and nodes were not looked at");
}

static void
judge_sync(const struct doctor_facts *f, struct doctor_report *r)
{
	switch (f->sync) {
	case DOCTOR_SYNC_NONE:
		say(r, DOCTOR_OK, "sync", NULL, "no %s is here: ask on the nodes that have a server",
		    f->nats_conf);
		break;
	case DOCTOR_SYNC_HIDDEN:
		say(r, DOCTOR_WARNING, "sync", "Ask as root.",
		    "%s, or the store that it names, cannot be read", f->nats_conf);
		break;
	case DOCTOR_SYNC_ALWAYS:
		say(r, DOCTOR_OK, "sync", NULL, "each write is synced: sync_interval is always");
		break;
	case DOCTOR_SYNC_FOLDER:
		say(r, DOCTOR_OK, "sync", NULL, "each write is synced: %s has chattr +S +D",
		    f->store);
		break;
	case DOCTOR_SYNC_LAZY:
		say(r, DOCTOR_WRONG, "sync", "From nats-server 2.10 on set sync_interval to always; "
		    "before that move the store to a new folder that was given chattr +S +D while "
		    "it was empty.", "%s is synced every minute or two: a power cut loses what was "
		    "acknowledged, and revisions are given out twice", f->store);
		break;
	}
}

/* ---- buckets ---- */

static void
judge_missing(const struct doctor_bucket *b, struct doctor_report *r)
{
	if (b->is_remade)
		say(r, DOCTOR_OK, "buckets", NULL, "%s is not made yet", b->name);
	else if (b->was_there)
		say(r, DOCTOR_WRONG, "buckets", "Stop nothing. Put the servers' store folder back, "
		    "or see leasectl reseed -n.", "%s is gone: this node has seen it", b->name);
	else
		say(r, DOCTOR_WARNING, "buckets", "If daemons of every kind run for a minute, see "
		    "their journal.", "%s is not made yet", b->name);
}

static void
judge_replicas(const struct doctor_facts *f, const struct doctor_bucket *b, struct doctor_report *r)
{
	if (b->replicas < f->cluster_size)
		say(r, DOCTOR_WRONG, "buckets", "Start all servers: the daemons raise it as soon as "
		    "they can. If they do not, their journal says why.",
		    "%s has %" PRIu64 " of %u replicas", b->name, b->replicas, f->cluster_size);
	else if (b->replicas > f->cluster_size)
		say(r, DOCTOR_WRONG, "buckets", "Set cluster_size to the number of servers, the same "
		    "on every node.", "%s has %" PRIu64 " replicas, and cluster_size is %u",
		    b->name, b->replicas, f->cluster_size);
	else if (b->current < b->replicas)
		say(r, DOCTOR_WARNING, "buckets", "See whether every server runs. One that has come "
		    "back needs a while to catch up; start one again that never does.", "of the %" PRIu64 " replicas of %s "
		    "%" PRIu64 " are current", b->replicas, b->name, b->current);
	else
		say(r, DOCTOR_OK, "buckets", NULL, "%s has %" PRIu64 " of %u replicas", b->name,
		    b->replicas, f->cluster_size);
}

static const char *
flaw_of(const struct doctor_bucket *b)
{
	if (!b->in_files)
		return "is kept in memory";
	if (b->per_key != 1)
		return "keeps more than one value of a key";
	if (b->duplicates_ms < DUPLICATES_MS)
		return "forgets a write's Nats-Msg-Id too early, which guards the compare-and-swap";
	if (!b->denies_purge)
		return "may be purged";
	if (!b->denies_delete && !b->may_erase)
		return "lets single messages be deleted";
	return NULL;
}

static void
judge_bucket(const struct doctor_facts *f, const struct doctor_bucket *b, struct doctor_report *r)
{
	const char *flaw = b->seen == DOCTOR_THERE ? flaw_of(b) : NULL;

	if (b->seen == DOCTOR_UNKNOWN)
		say(r, DOCTOR_WRONG, "buckets", "See whether a majority of the servers runs.",
		    "nobody says anything about %s: it has no leader now", b->name);
	else if (b->seen == DOCTOR_MISSING)
		judge_missing(b, r);
	else
		judge_replicas(f, b, r);
	if (flaw)
		say(r, DOCTOR_WRONG, "buckets", "Somebody else made this stream or changed it: save "
		    "what it has, and give it the settings of spinifex-subjects(7).",
		    "%s %s", b->name, flaw);
}

/* ---- nodes ---- */

static void
judge_clock(const struct doctor_facts *f, const struct doctor_node *n, struct doctor_report *r)
{
	uint64_t off = n->rate_low > 1000 ? n->rate_low - 1000 :
	    n->rate_high < 1000 ? 1000 - n->rate_high : 0;
	uint64_t ahead = (uint64_t)(n->ahead_ms < 0 ? -n->ahead_ms : n->ahead_ms);
	const char *way = n->ahead_ms < 0 ? "behind" : "ahead of";

	ahead -= ahead < n->unsure_ms ? ahead : n->unsure_ms;
	if (off >= RATE_WARNING)
		say(r, off >= RATE_WRONG ? DOCTOR_WRONG : DOCTOR_WARNING, "clocks", "Look at its "
		    "clock source. Leases count on rates that differ by less than 1.5 times.",
		    "a second of %s is %" PRIu64 " to %" PRIu64 " ms of ours", n->name,
		    1000000 / (n->rate_high ? n->rate_high : 1),
		    1000000 / (n->rate_low ? n->rate_low : 1));
	if (ahead >= WALL_WARNING_MS)
		say(r, ahead > f->node_ttl_ms / 2 ? DOCTOR_WRONG : DOCTOR_WARNING, "clocks",
		    "Have both nodes' clocks set by NTP. A heartbeat from a clock that is ahead by "
		    "node_ttl counts as none.", "the time of %s is %" PRIu64 " ms %s ours",
		    n->name, ahead, way);
	if (off < RATE_WARNING && ahead < WALL_WARNING_MS)
		say(r, DOCTOR_OK, "clocks", NULL, "the clock of %s agrees with ours", n->name);
}

/* How many of its daemons answer, and a line about each that is not there once. */
static unsigned
judge_daemons(const struct doctor_node *n, bool is_silent, struct doctor_report *r)
{
	unsigned there = 0;

	for (size_t i = 0; i < DOCTOR_DAEMONS; i++) {
		there += n->answers[i] > 0;
		if (n->answers[i] > 1)
			say(r, DOCTOR_WRONG, "nodes", "Two machines have this name, or one of them "
			    "was cloned: give one another name in section node.",
			    "%u processes answer as %s of %s", n->answers[i], doctor_daemons[i],
			    n->name);
		if (n->answers[i] == 0 && !is_silent)
			say(r, DOCTOR_WRONG, "nodes", "See systemctl status and the journal there.",
			    "%s of %s does not answer", doctor_daemons[i], n->name);
	}
	return there;
}

static void
judge_node(const struct doctor_facts *f, const struct doctor_node *n, struct doctor_report *r)
{
	bool is_self = strcmp(n->name, f->self) == 0, is_silent = true;

	for (size_t i = 0; i < DOCTOR_DAEMONS; i++)
		is_silent = is_silent && n->answers[i] == 0;
	if (is_silent)
		say(r, is_self ? DOCTOR_WRONG : DOCTOR_WARNING, "nodes", "Start its daemons; if the "
		    "machine is lost, see \"A node died\" in spinifex(7).",
		    "%s does not answer: it is off, dead or cut off", n->name);
	else if (judge_daemons(n, is_silent, r) == DOCTOR_DAEMONS)
		say(r, DOCTOR_OK, "nodes", NULL, "all daemons of %s answer", n->name);
	if (!is_silent && !n->is_known)
		say(r, DOCTOR_WARNING, "nodes", "If it lasts, see the journal of its leased.",
		    "%s has no record in spinifex-nodes", n->name);
	if (n->is_other_version)
		say(r, DOCTOR_WRONG, "nodes", "Bring all nodes to one version of Spinifex.",
		    "a daemon of %s speaks another version of the subjects", n->name);
	if (n->has_clock && !is_self)
		judge_clock(f, n, r);
}

void
doctor_judge(const struct doctor_facts *f, struct doctor_report *ret)
{
	bool has_self = false;

	*ret = (struct doctor_report){ .worst = DOCTOR_OK };
	judge_servers(f, ret);
	judge_sync(f, ret);
	if (!f->is_connected)
		return;
	for (size_t i = 0; i < f->nbuckets; i++)
		judge_bucket(f, &f->bucket[i], ret);
	for (size_t i = 0; i < f->nnodes; i++) {
		judge_node(f, &f->node[i], ret);
		has_self = has_self || strcmp(f->node[i].name, f->self) == 0;
	}
	if (!has_self)
		say(ret, DOCTOR_WRONG, "nodes", "Start its daemons.",
		    "this node, %s, is not in the cluster", f->self);
}
