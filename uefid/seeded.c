/* The codec of seeded.json. */
#include "uefid/seeded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"

struct seeded_wire {
	uint64_t	 schema;
	struct seeded	 s;
};

static const struct json_field firmware_fields[] = {
	{ "arch", JSON_STR, offsetof(struct uefi_firmware, arch), 1, 16, .need = true },
	{ "vars_size", JSON_U64, offsetof(struct uefi_firmware, vars_size), 1, UINT64_MAX,
	    .need = true },
	{ "code_sha256", JSON_STR, offsetof(struct uefi_firmware, code_sha256),
	    .max = SHA256_HEX },
};

#define WIRE(m)	offsetof(struct seeded_wire, m)
static const struct json_field seeded_fields[] = {
	{ "schema_version", JSON_U64, WIRE(schema), SEEDED_SCHEMA, SEEDED_SCHEMA, .need = true },
	{ "instance_id", JSON_STR, WIRE(s.instance_id), 1, INSTANCE_ID_MAX, .need = true },
	{ "launch_id", JSON_STR, WIRE(s.launch_id), 1, 64, .need = true },
	{ "generation", JSON_U64, WIRE(s.generation), 1, UINT64_MAX, .need = true },
	{ "key", JSON_STR, WIRE(s.key), 1, UEFI_KEY_MAX, .need = true },
	{ "firmware", JSON_OBJECT, WIRE(s.firmware), .need = true, .sub = firmware_fields,
	    .nsub = ARRAY_LEN(firmware_fields) },
	{ "boot_id", JSON_STR, WIRE(s.boot_id), 36, 36, .need = true },
	{ "synced_sha256", JSON_STR, WIRE(s.synced_sha256), .max = SHA256_HEX },
};

int
seeded_parse(const void *p, size_t n, const char *instance_id, struct seeded *ret,
    char why[static JSON_WHY_MAX])
{
	struct seeded_wire w = { 0 };
	size_t digits;
	int r = json_read(p, n, SEEDED_MAX, seeded_fields, ARRAY_LEN(seeded_fields), JSON_LOOSE,
	    &w, sizeof(w), why);

	if (r == -EMSGSIZE) {
		snprintf(why, JSON_WHY_MAX, "expected at most %d bytes", SEEDED_MAX);
		return -EINVAL;
	}
	if (r < 0)
		return r;
	if (strcmp(w.s.instance_id, instance_id) != 0) {
		snprintf(why, JSON_WHY_MAX, "instance_id: it is of another instance");
		return -EINVAL;
	}
	if (!uefi_key_is_of(w.s.key, instance_id)) {
		snprintf(why, JSON_WHY_MAX, "key: expected one of this instance's objects");
		return -EINVAL;
	}
	digits = strlen(w.s.synced_sha256);
	if ((digits != 0 && digits != SHA256_HEX) ||
	    strspn(w.s.synced_sha256, "0123456789abcdef") != digits) {
		snprintf(why, JSON_WHY_MAX, "synced_sha256: expected 64 hexadecimal digits");
		return -EINVAL;
	}
	*ret = w.s;
	return 0;
}

char *
seeded_print(const struct seeded *s)
{
	struct seeded_wire w = { .schema = SEEDED_SCHEMA, .s = *s };
	AUTO(json) cJSON *tree = json_encode(seeded_fields, ARRAY_LEN(seeded_fields), &w);

	return json_print(tree);
}
