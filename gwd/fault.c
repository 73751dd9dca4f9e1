#include "gwd/fault.h"

#include <stdarg.h>
#include <stdio.h>

bool
fault_set(struct fault *f, const char *code, const char *fmt, ...)
{
	va_list ap;

	(void)snprintf(f->code, sizeof(f->code), "%s", code);
	va_start(ap, fmt);
	(void)vsnprintf(f->message, sizeof(f->message), fmt, ap);
	va_end(ap);
	return false;
}

bool
fault_set_store(struct fault *f, enum cas_result r)
{
	const char *message, *code = cloud_code(r, &message);

	return fault_set(f, code, "%s", message);
}

bool
fault_set_nomem(struct fault *f)
{
	return fault_set_store(f, CAS_NOMEM);
}

bool
fault_is_set(const struct fault *f)
{
	return f->code[0] != '\0';
}

void
fault_clear(struct fault *f)
{
	f->code[0] = '\0';
}

void
fault_tell(const struct fault *f, struct call *c)
{
	call_fail(c, f->code, "%s", f->message);
}

void
fault_end(const struct fault *f, struct call *c, cJSON *out)
{
	if (!fault_is_set(f)) {
		call_answer(c, out);
		return;
	}
	cJSON_Delete(out);
	fault_tell(f, c);
}
