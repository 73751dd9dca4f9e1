#include "reaperd/judge.h"

#include <errno.h>
#include <string.h>

static const char *const class_names[REAP_CLASSES] = {
	[REAP_UEFI_STORE]		= "uefi-store",
	[REAP_UEFI_OBJECT]		= "uefi-object",
	[REAP_UEFI_CLAIM]		= "uefi-claim",
	[REAP_UEFI_IMAGE]		= "uefi-image",
	[REAP_ADDRESS]			= "address",
	[REAP_INSTANCE_TERMINATED]	= "instance-terminated",
	[REAP_TEARDOWN_STUCK]		= "teardown-stuck",
	[REAP_GUEST]			= "guest",
	[REAP_VOLUME_ORPHAN]		= "volume-orphan",
	[REAP_BUCKET_OBSOLETE]		= "bucket-obsolete",
	[REAP_CONTROL_PLANE_ORPHAN]	= "control-plane-orphan",
};

#define CEILING_LEAST	5

const char *
reap_class_name(enum reap_class c)
{
	return class_names[c];
}

int
reap_class_from_name(const char *name, enum reap_class *ret)
{
	for (unsigned c = 0; c < REAP_CLASSES; c++)
		if (strcmp(name, class_names[c]) == 0) {
			*ret = (enum reap_class)c;
			return 0;
		}
	return -EINVAL;
}

bool
verdict_is_reap(enum verdict v)
{
	return v == REAP_NOW || v == REAP_MARK;
}

const char *
verdict_word(enum verdict v)
{
	if (verdict_is_reap(v))
		return "reap";
	if (v == KEEP_REPORT)
		return "report";
	return v == KEEP_UNKNOWN ? "unknown" : "keep";
}

static struct judgement
say(enum verdict v, const char *reason)
{
	return (struct judgement){ .verdict = v, .reason = reason };
}

static const char stepped[] = "this node's clock was stepped: ages are not known";

static bool
is_younger(const struct judge_time *t, uint64_t stamp_ms, uint64_t ms)
{
	return t->wall_ms < stamp_ms || t->wall_ms - stamp_ms < ms;
}

struct judgement
judge_instance(const struct instance_facts *i, const struct judge_time *t, uint64_t keep_ms)
{
	if (i->known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "its record cannot be read");
	if (!i->is_terminated)
		return say(KEEP_IN_USE, "it is not terminated");
	if (i->has_pending)
		return say(KEEP_DEPENDENT, "a dependent has not been torn down");
	if (i->terminated_ms == 0)
		return say(KEEP_UNKNOWN, "it has no date of termination");
	if (is_younger(t, i->terminated_ms, keep_ms))
		return say(KEEP_YOUNG, "terminated instances stay listed for a time");
	if (t->steady_ms < keep_ms)
		return say(KEEP_UNKNOWN, stepped);
	return say(REAP_NOW, "terminated, torn down, and listed for long enough");
}

/* First its node is asked, then an operator: what a node does not end nobody else may. */
static struct judgement
judge_overdue(const struct node_facts *n, const char *young, const char *late)
{
	if (n->seen_ms < n->limit_ms)
		return say(KEEP_YOUNG, young);
	if (!n->was_asked)
		return say(KEEP_ASK, "it takes too long: its node is asked to finish it");
	if (!n->answered)
		return say(KEEP_REPORT, "it takes too long, and its node does not answer");
	if (!n->has_it)
		return say(KEEP_REPORT, "it takes too long, and its node does not know of it");
	return say(KEEP_REPORT, late);
}

struct judgement
judge_teardown(const struct instance_facts *i, const struct node_facts *n)
{
	if (i->known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "its record cannot be read");
	if (!i->is_ending && !(i->is_terminated && i->has_pending))
		return say(KEEP_IN_USE, "it is not being torn down");
	return judge_overdue(n, "its node is tearing it down", i->is_ending ?
	    "shutting down for too long: its node has to end it" :
	    "terminated, and for too long something of it is still held");
}

