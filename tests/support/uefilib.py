"""uefilib - a world for uefid: nodes with uefid and leased alone on one nats-server.  The test
plays vmd (it answers vm.v1.<node>.list) and the guests (it holds locks and writes vars.fd as QEMU
does)."""

import base64
import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import struct
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
sys.dont_write_bytecode = True
import clusterlib  # noqa: E402
import natslib  # noqa: E402
from clusterlib import wait_for  # noqa: E402

ACCOUNT = "123456789012"
TEMPLATE = "/usr/share/OVMF/OVMF_VARS_4M.fd"
VENDOR = bytes.fromhex("61dfe48bca93d211aa0d00e098032b8c")
PROBE = "i-00000000000000000"
START_LINE = "ready on node"	# of a process of uefid, in its log
T = 5000
SETTLE = 25		# seconds: a lease's T and some sweeps


class Failed(Exception):
    pass


def check(ok, what):
    if not ok:
        raise Failed(what)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def read(path):
    with open(path, "rb") as f:
        return f.read()


# ---- what a guest does to its flash ----

def variable(name, data):
    text = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<HBBIQ16sIII16s", 0x55AA, 0x3F, 0, 7, 0, b"\0" * 16, 0, len(text), len(data),
                       VENDOR) + text + data


def end_of_variables(region):
    at = 72 + 28
    while region[at:at + 2] == b"\xaa\x55":
        sizes = struct.unpack_from("<II", region, at + 36)
        at = (at + 60 + sum(sizes) + 3) & ~3
    return at


class Pen:
    """Writes variables in place, byte by byte as QEMU."""

    def __init__(self, path):
        self.vars = path
        self.fd = os.open(path, os.O_RDWR)
        self.at = end_of_variables(read(path))

    def set(self, name, data):
        v = variable(name, data)
        header, body = v[:60], v[60:]
        writes = [(0, header[:2] + b"\xff" + header[3:]), (60, body), (2, header[2:3])]
        for offset, piece in writes:
            os.pwrite(self.fd, piece, self.at + offset)
        self.at = (self.at + len(v) + 3) & ~3

    def content(self):
        return read(self.vars)

    def end(self):
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1


class Guest(Pen):
    """A guest of one launch: holds the lock."""

    def __init__(self, answer):
        self.lock_path = answer["lock"]
        self.lock = os.open(self.lock_path, os.O_RDWR)
        wait_for("the lock", self.takes_lock, 5)	# uefid looks whether it is held, as for a guard
        super().__init__(answer["vars"])

    def takes_lock(self):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    def end(self):
        if self.fd >= 0:
            os.close(self.lock)
        super().end()


