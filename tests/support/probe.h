/*
 * probe.h - a program that a test drives: it reads one command a line from a thread, and
 * answers each with one line; events are lines that begin with '!'.  A row's function runs on
 * that thread (wait) or on the loop (post, which frees the command).
 */
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/bus.h"
#include "common/log.h"

#define PROBE_WORDS	8

struct probe {
	const char		*name;
	struct loop		*loop;
	struct bus		*bus;
	const struct verb	*verbs;
	size_t			 nverbs;
	pthread_t		 thread;
	pthread_mutex_t		 mu;		/* of the line being printed */
};

struct command {		/* lives until it is answered */
	struct probe	*probe;
	char		*line;
	char		*word[PROBE_WORDS];
	size_t		 n;
	uint64_t	 left, sent, failed;	/* of a command that goes on */
	double		 begun_s;
};

struct verb {
	const char	*name;
	void		(*wait)(struct command *c);
	loop_post_fn	*post;
};

static inline void __attribute__((format(printf, 2, 3)))
say(struct probe *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	pthread_mutex_lock(&p->mu);
	vprintf(fmt, ap);
	putchar('\n');
	fflush(stdout);
	pthread_mutex_unlock(&p->mu);
	va_end(ap);
}

static inline void
command_free(struct command *c)
{
	free(c->line);
	free(c);
}

static inline uint64_t
number(const struct command *c, size_t i)
{
	return i < c->n ? strtoull(c->word[i], NULL, 10) : 0;
}

static inline const char *
word(const struct command *c, size_t i)
{
	return i < c->n ? c->word[i] : "";
}

/* "r" of a call that must not fail. */
static inline void
must(const struct probe *p, int r, const char *what)
{
	if (r >= 0)
		return;
	fprintf(stderr, "%s: %s: %s\n", p->name, what, strerror(-r));
	exit(1);
}

static inline const struct verb *
verb_of(const struct command *c)
{
	const struct probe *p = c->probe;

	for (size_t i = 0; i < p->nverbs; i++)
		if (strcmp(p->verbs[i].name, c->word[0]) == 0)
			return &p->verbs[i];
	fprintf(stderr, "%s: no command %s\n", p->name, c->word[0]);
	exit(2);
}

static inline struct command *
read_command(struct probe *p)
{
	struct command *c = calloc(1, sizeof(*c));
	char *save = NULL;
	size_t room = 0;

	if (!c || getline(&c->line, &room, stdin) < 0) {
		if (c)
			command_free(c);
		return NULL;
	}
	c->probe = p;
	for (char *w = strtok_r(c->line, " \n", &save); w && c->n < PROBE_WORDS;
	    w = strtok_r(NULL, " \n", &save))
		c->word[c->n++] = w;
	return c;
}

static inline void
do_quit(void *arg)
{
	struct command *c = arg;

	loop_exit(c->probe->loop, 0);
	command_free(c);
}

static inline void *
probe_main(void *arg)
{
	struct probe *p = arg;
	struct command *c;
	bool more = true;

	while (more && (c = read_command(p))) {
		const struct verb *v = c->n ? verb_of(c) : NULL;

		more = !v || v->post != do_quit;
		if (v && v->wait)
			v->wait(c);
		if (v && v->post)
			loop_post(p->loop, v->post, c);
		else
			command_free(c);
	}
	return NULL;
}

static inline void
on_probe_state(void *arg, bool up)
{
	say(arg, "!%s", up ? "up" : "down");
}

/* Loop, bus and state events. */
static inline void
probe_open(struct probe *p, const struct bus_conf *conf)
{
	pthread_mutex_init(&p->mu, NULL);
	log_open(p->name, 1);
	must(p, loop_new(&p->loop), "loop");
	must(p, bus_new(p->loop, conf, &p->bus), "bus");
	must(p, bus_on_state(p->bus, on_probe_state, p), "state");
}

/* Until "quit". */
static inline void
probe_run(struct probe *p)
{
	must(p, -pthread_create(&p->thread, NULL, probe_main, p), "thread");
	must(p, loop_run(p->loop), "loop");
	pthread_join(p->thread, NULL);
}

static inline void
probe_close(struct probe *p)
{
	bus_free(p->bus);
	loop_free(p->loop);
}
