/* store_impl.h - what the files of store.h share. */
#pragma once

#include "common/claim.h"
#include "uefid/store.h"
#include "uefid/version.h"

/* Each sets c->why and returns the result that goes with it. */
enum store_result store_fail(struct store_call *c, enum store_result r, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
enum store_result store_fail_cas(struct store_call *c, const char *doing, enum cas_result r);
enum store_result store_fail_object(struct store_call *c, enum object_result r,
    const char *why);
/* The same of a get, with what was wanted. */
enum store_result store_fail_get(struct store_call *c, const char *key, enum object_result r,
    const char *why);
enum store_result store_fail_errno(struct store_call *c, const char *path, int r);

/* The live record.  STORE_NO_STORE, STORE_DELETING (a final marker too), ...  is_store_lost is
 * set when there is no message at all. */
enum store_result store_record(struct store_call *c, struct uefi_record *ret) MUST_CHECK;
/* The answers of the fence. */
enum store_result store_fail_record(struct store_call *c, enum uefi_result r,
    enum cas_result cas);
/* STORE_INVALID: what is wrong with the record, or if it is well, otherwise. */
enum store_result store_fail_invalid(struct store_call *c, const char *otherwise);

/* c->firmware for arch, looked up anew when it is not current.  vars_size 0: any. */
enum store_result store_firmware(struct store_call *c, const char *arch,
    enum firmware_kind kind, uint64_t vars_size) MUST_CHECK;
/* The same of just this build, if the node has it; else c->firmware stays. */
void	 store_firmware_of(struct store_call *c, const struct uefi_firmware *id);
/* A store with Secure Boot's keys gets code that enforces them: c->firmware, of its own size. */
enum store_result store_firmware_for(struct store_call *c, const struct buf *region) MUST_CHECK;

enum store_result store_fail_claim(struct store_call *c, enum claim_result r,
    enum cas_result cas);
/* The claim for this node, taken over from a dead one if it must be: c->generation. */
enum store_result store_claim(struct store_call *c) MUST_CHECK;
/* Could store_claim have it now?  Nothing is changed, but that a dead holder is buried. */
enum store_result store_may_claim(struct store_call *c) MUST_CHECK;
/* Is the claim of this generation still this node's?  STORE_OK: a swap says so.  STORE_FENCED:
 * it is lost.  All else proves nothing. */
enum store_result store_confirm(struct store_call *c, uint64_t generation) MUST_CHECK;
/* Without a local copy: free, or another's (STORE_FENCED), or ours, which is freed. */
enum store_result store_unclaim(struct store_call *c) MUST_CHECK;

/* An object of the firmware in v, by this node at c->generation, to stand in place of before: see
 * version_key_over.  Key and digest are set. */
enum store_result store_put(struct store_call *c, struct version *v, const char *before,
    const struct buf *region) MUST_CHECK;
/* The same, of the owner in v->owner.  before NULL: under a key that is always fresh. */
enum store_result store_put_as(struct store_call *c, struct version *v, const char *before,
    const struct buf *region) MUST_CHECK;
/* like with the variables of c->uefi_data. */
enum store_result store_fill(struct store_call *c, const struct buf *like, struct buf *ret)
    MUST_CHECK;
/* The first region of a store: of c->image_key's object, made to fit c->firmware, or the
 * template.  Source and firmware of ret_v are set. */
enum store_result store_first(struct store_call *c, struct buf *ret, struct version *ret_v)
    MUST_CHECK;
/* The pointer to v at c->generation: the fence's answer. */
enum uefi_result store_move(struct store_call *c, const struct version *v,
    enum cas_result *ret_cas) MUST_CHECK;
/* Surplus objects; failures are no reason to fail what came before. */
void	 store_prune(struct store_call *c);

/* store_save with what is known of the copy already; s is updated.  Failures as they are. */
enum store_result store_save_copy(struct store_call *c, struct seeded *s) MUST_CHECK;
/* Is the copy marked as lost?  STORE_FENCED, STORE_DELETING; STORE_UNREADABLE: nobody can say. */
enum store_result store_state(struct store_call *c) MUST_CHECK;
/* Marks beside the copy that it has lost (STORE_FENCED, STORE_DELETING), if that can be written,
 * and returns r. */
enum store_result store_lose(struct store_call *c, enum store_result r) MUST_CHECK;
/* Does the record still allow this copy?  STORE_FENCED and STORE_DELETING as found, not marked;
 * STORE_OWED when nothing can be concluded. */
enum store_result store_check(struct store_call *c, const struct seeded *s,
    struct uefi_record *ret) MUST_CHECK;
