/*
 * run_launch.c - which nodes launch what, and the sending.  A node that says that it has no
 * room, or that nobody answers for, is left out and its share placed again; any other refusal
 * is final.  What was launched is ended again where less than min could be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "common/log.h"
#include "common/subjects.h"
#include "gwd/gwd.h"
#include "gwd/run.h"

#define RUN_UNDO_MS	10000	/* for the answer to a terminate */

/* ---- placing ---- */

static const char *
run_zone(const struct run *r)
{
	const char *zone = json_text(json_member(r->in, "Placement"), "AvailabilityZone");

	return zone ? zone : r->zone;
}

static bool
run_fail_place(struct run *r, enum place_result p)
{
	switch (p) {
	case PLACE_NO_ZONE:
		return fault_set(&r->fault, "InvalidParameterValue", "Invalid availability zone: [%.64s]",
		    run_zone(r));
	case PLACE_NO_TYPE:
		return fault_set(&r->fault, "Unsupported", "The requested configuration is currently not "
		    "supported: no node runs %s.", r->type->name);
	case PLACE_NO_NODES:
		return fault_set(&r->fault, "Unavailable", "No node of the cluster answers. Nothing was "
		    "launched. Try again.");
	case PLACE_OK:
	case PLACE_NO_ROOM:
	case PLACE_RESULTS:
		break;
	}
	return fault_set(&r->fault, "InsufficientInstanceCapacity", "There is no room for %u instances of "
	    "type %s. Try again later, or with another instance type.", r->min, r->type->name);
}

/* What is placed on a node is no longer free there. */
static enum place_result
run_pick(struct run *r, uint32_t min, uint32_t max)
{
	uint32_t total;
	enum place_result p = place_pick(r->nodes, r->nnodes, run_zone(r), min, max, &total);

	for (size_t i = 0; i < r->nnodes; i++)
		r->nodes[i].fits -= r->nodes[i].take;
	return p;
}

bool
run_launch_place(struct run *r)
{
	enum place_result p = run_pick(r, r->min, r->max);

	if (p != PLACE_OK)
		return run_fail_place(r, p);
	ident_ec2("r", r->reservation_id, sizeof(r->reservation_id));
	for (size_t i = 0; i < r->nnodes; i++) {
		for (uint32_t n = 0; n < r->nodes[i].take; n++) {
			struct run_slot *s = &r->slots[r->n++];

			*s = (struct run_slot){ .found = TOKEN_NEVER };
			ident_ec2("i", s->id, sizeof(s->id));
			memcpy(s->node, r->nodes[i].name, sizeof(s->node));
		}
	}
	return true;
}

/* ---- one node's share ---- */

enum run_sent {
	RUN_LAUNCHED,
	RUN_NO_ROOM,		/* there, or nobody is there: nothing was launched */
	RUN_REFUSED,		/* for good: the run has failed */
	RUN_UNKNOWN,
};

/* Still to be launched: neither now, nor by an earlier request of the token. */
static bool
run_is_open(const struct run_slot *s)
{
	return !s->instance && s->found == TOKEN_NEVER;
}

static bool
run_is_of(const struct run_slot *s, const char *node)
{
	return run_is_open(s) && strcmp(s->node, node) == 0;
}

/* The share's ids, and their places in the whole launch.  False: no memory. */
static bool
run_share_ids(const struct run *r, const char *node, cJSON *in)
{
	cJSON *ids = cJSON_AddArrayToObject(in, "InstanceIds");
	cJSON *indexes = cJSON_AddArrayToObject(in, "LaunchIndexes");

	for (size_t i = 0; ids && indexes && i < r->n; i++) {
		if (!run_is_of(&r->slots[i], node))
			continue;
		if (!cJSON_AddItemToArray(ids, cJSON_CreateString(r->slots[i].id)) ||
		    !cJSON_AddItemToArray(indexes, cJSON_CreateNumber((double)i)))
			return false;
	}
	return ids && indexes;
}

static bool
run_share_network(const struct run *r, cJSON *in)
{
	cJSON *copy = r->network ? cJSON_Duplicate(r->network, true) : NULL;

	return !r->network || (copy && cJSON_AddItemToObject(in, "Network", copy));
}

