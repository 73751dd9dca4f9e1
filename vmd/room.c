#include "vmd/room.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"

#define MEMINFO_MAX	16384

static uint64_t
host_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

void
room_init(struct vmd *d)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t memory = d->conf->memory ? d->conf->memory : host_bytes();

	capacity_init(&d->capacity, cores > 0 ? (uint32_t)cores : 1, d->conf->vcpu_ratio,
	    memory >> 20, d->conf->memory_reserve >> 20);
}

int
room_parse_available(const char *text, uint64_t *ret_mib)
{
	const char *at = strstr(text, "\nMemAvailable:");
	uint64_t kib;

	if (!at || sscanf(at, "\nMemAvailable: %" SCNu64 " kB", &kib) != 1)
		return -EINVAL;
	*ret_mib = kib >> 10;
	return 0;
}

void
room_see(struct vmd *d)
{
	struct buf text = BUF_EMPTY(MEMINFO_MAX);
	uint64_t live_mib = UINT64_MAX;		/* as before there was such a line */

	if (d->conf->memory <= host_bytes() && file_read("/proc/meminfo", &text) == 0 &&
	    room_parse_available(buf_text(&text), &live_mib) < 0)
		live_mib = UINT64_MAX;
	buf_deinit(&text);
	capacity_see(&d->capacity, live_mib);
}

struct capacity_need
room_need(const struct vmd *d, const struct type *t)
{
	return (struct capacity_need){ t->vcpus, t->memory_mib +
	    (d->net.mode == NET_OUTBOUND ? ROOM_OUTBOUND_MIB : 0) };
}

bool
room_need_of(const struct vmd *d, const char *type, struct capacity_need *ret)
{
	const struct type *t = types_find(&d->types, type);

	if (t)
		*ret = room_need(d, t);
	return t != NULL;
}
