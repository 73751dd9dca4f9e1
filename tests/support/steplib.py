"""steplib - each sequence on a store, with the server that it writes to, or who runs it, killed before
and after each of its steps: nothing that was reported is lost, and once all has settled nothing is left
over."""

import contextlib
import json
import os
import sys
import time

sys.dont_write_bytecode = True
from clusterlib import Failure, tail, wait_for	# noqa: E402
from gatelib import AFTER, BEFORE, wait_held	# noqa: E402
import natslib	# noqa: E402
from uefilib import ACCOUNT, Failed, Guest, TEMPLATE, check, new_id, read, refused, sha256	# noqa: E402

AT_ONCE = 4	# uefid's threads: so many sequences can stand at a step together
ENDS = 120	# seconds for reaperd, which may have to be elected anew
HEALS = 60	# seconds in which what was cut off is whole again
NODE = "node-1"


class Case:
    """One instance, in one sequence.  begin() has uefid begin it and does not wait; finish() is what
    vmd does when it hears nothing, or what the node's loop does when vmd never comes back."""

    def __init__(self, world, comes_back):
        self.w, self.comes_back = world, comes_back
        self.i, self.guest, self.want = new_id(), None, sha256(read(TEMPLATE))
        self.vmd = world.vmds[NODE]

    def ask(self, whole, verb, subject=None, **body):
        """Waits for the answer if it is to be whole."""
        subject, body = subject or f"uefi.v1.{NODE}.{verb}", {"instance_id": self.i, **body}
        if whole:
            self.w.nats.call(subject, body, 35)
        else:
            self.w.nats.publish(subject, json.dumps(body).encode())

    def again(self, verb, *args, **kw):
        """As vmd: until there is an answer that is no reason to ask again."""
        answers = []

        def answered():
            try:
                answers.append(verb(*args, **kw))
            except natslib.Refused as e:
                check(e.retryable, f"{self}: {e}")
            except (natslib.NoResponders, TimeoutError):
                pass
            return bool(answers)
        wait_for(f"an answer about {self}", answered, HEALS, 0.2)
        return answers[0]

    def __str__(self):
        return f"{type(self).__name__} of {self.i}{'' if self.comes_back else ', given up'}"

    def prepare(self):
        pass

    def close(self):
        return self.again(self.w.call, "close", seconds=5, instance_id=self.i, launch_id="l-1")

    def launched(self):
        """A guest that runs on a store of its own."""
        self.vmd.launching.add(self.i)
        self.again(self.w.seed, self.i)
        guest = Guest(self.again(self.w.open, self.i, "l-1"))
        self.vmd.running.add(self.i)
        self.vmd.launching.discard(self.i)
        return guest

    def loop_closes(self):
        self.vmd.launching.discard(self.i)
        self.vmd.running.discard(self.i)
        wait_for(f"the loop to settle {self}", lambda: self.w.is_clean(self.i), HEALS, 0.2)

    def is_free(self):
        """A claim that came late is given up by the loop."""
        wait_for(f"{self} to be free", lambda: self.w.is_clean(self.i), HEALS, 0.2)

    def is_whole(self):
        """The store is free, and its pointer names what the guest wrote last."""
        self.is_free()
        check(self.w.pointer_sha256(self.i) == self.want, f"{self}: {self.w.show(self.i)}")


class Seed(Case):
    def prepare(self):
        self.vmd.launching.add(self.i)

    def begin(self, whole=False):
        self.ask(whole, "seed", account_id=ACCOUNT, arch="x86_64")

    def finish(self):
        if self.comes_back:
            self.again(self.w.seed, self.i, seconds=5)
            self.again(self.w.open, self.i, "l-1", seconds=5)
            check(self.close() == {"state": "clean"}, f"{self}: close")
            self.vmd.launching.discard(self.i)
        else:
            self.loop_closes()

    def is_whole(self):
        """Given up, it may have no store, or one that was not seeded; never another's bytes."""
        self.is_free()
        if self.comes_back or "pointer" in self.w.show(self.i):
            super().is_whole()


class Open(Case):
    def prepare(self):
        self.vmd.launching.add(self.i)
        self.again(self.w.seed, self.i)

    def begin(self, whole=False):
        self.ask(whole, "open", launch_id="l-1", arch="x86_64")

    def finish(self):
        if not self.comes_back:
            self.loop_closes()
            return
        guest = Guest(self.again(self.w.open, self.i, "l-1", seconds=5))
        refused("uefi.busy", self.w.open, self.i, "l-2")	# one writer at a time
        guest.set("Opened", b"1")
        self.want = sha256(guest.content())
        guest.end()
        self.vmd.launching.discard(self.i)
        check(self.close() == {"state": "clean"}, f"{self}: close")


