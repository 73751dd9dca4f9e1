#!/usr/bin/python3
"""What must hold of every line that a daemon logs: what its sentence names is a field too, and
nothing is said twice within a minute without how often it came.

usage: loglines.py FOLDER	the *.log below it; prints what is amiss, exit status 1 if anything is
       loglines.py --sources FILE.c ...	the calls without fields that name what has one

Lines are those on standard error: `STAMP DAEMON LEVEL: SENTENCE [field=value ...]`.
"""

import os
import re
import sys
from datetime import datetime

LINE = re.compile(r"^(\d{4}-\d\d-\d\dT[\d:.]+Z) (leased|uefid|vmd|reaperd|gwd) (\w+): (.*)$")
NAMES = ("instance", "lease", "node", "subject", "request", "holder", "code", "object", "action",
         "account", "us", "generation")
BEGIN = re.compile(rf" \[(?={'|'.join(n + '=' for n in NAMES)})")
NEXT = re.compile(rf" (?={'|'.join(n + '=' for n in NAMES)})")
# What a sentence may name: the fields of which one must be there.  With a code it is another
# daemon's sentence, whose own line has them.
NAMED = (
    (re.compile(r"\bi-[0-9a-f]{17}\b"), ("instance",)),
    (re.compile(r"\b(?:vol|ami|snap)-[0-9a-f]{17}\b"), ("object", "instance")),
    (re.compile(r"\bgeneration [1-9]\d*"), ("generation", "code")),
    (re.compile(r"(?<![\w./-])node-\d+\b"), ("node", "holder", "code")),
    (re.compile(r"(?<![\w.$/])(?:node|uefi)\.[\w-]+ |\breaper\.sweep\b"), ("lease",)),
    (re.compile(r"(?<![\w.])(?:ec2|lease\.v1|uefi\.v1|vm\.v1|reap\.v1)\.[\w.-]+"), ("subject",)),
)
# A request's line has its code there, which may look like a lease's name; and however often it
# is asked for, each time is told.
ANSWERED = re.compile(r"(\S+: )[A-Za-z][\w.]* in \d+ ms")
COUNTED = re.compile(r"\((?:[2-9]|\d\d+) times within a minute\)$|\([1-9]\d* more like it\)$")
MINUTE = 60
# What a process says once, when it begins; one that was killed said nothing at its end.
BEGINS = ("waiting for NATS", "guests run with ", "ready on node ")


def parse(line):
    """(seconds, daemon, level, sentence, {field: value}) or None: no line of a daemon's."""
    m = LINE.match(line.rstrip("\n"))
    if not m:
        return None
    stamp, daemon, level, rest = m.groups()
    fields = {}
    begin = BEGIN.search(rest)
    if begin and rest.endswith("]"):
        fields = dict(pair.split("=", 1) for pair in NEXT.split(rest[begin.end():-1]))
        rest = rest[:begin.start()]
    when = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%fZ").timestamp()
    return when, daemon, level, rest, fields


def nameless(sentence, fields):
    """The fields that are missing, in words."""
    told = ANSWERED.sub(r"\1", sentence)
    missing = [" or ".join(wanted) for what, wanted in NAMED
               if what.search(told) and not any(w in fields for w in wanted)]
    if fields.get("subject") and fields.get("request") and "code" not in fields and \
            re.match(r"\S+: [A-Z]\w+(\.\w+)* in \d+ ms", sentence):
        missing.append("code")
    return missing


def amiss(lines):
    """[why, a line] of one process' lines, in order."""
    last, found = {}, []
    for line in lines:
        parsed = parse(line)
        if not parsed or parsed[2] == "debug":
            continue
        when, _, level, sentence, fields = parsed
        for what in nameless(sentence, fields):
            found.append((f"no field {what}", line.strip()))
        me = (level, sentence, *sorted((k, v) for k, v in fields.items() if k != "us"))
        if "request" in fields and "subject" in fields or COUNTED.search(sentence):
            continue
        if me in last and when - last[me] < MINUTE - 1:
            found.append((f"said again after {when - last[me]:.1f} s", line.strip()))
        last[me] = when
    return found


def processes(path):
    """The lines of each process that wrote to a log: each begins anew."""
    with open(path, encoding="utf-8", errors="replace") as f:
        lines = []
        for line in f:
            parsed = parse(line)
            if parsed and parsed[3].startswith(BEGINS):
                yield lines
                lines = []
            lines.append(line)
        yield lines


def logs(folder):
    for top, _, names in os.walk(folder):
        yield from (os.path.join(top, n) for n in sorted(names) if n.endswith(".log"))


def of_daemons(files):
    """(what is amiss, how many lines) of the logs of a few daemons."""
    found, lines = [], 0
    for path in files:
        for said in processes(path):
            lines += len(said)
            found += amiss(said)
    return found, lines


CALL = re.compile(r"\blog_(?:err|warning|notice|info)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\);")
WITH_FIELD = re.compile(r"\binstance_id\b|\bgeneration\b|(?:->|\.)id\b(?!\.)|\bnode\b|\bholder\b|\bbus_msg_subject\b|_KEY\b")


def calls(path):
    """[line, call] of those that pass what has a field of its own, and no field."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for m in CALL.finditer(text):
        if WITH_FIELD.search(re.sub(r'"(?:[^"\\]|\\.)*"', "", m[1])):
            yield text.count("\n", 0, m.start()) + 1, " ".join(m[0].split())


def check_sources(paths):
    bad = [f"{path}:{line}: {call}" for path in paths for line, call in calls(path)]
    print("\n".join(bad), end="\n" if bad else "")
    return bool(bad)


def main():
    if sys.argv[1:2] == ["--sources"]:
        return check_sources(sys.argv[2:])
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    bad = 0
    for path in logs(sys.argv[1]):
        for lines in processes(path):
            for why, line in amiss(lines):
                print(f"{os.path.relpath(path, sys.argv[1])}: {why}: {line}")
                bad += 1
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
