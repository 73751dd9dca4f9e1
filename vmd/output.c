/* GetConsoleOutput: the tail of a guest's serial log, read by a job; see command.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "vmd/command.h"
#include "vmd/console.h"

struct output_job {
	struct command	*c;
	char		 dir[512];
	struct buf	 text;
	uint64_t	 mtime_ms;
	int		 r;
};

static void
read_tail(void *job)
{
	struct output_job *j = job;

	j->r = console_tail(j->dir, &j->text, &j->mtime_ms);
}

static void
drop(void *job)
{
	struct output_job *j = job;

	buf_deinit(&j->text);
	free(j);
}

static cJSON *
answer(const struct output_job *j)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	AUTO(str) char *text = base64_encode(j->text.data ? (const void *)j->text.data : "",
	    j->text.len);

	if (!out || !text || !cJSON_AddStringToObject(out, "InstanceId", j->c->id) ||
	    !json_add_time(out, "Timestamp", j->mtime_ms ? j->mtime_ms :
	    vmd_wall_ms(j->c->d)) || !cJSON_AddStringToObject(out, "Output", text))
		return NULL;
	return steal_json(&out);
}

static void
on_read(void *arg, void *job)
{
	struct output_job *j = job;
	struct command *c = j->c;
	AUTO(json) cJSON *out = j->r == 0 ? answer(j) : NULL;

	if (out) {
		bus_reply(c->arg, out);
		free(c);
	} else {
		command_written(c, j->r < 0 ? -EIO : -ENOMEM);
	}
	drop(j);
}

void
output_get(struct command *c, struct vm *vm, const cJSON *in)
{
	struct output_job *j = calloc(1, sizeof(*j));
	struct launch_job at;

	if (!j || vm_paths(vm->d, vm_instance(vm), &at) < 0) {
		free(j);
		command_written(c, -ENOMEM);
		return;
	}
	j->c = c;
	j->text = BUF_EMPTY(CONSOLE_TAIL);
	memcpy(j->dir, at.dir, sizeof(j->dir));
	if (jobs_submit(vm->d->d.jobs, NULL, read_tail, on_read, NULL, j, drop) < 0) {
		drop(j);
		command_written(c, -ENOMEM);
	}
}
