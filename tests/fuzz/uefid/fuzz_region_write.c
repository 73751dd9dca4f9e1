/* A region is a guest's: what is written anew from it has the same variables. */
#include <stdint.h>
#include <string.h>

#include "uefid/region_write.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
copy_entry(void *arg, const struct region_entry *e)
{
	if (region_add_entry(arg, e) != 0)
		__builtin_trap();
	return true;
}

struct pair {
	struct region_writer	 w;
	size_t			 n, at;
	const struct region	*other;
	struct region_variable	 found;
};

static bool
take_nth(void *arg, const struct region_variable *v)
{
	struct pair *p = arg;

	p->found = *v;
	return p->at++ < p->n;
}

static bool
compare(void *arg, const struct region_variable *v)
{
	struct pair *p = arg;
	char why[JSON_WHY_MAX];

	p->at = 0;
	(void)!region_list(p->other, take_nth, p, why);
	if (strcmp(v->name, p->found.name) != 0 || v->size != p->found.size ||
	    memcmp(v->data, p->found.data, v->size) != 0)
		__builtin_trap();
	return p->n++ < 16;
}

static bool
add(void *arg, const struct region_variable *v)
{
	struct pair *p = arg;
	char why[JSON_WHY_MAX];

	if (region_add(&p->w, v, why) == 0)
		p->n++;
	return true;
}

static bool
count(void *arg, const struct region_variable *v)
{
	size_t *n = arg;

	++*n;
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(buf) struct buf kept = BUF_EMPTY(0), clean = BUF_EMPTY(0);
	struct pair p = { 0 };
	struct region r, again;
	char why[JSON_WHY_MAX];
	size_t n = 0;

	if (region_open(data, size, size, &r, why) < 0 ||
	    region_begin(&r, REGION_REST_KEPT, &kept, &p.w, why) < 0)
		return 0;
	if (region_entries(&r, copy_entry, &p.w, why) < 0)
		return 0;
	if (region_open(kept.data, kept.len, size, &again, why) < 0)
		__builtin_trap();
	p.other = &again;
	(void)!region_list(&r, compare, &p, why);
	p.n = 0;
	if (region_begin(&r, REGION_REST_CLEAN, &clean, &p.w, why) < 0)
		__builtin_trap();
	(void)!region_list(&r, add, &p, why);
	if (region_open(clean.data, clean.len, size, &again, why) < 0 ||
	    region_list(&again, count, &n, why) < 0 || n != p.n || !region_is_complete(&again))
		__builtin_trap();
	return 0;
}
