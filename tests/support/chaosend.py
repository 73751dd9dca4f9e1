"""After a storm: what clients were told still holds, and of the terminated nothing is left."""

import contextlib
import os
import time

import chaoslib
import clusterlib as lib
import promise
from botocore.exceptions import ClientError
from clusterlib import wait_for

AGAIN = 30	# seconds in which a client's retries end well: what a new server tells is not believed at once
LEAD = 120	# seconds until a reaperd leads after the last one was killed
CEILING = 5	# what goes of a class in one sweep
BUCKETS = ("spinifex-objects", "spinifex-uefi-stores", "spinifex-sync", "spinifex-ec2-address")


class End:
    def __init__(self, storm):
        self.s, self.cloud, self.c = storm, storm.cloud, storm.c

    def check(self):
        for step in (self.all_is_as_told, self.each_runs_once, self.stores_are_whole, self.stopped_ones_start,
                     self.terminated_ones_end, self.nothing_is_left, self.records_go_too, self.no_second_qemu):
            begin = time.monotonic()
            try:
                step()
            except Exception as e:  # pylint: disable=broad-except  # the other steps are still told
                self.s.find(f"{step.__name__.replace('_', ' ')}: {promise.text_of(e)}")
            self.s.say(f"{step.__name__.replace('_', ' ')}: looked at for {time.monotonic() - begin:.1f} s")

    def described(self):
        return chaoslib.listed(self.cloud.ec2.describe_instances())

    def alive(self):
        return [t for t in self.s.things.values() if not t.is_gone()]

    def wait_settled(self, things, seconds=120):
        def settled():
            found = self.described()
            left = [f"{t.iid} {found[t.iid]['State']['Name'] if t.iid in found else 'absent'}" for t in things
                    if not (found[t.iid]["State"]["Name"] in promise.STAYS[t.last] if t.iid in found
                            else t.may_be_gone())]
            last[:] = left
            return not left
        last = []
        try:
            wait_for("instances as they were told to be", settled, seconds, 0.5)
        except lib.Failure as e:
            raise lib.Failure(f"{e}: {', '.join(last)}") from None

    def insist(self, call, ids):
        """As clients do: what says that it is unavailable is asked again."""
        def done():
            try:
                call(InstanceIds=ids)
            except ClientError as e:
                if promise.code_of(e) not in ("ServiceUnavailable", "Unavailable"):
                    raise
                last[:] = [promise.text_of(e)]
                return False
            return True
        last = []
        try:
            wait_for("an answer", done, AGAIN, 0.5)
        except lib.Failure as e:
            raise lib.Failure(f"{e}: {', '.join(last)}") from None

    # ---- the steps ----

    def all_is_as_told(self):
        """Of those whose last wish was answered; one that was not is found already."""
        self.wait_settled([t for t in self.s.things.values() if t.wish is None])
        before = {i: t.snapshot() for i, t in self.s.things.items()}
        for why in promise.judge(self.s.things, before, self.described()):
            self.s.find(why)
        for i in self.described().values():
            if i["InstanceId"] in self.s.things:
                self.s.things[i["InstanceId"]].saw(i)
            else:
                self.s.find(f"{i['InstanceId']} is {i['State']['Name']}, which nobody was told of")

    def each_runs_once(self):
        """By vmd's word and by the process table."""
        found = self.described()
        nodes = {}
        for n in self.c.node_names():
            for g in self.cloud.tool("vmctl", "list", node=n)["instances"]:
                if g["pid"]:
                    nodes.setdefault(g["instance_id"], []).append(n)
        guests = self.guests()
        for iid, i in found.items():
            want = 1 if i["State"]["Name"] == "running" else 0
            if len(nodes.get(iid, ())) != want or guests.get(iid, 0) != want:
                self.s.find(f"{iid} is {i['State']['Name']}, runs on {nodes.get(iid, [])}, as {guests.get(iid, 0)} "
                            "processes")

    def guests(self):
        """{instance: number of its QEMU processes}."""
        found = {}
        for pid, _, exe in self.c.strays():
            if not exe.startswith("qemu-system"):
                continue
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):	# it has just ended
                with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as f:
                    name = f.read().partition("guest=")[2].partition(",")[0]
                found[name] = found.get(name, 0) + 1
        return found

    def stores_are_whole(self):
        """The pointer of each names an object that is there."""
        objects = self.cloud.keys("spinifex-objects")
        for t in self.alive():
            shown = self.cloud.show(t.iid)
            key = (shown.get("pointer") or {}).get("key")
            if not key or key.replace("/", ".") not in objects:
                self.s.find(f"the store of {t.iid} points at {key}, which is no object")

    def stopped_ones_start(self):
        found = self.described()
        stopped = [t for t in self.alive() if found[t.iid]["State"]["Name"] == "stopped"]
        for t in stopped:
            self.insist(self.cloud.ec2.start_instances, [t.iid])
            t.told("start")
        self.wait_settled(stopped)
        found = self.described()
        for t in stopped:
            if found[t.iid]["State"]["Name"] != "running":
                self.s.find(f"{t.iid} does not start: {promise.reason(found[t.iid])}")

    def terminated_ones_end(self):
        left = self.alive()
        if left:
            self.insist(self.cloud.ec2.terminate_instances, [t.iid for t in left])
        for t in left:
            t.told("terminate")
        self.wait_settled(self.s.things.values())
        for i in self.described().values():
            self.s.things[i["InstanceId"]].saw(i)

    def two_sweeps(self, seconds):
        """After those that a backlog takes: without a leader for a while there may be one."""
        first, backlog = self.cloud.sweeps(), len(self.cloud.keys("spinifex-uefi-stores")) // CEILING
        # one that had begun before counts as none
        wait_for("two sweeps", lambda: self.cloud.sweeps() >= first + backlog + 3, seconds, 0.2)

    def left(self):
        """What is stored or lies about of any instance; records left out."""
        ids = [x for t in self.s.things.values() for x in (t.iid, t.volume) if x]
        addresses = [t.address.replace(".", "-") for t in self.s.things.values() if t.address]
        found = [f"{b}: {k}" for b in BUCKETS for k in self.cloud.keys(b)
                 if any(i in k for i in ids) or (b == "spinifex-ec2-address" and k.endswith(tuple(addresses)))]
        for folder, folders, files in os.walk(self.c.data()):
            if "/store" in folder or "/only" in folder:
                continue
            found += [os.path.join(folder, n) for n in folders + files if any(i in n for i in ids)
                      and not self.is_old_home(folder, n)]
        return found + [f"process {pid} {exe}" for pid, _, exe in self.c.strays()]

    def is_old_home(self, folder, iid):
        """vmd keeps the empty folder, with its lock, of an instance that went to another node."""
        nodes = self.s.only.launches().get(iid, ["?"])
        old = folder.endswith("/state/vm") and f"/{nodes[-1]}/" not in folder and any(
            f"/{n}/" in folder for n in nodes)
        if old:
            self.s.say(f"kept by the node that it left: {folder}/{iid}")
        return old

    def nothing_is_left(self):
        wait_for("a sweep", self.cloud.sweeps, LEAD, 0.5)
        self.two_sweeps(60)
        for what in self.left():
            self.s.find(f"left after two sweeps: {what}")

    def records_go_too(self):
        wait_for("the end of all records", lambda: not [
            k for k in self.cloud.keys("spinifex-instance-state") if k.startswith("instance.")],
            promise.KEEP + 60, 0.5)
        wait_for("an empty list", lambda: not self.described(), 5)

    def no_second_qemu(self):
        for line in self.s.only.second():
            self.s.find(line)
        launches = self.s.only.launches()
        self.s.say(f"{len(launches)} instances were launched {sum(map(len, launches.values()))} times, "
                   f"{sum(len(set(n)) > 1 for n in launches.values())} on more than one node")
        if not launches:
            self.s.find("the test does not see QEMU")
