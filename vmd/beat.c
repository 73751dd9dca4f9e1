#include "vmd/beat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/heartbeat.h"
#include "vmd/room.h"
#include "vmd/vm.h"

#define BEAT_TIMEOUT_MS	2000

struct beat {
	struct vmd		*d;
	struct loop_timer	*timer;
	uint64_t		 every_ms;
	uint64_t		 revision;	/* of the key, as far as is known */
	bool			 is_known;
	bool			 busy;
	char			 key[sizeof(HEARTBEAT_PREFIX) + CONF_TEXT_MAX];
};

static size_t
count_guests(const struct vmd *d)
{
	size_t n = 0;

	for (size_t i = 0; i < records_count(d->records); i++) {
		const struct vm *vm = record_owner(records_get(d->records, i));

		n += vm && vm->guest;
	}
	return n;
}

static bool
add_gib(cJSON *obj, const char *key, uint64_t mib)
{
	return cJSON_AddNumberToObject(obj, key, (double)mib / 1024.0) != NULL;
}

static char *
text_of(const struct vmd *d)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();
	cJSON *services = obj ? cJSON_AddArrayToObject(obj, "services") : NULL;
	cJSON *self = cJSON_CreateString("vmd");

	if (!services || !cJSON_AddItemToArray(services, self)) {
		cJSON_Delete(self);
		return NULL;
	}
	if (!cJSON_AddStringToObject(obj, "node", d->conf->common.node) ||
	    !json_add_time(obj, "timestamp", vmd_wall_ms(d)) ||
	    !json_add_u64(obj, "vm_count", count_guests(d)) ||
	    !json_add_u64(obj, "allocated_vcpu", d->capacity.vcpus_used) ||
	    !json_add_u64(obj, "available_vcpu", capacity_vcpus_free(&d->capacity)) ||
	    !json_add_u64(obj, "reserved_vcpu", 0) ||
	    !add_gib(obj, "allocated_mem_gb", d->capacity.memory_used_mib) ||
	    !add_gib(obj, "available_mem_gb", capacity_memory_free(&d->capacity)) ||
	    !add_gib(obj, "reserved_mem_gb", d->conf->memory_reserve >> 20))
		return NULL;
	return json_print(obj);
}

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct beat *b = arg;

	b->busy = false;
	b->is_known = res == CAS_OK;	/* else it is read before the next */
	b->revision = revision;
}

static void
write_beat(struct beat *b)
{
	AUTO(str) char *text = NULL;

	room_see(b->d);
	text = text_of(b->d);
	b->busy = text && kv_put(b->d->cluster_state, b->key, text, strlen(text), b->revision,
	    BEAT_TIMEOUT_MS, on_written, b);
}

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct beat *b = arg;

	b->busy = false;
	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return;
	b->revision = e->revision;
	b->is_known = true;
	write_beat(b);
}

static void
on_timer(void *arg)
{
	struct beat *b = arg;

	loop_timer_in(b->timer, b->every_ms);
	if (b->busy || !records_are_listed(b->d->records))
		return;
	if (b->is_known)
		write_beat(b);
	else
		b->busy = kv_load(b->d->cluster_state, b->key, BEAT_TIMEOUT_MS, on_loaded, b);
}

int
beat_new(struct vmd *d, struct beat **ret)
{
	struct beat *b = calloc(1, sizeof(*b));
	int r;

	if (!b)
		return -ENOMEM;
	b->d = d;
	b->every_ms = d->conf->common.node_ttl_ms / 6;
	snprintf(b->key, sizeof(b->key), HEARTBEAT_PREFIX "%s", d->conf->common.node);
	r = loop_timer_new(d->d.loop, on_timer, b, &b->timer);
	if (r < 0) {
		free(b);
		return r;
	}
	loop_timer_in(b->timer, 0);
	*ret = b;
	return 0;
}

void
beat_free(struct beat *b)
{
	if (!b)
		return;
	loop_timer_free(b->timer);
	free(b);
}
