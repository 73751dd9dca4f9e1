/*
 * log_repeat.h - which of many equal lines are said: within a minute of a line's first time the
 * second, fourth, eighth... with how often it has come, and the others not.  So nothing fills a
 * journal by saying one thing again and again, and nothing is said again without a count.
 * Pure, no allocation; one thread at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* More kinds of lines than these within a minute, and the one that began first is forgotten. */
#define LOG_REPEAT_LINES	256
#define LOG_REPEAT_MS		60000

struct log_repeat {
	struct log_line {
		uint64_t	 hash;		/* of what makes it that line; 0: none */
		uint64_t	 first_ms;
		uint32_t	 times;
	}		 line[LOG_REPEAT_LINES];
	size_t		 next;			/* the one that began first */
};

struct log_count {
	uint32_t	 times;		/* 0: it is withheld now; 1: it is said as it is */
	uint32_t	 withheld;	/* of the minute before, and never told */
};

uint64_t	 log_repeat_hash(uint64_t hash, const char *text);	/* hash: 0, or of what comes before */
struct log_count log_repeat_add(struct log_repeat *r, uint64_t hash, uint64_t now_ms);
