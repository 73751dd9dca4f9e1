"""bench leases: what 10,000 held leases cost, how fast one changes hands, and etcd beside it."""

import base64
import contextlib
import http.client
import json
import os
import secrets
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

import clusterlib as lib
import natslib
from proclib import cpu_us, peak_kb

MANY, FEW = 10000, 1000
TTL_MS = 60000
SECONDS = 40
T = 5.0				# of the hand-overs
PAIRS = 300
HANDOVERS = 20


def boot():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@contextlib.contextmanager
def cluster(nodes, node_ttl, in_memory=False):
    folder = tempfile.mkdtemp(prefix="bench.", dir="/var/tmp")
    os.chmod(folder, 0o755)
    c = lib.Cluster(folder)
    c.create(nodes, 1, os.path.join(lib.ROOT, "build"), {"cluster.node_ttl": node_ttl},
             in_memory=in_memory)
    c.start_nats()
    try:
        for n in c.node_names():
            c.daemon(n, "leased").start()
        for n in c.node_names():
            lib.wait_for("leased", lambda n=n: c.tool("leasectl", "list", node=n,
                                                      check=False).returncode == 0, 30)
        yield c
    finally:
        c.down()
        c.purge()


# ---- what many cost ----

def load(c, *words):
    """leaseload, once it holds all."""
    p = subprocess.Popen([c.bin("support/leaseload"), "-c", c.probe_conf("node-1"), *map(str, words)],
                         stdout=subprocess.PIPE, text=True)
    if p.stdout.readline() != "held\n":
        p.wait()
        raise lib.Failure("leaseload holds nothing")
    return p


def under(c, pid, n, subject=None):
    """What n leases cost that process: us of its CPU a swap, share of a core, MB at its peak.  With
    a subject its clients ask it meanwhile."""
    asks = load(c, "ask", n, TTL_MS, SECONDS, subject) if subject else None
    before, start = cpu_us(pid), time.monotonic()
    if asks:
        said = asks.stdout.readline().split()
        asks.wait()
        if said[3] != "0":
            print(f"  of {said[1]} asks {said[3]} were not answered in time: is the machine busy?")
    else:
        lib.wait_for("the time", lambda: time.monotonic() >= start + SECONDS, 2 * SECONDS, 1)
    size = peak_kb(pid) / 1024
    took, used = time.monotonic() - start, cpu_us(pid) - before
    return used / (n * 3000 / TTL_MS * took), used / took / 1e4, size


def bare(c, n):
    """us a swap of the bare loop, without asks and with them."""
    with tempfile.TemporaryDirectory() as folder:
        p = load(c, "swaps", n, TTL_MS, 3600, "bench.v1.hold", folder)
        try:
            return under(c, p.pid, n)[0], under(c, p.pid, n, "bench.v1.hold")[0]
        finally:
            p.terminate()
            p.wait()


def cost():
    # what the disk does meanwhile is not what is measured
    with cluster(1, "60s", in_memory=True) as c:
        def ours(n):
            return under(c, c.daemon("node-1", "leased").pid(), n, "lease.v1.node-1.hold")
        few = ours(FEW)
        c.daemon("node-1", "leased").stop()
        c.daemon("node-1", "leased").start()
        lib.wait_for("leased", lambda: c.tool("leasectl", "list", check=False).returncode == 0, 30)
        many = ours(MANY)
        c.daemon("node-1", "leased").stop()
        swaps, both = bare(c, MANY)
    print(f"leases, T = {TTL_MS // 1000} s: leased with {MANY} held: {many[1]:.1f} % of a core, "
          f"{many[2]:.1f} MB at its peak")
    print(f"  CPU a renewal, two asks of its client included: {many[0]:.0f} us; with {FEW} held "
          f"{few[0]:.0f} us")
    print(f"  the bare loop's swap {swaps:.0f} us; with two asks answered {both:.0f} us "
          f"(leased {many[0] / both:.2f} of it)")


# ---- how fast one changes hands ----

class Client:
    """Asks as lead.h does, in a thread of its own, until it is stopped."""

    def __init__(self, c, node, key):
        self.node, self.key, self.generation = node, key, 0
        self.incarnation = secrets.token_hex(8)
        self.nats = natslib.Nats(c.state["nats"][0]["port"], lib.TESTS,
                                 c.state["secrets"][lib.TESTS])
        self.events = self.nats.subscribe(f"lease.v1.{node}.event.bench")

    def body(self, **more):
        return {"key": self.key, "client": "bench", "incarnation": self.incarnation,
                "generation": str(self.generation), **more}

    def ask(self):
        a = self.nats.call(f"lease.v1.{self.node}.hold", self.body(ttl_ms=int(T * 1000)))
        if a["held"]:
            self.generation = int(a["generation"])
        return a

    def release(self):
        self.nats.call(f"lease.v1.{self.node}.release", self.body())

    def gained(self, seconds):
        """When it was told so; asking each T/6."""
        end = boot() + seconds
        self.nats.drain(self.events)
        while boot() < end:
            if self.ask()["held"]:
                return boot()
            with contextlib.suppress(TimeoutError):
                while True:
                    e = json.loads(self.nats.next(self.events, T / 6)[2])
                    if e["event"] == "gained" and e["incarnation"] == self.incarnation:
                        return boot()
        raise lib.Failure(f"{self.key} was not gained in {seconds} s")


def handover(c):
    times = []
    for i in range(HANDOVERS):
        a, b = Client(c, "node-1", f"hand.{i}"), Client(c, "node-2", f"hand.{i}")
        a.ask()
        b.ask()
        start = []
        t = threading.Timer(0.3, lambda a=a, start=start: (start.append(boot()), a.release()))
        t.start()
        got = b.gained(5)
        t.join()
        times.append((got - start[0]) * 1000)
        b.release()
    return statistics.median(times), max(times)


