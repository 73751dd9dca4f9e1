"""A machine with a real systemd as PID 1: systemd-nspawn over this root, nothing of which it
writes.  It shares the caller's network, so that comes first (in_own_namespaces)."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys

import clusterlib as lib

HIERARCHIES = ("/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd")
BOOT_LIMIT = 90
# What a service of any kind may ask for.
SANDBOX = ("DynamicUser=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes",
           "PrivateDevices=yes", "ProtectKernelTunables=yes", "ProtectControlGroups=yes",
           "RestrictNamespaces=yes", "MemoryDenyWriteExecute=yes", "CapabilityBoundingSet=",
           "SystemCallFilter=@system-service", "RestrictAddressFamilies=AF_UNIX AF_INET")
TARGET = "machine.target"	# what it boots to: nothing of what else is installed here


class Unavailable(Exception):
    """Why no machine can be had here."""


def systemd_version():
    done = subprocess.run(["/usr/lib/systemd/systemd", "--version"], text=True, capture_output=True, check=False)
    return int(done.stdout.split()[1]) if done.returncode == 0 else 0


def in_own_namespaces():
    """Goes on with a network of nothing but loopback, and with mounts that end with us."""
    if os.environ.get("SPINIFEX_TEST_UNSHARED") == str(os.getpid()):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    os.environ["SPINIFEX_TEST_UNSHARED"] = str(os.getpid())
    os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", "--",
                          sys.executable, *sys.argv])


def check_host():
    if os.geteuid() != 0:
        raise Unavailable("needs root, for a machine of its own")
    for program in ("systemd-nspawn", "unshare", "ip"):
        if not shutil.which(program):
            raise Unavailable(f"{program} is not installed")
    if not os.path.exists("/usr/lib/systemd/systemd"):
        raise Unavailable("systemd is not installed")
    done = subprocess.run(["unshare", "--net", "--pid", "--mount", "--fork", "true"], text=True,
                          capture_output=True, check=False)
    if done.returncode:
        raise Unavailable(f"no namespaces here: {done.stderr.strip()}")


class Machine:
    """top is an empty folder of the caller's; root is what lies over this machine's own root.
    wants: units that each boot starts where they are there."""

    def __init__(self, top, wants=""):
        self.top, self.root = top, f"{top}/upper"
        self.name = f"spx{os.getpid()}"
        self.leader = None	# systemd-nspawn and all in it
        self.pid1 = None
        self.groups = []
        # A layer must not lie within another one, which top does in this root.
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", top], text=True,
                              capture_output=True, check=False)
        if done.returncode:
            raise Unavailable(f"no mounts here: {done.stderr.strip()}")
        for d in ("upper", "work"):
            os.makedirs(f"{top}/{d}", exist_ok=True)
        self.write("etc/machine-id", "")
        self.write("etc/hostname", "node-1\n")
        self.write("etc/systemd/journald.conf.d/volatile.conf",
                   "[Journal]\nStorage=persistent\nRateLimitIntervalSec=0\n")
        self.write(f"etc/systemd/system/{TARGET}",
                   "[Unit]\nRequires=basic.target\nAfter=basic.target\n"
                   f"Wants=systemd-logind.service dbus.service {wants}\nAllowIsolate=yes\n")

    def write(self, path, text):
        """A file of the machine that is off."""
        path = f"{self.root}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    # ---- on and off ----

    def boot(self):
        self.make_groups()
        script = """
            for c in $GROUPS_; do echo $BASHPID >"$c/cgroup.procs" || exit 201; done
            exec unshare --pid --fork --kill-child --mount --mount-proc --propagation private bash -c '
                mount -t tmpfs tmpfs /run && mkdir -p /run/systemd /run/m &&
                mount -t overlay overlay -o "lowerdir=/,upperdir=$TOP/upper,workdir=$TOP/work" /run/m ||
                    exit 202
                exec systemd-nspawn -q -b -D /run/m --machine="$NAME" --register=no --keep-unit \\
                    --console=pipe --resolv-conf=off --timezone=off --link-journal=no \\
                    systemd.unit=$TARGET systemd.show_status=0'
        """
        env = {**os.environ, "GROUPS_": " ".join(self.groups), "TOP": self.top,
               "NAME": self.name, "TARGET": TARGET}
        with open(f"{self.top}/console", "ab") as console:
            self.leader = subprocess.Popen(["bash", "-c", script], stdin=subprocess.DEVNULL,
                                           stdout=console, stderr=console, env=env,
                                           start_new_session=True)
        self.pid1 = lib.wait_for("PID 1", self.find_pid1, BOOT_LIMIT)
        lib.wait_for("the boot", self.has_booted, BOOT_LIMIT, 0.2)

    def check_sandbox(self):
        """Nested in another container a machine may come up and still confine no service."""
        argv = ["systemd-run", "--wait", "--quiet", "--collect"]
        for line in SANDBOX:
            argv += ["-p", line]
        try:
            done = self.run(*argv, "true", check=False, timeout=BOOT_LIMIT)
        except subprocess.TimeoutExpired as e:
            raise Unavailable("systemd-run does not come back here") from e
        if done.returncode:
            raise Unavailable(f"a confined service does not run here: {done.stderr.strip() or done.returncode}")

    def make_groups(self):
        found = [h for h in HIERARCHIES if os.path.isdir(h)] or ["/sys/fs/cgroup"]
        self.groups = [f"{h}/{self.name}" for h in found]
        for g in self.groups:
            try:
                os.makedirs(g, exist_ok=True)
            except OSError as e:
                raise Unavailable(f"no control groups here: {e}") from e

    def said(self):
        return lib.tail(f"{self.top}/console", 3)

    def find_pid1(self):
        """The deepest first descendant of ours that is systemd and PID 1 of its namespace."""
        if self.leader.poll() is not None:
            raise Unavailable(f"systemd-nspawn does not run here: {self.said()}")
        todo = [self.leader.pid]
        while todo:
            pid = todo.pop()
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
                    todo += [int(p) for p in f.read().split()]
                with open(f"/proc/{pid}/comm", encoding="ascii") as f:
                    if f.read().strip() == "systemd":
                        return pid
        return None

    def has_booted(self):
        if self.leader.poll() is not None:
            raise Unavailable(f"systemd does not come up here: {self.said()}")
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def wait_off(self, seconds):
        try:
            self.leader.wait(seconds)
        except subprocess.TimeoutExpired as e:
            raise lib.Failure(f"the machine is not off within {seconds} s: {self.said()}") from e
        self.leader = None

    def power_off(self, seconds=240):
        self.run("systemctl", "poweroff", "--no-block")
        self.wait_off(seconds)

    def destroy(self):
        if self.leader and self.leader.poll() is None:
            os.killpg(self.leader.pid, signal.SIGKILL)
            self.leader.wait()
        def gone(group):
            for folder, _, _ in os.walk(group, topdown=False):
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
            return not os.path.isdir(group)
        for g in self.groups:
            with contextlib.suppress(lib.Failure):	# a group that stays hinders nobody
                lib.wait_for(f"the end of all in {g}", lambda g=g: gone(g), 20)

    # ---- in it ----

    def run(self, *argv, check=True, timeout=120):
        done = subprocess.run(["nsenter", "-a", "-t", str(self.pid1), *argv], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                              check=False)
        if check and done.returncode:
            raise lib.Failure(f"{' '.join(argv)}: {done.stderr.strip() or done.returncode}")
        return done

    def show(self, unit, *names):
        out = self.run("systemctl", "show", unit, "-p", ",".join(names)).stdout
        pairs = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
        return pairs[names[0]] if len(names) == 1 else pairs

    def main_pid(self, unit):
        return int(self.show(unit, "MainPID"))

    def is_active(self, unit):
        return self.show(unit, "ActiveState") == "active"
