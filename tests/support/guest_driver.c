/*
 * guest_driver - one guest by hand, for tests/system/test_guest: what vmd does with guest.h,
 * without a bus.  Verbs come on stdin, a line each; what happens goes to stdout, a line each.
 *
 *	guest_driver start|adopt DIR LOCK GUARD UID GID LAUNCH CODE VARS [DISK]
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "vmd/guest.h"

struct driver {
	struct guest_env	 env;
	struct guest		*guest;
};

static void
say_done(void *arg, struct guest *g, int r, const char *why)
{
	struct guest_end end;

	printf("done %s launch=%s pid=%d run=%s why=%s\n", r ? strerrorname_np(-r) : "0",
	    guest_launch_id(g), guest_pid(g), guest_run_name(guest_run_of(g)), why);
	if (r == -ESRCH && guest_end_of(g, &end))
		printf("end launch=%s status=%d signal=%d\n", end.launch_id, end.status,
		    end.signal);
}

static void
say_command(void *arg, struct guest *g, int r, const char *why)
{
	printf("answer %s %s\n", r ? strerrorname_np(-r) : "0", why);
}

static void
say_news(void *arg, struct guest *g, const struct guest_news *n)
{
	static const char *const names[] = {
		[GUEST_IS_RUNNING]	= "running",
		[GUEST_HAS_SHUT_DOWN]	= "shutdown",
		[GUEST_WAS_RESET]	= "reset",
		[GUEST_HAS_STOPPED]	= "stopped",
		[GUEST_DISK_IS_BAD]	= "disk",
		[GUEST_IS_IMPAIRED]	= "impaired",
		[GUEST_ANSWERS]		= "answers",
		[GUEST_HAS_EXITED]	= "exited",
	};

	printf("news %s run=%s by_guest=%d status=%d signal=%d reason=%s\n", names[n->what],
	    guest_run_name(n->run), n->by_guest, n->end.status, n->end.signal, n->reason);
}

static void
on_stdin(void *arg, uint32_t revents)
{
	static const struct {
		const char	*verb;
		int		(*run)(struct guest *, guest_done_fn *, void *);
	} verbs[] = {
		{ "cont",	guest_cont },
		{ "power_down",	guest_power_down },
		{ "quit",	guest_quit },
		{ "reset",	guest_reset },
	};
	struct driver *d = arg;
	char verb[64];

	if (!fgets(verb, sizeof(verb), stdin) || strcmp(verb, "end\n") == 0) {
		loop_exit(d->env.loop, 0);
		return;
	}
	verb[strcspn(verb, "\n")] = '\0';
	if (strcmp(verb, "kill") == 0)
		printf("killed %d\n", guest_kill(d->guest));
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (strcmp(verb, verbs[i].verb) == 0) {
			int r = verbs[i].run(d->guest, say_command, d);

			if (r < 0)
				printf("answer %s at once\n", strerrorname_np(-r));
		}
}

static int
begin(struct driver *d, char **argv, int argc)
{
	const struct guest_place at = { .instance = "i-0123456789abcdef0", .dir = argv[2],
	    .lock = argv[3] };
	const struct qemu_disk disk = { .path = argv[argc - 1], .format = DISK_RAW };
	const struct qemu_spec spec = { .qemu = "/usr/bin/qemu-system-x86_64",
	    .accel = ACCEL_WITH_TCG, .name = at.instance,
	    .uuid = "0a1b2c3d-0000-4000-8000-00000000cafe", .dir = at.dir, .vcpus = 1,
	    .memory_mib = 128, .code = argv[8], .code_format = "raw", .vars = argv[9],
	    .disks = &disk, .ndisks = argc > 10, .mac = "02:00:00:00:00:01",
	    .address = "172.31.0.10", .prefix = 20 };
	char why[GUEST_WHY_MAX] = "";
	int r;

	d->env.guard = argv[4];
	d->env.uid = (uid_t)strtoul(argv[5], NULL, 10);
	d->env.gid = (gid_t)strtoul(argv[6], NULL, 10);
	d->env.kvm_gid = (gid_t)-1;
	r = file_boot_id(d->env.boot_id);
	if (r == 0 && strcmp(argv[1], "start") == 0)
		r = guest_start(&d->env, &at, argv[7], &spec, say_news, say_done, d, &d->guest, why);
	else if (r == 0)
		r = guest_adopt(&d->env, &at, say_news, say_done, d, &d->guest);
	if (r < 0)
		printf("refused %s %s\n", strerrorname_np(-r), why);
	return r;
}

int
main(int argc, char **argv)
{
	struct driver d = { .guest = NULL };
	struct loop_io *in = NULL;
	int r;

	if (argc < 10)
		return 2;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	(void)setvbuf(stdin, NULL, _IONBF, 0);	/* else poll misses what stdio has read */
	r = loop_new(&d.env.loop);
	if (r == 0)
		r = jobs_new(d.env.loop, 2, 16, &d.env.jobs);
	if (r == 0)
		r = loop_io_new(d.env.loop, STDIN_FILENO, EPOLLIN, on_stdin, &d, &in);
	if (r == 0)
		r = begin(&d, argv, argc);
	if (r == 0)
		r = loop_run(d.env.loop);
	if (d.env.jobs)
		jobs_stop(d.env.jobs);
	guest_free(d.guest);
	loop_io_free(in);
	jobs_free(d.env.jobs);
	loop_free(d.env.loop);
	return r == 0 ? 0 : 1;
}
