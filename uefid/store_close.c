/* The end of a launch, of a store, and what the node's loop finds left over. */
#include "uefid/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- close ---- */

enum store_result
store_check(struct store_call *c, const struct seeded *s, struct uefi_record *ret)
{
	struct uefi_record r;
	enum store_result res = store_record(c, &r);

	if (res == STORE_DELETING)
		return res;
	if (res != STORE_OK)
		return STORE_OWED;
	c->other.generation = r.generation;
	if (r.generation > s->generation)
		return store_fail(c, STORE_FENCED, "the store of %s is at generation %llu, this "
		    "copy at %llu", c->instance_id, (unsigned long long)r.generation,
		    (unsigned long long)s->generation);
	if (r.generation < s->generation) {
		c->is_store_lost = true;
		return store_fail(c, STORE_OWED, "the record of %s went back to generation %llu "
		    "from %llu", c->instance_id, (unsigned long long)r.generation,
		    (unsigned long long)s->generation);
	}
	*ret = r;
	return STORE_OK;
}

static enum store_result
drop_copy(struct store_call *c)
{
	int e = copy_remove(&c->copy);

	c->has_copy = e < 0;
	return e < 0 ? store_fail_errno(c, c->copy.dir, e) : STORE_OK;
}

/* Nothing of the copy is needed: it goes, and then the claim, if it is still ours. */
static enum store_result
finish(struct store_call *c)
{
	enum store_result res = drop_copy(c);

	if (res != STORE_OK)
		return res;
	res = store_unclaim(c);
	return res == STORE_FENCED ? STORE_OK : res;	/* another's: nothing is ours */
}

/* The copy has lost, by why. */
static enum store_result
give_up(struct store_call *c, enum store_result why)
{
	enum store_result res;

	if (why == STORE_DELETING)
		return finish(c);
	res = drop_copy(c);
	c->has_dropped = res == STORE_OK;
	return res == STORE_OK ? why : res;
}

/* The lock is ours and the launch is the right one. */
static enum store_result
close_copy(struct store_call *c, struct seeded *s)
{
	enum store_result res = store_state(c);

	if (res == STORE_OK)
		res = store_save_copy(c, s);
	if (res == STORE_FENCED || res == STORE_DELETING)
		return give_up(c, res);
	if (res != STORE_OK)
		return STORE_OWED;
	/* All is safe at our generation: whoever has the claim by now boots from it. */
	return finish(c);
}

static enum store_result
check_launch(struct store_call *c, struct seeded *s, enum reuse_seeded *ret)
{
	char why[JSON_WHY_MAX];

	*ret = copy_seeded(&c->copy, s, why);
	if (*ret == REUSE_UNREADABLE) {
		c->has_copy = true;
		return store_fail(c, STORE_OWED, "%s: %s", c->copy.seeded, why);
	}
	if (*ret == REUSE_ABSENT)
		return STORE_OK;
	c->has_copy = true;
	c->generation = s->generation;
	snprintf(c->key, sizeof(c->key), "%s", s->key);
	if (c->launch_id[0] != '\0' && strcmp(c->launch_id, s->launch_id) != 0)
		return store_fail(c, STORE_STALE, "the store of %s is open for another launch",
		    c->instance_id);
	return STORE_OK;
}

/* fd, or -1 with *ret: no folder at all (STORE_OK), or what is wrong. */
static int
take_lock(struct store_call *c, enum store_result *ret)
{
	int lock = copy_lock(&c->copy);

	*ret = STORE_OK;
	if (lock == -EWOULDBLOCK) {
		c->is_locked = true;
		*ret = store_fail(c, STORE_BUSY, "a guest of %s is running", c->instance_id);
	} else if (lock < 0 && lock != -ENOENT) {
		*ret = store_fail_errno(c, c->copy.lock, lock);
	}
	return lock < 0 ? -1 : lock;
}

static enum store_result
close_launch(struct store_call *c)
{
	enum store_result res = store_begin(c);
	enum reuse_seeded state;
	struct seeded s;

	if (res == STORE_OK)
		res = check_launch(c, &s, &state);
	if (res != STORE_OK)
		return res;
	AUTO(fd) int lock = take_lock(c, &res);

	if (res != STORE_OK)
		return res;
	if (state == REUSE_PRESENT)
		return close_copy(c, &s);
	if (lock >= 0)
		res = drop_copy(c);		/* what a crash left of a fetch */
	return res == STORE_OK ? store_unclaim(c) : res;
}

/* ---- rollback ---- */

/* Is vars.fd exactly what the pointer's object holds, so that dropping it loses nothing? */
static enum store_result
owes_nothing(struct store_call *c, const struct seeded *s)
{
	char sha256[DIGEST_HEX + 1];
	struct uefi_record r;
	enum store_result res = store_check(c, s, &r);
	int e;

	if (res != STORE_OK)
		return res;
	e = digest_file(c->copy.vars, sha256);
	if (e < 0 && e != -ENOENT)
		return store_fail_errno(c, c->copy.vars, e);
	if (e < 0 || strcmp(sha256, s->synced_sha256) != 0 ||
	    strcmp(s->key, r.pointer.key) != 0)
		return store_fail(c, STORE_OWED, "the copy of %s was written since it was opened",
		    c->instance_id);
	return STORE_OK;
}

