/* Whose request is it?  The signature, and the guesses that are one too many. */
#include <stdio.h>

#include "common/sigv4.h"
#include "gwd/auth.h"
#include "gwd/gwd.h"
#include "gwd/request.h"
#include "gwd/throttle.h"

static void
refuse_auth(struct request *req, enum auth_fault f, const char *why)
{
	const struct auth_error e = auth_error(f, req->api, why);

	req->cause = e.cause;
	request_fail(req, e.code, e.message);
}

static struct sigv4_request
signed_request(const struct http_request *r, const char *sha256)
{
	_Static_assert(sizeof(struct http_header) == sizeof(struct sigv4_header), "one layout");

	return (struct sigv4_request){ .method = r->method, .path = r->path, .query = r->query,
	    .headers = (const struct sigv4_header *)r->headers, .nheaders = r->nheaders,
	    .payload_sha256 = sha256, .double_encode = true };
}

/* It was no good: the next of its kind may be one too many. */
static void
refuse_guess(struct request *req, enum auth_fault f)
{
	const struct pipeline *p = req->pipeline;

	throttle_failed(p->throttle, req->peer, req->claim.access_key, req->claim.signature,
	    req->call.received_ms);
	refuse_auth(req, f, NULL);
}

static bool
verify(struct request *req, const uint8_t *signing_key, enum auth_fault *ret)
{
	char sha256[SIGV4_HEX + 1];
	struct sigv4_request s;
	enum sigv4_result res;

	sigv4_sha256_hex(req->r->body, req->r->body_len, sha256);
	s = signed_request(req->r, sha256);
	res = sigv4_verify(&s, &req->claim, signing_key);
	*ret = auth_fault_of(res);
	return res == SIGV4_OK;
}

static void
on_key(void *arg, enum keys_result res, const struct key *key, const uint8_t *signing_key)
{
	struct request *req = arg;
	enum auth_fault fault;

	if (!req->x) {
		request_free(req);
		return;
	}
	switch (res) {
	case KEYS_UNKNOWN:
		refuse_guess(req, AUTH_UNKNOWN_KEY);
		return;
	case KEYS_UNREADABLE:
		refuse_auth(req, AUTH_UNREADABLE_KEY, NULL);
		return;
	case KEYS_UNAVAILABLE:
		request_fail(req, "Unavailable", "The access keys cannot be read just now. Please "
		    "try again.");
		return;
	case KEYS_BUSY:
		request_fail(req, "RequestLimitExceeded", "Request limit exceeded.");
		return;
	case KEYS_OK:
		break;
	}
	if (!verify(req, signing_key, &fault)) {
		if (fault == AUTH_WRONG_SIGNATURE)
			refuse_guess(req, fault);
		else
			refuse_auth(req, fault, NULL);
		return;
	}
	throttle_passed(req->pipeline->throttle, req->peer, key->id, req->call.received_ms);
	if (req->claim.has_token) {
		refuse_auth(req, AUTH_TOKEN, NULL);
		return;
	}
	(void)snprintf(req->call.account, sizeof(req->call.account), "%s", key->account);
	(void)snprintf(req->call.user, sizeof(req->call.user), "%s", key->user);
	(void)snprintf(req->call.access_key, sizeof(req->call.access_key), "%s", key->id);
	request_is_verified(req);
}

void
request_verify(struct request *req)
{
	struct gwd *g = req->pipeline->gwd;
	const struct sigv4_request s = signed_request(req->r, "");
	const char *region = g->conf->common.region;
	char why[AUTH_WHY_MAX];
	enum sigv4_result res;

	res = sigv4_claim_read(&s, clock_wall_ms(g->d.clock), &req->claim, why, sizeof(why));
	if (res != SIGV4_OK) {
		refuse_auth(req, auth_fault_of(res), why);
		return;
	}
	if (!auth_scope_is_right(&req->claim, req->api, region, why)) {
		refuse_auth(req, AUTH_WRONG_SCOPE, why);
		return;
	}
	if (!throttle_may(req->pipeline->throttle, req->peer, req->claim.access_key,
	    req->call.received_ms)) {
		req->cause = "too many failures";
		request_fail(req, "RequestLimitExceeded", "Request limit exceeded.");
		return;
	}
	keys_find(g->keys, req->claim.access_key, req->claim.date, req->claim.region,
	    req->claim.service, on_key, req);
}
