#include "common/connect.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "common/file.h"

static int fail(char **ret_why, int r, const char *fmt, ...) PRINTF_LIKE(3, 4);
static int
fail(char **ret_why, int r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(ret_why, fmt, ap) < 0)
		*ret_why = NULL;
	va_end(ap);
	return r;
}

static int
read_password(const char *path, char **ret, char **ret_why)
{
	int r;

	if (path[0] == '\0')
		return 0;
	r = file_read_secret(path, ret);
	if (r == -EPERM)
		return fail(ret_why, r,
		    "%s: expected a file of its reader's or root's that nobody else can read",
		    path);
	return r < 0 ? fail(ret_why, r, "%s: %s", path, strerror(-r)) : 0;
}

int
connect_new(struct loop *l, const struct conf_common *c, const char *name, struct bus **ret,
    char **ret_why)
{
	char *password = NULL;
	int r = read_password(c->nats_password_file, &password, ret_why);
	const struct bus_conf conf = {
		.name = name,
		.url = c->nats_url,
		.user = c->nats_user,
		.password = password,
		.ca_file = c->nats_ca,
	};

	if (r < 0)
		return r;
	r = bus_new(l, &conf, ret);
	if (password) {
		explicit_bzero(password, strlen(password));
		free(password);
	}
	return r < 0 ? fail(ret_why, r, "%s", strerror(-r)) : 0;
}
