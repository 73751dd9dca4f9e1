/*
 * qmp.h - a client of one QEMU's QMP socket, on the loop.  Connects, and connects again for as
 * long as it is open; reads the greeting and negotiates within a bound; gives each command an
 * id and a deadline; takes answers in any order.  What QEMU sends is untrusted: lines have a
 * ceiling, and a line that is no QMP message ends the connection.  Loop thread only.
 *
 * QEMU serves one client a socket.  Events while nobody was connected are lost: on_ready
 * means "ask how things are".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/json.h"
#include "common/loop.h"

#define QMP_LINE_MAX		(1024 * 1024)	/* bytes of one message */
#define QMP_CALLS_MAX		64		/* waiting for their answer */
#define QMP_GREETING_MS		5000		/* from connect to negotiated */
#define QMP_CALL_MS		5000		/* usual deadline of a command */
#define QMP_RETRY_MIN_MS	10		/* between attempts to connect, for a second ... */
#define QMP_RETRY_MAX_MS	1000		/* ... then doubled up to this */
#define QMP_WHY_MAX		160

struct qmp;

struct qmp_handlers {		/* any may be NULL; none is called from qmp_open or qmp_call */
	void	(*on_ready)(void *arg);				/* negotiated */
	void	(*on_event)(void *arg, const char *name, const cJSON *data);	/* data may be NULL */
	void	(*on_lost)(void *arg, const char *why);		/* was ready, is not; tries again */
};

/* pid: the process that must be at the other end (SO_PEERCRED); 0: any.  path is copied. */
int	 qmp_open(struct loop *l, const char *path, pid_t pid, const struct qmp_handlers *h,
    void *arg, struct qmp **ret) MUST_CHECK;
/* Calls in flight are dropped without done.  NULL is fine.  Allowed in any callback. */
void	 qmp_close(struct qmp *q);
/*
 * Closes it, but not its connection: another may go on with that (qmp_resume).  -1 when there is
 * none, or when it stands in the middle of a message.
 */
int	 qmp_leave(struct qmp *q) MUST_CHECK;
/*
 * Right after qmp_open: goes on with a connection that was negotiated before.  Takes fd; one
 * that is not of the expected process is ended, and another made as usual.
 */
void	 qmp_resume(struct qmp *q, int fd);
int	 qmp_fd(const struct qmp *q);	/* of the connection, borrowed; -1: not ready */
bool	 qmp_is_ready(const struct qmp *q);
/* Ends the connection and makes another: for a peer that has stopped answering. */
void	 qmp_reconnect(struct qmp *q, const char *why);

/*
 * r = 0: answer is `return` (borrowed).  -EREMOTEIO: QEMU refused, why is its sentence.
 * -ETIMEDOUT: no answer by the deadline (a late one is dropped; the command may still act).
 * -ECONNRESET: the connection ended first (the command may have acted).
 */
typedef void qmp_done_fn(void *arg, int r, const cJSON *answer, const char *why);

/*
 * args (may be NULL) is taken, also on failure.  done (may be NULL) is called exactly once,
 * later, unless qmp_close comes first.  0; -ENOTCONN: not ready; -EAGAIN: QMP_CALLS_MAX wait;
 * -ENOMEM.
 */
int	 qmp_call(struct qmp *q, const char *command, cJSON *args, uint64_t timeout_ms,
    qmp_done_fn *done, void *arg) MUST_CHECK;
