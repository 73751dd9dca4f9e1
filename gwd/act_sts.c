/* STS: who is asking. */
#include "gwd/acts.h"

#include <stdio.h>
#include <string.h>

#include "gwd/gwd.h"

#define ROOT_USER	"root"

void
act_get_caller_identity(struct gwd *g, struct call *c)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	const bool is_root = !strcmp(c->user, ROOT_USER);
	char arn[160];

	(void)snprintf(arn, sizeof(arn), is_root ? "arn:aws:iam::%s:%s" : "arn:aws:iam::%s:user/%s",
	    c->account, c->user);
	if (!out || !cJSON_AddStringToObject(out, "UserId", is_root ? c->account : c->user) ||
	    !cJSON_AddStringToObject(out, "Account", c->account) ||
	    !cJSON_AddStringToObject(out, "Arn", arn)) {
		call_answer(c, NULL);
		return;
	}
	call_answer(c, steal_json(&out));
}