class World:
    def __init__(self, nodes=2, settings=None, gate=None):
        """gate: between the daemons of node-1, the only one, and nats-server."""
        self.folder = tempfile.mkdtemp(prefix="uefid-", dir="/var/tmp")
        os.chmod(self.folder, 0o755)
        self.c = clusterlib.Cluster(self.folder)
        self.c.create(nodes, 1, os.environ.get("B", os.path.join(ROOT, "build")),
                      {"cluster.node_ttl": f"{T}ms", "uefid.sweep_period": "500ms",
                       **({"nats.url": f"nats://127.0.0.1:{gate.port}"} if gate else {}),
                       **(settings or {})}, in_memory=True)
        self.port = self.c.state["nats"][0]["port"]
        if gate:
            gate.target = self.port
        self.c.start_nats()
        self.nats = self.connect()
        self.vmds = {}
        for n in self.c.node_names():
            self.start_vmd(n)
            self.c.daemon(n, "leased").start()
            self.up(n)

    def connect(self):
        return natslib.Nats(self.port, clusterlib.TESTS, self.c.state["secrets"][clusterlib.TESTS])

    def start_vmd(self, node):
        self.vmds[node] = FakeVmd(self, node)
        self.vmds[node].start()

    def daemon(self, node="node-1"):
        return self.c.daemon(node, "uefid")

    def up(self, node="node-1"):
        self.daemon(node).start()
        wait_for(f"uefid on {node}", lambda: self.is_ready(node), 20)

    def is_ready(self, node):
        p = self.daemon(node)
        check(p.identity(), f"{p.name} ended: {clusterlib.tail(p.log_file, 3)}")
        try:	# a seed of a store that was deleted: refused for that, once all is there
            self.call("seed", node=node, seconds=2, instance_id=PROBE, account_id=ACCOUNT,
                      arch="x86_64")
        except natslib.Refused as e:
            return e.code == "uefi.deleting" and self.is_leased(node)
        except (natslib.NoResponders, TimeoutError):
            return False
        self.delete(PROBE)
        return False

    def is_leased(self, node):
        """Has this process of uefid heard that its node holds its lease?"""
        p = self.daemon(node)
        with open(p.log_file, encoding="utf-8", errors="replace") as f:
            text = f.read()
        return "holds its own lease" in text[text.rfind(START_LINE):]

    def log_lines(self, words, node="node-1"):
        """Those lines of uefid's log that have these words, as one text."""
        with open(self.daemon(node).log_file, encoding="utf-8", errors="replace") as f:
            return "".join(line for line in f if words in line)

    def kill(self, node="node-1"):
        self.daemon(node).kill()

    def call(self, verb, node="node-1", seconds=35.0, **body):
        return self.nats.call(f"uefi.v1.{node}.{verb}", body, seconds)

    def delete(self, instance):
        return self.nats.call("uefi.v1.delete", {"instance_id": instance, "account_id": ACCOUNT})

    def dir(self, instance, node="node-1"):
        return self.c.node_dir(node, "state", "uefi", instance)

    def tool(self, *args, node="node-1", check_=True):
        return self.c.tool("uefictl", *args, node=node, check=check_)

    # ---- a whole launch ----

    def seed(self, instance, node="node-1", seconds=35.0):
        return self.call("seed", node=node, seconds=seconds, instance_id=instance,
                         account_id=ACCOUNT, arch="x86_64")

    def seed_again(self, instance):
        """After an outage, when the node may not have its lease back yet."""
        def done():
            try:
                self.seed(instance)
            except natslib.Refused as e:
                check(e.retryable, str(e))
                return False
            return True
        wait_for("a store to be seeded", done, SETTLE, 0.2)

    def open(self, instance, launch, node="node-1", seconds=35.0):
        return self.call("open", node=node, seconds=seconds, instance_id=instance,
                         launch_id=launch, arch="x86_64")

    def launch(self, instance, launch="l-1", node="node-1"):
        vmd = self.vmds[node]
        vmd.launching.add(instance)
        guest = Guest(self.open(instance, launch, node))
        vmd.running.add(instance)
        vmd.launching.discard(instance)
        return guest

    def end(self, instance, guest, launch="l-1", node="node-1"):
        guest.end()
        self.vmds[node].running.discard(instance)
        return self.call("close", node=node, instance_id=instance, launch_id=launch)

    # ---- what is so ----

    def show(self, instance, node="node-1"):
        return self.call("show", node=node, instance_id=instance)

    def pointer_sha256(self, instance):
        s = self.show(instance)
        return next((o["sha256"] for o in s["objects"] if o["key"] == s["pointer"]["key"]), None)

    def names(self, instance, node="node-1"):
        return {v["name"]: base64.b64decode(v["data"])
                for v in self.call("vars", node=node, instance_id=instance)["variables"]}

    def saved(self, instance, guest, seconds=10):
        want = sha256(guest.content())
        wait_for("the pointer to name what the guest wrote",
                 lambda: self.pointer_sha256(instance) == want, seconds)

    def is_clean(self, instance, node="node-1"):
        d = self.dir(instance, node)
        return "claim" not in self.show(instance, node) and not any(
            os.path.exists(os.path.join(d, f)) for f in ("vars.fd", "seeded.json", "state"))

    def down(self):
        for v in self.vmds.values():
            v.stop = True
        self.c.down()
        self.c.purge()


class FakeVmd(threading.Thread):
    """Answers vm.v1.<node>.list with what the test says is in launch or runs."""

    def __init__(self, world, node):
        super().__init__(daemon=True)
        self.world, self.node = world, node
        self.launching, self.running, self.silent, self.stop = set(), set(), False, False
        self.asked = 0

    def run(self):
        while not self.stop:
            with contextlib.suppress(ConnectionError, OSError, TimeoutError):
                self.serve(self.world.connect())

    def serve(self, nats):
        sid = nats.subscribe(f"vm.v1.{self.node}.list")
        while not self.stop:
            with contextlib.suppress(TimeoutError):
                nats.next(sid, 0.2)
                self.asked += 1
                if not self.silent:
                    nats.publish(nats.reply, json.dumps({"instances": self.instances()}).encode())

    def wait_for_sweeps(self, n):
        """uefid asks at least once a sweep."""
        until = self.asked + n
        wait_for(f"{n} sweeps", lambda: self.asked >= until, SETTLE)

    def instances(self):
        def one(instance, phase, pid):
            return {"instance_id": instance, "state": "running", "phase": phase, "pid": pid}
        return [one(i, "launching", 0) for i in list(self.launching)] + \
            [one(i, "running", 4242) for i in list(self.running)]


def new_id():
    return "i-" + secrets.token_hex(9)[:17]


def refused(code, fn, *args, **kw):
    try:
        answer = fn(*args, **kw)
    except natslib.Refused as e:
        check(e.code == code, f"{e} instead of {code}")
        return e
    raise Failed(f"{answer} instead of {code}")
