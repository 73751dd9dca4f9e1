"""Parts that die while clients work: faults from a seed, clients that remember what they were
told, and what must hold at every instant and after it all.  `chaos` is its command line."""

import json
import os
import random
import re
import stat
import threading
import time

import clusterlib as lib
import promise
from clusterlib import DAEMONS

RESTART = (0.1, 0.5)	# seconds until a service manager has a daemon again
API_DAEMON = 5		# seconds in which the API answers after the death of a daemon, a node, the only server
API_SERVER = 15		# of one of three servers
AT_ONCE = 2		# clients, each with one instance at a time
PATIENCE = 180		# seconds that a client asks again what was not answered, or waits for a state
SWEEP = 2		# seconds
SETTINGS = {
    "cluster__node_ttl": "30s", "vmd__stop_grace": "1s", "vmd__accel": "tcg", "uefid__sweep_period": f"{SWEEP}s",
    "reaperd__sweep_period": f"{SWEEP}s", "reaperd__terminated_keep": f"{promise.KEEP}s",
    "reaperd__prune_age": f"{SWEEP}s",	# of an object that a killed writer left
}

NODE = re.compile("/(node-[0-9]+)/state/")
WRAPPER = """#!/bin/sh
# QEMU, at most one for an instance: it holds a lock that it inherits, whichever node started it.
id=
for a; do
	case $a in guest=*) id=${{a#guest=}} id=${{id%%,*}} ;; esac
done
[ -n "$id" ] || exec {qemu} "$@"
exec 9>>"{dir}/$id"
if ! flock -n 9; then
	echo "$id: a second QEMU, pid $$, at $(cut -d' ' -f1 /proc/uptime)" >>"{dir}/second"
	exit 1
fi
echo "pid $$ at $(cut -d' ' -f1 /proc/uptime): $*" >&9
exec {qemu} "$@"
"""


class Only:
    """A folder with a qemu-system that refuses to be the second one of an instance, and says so."""

    def __init__(self, folder, real="/usr/bin/qemu-system-x86_64"):
        self.bin, self.dir = os.path.join(folder, "qemu"), os.path.join(folder, "only")
        for d in (self.bin, self.dir):
            os.makedirs(d, exist_ok=True)
        os.chmod(self.dir, 0o1777)		# guests' user writes here
        self.qemu = os.path.join(self.bin, "qemu-system-x86_64")
        text = WRAPPER.format(qemu=real, dir=self.dir)
        lib.write(self.qemu, text, stat.S_IRWXU | 0o055)
        os.symlink("/usr/bin/qemu-img", os.path.join(self.bin, "qemu-img"))

    def launches(self):
        """{instance: the nodes on which QEMU began, in order}."""
        found = {}
        for name in os.listdir(self.dir):
            if name.startswith("i-"):
                with open(os.path.join(self.dir, name), encoding="utf-8") as f:
                    found[name] = [NODE.search(line)[1] if NODE.search(line) else "?" for line in f]
        return found

    def second(self):
        try:
            with open(os.path.join(self.dir, "second"), encoding="ascii") as f:
                return f.read().splitlines()
        except FileNotFoundError:
            return []


def listed(answer):
    return {i["InstanceId"]: i for r in answer["Reservations"] for i in r["Instances"]}


