#include "common/bus_nats.h"

#include <errno.h>
#include <string.h>

#define TIMEOUT_MS		2000	/* of a connect, by server */
#define PING_MS			2000
#define PINGS_OUT		2	/* a frozen server is noticed within 6 s */
#define RECONNECT_MS		100
#define RECONNECT_JITTER_MS	150
#define WRITE_DEADLINE_MS	1000	/* the longest that a publish can hold the loop */
#define PENDING_MSGS		(1 << 16)
#define SERVERS_MAX		16

static natsStatus
set_servers(natsOptions *o, const char *urls)
{
	AUTO(str) char *copy = strdup(urls);
	const char *server[SERVERS_MAX];
	char *save = NULL;
	int n = 0;

	if (!copy)
		return NATS_NO_MEMORY;
	for (char *p = strtok_r(copy, ", ", &save); p; p = strtok_r(NULL, ", ", &save)) {
		if (n == SERVERS_MAX)
			return NATS_INVALID_ARG;
		server[n++] = p;
	}
	return n == 0 ? NATS_INVALID_ARG : natsOptions_SetServers(o, server, n);
}

static natsStatus
set_who(natsOptions *o, const struct bus_conf *conf)
{
	natsStatus s = natsOptions_SetName(o, conf->name);

	if (s == NATS_OK && conf->user && *conf->user)
		s = natsOptions_SetUserInfo(o, conf->user,
		    conf->password ? conf->password : "");
	if (s == NATS_OK && conf->ca_file && *conf->ca_file) {
		s = natsOptions_SetSecure(o, true);
		if (s == NATS_OK)
			s = natsOptions_LoadCATrustedCertificates(o, conf->ca_file);
	}
	return s;
}

static natsStatus
set_timing(natsOptions *o)
{
	natsStatus s = natsOptions_SetTimeout(o, TIMEOUT_MS);

	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, PING_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPingsOut(o, PINGS_OUT);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, RECONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectJitter(o, RECONNECT_JITTER_MS,
		    RECONNECT_JITTER_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxReconnect(o, -1);
	if (s == NATS_OK)
		s = natsOptions_SetWriteDeadline(o, WRITE_DEADLINE_MS);
	return s;
}

static natsStatus
set_delivery(natsOptions *o)
{
	/* 0 is "no buffer" in nats.c: a publish while down fails, and nothing leaves later. */
	natsStatus s = natsOptions_SetReconnectBufSize(o, 0);

	if (s == NATS_OK)
		s = natsOptions_SetSendAsap(o, true);	/* else answers wait for a flusher, 1 ms */
	if (s == NATS_OK)
		s = natsOptions_UseGlobalMessageDelivery(o, true);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPendingMsgs(o, PENDING_MSGS);
	/* The servers are those that were configured. */
	if (s == NATS_OK)
		s = natsOptions_SetIgnoreDiscoveredServers(o, true);
	return s;
}

int
bus_nats_errno(natsStatus s)
{
	if (s == NATS_OK)
		return 0;
	if (s == NATS_NO_MEMORY)
		return -ENOMEM;
	if (s == NATS_MAX_PAYLOAD)
		return -EMSGSIZE;
	if (s == NATS_INSUFFICIENT_BUFFER || s == NATS_CONNECTION_CLOSED ||
	    s == NATS_CONNECTION_DISCONNECTED || s == NATS_NO_SERVER ||
	    s == NATS_NOT_YET_CONNECTED)
		return -ENOTCONN;
	if (s == NATS_INVALID_ARG || s == NATS_INVALID_SUBJECT || s == NATS_ADDRESS_MISSING ||
	    s == NATS_SSL_ERROR)
		return -EINVAL;
	return -EIO;
}

int
bus_nats_options(const struct bus_conf *conf, natsOptions **ret)
{
	natsOptions *o = NULL;
	natsStatus s = nats_Open(-1);

	if (s == NATS_OK)
		s = nats_SetMessageDeliveryPoolSize(1);
	if (s == NATS_OK)
		s = natsOptions_Create(&o);
	if (s == NATS_OK)
		s = set_servers(o, conf->url);
	if (s == NATS_OK)
		s = set_who(o, conf);
	if (s == NATS_OK)
		s = set_timing(o);
	if (s == NATS_OK)
		s = set_delivery(o);
	if (s != NATS_OK) {
		natsOptions_Destroy(o);
		return bus_nats_errno(s);
	}
	*ret = o;
	return 0;
}