static enum store_result
roll_back(struct store_call *c)
{
	enum store_result res = store_begin(c);
	enum reuse_seeded state;
	struct seeded s;

	if (res == STORE_OK)
		res = check_launch(c, &s, &state);
	if (res != STORE_OK)
		return res;
	AUTO(fd) int lock = take_lock(c, &res);

	if (res != STORE_OK)
		return res;
	if (state == REUSE_PRESENT) {
		res = owes_nothing(c, &s);
		if (res == STORE_FENCED || res == STORE_DELETING)
			return give_up(c, res);
		return res == STORE_OK ? finish(c) : STORE_OWED;
	}
	if (lock >= 0)
		res = drop_copy(c);
	return res == STORE_OK ? store_unclaim(c) : res;
}

/* ---- close and rollback, with what is left of a store that is gone ---- */

/*
 * Once the record's marker is final no launch can be: then the lock may go too.  What cannot be
 * removed now is by a later look.
 */
static void
remove_if_gone(struct store_call *c)
{
	struct uefi_record r;
	enum cas_result cas;
	uint64_t revision;

	if (access(c->copy.dir, F_OK) < 0 ||
	    uefi_record_get(c->env->records, c->instance_id, &r, &revision, &cas) !=
	    UEFI_NOT_FOUND || revision == 0)
		return;
	AUTO(fd) int lock = copy_lock(&c->copy);

	if (lock >= 0)
		(void)!copy_remove_folder(&c->copy);
}

enum store_result
store_close(struct store_call *c)
{
	enum store_result res = close_launch(c);

	if (res == STORE_OK)
		remove_if_gone(c);
	return res;
}

enum store_result
store_rollback(struct store_call *c)
{
	enum store_result res = roll_back(c);

	if (res == STORE_OK)
		remove_if_gone(c);
	return res;
}

/* ---- delete ---- */

static enum uefi_result
mark(struct store_call *c, enum cas_result *cas)
{
	struct uefi_record r;
	uint64_t revision;
	enum uefi_result u = uefi_record_get(c->env->records, c->instance_id, &r, &revision,
	    cas);

	if (u == UEFI_OK && c->account_id[0] != '\0' && strcmp(r.account_id, c->account_id) != 0)
		return UEFI_INVALID;
	if (u == UEFI_OK)
		return uefi_record_mark_deleting(c->env->records, c->instance_id, cas);
	if (u != UEFI_NOT_FOUND)
		return u;
	u = uefi_record_preclude(c->env->records, c->instance_id, cas);
	c->had_none = u == UEFI_OK;
	return u;
}

enum store_result
store_delete(struct store_call *c)
{
	enum store_result res = store_begin(c);
	enum cas_result cas = CAS_OK;
	enum uefi_result u;

	if (res != STORE_OK)
		return res;
	u = mark(c, &cas);
	if (u == UEFI_EXISTS)		/* created between our two looks */
		u = mark(c, &cas);
	if (u == UEFI_OK)
		return STORE_OK;
	if (u == UEFI_INVALID)
		return store_fail_invalid(c, "the store is another account's");
	return store_fail_record(c, u, cas);
}

/* ---- the node's loop ---- */

static enum store_result
mind_running(struct store_call *c, const struct seeded *s)
{
	struct uefi_record r;
	enum store_result res;

	snprintf(c->launch_id, sizeof(c->launch_id), "%s", s->launch_id);
	res = store_state(c);
	if (res != STORE_OK)
		return res;
	res = store_check(c, s, &r);
	/* The record of a store that was taken over may not be stamped yet. */
	if (c->confirm && res != STORE_FENCED && res != STORE_DELETING)
		res = store_confirm(c, s->generation);
	return res == STORE_FENCED || res == STORE_DELETING ? store_lose(c, res) : STORE_OK;
}

enum store_result
store_mind(struct store_call *c)
{
	enum store_result res = store_begin(c), locked;
	enum reuse_seeded state;
	struct seeded s;

	if (res != STORE_OK)
		return res;
	c->launch_id[0] = '\0';
	AUTO(fd) int lock = take_lock(c, &locked);

	res = check_launch(c, &s, &state);	/* its sentence stands, not the lock's */
	if (locked == STORE_BUSY && state == REUSE_PRESENT)
		return mind_running(c, &s);
	if (res != STORE_OK || locked != STORE_OK)
		return res != STORE_OK ? res : locked;
	if (lock >= 0)
		close(steal_fd(&lock));
	/* Asked here, in the instance's own order of jobs: an open comes before or after. */
	if (c->env->launch(c->env->world, c->instance_id) != STORE_LAUNCH_NO) {
		c->is_in_launch = true;
		return STORE_OK;
	}
	return store_close(c);
}
