/* Finding the firmware of a node. */
#include "uefid/firmware.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "uefid/digest.h"
#include "uefid/region.h"
#include "uefid/region_write.h"

#define DESCRIPTOR_MAX	65536	/* bytes */
#define DESCRIPTORS_MAX	256

static const struct {
	const char *ec2, *qemu;
} arch_names[] = {
	{ "arm64", "aarch64" },
	{ "x86_64", "x86_64" },
};

#define OVMF	"/usr/share/OVMF/OVMF_"
#define FEDORA	"/usr/share/edk2/ovmf/OVMF_"
#define AAVMF	"/usr/share/AAVMF/AAVMF_"
static const struct known_path {
	const char *arch, *code, *template;
	bool secure_boot, enrolled;
} known_paths[] = {
	{ "x86_64", OVMF "CODE_4M.fd", OVMF "VARS_4M.fd", false, false },
	{ "x86_64", OVMF "CODE.fd", OVMF "VARS.fd", false, false },
	{ "x86_64", FEDORA "CODE.fd", FEDORA "VARS.fd", false, false },
	{ "x86_64", OVMF "CODE_4M.secboot.fd", OVMF "VARS_4M.fd", true, false },
	{ "x86_64", OVMF "CODE_4M.secboot.fd", OVMF "VARS_4M.ms.fd", true, true },
	{ "x86_64", OVMF "CODE.secboot.fd", OVMF "VARS.fd", true, false },
	{ "x86_64", OVMF "CODE.secboot.fd", OVMF "VARS.ms.fd", true, true },
	{ "arm64", AAVMF "CODE.fd", AAVMF "VARS.fd", false, false },
	{ "arm64", "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd",
	    "/usr/share/qemu-efi-aarch64/QEMU_VARS.fd", false, false },
};

static const char *
arch_of_qemu(const char *arch)
{
	for (size_t i = 0; i < ARRAY_LEN(arch_names); i++)
		if (strcmp(arch_names[i].ec2, arch) == 0)
			return arch_names[i].qemu;
	return NULL;
}

/* ---- files ---- */

static int
stamp_take(const char *path, struct firmware_stamp *ret)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > FIRMWARE_FILE_MAX)
		return -EINVAL;
	*ret = (struct firmware_stamp){ st.st_dev, st.st_ino, st.st_size, st.st_mtim };
	return 0;
}

static bool
stamp_is(const char *path, const struct firmware_stamp *was)
{
	struct firmware_stamp now = { 0 };

	return stamp_take(path, &now) == 0 && now.dev == was->dev && now.ino == was->ino &&
	    now.size == was->size && now.mtime.tv_sec == was->mtime.tv_sec &&
	    now.mtime.tv_nsec == was->mtime.tv_nsec;
}

bool
firmware_is_current(const struct firmware *f)
{
	return stamp_is(f->code, &f->code_stamp) && stamp_is(f->template, &f->template_stamp);
}

/* Completes a candidate from its files, but for the digest. */
static bool
candidate_exists(struct firmware *f)
{
	if (stamp_take(f->code, &f->code_stamp) < 0 ||
	    stamp_take(f->template, &f->template_stamp) < 0)
		return false;
	f->id.vars_size = (uint64_t)f->template_stamp.size;
	return true;
}

bool
firmware_is_for(const struct firmware *f, const struct firmware_want *want)
{
	return strcmp(f->want.arch, want->arch) == 0 && f->want.kind == want->kind &&
	    f->want.vars_size == want->vars_size;
}

static bool
is_wanted(const struct firmware *f, const struct firmware_want *want)
{
	if (want->vars_size != 0 && f->id.vars_size != want->vars_size)
		return false;
	return want->kind == FIRMWARE_PLAIN || (f->secure_boot &&
	    (want->kind == FIRMWARE_SECURE || f->enrolled));
}

/* Without keys before with, where nobody asked for them. */
static bool
is_better(const struct firmware *a, const struct firmware *b, const struct firmware_want *want)
{
	if (want->kind == FIRMWARE_PLAIN && a->secure_boot != b->secure_boot)
		return !a->secure_boot;
	if (want->kind != FIRMWARE_ENROLLED && a->enrolled != b->enrolled)
		return !a->enrolled;
	return a->id.vars_size > b->id.vars_size;
}

/* One that there is: ret, unless what is there is as good. */
static void
consider(const struct firmware *f, const struct firmware_want *want, struct firmware *ret,
    bool *found)
{
	if (!is_wanted(f, want) || (*found && !is_better(f, ret, want)))
		return;
	*ret = *f;
	*found = true;
}

/* ---- descriptors ---- */

static bool
has_text(const cJSON *array, const char *text)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, array)
		if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
			return true;
	return false;
}

static bool
has_target(const cJSON *targets, const char *arch)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, targets) {
		const char *name = json_text(item, "architecture");

		if (name && strcmp(name, arch) == 0)
			return true;
	}
	return false;
}

static bool
take_text(const cJSON *obj, const char *key, char *ret, size_t size)
{
	const char *text = json_text(obj, key);
	int n = text ? snprintf(ret, size, "%s", text) : -1;

	return n > 0 && (size_t)n < size;
}

