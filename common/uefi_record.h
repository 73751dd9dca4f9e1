/*
 * uefi_record.h - the record `<instance-id>` in spinifex-uefi-stores and the fence it carries:
 * a pointer moves only at exactly the stamped generation, and deleting is final.  uefid writes
 * it; reaperd deletes it.  The rules are pure; the calls over a store are for jobs.
 */
#pragma once

#include "common/cas.h"
#include "common/instance.h"

#define UEFI_SCHEMA		1
#define UEFI_KEY_MAX		100	/* "uefi/<owner>/<uuid4>" */
#define UEFI_FENCE_ATTEMPTS	5

struct uefi_firmware {
	char		 arch[17];		/* "x86_64" */
	uint64_t	 vars_size;		/* bytes */
	char		 code_sha256[65];	/* may be empty in a pointer */
};
struct uefi_pointer {
	char			 key[UEFI_KEY_MAX + 1];		/* empty: no pointer */
	struct uefi_firmware	 firmware;
	char			 writer_node[65];
	uint64_t		 written_at_ms;
};
struct uefi_record {
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 account_id[13];
	bool			 deleting;
	uint64_t		 generation;
	struct uefi_pointer	 pointer;
};

enum uefi_result {
	UEFI_OK,
	UEFI_NOT_FOUND,		/* no record */
	UEFI_EXISTS,		/* create: there is one, or a marker, which is final */
	UEFI_INVALID,		/* rule 99, 100, 112; a record we must not act on */
	UEFI_DELETING,		/* final */
	UEFI_FENCED,		/* another generation holds it */
	UEFI_CONFLICT,		/* kept changing, or the revision was not current */
	UEFI_STORE,		/* the store's answer is in *ret_store */
	UEFI_RESULTS
};
const char *uefi_result_text(enum uefi_result r);

/* Rules 99 and 100, with a sentence. */
int	 uefi_record_parse(const char *value, size_t len, const char *instance_id,
    struct uefi_record *ret, char why[static JSON_WHY_MAX]) MUST_CHECK;
int	 uefi_record_check(const struct uefi_record *r, char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *uefi_record_print(const struct uefi_record *r);

/*
 * The store must be exact: a swap or remove at 0 lands only where the key never had a message
 * (kv_store_init_exact), since a record's delete marker is final.
 *
 * *ret_revision is the record's; on UEFI_NOT_FOUND its marker's, or 0.
 */
enum uefi_result uefi_record_get(const struct cas_store *s, const char *instance_id,
    struct uefi_record *ret, uint64_t *ret_revision, enum cas_result *ret_store) MUST_CHECK;
/* Live, at expected 0 only. */
enum uefi_result uefi_record_create(const struct cas_store *s, const struct uefi_record *r,
    enum cas_result *ret_store) MUST_CHECK;
/* Rules 105 to 109: raises the generation, returns the record with its pointer. */
enum uefi_result uefi_record_stamp(const struct cas_store *s, const char *instance_id,
    uint64_t generation, struct uefi_record *ret, enum cas_result *ret_store) MUST_CHECK;
/* Rules 110 to 115: at equality only. */
enum uefi_result uefi_record_move(const struct cas_store *s, const char *instance_id,
    uint64_t generation, const struct uefi_pointer *to, enum cas_result *ret_store) MUST_CHECK;
/* Rule 103.  UEFI_OK also when it is deleting already; UEFI_NOT_FOUND without a record. */
enum uefi_result uefi_record_mark_deleting(const struct cas_store *s, const char *instance_id,
    enum cas_result *ret_store) MUST_CHECK;
enum uefi_result uefi_record_remove(const struct cas_store *s, const char *instance_id,
    uint64_t revision, enum cas_result *ret_store) MUST_CHECK;

/* Where no record is, a final marker, so that a late create loses.  UEFI_OK when one stands
 * there now, by whoever's hand; UEFI_EXISTS when there is a record. */
enum uefi_result uefi_record_preclude(const struct cas_store *s, const char *instance_id,
    enum cas_result *ret_store) MUST_CHECK;

/* "uefi/<owner>/<uuid4>": directly under this owner's prefix. */
bool	 uefi_key_is_of(const char *key, const char *owner);
