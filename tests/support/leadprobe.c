/*
 * leadprobe - the client of some leases, for tests of real servers: it stands for each KEY with
 * a ttl of T ms, and while it leads it says so, 50 times a second.
 *
 *	leadprobe -c FILE lead ACTS T KEY ...
 *
 * appends "KEY GENERATION MS" to the file ACTS for each act, MS being CLOCK_BOOTTIME when it
 * made sure that it leads.  Until SIGTERM, when it lets go.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/lead.h"
#include "common/tool.h"

#define KEYS_MAX	64
#define ACT_MS		20

struct probe {
	struct lead		*lead[KEYS_MAX];
	const char		*key[KEYS_MAX];
	int			 n, acts;
	struct loop_timer	*timer;
	bool			 is_over;
};

static void
act(struct probe *p, int i)
{
	uint64_t now = clock_now_ms(&clock_system);
	char line[320];
	int n;

	if (!lead_is_mine(p->lead[i], now))
		return;
	n = snprintf(line, sizeof(line), "%s %" PRIu64 " %" PRIu64 "\n", p->key[i],
	    lead_generation(p->lead[i]), now);
	if (n < 0 || (size_t)n >= sizeof(line) || write(p->acts, line, (size_t)n) != n)
		p->is_over = true;
}

static void
on_timer(void *arg)
{
	struct probe *p = arg;

	for (int i = 0; i < p->n; i++)
		act(p, i);
	loop_timer_in(p->timer, ACT_MS);
}

static void
on_signal(void *arg, int signo)
{
	((struct probe *)arg)->is_over = true;
}

static int
stand(struct probe *p, struct tool *t, const char *ttl, char **keys)
{
	int r = 0;

	for (; keys[p->n] && p->n < KEYS_MAX && r == 0; p->n++) {
		p->key[p->n] = keys[p->n];
		r = lead_new(t->bus, &(struct lead_spec){ .node = t->node,
		    .client = "leadprobe", .key = keys[p->n],
		    .ttl_ms = strtoull(ttl, NULL, 10) }, &p->lead[p->n]);
	}
	if (r == 0)
		r = loop_timer_new(t->loop, on_timer, p, &p->timer);
	if (r == 0)
		r = loop_signal(t->loop, SIGTERM, on_signal, p);
	return r;
}

static int
verb_lead(struct tool *t, int argc, char **argv)
{
	struct probe p = { .acts = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) };
	int r = p.acts < 0 ? -errno : stand(&p, t, argv[2], argv + 3);

	if (r == 0)
		loop_timer_in(p.timer, 0);
	while (r >= 0 && !p.is_over)
		r = loop_step(t->loop, UINT64_MAX);
	for (int i = 0; i < p.n; i++)
		lead_free(p.lead[i]);
	loop_timer_free(p.timer);
	if (r >= 0)			/* the releases leave with the loop's next turns */
		r = loop_step(t->loop, ACT_MS);
	if (r < 0)
		fprintf(stderr, "leadprobe: %s\n", strerror(-r));
	return r < 0;
}

static const struct tool_verb verbs[] = {
	{ "lead", "ACTS T KEY ...", 3, KEYS_MAX + 2, "stand for each key and say when it leads",
	    verb_lead },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "leadprobe", "reaperd", verbs, ARRAY_LEN(verbs));
}