class Storm:
    def __init__(self, cloud, seed, seconds, faults=True):
        self.cloud, self.c = cloud, cloud.c
        self.seed, self.seconds, self.with_faults = seed, seconds, faults
        self.only = Only(self.c.data())
        self.start = time.monotonic()
        self.over = threading.Event()	# clients begin nothing new
        self.done = threading.Event()	# nobody asks any more
        self.lock = threading.Lock()
        self.findings = []
        self.things = {}		# id: promise.Thing
        self.dead = set()		# nodes
        self.probes = {n: [] for n in self.c.node_names()}	# when each was answered
        self.calls = {}			# operation: [seconds of each]
        self.refusals = {}		# code: how often
        self.faults = []		# (kind, node, from, to)
        self.identities = {}		# daemon: (pid, start) as we started it

    # ---- what is said ----

    def now(self):
        return time.monotonic() - self.start

    def say(self, text):
        print(f"# {self.now():7.2f} {text}", flush=True)

    def find(self, text):
        with self.lock:
            if text in self.findings:
                return
            self.findings.append(text)
        self.say(f"WRONG: {text}")

    # ---- faults ----

    def deck(self):
        """Each kind once a round, in any order, for ever; all from the seed."""
        rnd = random.Random(f"{self.seed}/faults")
        kinds = [*DAEMONS, "node", "server"] + (["leader"] if len(self.c.servers()) > 1 else [])
        while True:
            for kind in rnd.sample(kinds, len(kinds)):
                yield (rnd.uniform(1, 6), kind, rnd.choice(self.c.node_names()),
                       rnd.randrange(len(self.c.servers())) + 1, rnd.uniform(*RESTART), rnd.uniform(1, 10))

    def blow(self):
        """Until the time is over.  One fault at a time, so that each can be measured."""
        for pause, kind, node, server, short, long in self.deck():
            if self.over.wait(min(pause, max(0.0, self.seconds - self.now()))) or self.now() >= self.seconds:
                return
            if kind in ("server", "leader"):
                self.kill_server(kind, server, short if len(self.c.servers()) == 1 else long)
            elif kind == "node":
                self.kill_node(node, long)
            else:
                self.kill_daemon(kind, node, short)

    def fault(self, kind, node, what, kill, pause, start):
        self.say(f"kill {what}, for {pause:.1f} s")
        begin = time.monotonic()
        kill()
        self.over.wait(pause)
        start()
        self.faults.append((kind, node, begin, time.monotonic()))

    def kill_daemon(self, name, node, pause):
        p = self.c.daemon(node, name)
        self.check_alive([p])
        self.fault(name, None, p.name, p.kill, pause, lambda: self.start_daemon(p))

    def start_daemon(self, p):
        p.start()
        self.identities[p.name] = p.identity()

    def daemons(self, nodes):
        return [self.c.daemon(n, d) for n in nodes for d in DAEMONS]

    def check_alive(self, procs):
        """Nobody dies but by our hand."""
        for p in procs:
            if p.identity() != self.identities.get(p.name):
                self.find(f"{p.name} ended by itself: {lib.tail(p.log_file, 2)}")

    def kill_node(self, node, pause):
        self.check_alive(self.daemons([node]))
        def kill():
            self.dead.add(node)
            self.c.kill_node(node)
        def start():
            for p in self.daemons([node]):
                self.start_daemon(p)
            self.dead.discard(node)
        self.fault("node", node, node, kill, pause, start)

    def kill_server(self, kind, number, pause):
        if kind == "leader":
            number = self.c.stream_leader("spinifex-instance-state") or number
        p = self.c.nats(number)
        self.fault(kind, None, f"{p.name} ({kind})", p.kill, pause, p.start)

    # ---- the API, asked all the time ----

    def probe(self, node):
        ec2 = self.c.client(node=node, connect_timeout=1, read_timeout=2.5)
        while not self.done.is_set():
            before = {i: t.snapshot() for i, t in list(self.things.items())}
            try:
                found = listed(ec2.describe_instances())
            except Exception as e:  # pylint: disable=broad-except  # refused, reset, unavailable: that is counted
                if node not in self.dead:
                    self.count_refusal(e)
            else:
                self.probes[node].append(time.monotonic())
                for why in promise.judge(self.things, before, found):
                    self.find(f"{why}, says gwd on {node}")
            self.done.wait(0.25)

    def count_refusal(self, e):
        code = promise.code_of(e)
        with self.lock:
            self.refusals[code] = self.refusals.get(code, 0) + 1

    def gaps(self):
        """{kind of fault: the longest time without an answer of a living gateway}, from each
        fault to the next."""
        worst = {}
        ends = [f[2] for f in self.faults[1:]] + [time.monotonic()]
        for (kind, dead, begin, _), end in zip(self.faults, ends):
            for node, answers in self.probes.items():
                if node != dead:
                    times = [begin, *(a for a in answers if begin < a <= end), end]
                    gap = max(b - a for a, b in zip(times, times[1:]))
                    worst[kind] = max(worst.get(kind, 0), gap)
        return worst

    def limit(self, kind):
        several = len(self.c.servers()) > 1
        return API_SERVER if several and kind in ("server", "leader") else API_DAEMON

    # ---- clients ----

    def alive(self):
        return [n for n in self.c.node_names() if n not in self.dead] or self.c.node_names()

    def call(self, clients, rnd, verb, **args):
        """Asks through any living node until there is an answer; None when there was none."""
        begin, last = time.monotonic(), "nothing"
        while time.monotonic() - begin < PATIENCE:
            try:
                answer = getattr(clients[rnd.choice(self.alive())], verb)(**args)
            except Exception as e:  # pylint: disable=broad-except  # judged by its code
                if promise.code_of(e) == "InvalidInstanceID.NotFound" and self.may_be_gone(args):
                    return None
                if not promise.is_retryable(e):
                    self.find(f"{verb} {args}: {promise.text_of(e)}")
                    return None
                self.count_refusal(e)
                last = promise.text_of(e)
                self.done.wait(0.3)
                continue
            with self.lock:
                self.calls.setdefault(verb, []).append(time.monotonic() - begin)
            return answer
        self.find(f"{verb} {args}: no answer in {PATIENCE} s, but {last}")
        return None

    def may_be_gone(self, args):
        return all(self.things[i].may_be_gone() for i in args.get("InstanceIds", ()))

    def client(self, number):
        """One after another: an instance's life, by the seed."""
        rnd = random.Random(f"{self.seed}/client/{number}")
        clients = {n: self.c.client(node=n, connect_timeout=1, read_timeout=30) for n in self.c.node_names()}
        def ask(verb, **args):
            return self.call(clients, rnd, verb, **args)
        life = 0
        try:
            while not self.over.is_set():
                life += 1
                self.live(ask, rnd, f"{self.seed}-{number}-{life}")
        except Exception as e:  # pylint: disable=broad-except  # a thread's error would be lost
            self.find(f"client {number}: {type(e).__name__}: {e}")

    def live(self, ask, rnd, token):
        moves = [rnd.choice(("stop", "start", "stop", "start", "terminate")) for _ in range(rnd.randint(2, 5))]
        answer = ask("run_instances", ImageId=self.cloud.image, InstanceType="t3.nano", MinCount=1, MaxCount=1,
                     ClientToken=token)
        if not answer:
            return
        i = answer["Instances"][0]
        t = self.things[i["InstanceId"]] = promise.Thing(i["InstanceId"])
        t.saw(i)
        state = self.settle(ask, t)
        for move in (*moves, "terminate"):
            if self.over.is_set() or state in (None, "terminated"):
                return
            t.begin(move)
            if not ask(f"{move}_instances", InstanceIds=[t.iid]):
                return
            t.told(move)
            state = self.settle(ask, t)

    def settle(self, ask, t):
        """Its state, once that is one that stays."""
        begin = time.monotonic()
        while time.monotonic() - begin < PATIENCE:
            before = {t.iid: t.snapshot()}
            answer = ask("describe_instances", InstanceIds=[t.iid])
            if answer is None:
                return None
            found = listed(answer)
            for why in promise.judge(self.things, before, found):
                self.find(why)
            i = found.get(t.iid)
            if i and promise.is_due(before[t.iid]) and t.is_settled(i["State"]["Name"]):
                t.saw(i)
                return i["State"]["Name"]
            self.done.wait(0.3)
        self.find(f"{t.iid} is {i and i['State']['Name']} {PATIENCE} s after it was told to {t.last}")
        return None

    # ---- the whole ----

    def prepare(self):
        """The cluster, with our QEMU and an image that stays in the firmware's shell."""
        self.c.state["settings"]["vmd.qemu_dir"] = self.only.bin
        for n in self.c.node_names():
            self.c.create_node(n)
        self.c.save()
        self.cloud.up(image=False)
        disk = self.c.data("empty.img")
        with open(disk, "wb") as f:
            f.truncate(1 << 20)
        done = self.c.tool("vmctl", "--json", "image", "import", "empty", disk, "x86_64", "uefi", lib.ACCOUNT)
        self.cloud.image = json.loads(done.stdout)["image_id"]

    def run(self):
        self.start = time.monotonic()
        self.identities = {p.name: p.identity() for p in self.daemons(self.c.node_names())}
        threads = [threading.Thread(target=self.client, args=(i,), daemon=True) for i in range(AT_ONCE)]
        probers = [threading.Thread(target=self.probe, args=(n,), daemon=True) for n in self.c.node_names()]
        for t in (*threads, *probers):
            t.start()
        if self.with_faults:
            self.blow()
        else:
            self.over.wait(self.seconds)
        self.over.set()
        self.say("the faults are over")
        for t in threads:	# each ends what it asks
            t.join()
        self.done.set()
        for t in probers:
            t.join()
        self.check_alive(self.daemons(self.c.node_names()))