/* EC2's input for the share of one node. */
static cJSON *
run_share(const struct run *r, const char *node)
{
	AUTO(json) cJSON *in = cJSON_Duplicate(r->in, true);
	int n;

	if (!in || !run_share_ids(r, node, in))
		return NULL;
	n = cJSON_GetArraySize(json_member(in, "InstanceIds"));
	cJSON_DeleteItemFromObjectCaseSensitive(in, "MinCount");
	cJSON_DeleteItemFromObjectCaseSensitive(in, "MaxCount");
	if (!json_add_u64(in, "MinCount", (uint64_t)n) ||
	    !json_add_u64(in, "MaxCount", (uint64_t)n) ||
	    !cJSON_AddStringToObject(in, "ReservationId", r->reservation_id) ||
	    (r->public_key && !cJSON_AddStringToObject(in, "PublicKey", r->public_key)) ||
	    !run_share_network(r, in))
		return NULL;
	return steal_json(&in);
}

static enum bus_result
run_ask(const struct run *r, const char *subject, const cJSON *in, uint64_t timeout_ms,
    struct bus_msg **ret)
{
	const struct bus_header h[] = { { HEADER_ACCOUNT, r->account },
	    { HEADER_REQUEST_ID, r->request_id } };
	AUTO(str) char *text = json_print(in);
	struct bus_ask ask = { .subject = subject, .headers = h, .nheaders = ARRAY_LEN(h),
	    .data = text, .timeout_ms = timeout_ms };

	if (!text)
		return BUS_NOT_SENT;
	ask.len = strlen(text);
	return bus_ask_wait(r->g->d.bus, &ask, ret);
}

/* What the node answered, into the slots. */
static void
run_take(struct run *r, cJSON *reservation)
{
	cJSON *list = cJSON_GetObjectItemCaseSensitive(reservation, "Instances");
	cJSON *instance = list ? list->child : NULL;

	while (instance) {
		cJSON *next = instance->next;
		const char *id = json_text(instance, "InstanceId");

		for (size_t i = 0; id && i < r->n; i++) {
			if (strcmp(r->slots[i].id, id) != 0 || r->slots[i].instance)
				continue;
			r->slots[i].instance = cJSON_DetachItemViaPointer(list, instance);
			break;
		}
		instance = next;
	}
}

/* Something went wrong there; how far it had come is not said. */
static bool
run_is_internal(const char *code)
{
	return strcmp(code, "InternalError") == 0 || strcmp(code, "internal") == 0;
}

static enum run_sent
run_judge(struct run *r, const struct bus_msg *m)
{
	AUTO(json) cJSON *tree = NULL;
	struct bus_error e = { 0 };

	if (bus_msg_json(m, &tree, &e) == 0) {
		run_take(r, tree);
		return RUN_LAUNCHED;
	}
	fault_set(&r->fault, e.code, "%s", e.message);
	if (strcmp(e.code, "InsufficientInstanceCapacity") == 0)
		return RUN_NO_ROOM;
	/* Of ids that were sent before it may mean that they are being launched. */
	if (strcmp(e.code, "ServiceUnavailable") == 0) {
		r->is_away = true;
		return r->is_resend ? RUN_UNKNOWN : RUN_NO_ROOM;
	}
	return run_is_internal(e.code) ? RUN_UNKNOWN : RUN_REFUSED;
}

static enum run_sent
run_send_share(struct run *r, const char *node)
{
	AUTO(json) cJSON *in = run_share(r, node);
	AUTO(bus_msg) struct bus_msg *m = NULL;
	char subject[BUS_SUBJECT_MAX + 1];

	snprintf(subject, sizeof(subject), "ec2.RunInstances.%s.%s", r->type->name, node);
	if (!in) {
		fault_set_nomem(&r->fault);
		return RUN_REFUSED;
	}
	switch (run_ask(r, subject, in, RUN_SEND_MS, &m)) {
	case BUS_OK:
		return run_judge(r, m);
	case BUS_NO_RESPONDERS:
	case BUS_NOT_SENT:
		r->is_away = true;
		return RUN_NO_ROOM;
	case BUS_TIMEOUT:
	case BUS_RESULTS:
		break;
	}
	fault_set(&r->fault, "InternalError", "The node %s did not say in time whether it launched the "
	    "instances. Ask again with the same client token.", node);
	return RUN_UNKNOWN;
}

/* ---- all shares ---- */

static struct run_slot *
run_next(struct run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (run_is_open(&r->slots[i]) && r->slots[i].node[0] != '\0')
			return &r->slots[i];
	}
	return NULL;
}

static size_t
run_count_launched(const struct run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += !run_is_open(&r->slots[i]);
	return n;
}

/* Hands the node's open slots to those that were picked; what is left over has no node then. */
static void
run_hand_over(struct run *r, const char *node)
{
	size_t at = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (!run_is_of(&r->slots[i], node))
			continue;
		while (at < r->nnodes && r->nodes[at].take == 0)
			at++;
		if (at == r->nnodes) {
			r->slots[i].node[0] = '\0';
			continue;
		}
		r->nodes[at].take--;
		memcpy(r->slots[i].node, r->nodes[at].name, sizeof(r->slots[i].node));
	}
}