static bool
descriptor_read(const cJSON *d, const char *arch, struct firmware *ret)
{
	const cJSON *mapping = json_member(d, "mapping");
	const cJSON *features = json_member(d, "features");
	const char *device = json_text(mapping, "device"), *mode = json_text(mapping, "mode");
	const cJSON *code = json_member(mapping, "executable");
	const cJSON *vars = json_member(mapping, "nvram-template");
	const char *vars_format = json_text(vars, "format");

	ret->enrolled = has_text(features, "enrolled-keys");
	ret->secure_boot = has_text(features, "secure-boot") ||
	    has_text(features, "requires-smm") || ret->enrolled;
	return has_text(json_member(d, "interface-types"), "uefi") &&
	    has_target(json_member(d, "targets"), arch) &&
	    device && strcmp(device, "flash") == 0 &&
	    (!mode || strcmp(mode, "split") == 0) &&
	    vars_format && strcmp(vars_format, "raw") == 0 &&
	    take_text(code, "filename", ret->code, sizeof(ret->code)) &&
	    take_text(code, "format", ret->code_format, sizeof(ret->code_format)) &&
	    take_text(vars, "filename", ret->template, sizeof(ret->template));
}

/* One that cannot be read or is none of ours is passed over: QEMU's packages own them. */
static bool
descriptor_load(const char *path, const char *arch, struct firmware *ret)
{
	AUTO(buf) struct buf text = BUF_EMPTY(DESCRIPTOR_MAX);
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];

	return file_read(path, &text) == 0 &&
	    json_parse(text.data, text.len, DESCRIPTOR_MAX, &tree, why) == 0 &&
	    descriptor_read(tree, arch, ret) && candidate_exists(ret);
}

static int
is_descriptor(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 5 && e->d_name[0] != '.' && strcmp(e->d_name + n - 5, ".json") == 0;
}

static bool
find_described(const char *dir, const char *arch, const struct firmware_want *want,
    struct firmware *ret)
{
	struct dirent **names;
	bool found = false;
	int n = scandir(dir, &names, is_descriptor, alphasort);

	for (int i = 0; i < n; i++) {
		struct firmware f = { 0 };
		char path[4096];

		if (i < DESCRIPTORS_MAX &&
		    file_path(path, sizeof(path), "%s/%s", dir, names[i]->d_name) == 0 &&
		    descriptor_load(path, arch, &f))
			consider(&f, want, ret, &found);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return found;
}

static bool
find_known(const struct firmware_want *want, struct firmware *ret)
{
	bool found = false;

	for (size_t i = 0; i < ARRAY_LEN(known_paths); i++) {
		const struct known_path *k = &known_paths[i];
		struct firmware f = { .code_format = "raw", .secure_boot = k->secure_boot,
			.enrolled = k->enrolled };

		if (strcmp(k->arch, want->arch) != 0)
			continue;
		snprintf(f.code, sizeof(f.code), "%s", k->code);
		snprintf(f.template, sizeof(f.template), "%s", k->template);
		if (candidate_exists(&f))
			consider(&f, want, ret, &found);
	}
	return found;
}

static int
say_none(const struct firmware_want *want, char why[static JSON_WHY_MAX])
{
	static const char *const kinds[FIRMWARE_KINDS] = {
		[FIRMWARE_SECURE] = " with Secure Boot",
		[FIRMWARE_ENROLLED] = " with Secure Boot and keys in its template",
	};
	const char *kind = kinds[want->kind] ? kinds[want->kind] : "";

	if (want->vars_size == 0)
		snprintf(why, JSON_WHY_MAX, "this node has no UEFI firmware for %s%s", want->arch,
		    kind);
	else
		snprintf(why, JSON_WHY_MAX, "this node has no UEFI firmware for %s%s with %llu bytes of "
		    "variables", want->arch, kind, (unsigned long long)want->vars_size);
	return -ENOENT;
}

int
firmware_find(const char *dir, const struct firmware_want *want, struct firmware *ret,
    char why[static JSON_WHY_MAX])
{
	const char *qemu_arch = arch_of_qemu(want->arch);
	struct firmware f = { 0 };
	int r;

	if (!qemu_arch) {
		snprintf(why, JSON_WHY_MAX, "%.32s is no architecture that has firmware", want->arch);
		return -ENOENT;
	}
	if (!find_described(dir, qemu_arch, want, &f) && !find_known(want, &f))
		return say_none(want, why);
	f.want = *want;
	snprintf(f.id.arch, sizeof(f.id.arch), "%s", want->arch);
	r = digest_file(f.code, f.id.code_sha256);
	if (r < 0) {
		snprintf(why, JSON_WHY_MAX, "%.120s: %s", f.code, strerrordesc_np(-r));
		return r;
	}
	*ret = f;
	return 0;
}

/* Flash as it is made, which firmware formats when it first starts: some is shipped so. */
static bool
is_empty(const struct buf *b)
{
	return b->len > 1 && b->data[0] == 0 && memcmp(b->data, b->data + 1, b->len - 1) == 0;
}

int
firmware_template(const struct firmware *f, struct buf *ret, char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf b = BUF_EMPTY(FIRMWARE_FILE_MAX);
	struct region region;
	int r = file_read(f->template, &b);

	if (r < 0) {
		snprintf(why, JSON_WHY_MAX, "%.120s: %s", f->template, strerrordesc_np(-r));
		return r;
	}
	/* A template alone: a guest's copy without a header has lost its variables. */
	if (b.len == f->id.vars_size && is_empty(&b))
		return region_format(b.len, ret, why);
	r = region_open(b.data, b.len, f->id.vars_size, &region, why);
	if (r < 0)
		return r;
	*ret = b;
	b = BUF_EMPTY(FIRMWARE_FILE_MAX);
	return 0;
}

bool
firmware_fits(const struct firmware *f, const struct uefi_firmware *wanted)
{
	return strcmp(f->id.arch, wanted->arch) == 0 && f->id.vars_size == wanted->vars_size;
}
