#include "vmd/disk_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"

#define INFO_MAX	(64 * 1024)

static const char *const names[DISK_FORMATS] = {
	[DISK_RAW]	= "raw",
	[DISK_QCOW2]	= "qcow2",
};

const char *
disk_format_name(enum disk_format f)
{
	return f < DISK_FORMATS ? names[f] : "unknown";
}

int
disk_format_from_name(const char *name, enum disk_format *ret)
{
	for (size_t i = 0; i < DISK_FORMATS; i++)
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum disk_format)i;
			return 0;
		}
	return -EINVAL;
}

void
disk_text_reason(const char *text, char why[static DISK_WHY_MAX])
{
	size_t len = text ? strlen(text) : 0, n = 0;
	const char *line;

	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	line = len > 0 ? memrchr(text, '\n', len) : NULL;
	line = line ? line + 1 : text;
	for (; len > 0 && line + n < text + len && n + 1 < DISK_WHY_MAX; n++)
		why[n] = isprint((unsigned char)line[n]) ? line[n] : '?';
	why[n] = '\0';
	if (n == 0)
		(void)snprintf(why, DISK_WHY_MAX, "qemu-img failed and did not say why");
}

int
disk_text_say(char why[static DISK_WHY_MAX], int r, const char *what, const char *path)
{
	(void)snprintf(why, DISK_WHY_MAX, "%s %.160s: %.64s", what, path, strerror(-r));
	return r;
}

/* Where qcow2 tells of a file beside the image itself. */
static bool
has_data_file(const cJSON *info)
{
	const cJSON *data = json_member(json_member(info, "format-specific"), "data");

	return data && json_member(data, "data-file");
}

static int
take_info(const cJSON *o, struct disk_info *ret, char why[static DISK_WHY_MAX])
{
	const char *format = json_text(o, "format");
	struct disk_info info = { 0 };

	if (!format || !json_member(o, "virtual-size") || !json_member(o, "actual-size") ||
	    !json_get_u64(json_member(o, "virtual-size"), &info.virtual_bytes) ||
	    !json_get_u64(json_member(o, "actual-size"), &info.actual_bytes)) {
		(void)snprintf(why, DISK_WHY_MAX, "qemu-img does not tell format and size");
		return -EINVAL;
	}
	if (disk_format_from_name(format, &info.format) < 0) {
		(void)snprintf(why, DISK_WHY_MAX, "expected raw or qcow2, not %.32s", format);
		return -EINVAL;
	}
	info.encrypted = cJSON_IsTrue(json_member(o, "encrypted"));
	info.stands_alone = !json_member(o, "backing-filename") && !has_data_file(o);
	*ret = info;
	return 0;
}

int
disk_info_parse(const void *json, size_t len, struct disk_info *ret,
    char why[static DISK_WHY_MAX])
{
	AUTO(json) cJSON *o = NULL;
	char json_why[JSON_WHY_MAX];

	if (json_parse(json, len, INFO_MAX, &o, json_why) < 0 || !cJSON_IsObject(o)) {
		(void)snprintf(why, DISK_WHY_MAX, "qemu-img's answer is not JSON");
		return -EINVAL;
	}
	return take_info(o, ret, why);
}
