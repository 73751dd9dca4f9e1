#include "common/node.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/ident.h"

#define NODE_MAX	4096	/* bytes of a record's JSON */

static const struct json_field node_fields[] = {
	{ "node",	JSON_STR,	offsetof(struct node, name), 1, 64, .need = true },
	{ "uuid",	JSON_STR,	offsetof(struct node, uuid), 36, 36, .need = true },
	{ "boot_id",	JSON_STR,	offsetof(struct node, boot_id), 36, 36, .need = true },
	{ "address",	JSON_STR,	offsetof(struct node, address), 0, 63, .need = false },
	{ "zone",	JSON_STR,	offsetof(struct node, zone), 0, 64, .need = false },
	{ "since",	JSON_TIME,	offsetof(struct node, since_ms), .need = false },
};

int
node_from_json(const char *value, size_t len, const char *name, struct node *ret,
    char why[static JSON_WHY_MAX])
{
	struct node n = { 0 };
	int r = json_read(value, len, NODE_MAX, node_fields, ARRAY_LEN(node_fields), JSON_LOOSE,
	    &n, sizeof(n), why);

	if (r < 0)
		return r;
	if (strcmp(n.name, name) != 0) {
		(void)snprintf(why, JSON_WHY_MAX, "node: expected \"%s\"", name);
		return -EINVAL;
	}
	if (!ident_is_uuid4(n.uuid)) {
		(void)snprintf(why, JSON_WHY_MAX, "uuid: expected a lower-case UUIDv4");
		return -EINVAL;
	}
	*ret = n;
	return 0;
}

char *
node_to_json(const struct node *n)
{
	AUTO(json) cJSON *o = json_encode(node_fields, ARRAY_LEN(node_fields), n);

	return o ? json_print(o) : NULL;
}

/* ---- the node's UUID ---- */

static int
read_uuid(const char *path, char ret[static 37])
{
	AUTO(buf) struct buf text = BUF_EMPTY(64);
	char uuid[IDENT_UUID_LEN + 1];
	int r = file_read(path, &text);

	if (r < 0)
		return r;
	if (text.len < IDENT_UUID_LEN)
		return -EBADMSG;
	memcpy(uuid, text.data, IDENT_UUID_LEN);
	uuid[IDENT_UUID_LEN] = '\0';
	if (!ident_is_uuid4(uuid) ||
	    (text.len > IDENT_UUID_LEN && strcmp((const char *)text.data + 36, "\n") != 0))
		return -EBADMSG;
	memcpy(ret, uuid, sizeof(uuid));
	return 0;
}

/* Written aside and linked in, which never replaces: of two daemons that start at once both
 * read the one that came first. */
static int
make_uuid(const char *path)
{
	char aside[PATH_MAX], nonce[IDENT_NONCE_LEN + 1], text[IDENT_UUID_LEN + 2];
	int r, gone;

	ident_nonce(nonce);
	ident_uuid(text);
	text[IDENT_UUID_LEN] = '\n';
	r = file_path(aside, sizeof(aside), "%s.%s.tmp", path, nonce);
	if (r == 0)
		r = file_write(aside, text, IDENT_UUID_LEN + 1, 0644);
	if (r < 0)
		return r;
	r = link(aside, path) < 0 && errno != EEXIST ? -errno : 0;
	gone = file_remove(aside);		/* syncs the folder */
	return r < 0 ? r : gone;
}

int
node_uuid(const char *state_dir, char ret[static 37])
{
	char path[PATH_MAX];
	int r = file_path(path, sizeof(path), "%s/node-uuid", state_dir);

	if (r == 0)
		r = read_uuid(path, ret);
	if (r != -ENOENT)
		return r;
	r = make_uuid(path);
	return r < 0 ? r : read_uuid(path, ret);
}
