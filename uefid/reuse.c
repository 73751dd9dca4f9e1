/*
 * seeded.json				then
 * cannot be read or parsed		refuse
 * absent, with or without vars.fd	fetch (a crash in a fetch, or in a removal)
 * another generation			fetch: the claim was elsewhere since
 * this generation, no vars.fd		fetch if it names the pointer's object and owes
 *					nothing, else refuse
 * this generation and boot		take it: nothing but a guest of ours wrote it
 * ... another boot, but it is exactly	take it
 *     the pointer's object
 * ... another boot, other bytes	take it if it parses completely and came from the
 *					pointer's object; else set aside and fetch, since a
 *					host that crashed may have torn it
 */
#include "uefid/reuse.h"

#include <string.h>

static enum reuse
judge_vars(const struct reuse_facts *f)
{
	const struct seeded *s = &f->seeded;
	bool is_pointers = strcmp(s->key, f->pointer_key) == 0;

	if (strcmp(s->boot_id, f->boot_id) == 0)
		return REUSE_COPY;
	if (is_pointers && strcmp(f->vars_sha256, s->synced_sha256) == 0)
		return REUSE_COPY;
	return is_pointers && f->is_complete ? REUSE_COPY : REUSE_SET_ASIDE;
}

enum reuse
reuse_judge(const struct reuse_facts *f)
{
	const struct seeded *s = &f->seeded;

	if (f->state == REUSE_UNREADABLE)
		return REUSE_REFUSE;
	if (f->state == REUSE_ABSENT || s->generation != f->generation)
		return REUSE_FETCH;
	if (f->has_vars)
		return judge_vars(f);
	return strcmp(s->key, f->pointer_key) == 0 && s->synced_sha256[0] != '\0' ?
	    REUSE_FETCH : REUSE_REFUSE;
}