/* The node has no room: it is left out, what it has not launched is placed elsewhere.  False:
 * nowhere. */
static bool
run_move(struct run *r, const char *node)
{
	uint32_t want = 0;
	enum place_result p;

	for (size_t i = 0; i < r->nnodes; i++)
		r->nodes[i].drained |= strcmp(r->nodes[i].name, node) == 0;
	for (size_t i = 0; i < r->n; i++)
		want += run_is_of(&r->slots[i], node);
	p = run_pick(r, 1, want);
	run_hand_over(r, node);
	return p == PLACE_OK;
}

static bool
run_has_open(const struct run *r, const char *node)
{
	for (size_t i = 0; i < r->n; i++) {
		if (run_is_of(&r->slots[i], node))
			return true;
	}
	return false;
}

/* The node launches nothing; but with a token, another gateway may have had it done. */
static enum run_sent
run_look_again(struct run *r, const char *node, enum run_sent sent)
{
	if (!r->is_resend || sent == RUN_LAUNCHED)
		return sent;
	if (!run_token_look(r, RUN_PATIENCE_MS))
		return RUN_UNKNOWN;
	return run_has_open(r, node) ? sent : RUN_LAUNCHED;
}

/* After a move: the token says where the ids went before they are sent there. */
static enum run_sent
run_record_move(struct run *r)
{
	enum cas_result res = r->token_key[0] != '\0' ? run_token_write(r) : CAS_OK;

	if (res == CAS_OK)
		return RUN_NO_ROOM;
	fault_set_store(&r->fault, res);
	return RUN_UNKNOWN;	/* another request may be sending these ids */
}

static enum run_sent
run_send_all(struct run *r)
{
	enum run_sent sent = RUN_LAUNCHED;
	struct run_slot *s;
	char node[PLACE_NAME_MAX + 1];

	while ((s = run_next(r))) {
		memcpy(node, s->node, sizeof(node));
		sent = run_look_again(r, node, run_send_share(r, node));
		if (sent == RUN_NO_ROOM && run_move(r, node))
			sent = run_record_move(r);
		if (sent == RUN_REFUSED || sent == RUN_UNKNOWN)
			return sent;
		if (sent == RUN_LAUNCHED && run_is_open(s)) {
			fault_set(&r->fault, "InternalError", "The node %s did not say what it launched.",
			    node);
			return RUN_UNKNOWN;
		}
	}
	return sent;
}

/* ---- less than min ---- */

/* False: it may be running yet. */
static bool
run_end(struct run *r, const struct run_slot *s)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(bus_msg) struct bus_msg *m = NULL;
	AUTO(json) cJSON *out = NULL;
	struct bus_error e = { 0 };
	cJSON *attributes = in ? cJSON_AddObjectToObject(in, "attributes") : NULL;
	char subject[BUS_SUBJECT_MAX + 1];

	if (!attributes || !cJSON_AddStringToObject(in, "id", s->id) ||
	    !cJSON_AddTrueToObject(attributes, "terminate_instance"))
		return false;
	snprintf(subject, sizeof(subject), "ec2.cmd.%s", s->id);
	return run_ask(r, subject, in, RUN_UNDO_MS, &m) == BUS_OK &&
	    (bus_msg_json(m, &out, &e) == 0 || strcmp(e.code, "InvalidInstanceID.NotFound") == 0);
}

/* Ends what this run has launched. */
static void
run_undo(struct run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct run_slot *s = &r->slots[i];

		if (!s->instance || s->found != TOKEN_NEVER)
			continue;
		if (run_end(r, s))
			continue;
		log_fields(LOG_WARNING, &(struct log_ctx){ .instance = s->id },
		    "%s was launched for a request that failed, and could not be ended", s->id);
	}
}

bool
run_launch_send(struct run *r)
{
	enum run_sent sent = run_send_all(r);

	if (sent == RUN_UNKNOWN)
		return false;
	if (run_count_launched(r) >= r->min) {
		fault_clear(&r->fault);
		return true;
	}
	if (sent != RUN_REFUSED && r->is_away)
		fault_set(&r->fault, "Unavailable", "The nodes that may have room do not take instances just now. "
		    "Nothing was launched. Try again.");
	else if (sent != RUN_REFUSED)
		run_fail_place(r, PLACE_NO_ROOM);
	/*
	 * Another request of this token may tell its client that these instances are launched, but
	 * only after it has written the token: one that is forgotten first is answered by nobody.
	 */
	if (!r->is_resend && run_token_forget(r))
		run_undo(r);
	return false;
}
