"""Processes that outlive the script that started them, known by pid and start time: starting,
waiting, signals.  clusterlib hands these names on to the tests."""

import contextlib
import os
import signal
import subprocess
import threading
import time


class Failure(Exception):
    """One line for a person."""


def stat_fields(pid):
    """Of /proc/PID/stat, from the state on; None: there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            return f.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def process_start(pid):
    """The kernel's start time of a live process, or None."""
    fields = stat_fields(pid)
    if not fields:
        return None
    # a first thread that ended while others still do has all sockets and locks open
    return None if fields[0] in "ZX" and int(fields[17]) <= 1 else int(fields[19])


def run_state(pid):
    """R, S, T for stopped by a signal...; None: there is no such process."""
    fields = stat_fields(pid)
    return fields[0] if fields else None


def peak_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(l.split()[1]) for l in f if l.startswith("VmHWM:"))


def cpu_us(pid):
    """What its threads have used so far."""
    total = 0
    for t in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError):
            with open(f"/proc/{pid}/task/{t}/schedstat", encoding="ascii") as f:
                total += int(f.read().split()[0]) / 1000
    return total


def send(pid, start, sig):
    """Signals exactly the process that began at start; False when it is gone."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        if process_start(pid) != start:
            return False
        signal.pidfd_send_signal(fd, sig)
        return True
    except ProcessLookupError:
        return False
    finally:
        os.close(fd)


PATIENCE = 30	# no bound is less: what has to be there sooner is timed by its test


def wait_for(what, condition, seconds, step=0.05):
    """Polls until condition() is true; its value.  Failure names what was waited for."""
    seconds = max(seconds, PATIENCE)
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(step)


@contextlib.contextmanager
def undivided():
    """What is inside is done whole: an interrupt comes after it."""
    came = []
    old = {}
    if threading.current_thread() is threading.main_thread():
        for s in (signal.SIGINT, signal.SIGTERM):
            old[s] = signal.signal(s, lambda n, _: came.append(n))
    try:
        yield
    finally:
        for s, handler in old.items():
            signal.signal(s, handler)
        if came:
            signal.raise_signal(came[0])


def parents():
    """{pid: its parent's} of every process."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if fields := stat_fields(pid):
            found[int(pid)] = int(fields[1])
    return found


def descendants(pids):
    """Of these processes, themselves left out."""
    parent = parents()
    known, more = set(pids), set(pids)
    while more:
        more = {p for p, pp in parent.items() if pp in more} - known
        known |= more
    return known - set(pids)


def write(path, text, mode=0o644):
    tmp = path + ".new"
    with open(os.open(tmp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(tmp, mode)
    os.replace(tmp, path)


def tail(path, lines=5):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return "".join(f.readlines()[-lines:]).strip()
    except FileNotFoundError:
        return "(no log)"


class Process:
    """A child that outlives us: pid and start time are kept in a file."""

    def __init__(self, name, argv, pid_file, log_file, cwd, before=None, env=()):
        self.name, self.argv, self.cwd = name, argv, cwd
        self.env = dict(env)	# what it has beside ours
        self.before = before	# what it needs, and starts when it is not there
        self.pid_file, self.log_file = pid_file, log_file

    def identity(self):
        try:
            with open(self.pid_file, encoding="ascii") as f:
                pid, start = (int(x) for x in f.read().split())
        except (FileNotFoundError, ValueError):
            return None
        return (pid, start) if process_start(pid) == start else None

    def pid(self):
        who = self.identity()
        return who[0] if who else None

    def start(self):
        if self.identity():
            return False
        if self.before:
            self.before()
        env = {k: v for k, v in os.environ.items() if k not in ("NOTIFY_SOCKET", "WATCHDOG_USEC")}
        env.update(self.env)
        with undivided():	# a process without a file would be nobody's
            with open(self.log_file, "ab") as log:
                child = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                         cwd=self.cwd, env=env, start_new_session=True)
            start = process_start(child.pid)
            if start is None:
                raise Failure(f"{self.name} ended at once: {tail(self.log_file, 1)}")
            write(self.pid_file, f"{child.pid} {start}\n")
            child.returncode = 0	# it is not ours to wait for: reaped below or by init
        return True

    def signal(self, sig):
        who = self.identity()
        return bool(who) and send(*who, sig)

    def gone(self):
        who = self.identity()
        if who:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(who[0], os.WNOHANG)
        return self.identity() is None

    def stop(self, seconds=15):
        """SIGTERM, then SIGKILL after that many seconds; True when the first was enough."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            wait_for(self.name, self.gone, seconds)
            return True
        except Failure:
            self.kill()
            return False

    def kill(self):
        self.signal(signal.SIGKILL)
        wait_for(f"{self.name} after SIGKILL", self.gone, 10)