def failover(c, what):
    """Seconds from the holder's last landed renewal to the gain, when `what` is killed."""
    key = "fail." + what
    a, b = Client(c, "node-1", key), Client(c, "node-2", key)
    a.ask()
    end = boot() + T
    while boot() < end:			# so that a renewal lies behind
        a.ask()
        b.ask()
        time.sleep(T / 6)		# a client's rhythm, as lead.h has it
    rows = a.nats.call("lease.v1.node-1.list")["leases"]
    last = boot() - next(r for r in rows if r["key"] == key)["age_ms"] / 1000
    told = int(a.ask()["valid_until_ms"]) / 1000
    if what == "leased":
        c.daemon("node-1", "leased").kill()
    got = b.gained(4 * T)
    if what == "leased" and got - last < T:
        raise lib.Failure(f"taken over {got - last:.3f} s after a landed renewal")
    return got - last, told - last


def pairs(c):
    a = Client(c, "node-1", "pairs.k")
    start = boot()
    for _ in range(PAIRS):
        if not a.ask()["held"]:
            raise lib.Failure("a pair was not granted")
        a.release()
        a.incarnation = secrets.token_hex(8)
    return PAIRS / (boot() - start)


def ours():
    with cluster(2, f"{T:.0f}s") as c:
        rate = pairs(c)
        middle, worst = handover(c)
        client, told = failover(c, "client")
        node, _ = failover(c, "leased")
    print(f"leased, T = {T:.0f} s: {rate:.0f} lock and unlock a second; hand-over {middle:.1f} ms, at most "
          f"{worst:.1f} ms")
    print(f"  take-over {node:.2f} s after the last landed renewal when leased is killed (from {T:.2f} to "
          f"{4 * T / 3 + 1:.2f}); {client:.2f} s when its client is, which was told {told:.2f} s")
    return rate, middle, node


# ---- etcd, on the same disk ----

class Etcd:
    def __init__(self, folder):
        self.port, peer = lib.free_port(), lib.free_port()
        url = f"http://127.0.0.1:{self.port}"
        self.p = lib.Process("etcd", [
            "/usr/bin/etcd", "--data-dir", os.path.join(folder, "data"), "--listen-client-urls", url,
            "--advertise-client-urls", url, "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"default=http://127.0.0.1:{peer}"],
            os.path.join(folder, "pid"), os.path.join(folder, "log"), folder)
        self.p.start()
        lib.wait_for("etcd", lambda: lib.port_is_open(self.port), 20)
        self.http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def call(self, path, **body):
        self.http.request("POST", path, json.dumps(body))
        answer = json.loads(self.http.getresponse().read())
        if "error" in answer:
            raise lib.Failure(f"etcd {path}: {answer['error']}")
        return answer

    def another(self):
        e = Etcd.__new__(Etcd)
        e.port, e.http = self.port, http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return e

    def grant(self, seconds):
        return self.call("/v3/lease/grant", TTL=seconds)["ID"]

    def lock(self, name, lease):
        return self.call("/v3/lock/lock", name=base64.b64encode(name.encode()).decode(),
                         lease=lease)["key"]

    def unlock(self, key):
        self.call("/v3/lock/unlock", key=key)

    def stand_for(self, name):
        """How many have the lock or wait for it: each has a key below its name."""
        first, after = (base64.b64encode((name + c).encode()).decode() for c in "/0")
        return int(self.call("/v3/kv/range", key=first, range_end=after, count_only=True).get("count", 0))


def etcd_waits(e, name, free):
    """Seconds from free(key) until another, which waits, has the lock."""
    other = e.another()
    lease, theirs = e.grant(60), other.grant(60)
    key = e.lock(name, lease)
    got = []
    t = threading.Thread(target=lambda: got.append((other.lock(name, theirs), boot())))
    t.start()
    lib.wait_for("one that waits for the lock", lambda: e.stand_for(name) == 2, 10, 0.01)
    start = boot()
    free(key)
    t.join()
    other.unlock(got[0][0])
    return got[0][1] - start


def etcd():
    folder = tempfile.mkdtemp(prefix="bench.", dir="/var/tmp")
    e = Etcd(folder)
    try:
        lease = e.grant(600)
        start = boot()
        for _ in range(PAIRS):
            e.unlock(e.lock("pairs", lease))
        rate = PAIRS / (boot() - start)
        times = [etcd_waits(e, f"hand{i}", e.unlock) * 1000 for i in range(HANDOVERS)]
        short = e.grant(int(T))
        e.lock("fail", short)
        start = boot()
        e.another().lock("fail", e.grant(60))
        failed = boot() - start
    finally:
        e.p.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"etcd, ttl {T:.0f} s: {rate:.0f} lock and unlock a second; hand-over {statistics.median(times):.1f} "
          f"ms, at most {max(times):.1f} ms; take-over {failed:.2f} s after the last renewal")
    return rate, statistics.median(times), failed


def leases(*_):
    cost()
    a = ours()
    if not os.access("/usr/bin/etcd", os.X_OK):
        print("etcd: not measured: apt-get install etcd-server")
        return
    b = etcd()
    if a[0] < b[0]:
        print("  fewer pairs: a win is a read at the stream's leader and a synchronous write, and an "
              "unlock a second write, each through leased")
    if a[2] > b[2]:
        print("  a later take-over: etcd's server ends a lease by its own clock, T after the last "
              "renewal; here nobody may trust another's clock, and who waits counts T from when he "
              "saw that renewal, which may be T/3 later")
