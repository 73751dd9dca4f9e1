"""Programs of tests/support that a test drives line by line (probe.h), a bench of servers and
probes that cleans up after itself, and the runner of such a test's cases."""

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clusterlib import ROOT, wait_for	# noqa: E402
import nats				# noqa: E402

BUILD = os.environ.get("B", os.path.join(ROOT, "build"))


class Probe:
    """One of them; its events are kept."""

    def __init__(self, program, *args, env=None):
        self.child = subprocess.Popen([os.path.join(BUILD, "support", program), *args], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.answers, self.events = queue.Queue(), []
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.child.stdout:
            line = line.rstrip("\n")
            if line.startswith("!"):
                self.events.append(line[1:])
            else:
                self.answers.put(line)

    def begin(self, command):
        self.child.stdin.write(command + "\n")
        self.child.stdin.flush()

    def answer(self, seconds=30):
        return self.answers.get(timeout=seconds)

    def do(self, command, seconds=30):
        self.begin(command)
        return self.answer(seconds)

    def event(self, pattern, seconds=10):
        """Waits for an event, and forgets it and those before it."""
        def find():
            for i, e in enumerate(self.events):
                if re.search(pattern, e):
                    del self.events[:i + 1]
                    return e
            return None
        return wait_for(f"the event {pattern}; got {self.events}", find, seconds)

    def open(self):
        self.event("^open$")
        return self

    def close(self):
        """Its exit status; 0 says that it ended in order, and without a leak when sanitised."""
        if self.child.poll() is None:
            self.begin("quit")
        status = self.child.wait(15)
        self.thread.join(5)
        return status


class Bench:
    """A folder, a server, and everything that must be gone afterwards."""

    def __init__(self, name):
        self.dir = tempfile.mkdtemp(prefix=name + ".")
        self.servers, self.probes, self.states = [], [], 0

    def server(self, **more):
        s = nats.Server(self.dir, f"s{len(self.servers) + 1}", **more).start()
        self.servers.append(s)
        return s

    def state(self):
        self.states += 1
        return os.path.join(self.dir, f"state{self.states}")

    def kv(self, server, *buckets, state=None, size=1):
        return self.keep(Probe("kvprobe", server.url, state or self.state(), str(size),
                               *(buckets or ("b=kept",))))

    def bus(self, server, node="n1", *user):
        return self.keep(Probe("busprobe", server.url, node, *user))

    def keep(self, probe):
        self.probes.append(probe)
        return probe

    def end(self):
        for s in self.servers:
            if s.child and s.child.poll() is None:
                s.signal(signal.SIGCONT)
        bad = [p.close() for p in self.probes]
        for s in self.servers:
            s.stop()
        shutil.rmtree(self.dir)
        if any(bad):
            raise AssertionError(f"a probe ended with {bad}")


def same(got, want):
    if got != want:
        raise AssertionError(f"expected {want!r}, got {got!r}")


def run(case, name):
    b = Bench(name)
    begun = time.monotonic()
    try:
        case(b)
        error = None
    except Exception as e:			# a case that breaks is a failed case
        error = f"{type(e).__name__}: {e}".replace("\n", " ")
    try:
        b.end()
    except Exception as e:
        error = error or f"at the end: {e}"
    spent = f" ({time.monotonic() - begun:.1f} s)" if os.environ.get("VERBOSE") else ""
    print(f"not ok {case.__name__}: {error}" if error else f"ok {case.__name__}{spent}", flush=True)
    return error is None


def run_cases(cases):
    """Those named on the command line, or all.  The exit status."""
    wanted = sys.argv[1:]
    name = os.path.basename(sys.argv[0])
    results = [run(c, name) for c in cases if not wanted or c.__name__ in wanted]
    return 0 if results and all(results) else 1
