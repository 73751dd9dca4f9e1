/* For a reseed: the claims and records of the stores that this node's copies are of. */
#include <stdio.h>
#include <string.h>

#include "common/subjects.h"
#include "uefid/uefid.h"

#define ACCOUNT_UNKNOWN	"000000000000"	/* whoever asks knows it from the instance's record */
#define TOKEN_SIZE	256

static bool
tell_claim(struct held *h, const struct uefid *u, const struct seeded *s)
{
	struct cas_token t = { .generation = s->generation };
	char key[CAS_KEY_MAX + 1], text[TOKEN_SIZE];

	(void)snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", s->instance_id);
	if (snprintf(t.holder, sizeof(t.holder), "%s", u->conf->common.node) >=
	    (int)sizeof(t.holder))
		return false;
	return cas_token_print(&t, text, sizeof(text)) > 0 &&
	    held_add(h, BUCKET_SYNC, key, text, s->generation);
}

static bool
tell_record(struct held *h, const struct uefid *u, const struct seeded *s)
{
	struct uefi_record r = { .account_id = ACCOUNT_UNKNOWN, .generation = s->generation,
	    .pointer = { .firmware = s->firmware, .written_at_ms = clock_wall_ms(u->d.clock) } };
	AUTO(str) char *text = NULL;

	memcpy(r.instance_id, s->instance_id, sizeof(r.instance_id));
	memcpy(r.pointer.key, s->key, sizeof(r.pointer.key));
	if (snprintf(r.pointer.writer_node, sizeof(r.pointer.writer_node), "%s",
		u->conf->common.node) >= (int)sizeof(r.pointer.writer_node))
		return false;
	text = uefi_record_print(&r);
	return text && held_add(h, BUCKET_UEFI_STORES, s->instance_id, text, s->generation);
}

static bool
tell_one(struct held *h, const struct uefid *u, const struct local *l)
{
	struct copy c;
	struct seeded s;
	char why[JSON_WHY_MAX];

	if (copy_init(&c, u->conf->common.state_dir, l->instance_id) < 0)
		return true;
	switch (copy_seeded(&c, &s, why)) {
	case REUSE_PRESENT:
		return tell_claim(h, u, &s) && tell_record(h, u, &s);
	case REUSE_UNREADABLE:
		return false;		/* there is something, and nobody can say what */
	case REUSE_ABSENT:
		break;
	}
	return true;
}

bool
uefid_tell_held(void *arg, struct held *h)
{
	const struct uefid *u = arg;
	const struct local *l;

	TAILQ_FOREACH(l, &u->locals, link)
		if (l->state != LOCAL_FENCED && l->state != LOCAL_DELETING && !tell_one(h, u, l))
			return false;
	return true;
}
