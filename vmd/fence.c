#include "vmd/fence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/page.h"
#include "vmd/vm.h"

#define FENCE_TIMEOUT_MS	5000
#define FENCE_BYTES_MAX		(1024 * 1024)

struct fence {
	struct vmd		*d;
	struct bus_sub		*events;
	struct loop_timer	*timer;
	uint64_t		 ask;
	char			 subject[BUS_SUBJECT_MAX + 1];
	char			 after[PAGE_AFTER_SIZE];	/* of the page that is asked for */
};

static bool
is_final(const char *state)
{
	return state && (strcmp(state, "fenced") == 0 || strcmp(state, "deleting") == 0);
}

/* One store: {instance_id, launch_id, state or event}. */
static void
judge(struct fence *f, const cJSON *store, const char *state)
{
	const char *id = json_text(store, "instance_id");
	const char *launch = json_text(store, "launch_id");
	struct vm *vm = id && strlen(id) <= INSTANCE_ID_MAX ? vm_find(f->d, id) : NULL;

	if (!is_final(state) || !vm || !vm->guest || !launch ||
	    strcmp(launch, guest_launch_id(vm->guest)) != 0)
		return;
	vm_log(vm, LOG_ERR, "its variable store is %s: the guest is killed", state);
	(void)guest_kill(vm->guest);
}

static void
on_event(void *arg, const struct bus_msg *m)
{
	AUTO(json) cJSON *event = NULL;
	char why[JSON_WHY_MAX];
	size_t len;
	const void *data = bus_msg_data(m, &len);

	if (json_parse(data, len, FENCE_BYTES_MAX, &event, why) == 0)
		judge(arg, event, json_text(event, "event"));
}

static void	 ask_page(struct fence *f);

static void
on_stores(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct fence *f = arg;
	AUTO(json) cJSON *page = NULL;
	struct bus_error e;
	const cJSON *store;

	f->ask = 0;
	if (res != BUS_OK || bus_msg_json(m, &page, &e) < 0)
		return;		/* silence fences nobody */
	cJSON_ArrayForEach(store, json_member(page, "stores"))
		judge(f, store, json_text(store, "state"));
	if (page_next(page, f->after) > 0)
		ask_page(f);
}

static void
ask_page(struct fence *f)
{
	AUTO(json) cJSON *in = page_ask(f->after);
	AUTO(str) char *text = in ? json_print(in) : NULL;

	if (text)		/* else the next turn asks anew */
		f->ask = bus_ask(f->d->d.bus, &(const struct bus_ask){ .subject = f->subject,
		    .data = text, .len = strlen(text), .timeout_ms = FENCE_TIMEOUT_MS },
		    on_stores, f);
}

static bool
has_stores(const struct vmd *d)
{
	for (size_t n = 0; n < records_count(d->records); n++) {
		const struct vm *vm = record_owner(records_get(d->records, n));

		if (vm && vm->guest && vm_is_uefi(vm_instance(vm)))
			return true;
	}
	return false;
}

static void
on_timer(void *arg)
{
	struct fence *f = arg;

	loop_timer_in(f->timer, FENCE_ASK_MS);
	if (f->ask || !has_stores(f->d))
		return;
	f->after[0] = '\0';
	ask_page(f);
}

int
fence_new(struct vmd *d, struct fence **ret)
{
	struct fence *f = calloc(1, sizeof(*f));
	char events[BUS_SUBJECT_MAX + 1];
	int r;

	if (!f)
		return -ENOMEM;
	f->d = d;
	snprintf(f->subject, sizeof(f->subject), "uefi.v1.%.64s.list", d->conf->common.node);
	snprintf(events, sizeof(events), "uefi.v1.%.64s.event", d->conf->common.node);
	r = loop_timer_new(d->d.loop, on_timer, f, &f->timer);
	if (r == 0)
		r = bus_hint_new(d->d.bus, events, on_event, f, &f->events);
	if (r < 0) {
		fence_free(f);
		return r;
	}
	loop_timer_in(f->timer, 1000);		/* guests are adopted by then */
	*ret = f;
	return 0;
}

void
fence_free(struct fence *f)
{
	if (!f)
		return;
	bus_ask_cancel(f->d->d.bus, f->ask);
	bus_sub_free(f->events);
	loop_timer_free(f->timer);
	free(f);
}