class WriteBack(Case):
    def prepare(self):
        self.guest = self.launched()

    def begin(self, whole=False):
        self.guest.set("Written", b"1")
        self.want = sha256(self.guest.content())
        if whole:
            self.w.call("flush", instance_id=self.i)

    def finish(self):
        self.w.saved(self.i, self.guest, HEALS)
        if not self.comes_back:
            self.guest.set("Last", b"2")
            self.want = sha256(self.guest.content())
        self.guest.end()
        self.closes()

    def closes(self):
        if not self.comes_back:
            self.loop_closes()
            return
        self.vmd.running.discard(self.i)
        check(self.close() == {"state": "clean"}, f"{self}: close")


class Close(WriteBack):
    def begin(self, whole=False):
        super().begin()
        self.guest.end()
        self.ask(whole, "close", launch_id="l-1")

    def finish(self):
        self.closes()


class Killed(WriteBack):
    """A write-back in the middle of which QEMU is killed."""

    def finish(self):
        self.guest.end()
        self.closes()


class RollBack(Open):
    def prepare(self):
        super().prepare()
        self.again(self.w.open, self.i, "l-1")

    def begin(self, whole=False):
        self.ask(whole, "rollback", launch_id="l-1")

    def finish(self):
        if not self.comes_back:
            self.loop_closes()
            return
        answer = self.again(self.w.call, "rollback", seconds=5, instance_id=self.i, launch_id="l-1")
        check(answer == {"state": "clean"}, f"{self}: {answer}")
        self.vmd.launching.discard(self.i)


class Delete(Case):
    """uefid marks it, and reaperd takes away what there is of it."""

    def prepare(self):
        self.launched().end()
        self.vmd.running.discard(self.i)
        check(self.close() == {"state": "clean"}, f"{self}: close")

    def begin(self, whole=False):
        self.ask(whole, "delete", subject="uefi.v1.delete", account_id=ACCOUNT)

    def finish(self):
        if self.comes_back:
            answer = self.again(self.w.delete, self.i)
            check(answer["state"] in ("deleting", "none"), f"{self}: {answer}")

    def is_whole(self):
        """Nothing but its marker is left: see Run.nothing_is_left."""


class Forget(Delete):
    """The same on an operator's word alone."""

    def begin(self, whole=False):
        self.ask(whole, "forget", subject="uefi.v1.forget")

    def finish(self):
        if self.comes_back:
            answer = self.again(self.w.nats.call, "uefi.v1.forget", {"instance_id": self.i})
            check(answer["state"] in ("deleting", "none"), f"{self}: {answer}")


class GoBack(Case):
    """An operator goes back to a version, here the one that the guest wrote last."""

    def prepare(self):
        guest = self.launched()
        guest.set("Written", b"1")
        self.want = sha256(guest.content())
        guest.end()
        self.vmd.running.discard(self.i)
        check(self.again(self.close) == {"state": "clean"}, f"{self}: close")
        self.version = self.w.show(self.i)["pointer"]["key"].rpartition("/")[2]

    def begin(self, whole=False):
        self.ask(whole, "restore", version=self.version)

    def finish(self):
        if self.comes_back:
            answer = self.again(self.w.call, "restore", seconds=5, instance_id=self.i, version=self.version)
            key = answer["object"]
            pointer = self.w.show(self.i)["pointer"]["key"]
            check(pointer == key and not key.endswith(self.version), f"{self}: {pointer} after {key}")
        else:
            self.loop_closes()


KINDS = (Seed, Open, WriteBack, Close, RollBack, Delete)
OPERATORS = (GoBack, Forget)	# what else uefid does for somebody


def kill_guests(run):
    for c in run.cases:
        if c.guest:
            c.guest.end()


