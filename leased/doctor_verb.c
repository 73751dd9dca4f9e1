#include "leased/doctor_verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leased/doctor_look.h"

#define CONNECT_MS	5000
#define NATS_CONF	"/etc/spinifex/nats-server.conf"
#define EXIT_REFUSED	1
#define EXIT_USAGE	2

static const char *const level_words[DOCTOR_LEVELS] = {
	[DOCTOR_OK] = "ok", [DOCTOR_WARNING] = "warning", [DOCTOR_WRONG] = "wrong",
};

static int
complain_memory(void)
{
	fprintf(stderr, "leasectl: no memory\n");
	return EXIT_REFUSED;
}

static int
print_as_json(const struct doctor_report *r)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	AUTO(str) char *text = NULL;
	cJSON *all = out ? cJSON_AddArrayToObject(out, "findings") : NULL;

	if (!all || !cJSON_AddStringToObject(out, "worst", level_words[r->worst]))
		return complain_memory();
	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_finding *f = &r->finding[i];
		cJSON *one = cJSON_CreateObject();

		if (!one || !cJSON_AddItemToArray(all, one) ||
		    !cJSON_AddStringToObject(one, "level", level_words[f->level]) ||
		    !cJSON_AddStringToObject(one, "about", f->about) ||
		    !cJSON_AddStringToObject(one, "what", f->what) ||
		    !cJSON_AddStringToObject(one, "act", f->act ? f->act : ""))
			return complain_memory();
	}
	text = json_print(out);
	if (!text)
		return complain_memory();
	puts(text);
	return 0;
}

static void
print_lines(const struct doctor_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct doctor_finding *f = &r->finding[i];

		printf("%-8s %-8s %s\n", level_words[f->level], f->about, f->what);
		if (f->act)
			printf("%-8s %-8s -> %s\n", "", "", f->act);
	}
}

static void
connect_within(struct tool *t)
{
	uint64_t end = loop_now_ms(t->loop) + CONNECT_MS;

	while (!bus_is_up(t->bus) && loop_now_ms(t->loop) < end)
		if (loop_step(t->loop, 50) < 0)
			abort();	/* nothing ends a tool's loop */
}

int
doctor_verb(struct tool *t, int argc, char **argv)
{
	AUTO(mem) void *facts = calloc(1, sizeof(struct doctor_facts));
	AUTO(mem) void *report = calloc(1, sizeof(struct doctor_report));
	struct doctor_facts *f = facts;
	struct doctor_report *r = report;
	int status = 0;

	if (argc != 1 && (argc != 3 || strcmp(argv[1], "--nats-config") != 0)) {
		fprintf(stderr, "usage: leasectl doctor [--nats-config FILE]\n");
		return EXIT_USAGE;
	}
	if (!f || !r)
		return complain_memory();
	doctor_look_around(&t->conf, argc == 3 ? argv[2] : NATS_CONF, f);
	connect_within(t);
	f->is_connected = bus_is_up(t->bus);
	if (f->is_connected && doctor_ask_around(t->loop, t->bus, t->conf.state_dir, f) < 0)
		return complain_memory();
	doctor_judge(f, r);
	if (t->json)
		status = print_as_json(r);
	else
		print_lines(r);
	return status != 0 ? status : r->worst == DOCTOR_WRONG ? EXIT_REFUSED : 0;
}
