#include "gwd/shape.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "common/ident.h"

#define ECHO_MAX	100	/* bytes of a refused value in a message */

int
shape_refuse(struct shape_error *e, const char *code, const char *fmt, ...)
{
	va_list ap;

	(void)snprintf(e->code, sizeof(e->code), "%s", code);
	va_start(ap, fmt);
	(void)vsnprintf(e->message, sizeof(e->message), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int
refuse_value(struct shape_error *e, const struct query_param *p, const char *expected)
{
	return shape_refuse(e, "InvalidParameterValue",
	    "Value ( %.*s ) for parameter %s is invalid. %s", ECHO_MAX, p->value, p->name, expected);
}

const struct shape_member *
shape_member(const struct shape *s, const char *name)
{
	for (size_t i = 0; s->kind == SHAPE_STRUCT && i < s->n; i++)
		if (!strcmp(s->members[i].name, name))
			return &s->members[i];
	return NULL;
}

/* The parameters that carry every request: looked at before any shape is. */
static bool
is_common(const char *name)
{
	static const char *const names[] = { "AWSAccessKeyId", "Action", "Expires",
	    "SecurityToken", "Signature", "SignatureMethod", "SignatureVersion", "Timestamp",
	    "Version" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncasecmp(name, "X-Amz-", 6);
}

static const struct shape_member *
member_by_query(const struct shape *s, const char *name, size_t len)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *q = s->members[i].query;

		if (!strncmp(q, name, len) && !q[len])
			return &s->members[i];
	}
	return NULL;
}

/* 0..SHAPE_LIST_MAX without a leading zero; EC2's lists begin at 1, and libcloud's at 0. */
static bool
is_list_index(const char *p, size_t len)
{
	unsigned n = 0;

	if (!len || len > 4 || (*p == '0' && len > 1))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		n = n * 10 + (unsigned)(p[i] - '0');
	}
	return n <= SHAPE_LIST_MAX;
}

/* Does the name lead to something that the shape has, and in the right form? */
static int
check_name(const struct shape *s, const struct query_param *p, struct shape_error *e)
{
	const char *at = p->name;
	bool more = true;	/* a component follows */

	while (more) {
		const size_t len = strcspn(at, ".");
		const struct shape_member *m;

		if (s->kind == SHAPE_LIST) {
			if (!is_list_index(at, len))
				return shape_refuse(e, "InvalidParameterValue",
				    "The parameter %s must be numbered from 0 to %d.", p->name,
				    SHAPE_LIST_MAX);
			s = s->item;
		} else if (s->kind == SHAPE_STRUCT && (m = member_by_query(s, at, len))) {
			s = m->shape;
		} else {
			return shape_refuse(e, "UnknownParameter",
			    "The parameter %s is not recognized", p->name);
		}
		more = at[len] == '.';
		at += len + more;
	}
	/* A list or structure as such may only be named to say that it is empty. */
	if ((s->kind == SHAPE_STRUCT || s->kind == SHAPE_LIST) && *p->value)
		return refuse_value(e, p, s->kind == SHAPE_LIST ? "Expecting a numbered list." :
		    "Expecting a structure.");
	return 0;
}

static int
check_names(const struct shape *in, const struct query *q, struct shape_error *e)
{
	struct shape_error wrong_form = { .code = "" };

	for (size_t i = 0; i < q->n; i++) {
		int r;

		if (is_common(q->params[i].name) || !(r = check_name(in, &q->params[i], e)))
			continue;
		if (!strcmp(e->code, "UnknownParameter"))
			return r;
		if (!*wrong_form.code)
			wrong_form = *e;
	}
	*e = wrong_form;
	return *wrong_form.code ? -EINVAL : 0;
}

/* ---- values ---- */

static int
read_int(const struct shape *s, const struct query_param *p, cJSON **ret, struct shape_error *e)
{
	const bool any = !s->min && !s->max;
	const int64_t min = any ? INT32_MIN : s->min, max = any ? INT32_MAX : s->max;
	const size_t sign = *p->value == '-';
	const size_t digits = strspn(p->value + sign, "0123456789");
	char expected[80];
	int64_t v;

	if (!digits || digits > 16 || p->value[sign + digits])
		return refuse_value(e, p, "Expecting an integer.");
	v = strtoll(p->value, NULL, 10);
	if (v < min || v > max) {
		(void)snprintf(expected, sizeof(expected), "Expecting a value from %lld to %lld.",
		    (long long)min, (long long)max);
		return refuse_value(e, p, expected);
	}
	return (*ret = cJSON_CreateNumber((double)v)) ? 0 : -ENOMEM;
}

static int
read_double(const struct query_param *p, cJSON **ret, struct shape_error *e)
{
	const size_t len = strspn(p->value, "+-0123456789.eE");
	char *end;
	double v;

	if (!len || p->value[len])
		return refuse_value(e, p, "Expecting a number.");
	v = strtod(p->value, &end);
	if (*end || end == p->value || !isfinite(v))
		return refuse_value(e, p, "Expecting a number.");
	return (*ret = cJSON_CreateNumber(v)) ? 0 : -ENOMEM;
}

static int
read_bool(const struct query_param *p, cJSON **ret, struct shape_error *e)
{
	const bool yes = !strcasecmp(p->value, "true");

	if (!yes && strcasecmp(p->value, "false"))
		return refuse_value(e, p, "Expecting true or false.");
	return (*ret = cJSON_CreateBool(yes)) ? 0 : -ENOMEM;
}

static bool
is_base64(const char *p)
{
	const size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	    "0123456789+/");
	const size_t pad = strspn(p + n, "=");

	return !p[n + pad] && pad <= 2 && (n + pad) % 4 == 0;
}