class Run:
    """gate stands before the server that kill() kills and start() starts again."""

    def __init__(self, who, world, gate, kill, start):
        self.who, self.w, self.gate, self.kill, self.start = who, world, gate, kill, start
        self.cases = []		# all that were ever made
        world.c.daemon(NODE, "reaperd").start()

    def make(self, kind, comes_back=True):
        case = kind(self.w, comes_back)
        self.cases.append(case)
        case.prepare()
        return case

    def steps_of(self, kind):
        """The names of a sequence's steps, of one that nothing happens to."""
        case = self.make(kind)
        self.gate.count(case.i)
        case.begin(whole=True)
        if issubclass(kind, Delete):	# goes on in reaperd
            wait_for(f"the end of {case}", lambda: not self.left_of([case.i]), ENDS, 0.2)
        steps = self.gate.steps(case.i)
        case.finish()
        case.is_whole()
        check(steps, f"{case} has no effect at all")
        return steps

    def batch(self, plan):
        """plan: (kind, step, before or after, comes back).  All stand at their steps when the server is
        killed."""
        cases = [(self.make(kind, back), n, mode) for kind, n, mode, back in plan]
        holds = [self.gate.arm(c.i, n, mode) for c, n, mode in cases]
        for c, _, _ in cases:
            c.begin()
        wait_held(holds)
        self.kill()
        for c, _, _ in cases:
            self.gate.release(c.i)
        self.start()
        for c, _, _ in cases:
            c.finish()
        self.land_late(holds)
        for c, _, _ in cases:
            c.is_whole()

    def land_late(self, holds):
        """What the server never had comes now: a write that was overtaken changes nothing."""
        for h in holds:
            if h.mode == BEFORE and h.message and b"objects" not in h.message.split(b" ", 2)[1]:
                self.w.nats.send_raw(h.message)

    def left_of(self, ids):
        """What there is of these: objects, claims, records, folders."""
        left = [self.w.dir(i) for i in ids if os.path.exists(self.w.dir(i))]
        for bucket in ("spinifex-sync", "spinifex-uefi-stores", "spinifex-objects"):
            with contextlib.suppress(KeyError):	# objects elsewhere: no such stream
                left += [f"{bucket} {key}" for key, (_, gone) in self.w.nats.revisions(bucket).items()
                         if not gone and any(i in key for i in ids)]
        return left

    def nothing_is_left(self):
        """Of all that were ever made, once each is terminated."""
        for c in self.cases:
            self.w.vmds[NODE].launching.discard(c.i)
            c.again(self.w.delete, c.i)
        ids, left = [c.i for c in self.cases], []

        def is_over():
            left[:] = self.left_of(ids)
            return not left
        try:
            wait_for("the end of all of it", is_over, ENDS, 0.3)
        except Failure as e:
            raise Failed(f"{e}: left are {left[:6]}; reaperd says: "
                         f"{tail(self.w.c.daemon(NODE, 'reaperd').log_file, 12)}") from None


def plans(steps, wants):
    """Batches of at most AT_ONCE; reaperd stands at one step at a time."""
    todo, batches = list(wants(steps)), []
    while todo:
        batch = []
        for case in list(todo):
            is_second = issubclass(case[0], Delete) and any(issubclass(c[0], Delete) for c in batch)
            if len(batch) < AT_ONCE and not is_second:
                batch.append(case)
                todo.remove(case)
        batches.append(batch)
    return batches


def each_way(steps):
    """Each step before and after, with vmd coming back and without."""
    for kind, names in steps.items():
        for n in range(1, len(names) + 1):
            for mode in (BEFORE, AFTER):
                for back in (True, False):
                    yield kind, n, mode, back


def each_once(steps):
    """Each step before and after, of reaperd's, one at a time, by turns; who comes back alternates."""
    for kind, n, mode, back in each_way(steps):
        if back == ((n % 2 == 0) == (mode == BEFORE)) and (not issubclass(kind, Delete) or back):
            yield kind, n, mode, back


def each_by_turns(steps):
    """Each step once."""
    for i, (kind, names) in enumerate(steps.items()):
        for n in range(1, len(names) + 1):
            yield kind, n, (BEFORE, AFTER)[(i + n) % 2], n % 4 < 2


def run_all(run, kinds, wants):
    """The whole of it, with a line for each step."""
    steps = {kind: run.steps_of(kind) for kind in kinds}
    for batch in plans(steps, wants):
        began = time.monotonic()
        run.batch(batch)
        for kind, n, mode, back in batch:
            print(f"ok {run.who} is killed {mode} step {n} of {kind.__name__}, {steps[kind][n - 1]}"
                  f"{'' if back else ', which vmd gives up'} ({time.monotonic() - began:.1f} s)", flush=True)
    run.nothing_is_left()
    print(f"ok {run.who}: no object, claim, record or file of {len(run.cases)} stores is left", flush=True)
