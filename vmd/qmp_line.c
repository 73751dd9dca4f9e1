#include "vmd/qmp_line.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "vmd/qmp.h"

void
qmp_message_deinit(struct qmp_message *m)
{
	cJSON_Delete(m->tree);
	*m = (struct qmp_message){ 0 };
}

static bool
copy_name(char ret[static QMP_NAME_MAX + 1], const char *s)
{
	size_t n = s ? strlen(s) : 0;

	if (n == 0 || n > QMP_NAME_MAX)
		return false;
	memcpy(ret, s, n + 1);
	return true;
}

/* For a log line: what is not printable ASCII becomes a question mark. */
static void
copy_text(char *ret, size_t size, const char *s)
{
	size_t i;

	for (i = 0; s && s[i] && i + 1 < size; i++)
		ret[i] = isprint((unsigned char)s[i]) ? s[i] : '?';
	ret[i] = '\0';
}

/* Sets kind, name, text and body from the tree. */
static bool
classify(struct qmp_message *m)
{
	const cJSON *error = json_member(m->tree, "error");

	if (json_member(m->tree, "event")) {
		m->kind = QMP_EVENT;
		m->body = json_member(m->tree, "data");
		return copy_name(m->name, json_text(m->tree, "event")) &&
		    (!m->body || cJSON_IsObject(m->body));
	}
	if (error) {
		m->kind = QMP_ERROR;
		copy_text(m->text, sizeof(m->text), json_text(error, "desc"));
		return copy_name(m->name, json_text(error, "class"));
	}
	m->kind = QMP_RETURN;
	m->body = json_member(m->tree, "return");
	if (m->body)
		return true;
	m->kind = QMP_GREETING;
	m->body = json_member(m->tree, "QMP");
	return m->body && cJSON_IsObject(m->body);
}

int
qmp_message_parse(const char *line, size_t len, struct qmp_message *ret,
    char why[static JSON_WHY_MAX])
{
	struct qmp_message m = { 0 };
	const cJSON *id;
	int r = json_parse(line, len, QMP_LINE_MAX, &m.tree, why);

	if (r < 0)
		return r;
	if (!cJSON_IsObject(m.tree) || !classify(&m)) {
		qmp_message_deinit(&m);
		copy_text(why, JSON_WHY_MAX, "expected a greeting, return, error or event");
		return -EINVAL;
	}
	id = json_member(m.tree, "id");
	m.has_id = id && json_get_u64(id, &m.id);
	*ret = m;
	return 0;
}

char *
qmp_command_print(const char *command, cJSON *args, uint64_t id)
{
	AUTO(json) cJSON *own_args = args;
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "execute", command))
		return NULL;
	if (own_args && !cJSON_AddItemToObject(o, "arguments", own_args))
		return NULL;
	(void)steal_json(&own_args);
	return json_add_u64(o, "id", id) ? json_print(o) : NULL;
}

void
qmp_reader_deinit(struct qmp_reader *r)
{
	buf_deinit(&r->in);
	r->at = r->seen = 0;
}

int
qmp_reader_feed(struct qmp_reader *r, const void *p, size_t n)
{
	if (r->at > 0) {
		r->in.len -= r->at;
		memmove(r->in.data, r->in.data + r->at, r->in.len);
		r->in.data[r->in.len] = '\0';
		r->seen -= r->at;
		r->at = 0;
	}
	return buf_add(&r->in, p, n);
}

int
qmp_reader_next(struct qmp_reader *r, const char **ret_line, size_t *ret_len)
{
	while (r->seen < r->in.len) {
		const char *start = (const char *)r->in.data + r->at;
		const uint8_t *end = memchr(r->in.data + r->seen, '\n', r->in.len - r->seen);
		size_t len;

		if (!end) {
			r->seen = r->in.len;
			return 0;
		}
		len = (size_t)(end - (r->in.data + r->at));
		r->at = r->seen = (size_t)(end - r->in.data) + 1;
		if (len > 0 && start[len - 1] == '\r')	/* QEMU ends lines with both */
			len--;
		if (len > 0) {
			*ret_line = start;
			*ret_len = len;
			return 1;
		}
	}
	return 0;
}
