"""bench uefi: how soon a guest's variables are safe, what an open costs, and 1,000 stores watched."""

import os
import statistics
import sys
import threading
import time

from proclib import cpu_us, wait_for
import uefilib
from uefilib import Guest, World, new_id

WRITES = 12
REST = 5	# seconds; a guest that writes all the time costs an object in each, and no more
OPENS = 20
AT_ONCE = 100
WATCHED = 1000
SECONDS = 120	# two of the looks at every store, one a minute


def rss_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS:")) / 1024


def write_back(w):
    """From the guest's last write to the pointer moved, the quiet time of 500 ms included."""
    i = new_id()
    w.seed(i)
    g = w.launch(i)
    took = []
    for n in range(WRITES):
        time.sleep(REST if n else 0)
        before = w.show(i)["pointer"]["key"]
        g.set(f"V{n}", b"x" * 40)
        start = time.monotonic()
        while w.show(i)["pointer"]["key"] == before:
            if time.monotonic() > start + 30:
                raise uefilib.Failed("nothing was written back")
        took.append(time.monotonic() - start)
    w.end(i, g)
    print(f"write-back: {statistics.median(took) * 1000:.0f} ms from the last write to the pointer, at most "
          f"{max(took) * 1000:.0f} (under 1000, of which 500 are the quiet time)")


def fetch_ms(w, i):
    """A read of the store's variables from its object: fetched, unpacked, checked, as an open does."""
    start = time.monotonic()
    w.call("export", instance_id=i)
    return (time.monotonic() - start) * 1000


def opens(w):
    extra = []
    for _ in range(OPENS):
        i = new_id()
        w.seed(i)
        w.vmds["node-1"].launching.add(i)
        fetch = fetch_ms(w, i)
        start = time.monotonic()
        g = Guest(w.open(i, "l-1"))
        extra.append((time.monotonic() - start) * 1000 - fetch)
        w.end(i, g)
    print(f"open: {statistics.median(extra):.1f} ms beyond the object's fetch (under 60)")


def seeded(w, n):
    ids = [new_id() for _ in range(n)]
    for i in ids:
        w.seed(i)
        w.vmds["node-1"].launching.add(i)
    return ids


def at_once(w):
    one, many = seeded(w, AT_ONCE), seeded(w, AT_ONCE)
    start = time.monotonic()
    guests = {i: Guest(w.open(i, "l-1")) for i in one}
    serial = time.monotonic() - start
    took = {}

    def opens_one(i):
        nats = w.connect()
        begun = time.monotonic()
        answer = nats.call("uefi.v1.node-1.open", {"instance_id": i, "launch_id": "l-1", "arch": "x86_64"}, 60)
        took[i] = time.monotonic() - begun
        guests[i] = Guest(answer)
    threads = [threading.Thread(target=opens_one, args=(i,)) for i in many]
    start = time.monotonic()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    together = time.monotonic() - start
    print(f"opens: {AT_ONCE} at once in {together:.2f} s, one after another in {serial:.2f} s; the slowest "
          f"{max(took.values()):.2f} s (under 2)")
    for i, g in guests.items():
        w.end(i, g)


def rests(pid, seen):
    """Has it used less than a fiftieth of a CPU since the last look?"""
    before, seen[:] = seen[:], [cpu_us(pid), time.monotonic()]
    return bool(before) and seen[0] - before[0] < (seen[1] - before[1]) * 1e6 / 50


def watched(w):
    guests = {}
    for i in seeded(w, WATCHED):
        guests[i] = w.launch(i)
    pid = w.daemon().pid()
    seen = []
    wait_for("the end of what follows the opens", lambda: rests(pid, seen), 300, 1)
    before, start = cpu_us(pid), time.monotonic()
    time.sleep(SECONDS)
    cpu = (cpu_us(pid) - before) / 1e4 / (time.monotonic() - start)
    print(f"watched: {WATCHED} stores, {rss_mb(pid):.1f} MB (under 30), {cpu:.2f} % of a CPU at rest (under 1)")
    for g in guests.values():
        g.end()


def uefi(*_):
    if os.geteuid() != 0:
        print("bench uefi: only root can", file=sys.stderr)
        return
    w = World(nodes=1, settings={"uefid.sweep_period": "10s", "cluster.node_ttl": "60s"})
    try:
        for part in (write_back, opens, at_once, watched):
            part(w)
    finally:
        w.down()