struct judgement
judge_guest(const struct instance_facts *i, bool names_node, const struct node_facts *n)
{
	static const char late[] = "its node has not ended it for too long";

	switch (i->known) {
	case KNOWN_UNREADABLE:
		return say(KEEP_UNKNOWN, "its record cannot be read");
	case KNOWN_NO_MESSAGE:
		return say(KEEP_UNKNOWN, "no record of it: that proves nothing");
	case KNOWN_MARKER:
		return judge_overdue(n, "its record was deleted: its node ends it", late);
	case KNOWN_PRESENT:
		break;
	}
	if (!names_node)
		return judge_overdue(n, "its record names another node: this one ends it", late);
	if (i->is_terminated)
		return judge_overdue(n, "its record says terminated: its node ends it", late);
	return say(KEEP_IN_USE, "its record names this node");
}

static struct judgement
judge_waiting(const struct volume_facts *v, const char *young, const char *late)
{
	return v->seen_ms < v->limit_ms ? say(KEEP_YOUNG, young) : say(KEEP_REPORT, late);
}

struct judgement
judge_volume(const struct volume_facts *v, const struct instance_facts *i)
{
	if (v->known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "its record cannot be read");
	if (v->is_deleting)
		return judge_waiting(v, "the node that has its disk removes it",
		    "deleting for too long: no node has removed its disk");
	if (!v->is_somebodys)
		return say(KEEP_IN_USE, "nobody's, and kept until a client deletes it");
	switch (i->known) {
	case KNOWN_UNREADABLE:
		return say(KEEP_UNKNOWN, "its instance's record cannot be read");
	case KNOWN_NO_MESSAGE:
		return say(KEEP_UNKNOWN, "no record of its instance: that proves nothing");
	case KNOWN_MARKER:
		return judge_waiting(v, "its instance's record was deleted",
		    "attached for too long to an instance whose record was deleted");
	case KNOWN_PRESENT:
		break;
	}
	if (i->is_terminated && i->has_pending)
		return say(KEEP_DEPENDENT, "its instance's node has yet to put it away");
	if (i->is_terminated)
		return judge_waiting(v, "its instance is terminated",
		    "attached for too long to an instance that is terminated");
	if (!v->is_listed)
		return judge_waiting(v, "its instance does not have it yet, or no more",
		    "attached for too long to an instance that does not have it");
	return say(KEEP_IN_USE, "its instance has it");
}

struct judgement
judge_address(enum known known, const struct instance_facts *i)
{
	if (known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "it cannot be read");
	switch (i->known) {
	case KNOWN_UNREADABLE:
		return say(KEEP_UNKNOWN, "its instance's record cannot be read");
	case KNOWN_NO_MESSAGE:
		return say(KEEP_UNKNOWN, "no record of its instance: that proves nothing");
	case KNOWN_MARKER:
		return say(REAP_NOW, "its instance's record was deleted");
	case KNOWN_PRESENT:
		break;
	}
	if (!i->is_terminated)
		return say(KEEP_IN_USE, "its instance is not terminated");
	if (!i->freed_address)
		return say(KEEP_DEPENDENT, "its instance's node has yet to free it");
	return say(REAP_NOW, "its instance is terminated and has torn down its address");
}

struct judgement
judge_bucket(enum known known)
{
	if (known == KNOWN_PRESENT)
		return say(REAP_NOW, "nothing uses it any more");
	return say(KEEP_UNKNOWN, "it cannot be looked at");
}

struct judgement
judge_control_plane(enum cluster_record r)
{
	switch (r) {
	case CLUSTER_NO_BUCKET:
		return say(KEEP_REPORT, "account bucket missing");
	case CLUSTER_NO_RECORD:
		return say(KEEP_REPORT, "cluster record missing");
	case CLUSTER_BUCKET_UNREAD:
		return say(KEEP_UNKNOWN, "account bucket lookup failed");
	case CLUSTER_RECORD_UNREAD:
		return say(KEEP_UNKNOWN, "cluster record read failed");
	case CLUSTER_PRESENT:
		break;
	}
	return say(KEEP_IN_USE, "its cluster has a record");
}

/* Is the instance gone by proof? */
static bool
is_gone(const struct instance_facts *i)
{
	return i->known == KNOWN_MARKER || (i->known == KNOWN_PRESENT && i->is_terminated);
}

struct judgement
judge_store(const struct store_facts *s, const struct instance_facts *i)
{
	if (s->known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "its record cannot be read");
	if (s->is_deleting)
		return say(REAP_NOW, "its record says deleting, which is final");
	if (is_gone(i))
		return say(REAP_MARK, "its instance is terminated: to be marked deleting first");
	if (i->known == KNOWN_UNREADABLE)
		return say(KEEP_UNKNOWN, "its instance's record cannot be read");
	if (i->known == KNOWN_NO_MESSAGE)
		return say(KEEP_UNKNOWN, "no record of its instance: that proves nothing");
	return say(KEEP_IN_USE, "its instance is not terminated");
}

