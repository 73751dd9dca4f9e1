/*
 * Answers of the JetStream API: acknowledgements, stored messages, stream information, and the
 * two machines that are fed with them.  Whatever comes, they go on or end, and own what they
 * hold; a write never counts as won without a sequence.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/kv_list.h"
#include "common/kv_op.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool ok)
{
	if (!ok)
		__builtin_trap();
}

static void
count_header(void *arg, const char *name, const char *value)
{
	size_t *n = arg;

	*n += strlen(name) + strlen(value);
}

static void
decode(const uint8_t *data, size_t size)
{
	struct kv_message m = { 0 };
	struct kv_info i = { 0 };
	struct kv_ack ack;
	char rest[KV_SUBJECT_SIZE];
	uint64_t code, seq;
	size_t n = 0;

	kv_wire_ack(BUS_OK, data, size, 7, &ack);
	check(ack.class != KV_WON || ack.seq > 0);
	check(ack.class != KV_BEHIND || ack.seq > 7);
	if (kv_wire_message(BUS_OK, data, size, "$KV.b.k", &m) == KV_GOT) {
		check(m.seq > 0 && m.value && m.value[m.len] == '\0');
		kv_headers_each(m.headers, count_header, &n);
		check(n <= size);
	}
	kv_message_deinit(&m);
	if (kv_wire_next(BUS_OK, data, size, "$KV.b.", 7, rest, &seq) == KV_GOT)
		check(seq > 7 && strlen(rest) < sizeof(rest));
	if (kv_wire_info(BUS_OK, data, size, &i, &code) == KV_GOT)
		check(*i.created != '\0');
	kv_info_deinit(&i);
}

/* The same answer again and again, to a write, a load and a listing. */
static void
feed(struct kv_task *t, const uint8_t *data, size_t size)
{
	uint64_t now = 1000, until;
	struct kv_request request;
	enum kv_do what;

	while ((what = t->next(t, now, &request, &until)) != KV_END) {
		if (what == KV_PAUSE) {
			check(until > now);
			now = until;
		} else {
			now += 5;
			t->answer(t, now, BUS_OK, data, size);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kv_op op;
	struct kv_listing l;

	decode(data, size);
	check(kv_op_write(&op, "b", "k", false, NULL, 0, "v", 1, 7, 1000, 500, NULL));
	feed(&op.task, data, size);
	check(op.res != CAS_OK || op.revision > 0);
	kv_op_deinit(&op);
	check(kv_op_load(&op, "b", "k", 1000, 500));
	feed(&op.task, data, size);
	check((op.res == CAS_OK) == (op.message.value && !op.message.is_marker));
	kv_op_deinit(&op);
	check(kv_listing_init(&l, "b", "", 1000, 500));
	feed(&l.task, data, size);
	kv_listing_deinit(&l);
	return 0;
}
