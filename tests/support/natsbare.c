/*
 * natsbare - nats.c as its manual has it, without anything of ours: what our layer is compared
 * with, and the control of the tests that it passes.
 *
 *	natsbare cas URL BUCKET KEY N	N swaps, each after the last; says how many a second
 *	natsbare ask URL SUBJECT MS	a request that nobody answers; says when it came back
 *	natsbare late URL SUBJECT	says "up", waits for a line, publishes, says how that went,
 *					and waits for another line
 */
#include <inttypes.h>
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VALUE	"{\"holder\":\"node-1\",\"generation\":12345}"

static void
must(natsStatus s, const char *what)
{
	if (s == NATS_OK)
		return;
	fprintf(stderr, "natsbare: %s: %s\n", what, natsStatus_GetText(s));
	exit(1);
}

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t
swap(natsConnection *nc, const char *bucket, const char *key, uint64_t expected, int round)
{
	char subject[256], text[256], *seq;
	natsMsg *m = NULL, *answer = NULL;
	uint64_t got;

	(void)snprintf(subject, sizeof(subject), "$KV.%s.%s", bucket, key);
	must(natsMsg_Create(&m, subject, NULL, VALUE, (int)strlen(VALUE)), "message");
	(void)snprintf(text, sizeof(text), "%" PRIu64, expected);
	must(natsMsgHeader_Add(m, "Nats-Expected-Last-Subject-Sequence", text), "header");
	(void)snprintf(text, sizeof(text), "KV_%s", bucket);
	must(natsMsgHeader_Add(m, "Nats-Expected-Stream", text), "header");
	(void)snprintf(text, sizeof(text), "%s@%" PRIu64, key, expected);
	must(natsMsgHeader_Add(m, "Nats-Msg-Id", text), "header");
	(void)snprintf(text, sizeof(text), "0123456789abcdefghijkl.%d", round);
	must(natsMsgHeader_Add(m, "Spinifex-Nonce", text), "header");
	must(natsConnection_RequestMsg(&answer, nc, m, 5000), "request");
	seq = strstr(natsMsg_GetData(answer), "\"seq\":");
	if (!seq || strstr(natsMsg_GetData(answer), "\"error\"")) {
		fprintf(stderr, "natsbare: %s\n", natsMsg_GetData(answer));
		exit(1);
	}
	got = strtoull(seq + strlen("\"seq\":"), NULL, 10);
	natsMsg_Destroy(answer);
	natsMsg_Destroy(m);
	return got;
}

static void
do_cas(natsConnection *nc, char **argv)
{
	int n = (int)strtol(argv[5], NULL, 10);
	uint64_t at = swap(nc, argv[3], argv[4], 0, 0);
	double begun = now_s();

	for (int i = 0; i < n; i++)
		at = swap(nc, argv[3], argv[4], at, i);
	printf("%.0f\n", n / (now_s() - begun));
}

static void
do_ask(natsConnection *nc, char **argv)
{
	natsSubscription *sub = NULL;
	natsMsg *answer = NULL;
	double begun;
	natsStatus s;

	must(natsConnection_SubscribeSync(&sub, nc, argv[3]), "subscribe");
	must(natsConnection_Flush(nc), "flush");
	printf("asking\n");
	(void)fflush(stdout);
	begun = now_s();
	s = natsConnection_RequestString(&answer, nc, argv[3], "x", strtol(argv[4], NULL, 10));
	printf("%.0f %s\n", (now_s() - begun) * 1000, natsStatus_GetText(s));
	natsSubscription_Destroy(sub);
}

static void
do_late(natsConnection *nc, char **argv)
{
	char line[16];

	printf("up\n");
	(void)fflush(stdout);
	if (fgets(line, sizeof(line), stdin)) {
		printf("%s\n", natsStatus_GetText(natsConnection_PublishString(nc, argv[3], "late")));
		(void)fflush(stdout);
	}
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

int
main(int argc, char **argv)
{
	natsConnection *nc = NULL;
	natsOptions *o = NULL;

	if (argc < 4) {
		fprintf(stderr, "usage: natsbare cas|ask|late URL ...\n");
		return 2;
	}
	must(natsOptions_Create(&o), "options");
	must(natsOptions_SetURL(o, argv[2]), "url");
	must(natsOptions_SetMaxReconnect(o, -1), "options");
	must(natsOptions_SetReconnectWait(o, 100), "options");
	must(natsConnection_Connect(&nc, o), "connect");
	if (strcmp(argv[1], "cas") == 0 && argc == 6)
		do_cas(nc, argv);
	else if (strcmp(argv[1], "ask") == 0 && argc == 5)
		do_ask(nc, argv);
	else if (strcmp(argv[1], "late") == 0)
		do_late(nc, argv);
	natsConnection_Destroy(nc);
	natsOptions_Destroy(o);
	nats_Close();
	return 0;
}
