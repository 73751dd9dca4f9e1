"""What a client was told of an instance, and whether an answer keeps it.  Pure but for the clock
that stamps what was told."""

import time

KEEP = 20	# seconds that a terminated instance stays listed
DUE = 1		# seconds after a word until every gateway's answer shows it: a node that an
		# instance has left may tell of it until its second hint

# After each word: the states in their order.  One with a star is nobody's wish, so that the
# instance has to say that the server is the reason.
ORDER = {
    "run": ("pending", "running", "*stopping", "*stopped", "*shutting-down", "*terminated"),
    "start": ("pending", "running", "*stopping", "*stopped"),
    "stop": ("stopping", "stopped"),
    "terminate": ("shutting-down", "terminated"),
}
STAYS = {"run": ("running", "stopped", "terminated"), "start": ("running", "stopped"), "stop": ("stopped",),
         "terminate": ("terminated",)}
RETRYABLE = ("ServiceUnavailable", "Unavailable", "InternalError", "InternalFailure", "RequestLimitExceeded",
             "InsufficientInstanceCapacity", "IncorrectInstanceState")


class Thing:
    """An instance, as its only client knows it."""

    def __init__(self, iid):
        self.iid = iid
        self.volume = self.address = None
        self.last, self.at, self.floor = "run", time.monotonic(), 0
        self.version = 0
        self.wish = None	# asked for and not answered yet
        self.ending = None	# when its end was first asked for: done, maybe, long before an answer
        self.final = None	# when it was seen terminated

    def begin(self, word):
        self.wish = word
        self.version += 1
        if word == "terminate" and self.ending is None:
            self.ending = time.monotonic()

    def told(self, word):
        self.begin(word)
        self.last, self.at, self.floor, self.wish = word, time.monotonic(), 0, None

    def snapshot(self):
        """What an answer to a question that is asked now is held against."""
        return (self.version, self.last, self.floor, self.wish, time.monotonic() - self.at)

    def is_settled(self, state):
        return state in STAYS[self.last]

    def saw(self, i):
        """An answer that its own client got."""
        self.floor = max(self.floor, place(self.last, i["State"]["Name"]))
        if i["State"]["Name"] == "terminated" and self.final is None:
            self.final = time.monotonic()
        for m in i.get("BlockDeviceMappings", ()):
            self.volume = m["Ebs"]["VolumeId"]
        self.address = i.get("PrivateIpAddress") or self.address

    def may_be_gone(self):
        """Its record had its time."""
        since = [t for t in (self.final, self.ending) if t is not None]
        return bool(since) and time.monotonic() - min(since) >= KEEP

    def is_gone(self):
        return self.last == "terminate" or self.final is not None


def place(word, state):
    """In the order after that word; -1: not in it."""
    for i, s in enumerate(ORDER[word]):
        if s.lstrip("*") == state:
            return i
    return -1


def reason(i):
    r = i.get("StateReason") or {}
    return f"{r.get('Code', '')}: {r.get('Message', '')}"


def is_due(snapshot):
    return snapshot[4] >= DUE


def broken(snapshot, i):
    """Why this answer breaks what was told at the time of the question, or None."""
    _, last, floor, _, _ = snapshot
    state = i["State"]["Name"]
    at = place(last, state)
    if at < 0:
        return f"is {state} after it was told to {last} ({reason(i)})"
    if at < floor:
        return f"is {state} again, which was seen over after {last}"
    if ORDER[last][at].startswith("*") and not reason(i).startswith("Server."):
        return f"is {state} after it was told to {last}, without a reason of the server's ({reason(i)})"
    return None


def judge(things, before, found):
    """Sentences on what the answer found {id: instance} breaks of before {id: snapshot}.  What
    was told anything else while the question was open cannot be judged by it."""
    for iid, snapshot in before.items():
        t = things[iid]
        if iid in found:
            why = broken(snapshot, found[iid])
        else:
            why = None if t.may_be_gone() else f"is not there after it was told to {t.last}"
        if why and t.wish is None and is_due(snapshot) and snapshot[:2] == t.snapshot()[:2]:
            yield f"{iid} {why}"


def code_of(e):
    response = getattr(e, "response", None)
    return response["Error"]["Code"] if isinstance(response, dict) else type(e).__name__


def text_of(e):
    return " ".join(str(e).split()) or type(e).__name__


def is_retryable(e):
    """Unavailable in whichever way: an answer that says so, or none."""
    from botocore import exceptions as x  # pylint: disable=import-outside-toplevel
    if isinstance(e, x.ClientError):
        return code_of(e) in RETRYABLE
    return isinstance(e, (x.HTTPClientError, x.ConnectionError, OSError))