/* What the store's record allows for what depends on it; REAP_NOW: nothing holds it. */
static struct judgement
judge_by_store(const struct store_facts *s)
{
	switch (s->known) {
	case KNOWN_UNREADABLE:
		return say(KEEP_UNKNOWN, "its store's record cannot be read");
	case KNOWN_NO_MESSAGE:
		return say(KEEP_UNKNOWN, "no record of its store: that proves nothing");
	case KNOWN_MARKER:
		return say(REAP_NOW, "its store's record was deleted");
	case KNOWN_PRESENT:
		break;
	}
	if (s->is_deleting)
		return say(KEEP_DEPENDENT, "it goes with its store, which is deleting");
	return say(KEEP_IN_USE, "its store is live");
}

/* j, which is to reap, once what it is about is older than grace_ms. */
static struct judgement
judge_age(struct judgement j, uint64_t written_ms, const struct judge_time *t, uint64_t grace_ms,
    const char *young)
{
	if (written_ms == 0)
		return say(KEEP_UNKNOWN, "it has no date");
	if (is_younger(t, written_ms, grace_ms + 1))
		return say(KEEP_YOUNG, young);
	if (t->steady_ms <= grace_ms)
		return say(KEEP_UNKNOWN, stepped);
	return j;
}

struct judgement
judge_object(const struct store_facts *s, uint64_t written_ms, const struct judge_time *t,
    uint64_t grace_ms)
{
	struct judgement j = judge_by_store(s);

	return j.verdict == REAP_NOW ? judge_age(j, written_ms, t, grace_ms,
	    "its store's record was deleted, but it is young") : j;
}

struct judgement
judge_image(const struct image_facts *i, uint64_t written_ms, const struct judge_time *t,
    uint64_t grace_ms)
{
	struct judgement j = { .verdict = REAP_NOW };

	switch (i->known) {
	case KNOWN_UNREADABLE:
		return say(KEEP_UNKNOWN, "its image's record cannot be read");
	case KNOWN_PRESENT:
		if (i->names_it)
			return say(KEEP_IN_USE, "its image's record names it");
		j.reason = "its image's record names another";
		break;
	case KNOWN_MARKER:
		j.reason = "its image's record was deleted";
		break;
	case KNOWN_NO_MESSAGE:
		if (written_ms && !i->has_account)
			return say(KEEP_UNKNOWN, "no record of its image, and it does not say whose it "
			    "was to be: that proves nothing");
		j.reason = "no record of its image came: a marker is put in its place first";
		break;
	}
	return judge_age(j, written_ms, t, grace_ms, "no image's record names it, but it is young");
}

struct judgement
judge_doubt(struct judgement j, enum doubt d)
{
	static const char *const reasons[] = {
		[DOUBT_CLOCK]	= "it may go, but this node's clock is not to be believed",
		[DOUBT_NO_NODE]	= "it may go, but no node is known",
		[DOUBT_SILENT]	= "it may go, but a known node does not answer",
		[DOUBT_UNREAD]	= "it may go, but a record cannot be read",
	};

	return verdict_is_reap(j.verdict) && d != DOUBT_NONE ? say(KEEP_UNKNOWN, reasons[d]) : j;
}

struct judgement
judge_claim(const struct claim_facts *c, const struct store_facts *s)
{
	struct judgement j;

	if (c->known != KNOWN_PRESENT)
		return say(KEEP_UNKNOWN, "it cannot be read");
	j = judge_by_store(s);
	if (j.verdict != REAP_NOW)
		return j;
	if (c->holder_buried)
		return say(REAP_NOW, "its store's record was deleted and its holder is buried");
	if (!c->holder_answered)
		return say(KEEP_UNKNOWN, "its holder's node does not answer");
	if (c->holder_runs_it)
		return say(KEEP_IN_USE, "its holder's node still has the guest");
	return j;
}

size_t
reap_ceiling(size_t n)
{
	return n / 100 > CEILING_LEAST ? n / 100 : CEILING_LEAST;
}