static int
check_text(const struct shape *s, const struct query_param *p, struct shape_error *e)
{
	uint64_t ms;

	if (s->kind == SHAPE_BLOB && !is_base64(p->value))
		return refuse_value(e, p, "Expecting base64.");
	if (s->kind == SHAPE_TIME && clock_from_text(p->value, &ms) < 0)
		return refuse_value(e, p, "Expecting a time, as 2026-10-30T01:02:03Z.");
	if (s->id_prefix && !ident_is_ec2(p->value, s->id_prefix)) {
		char code[sizeof(e->code)];

		(void)snprintf(code, sizeof(code), "%s.Malformed", s->id_code);
		return shape_refuse(e, code, "Invalid id: \"%.*s\" (expecting \"%s-...\")",
		    ECHO_MAX, p->value, s->id_prefix);
	}
	if (!s->words || !*p->value)
		return 0;
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->words[i], p->value))
			return 0;
	return refuse_value(e, p, "It is not one of the values that this parameter can have.");
}

static int
read_scalar(const struct shape *s, const struct query_param *p, cJSON **ret,
    struct shape_error *e)
{
	int r;

	switch (s->kind) {
	case SHAPE_INT:
		return read_int(s, p, ret, e);
	case SHAPE_DOUBLE:
		return read_double(p, ret, e);
	case SHAPE_BOOL:
		return read_bool(p, ret, e);
	case SHAPE_STRING:
	case SHAPE_TIME:
	case SHAPE_BLOB:
		if ((r = check_text(s, p, e)) < 0)
			return r;
		return (*ret = cJSON_CreateString(p->value)) ? 0 : -ENOMEM;
	case SHAPE_STRUCT:
	case SHAPE_LIST:
		break;
	}
	return -EINVAL;		/* not reached: the caller takes these apart */
}

/* ---- the tree ---- */

/* Parameters whose names share their first `at` bytes: there stands the end of a component. */
struct run {
	const struct query_param	*p;
	size_t				 n, at;
};

/* The next component of the first name; empty when the name ends here. */
static const char *
next_component(const struct run *run)
{
	const char *name = run->p->name + run->at;

	return run->at && *name == '.' ? name + 1 : name;
}

static int	read_value(const struct shape *s, struct run run, cJSON **ret,
		    struct shape_error *e);

/* Cuts off the front of run what shares its next component. */
static struct run
take_group(struct run *run)
{
	const char *name = next_component(run);
	const size_t at = (size_t)(name - run->p->name) + strcspn(name, ".");
	struct run group = { run->p, 0, at };

	while (group.n < run->n && !strncmp(run->p[group.n].name, run->p->name, at) &&
	    strchr(".", run->p[group.n].name[at]))
		group.n++;
	run->p += group.n;
	run->n -= group.n;
	return group;
}

static void
skip_one(struct run *run)
{
	run->p++;
	run->n--;
}

static int
check_need(const struct shape *s, const cJSON *obj, const char *prefix, size_t prefix_len,
    struct shape_error *e)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->members[i].need && !json_member(obj, s->members[i].name))
			return shape_refuse(e, "MissingParameter",
			    "The request must contain the parameter %.*s%s%s", (int)prefix_len,
			    prefix, prefix_len ? "." : "", s->members[i].query);
	return 0;
}

static int
read_struct(const struct shape *s, struct run run, cJSON **ret, struct shape_error *e)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();
	const char *prefix = run.n ? run.p->name : "";
	const size_t prefix_len = run.at;
	int r = obj ? 0 : -ENOMEM;

	while (r == 0 && run.n) {
		const char *name = next_component(&run);
		const struct shape_member *m = member_by_query(s, name, strcspn(name, "."));
		cJSON *value = NULL;

		/* Common parameters, and "Placement=", the structure as such: nothing. */
		if (!m) {
			skip_one(&run);
			continue;
		}
		r = read_value(m->shape, take_group(&run), &value, e);
		if (r == 0 && !cJSON_AddItemToObject(obj, m->name, value)) {
			cJSON_Delete(value);
			r = -ENOMEM;
		}
	}
	if (r == 0)
		r = check_need(s, obj, prefix, prefix_len, e);
	if (r == 0)
		*ret = steal_json(&obj);
	return r;
}

static int
read_list(const struct shape *s, struct run run, cJSON **ret, struct shape_error *e)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	int r = list ? 0 : -ENOMEM;

	while (r == 0 && run.n) {
		cJSON *value = NULL;

		if (!*next_component(&run)) {	/* "Filter=": the list as such, empty */
			skip_one(&run);
			continue;
		}
		r = read_value(s->item, take_group(&run), &value, e);
		if (r == 0 && !cJSON_AddItemToArray(list, value)) {
			cJSON_Delete(value);
			r = -ENOMEM;
		}
	}
	if (r == 0)
		*ret = steal_json(&list);
	return r;
}

static int
read_value(const struct shape *s, struct run run, cJSON **ret, struct shape_error *e)
{
	if (s->kind == SHAPE_STRUCT)
		return read_struct(s, run, ret, e);
	if (s->kind == SHAPE_LIST)
		return read_list(s, run, ret, e);
	if (run.n > 1)
		return shape_refuse(e, "InvalidParameterValue",
		    "The parameter %s is given more than once.", run.p->name);
	return read_scalar(s, run.p, ret, e);
}

int
shape_from_query(const struct shape *in, struct query *q, cJSON **ret,
    struct shape_error *ret_error)
{
	struct shape_error e = { .code = "" };
	int r;

	query_sort(q);
	if ((r = check_names(in, q, &e)) == 0)
		r = read_value(in, (struct run){ q->params, q->n, 0 }, ret, &e);
	if (r == -EINVAL)
		*ret_error = e;
	return r;
}
