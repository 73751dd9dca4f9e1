"""A private Spinifex cluster under one folder: its nats-server(s), its nodes and their five
daemons, each a plain process that is known by pid and start time.  `cluster` is its command
line; the system tests and `make run` import it."""

import contextlib
import ctypes
import hashlib
import json
import os
import platform
import pwd
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

import natslib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DAEMONS = ("leased", "uefid", "vmd", "reaperd", "gwd")
TOOLS = {"leasectl": "leased", "uefictl": "uefid", "vmctl": "vmd", "reaperctl": "reaperd"}
ACCOUNT = "123456789012"
LEAD_SECONDS = 5	# in which a reaperd leads when no other holds the lease
PATH_MAX = 48		# longer, and a guest's socket has no room in sun_path's 108 bytes


class Failure(Exception):
    """One line for a person."""


def process_start(pid):
    """The kernel's start time of a live process, or None."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            fields = f.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


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


def wait_for(what, condition, seconds, step=0.05):
    """Polls until condition() is true; its value.  Failure names what was waited for."""
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


def free_port():
    """Below the range that the kernel gives to clients, so that none of them has it by the time
    its server starts."""
    for _ in range(200):
        port = 15000 + secrets.randbelow(17000)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                s.bind(("127.0.0.1", port))
                return port
    raise Failure("no free port on 127.0.0.1 from 15000 to 32000")


def port_is_open(port):
    with socket.socket() as s:
        s.settimeout(1)
        if s.connect_ex(("127.0.0.1", port)):
            return False
        with contextlib.suppress(OSError):
            return s.getsockname() != s.getpeername()	# TCP can come to talk to itself
        return False


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


def guest_user():
    """An unprivileged user that every Debian has."""
    return pwd.getpwnam("nobody").pw_name


def reachable_by_others(path):
    while True:
        try:
            if not os.stat(path).st_mode & stat.S_IXOTH:
                return False
        except FileNotFoundError:
            pass
        if path == "/":
            return True
        path = os.path.dirname(path)


class Process:
    """A child that outlives us: pid and start time are kept in a file."""

    def __init__(self, name, argv, pid_file, log_file, cwd):
        self.name, self.argv, self.cwd = name, argv, cwd
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
        env = {k: v for k, v in os.environ.items() if k not in ("NOTIFY_SOCKET", "WATCHDOG_USEC")}
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


class Cluster:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.state = None
        with contextlib.suppress(FileNotFoundError):
            with open(self.path("cluster.json"), encoding="utf-8") as f:
                self.state = json.load(f)

    # ---- where things are ----

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def data(self, *parts):
        return os.path.join(self.state["data"], *parts)

    def node_names(self):
        return list(self.state["nodes"])

    def node_dir(self, node, *parts):
        return self.data(node, *parts)

    def conf(self, node):
        return self.node_dir(node, "spinifex.conf")

    def bin(self, name):
        return os.path.join(self.state["bin"], name)

    def endpoint(self, node=None):
        node = node or self.node_names()[0]
        return f"http://127.0.0.1:{self.state['nodes'][node]['port']}"

    def need(self):
        if not self.state:
            raise Failure(f"no cluster in {self.folder}: cluster up --dir {self.folder}")
        return self

    def daemon(self, node, name):
        if node not in self.state["nodes"]:
            raise Failure(f"no node {node}: one of {' '.join(self.node_names())}")
        if name not in DAEMONS:
            raise Failure(f"no daemon {name}: one of {' '.join(DAEMONS)}")
        return Process(f"{name} on {node}", [self.bin(name), "-d", "-c", self.conf(node)],
                       self.node_dir(node, "pid", name), self.node_dir(node, "log", name + ".log"),
                       self.node_dir(node))

    def nats(self, i):
        name = f"nats-{i}"
        server = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not server:
            raise Failure("nats-server is missing: apt-get install nats-server")
        return Process(name, [server, "-c", self.data(name, "nats-server.conf")],
                       self.data(name, "pid"), self.data(name, "log"), self.data(name))

    def servers(self):
        return [self.nats(i + 1) for i in range(len(self.state["nats"]))]

    # ---- making it ----

    def create(self, nodes, nats, bin_dir, settings, ports=()):
        os.makedirs(self.folder, mode=0o755, exist_ok=True)
        here = os.path.realpath(self.folder)
        data = os.path.join(here, "c")
        if len(data) > PATH_MAX or not reachable_by_others(here):
            # guests run unprivileged and must reach their own files, on paths that fit a socket
            data = "/var/tmp/spinifex-" + hashlib.sha256(here.encode()).hexdigest()[:10]
            with contextlib.suppress(FileExistsError):
                os.symlink(data, self.path("c"))
        os.makedirs(data, mode=0o755, exist_ok=True)
        os.chmod(data, 0o755)
        names = [f"node-{i + 1}" for i in range(nodes)]
        self.state = {
            "data": data, "bin": os.path.abspath(bin_dir), "settings": settings,
            "nats": [{"port": free_port(), "route": free_port()} for _ in range(nats)],
            "nodes": {n: {"port": ports[i] if i < len(ports) else free_port()}
                      for i, n in enumerate(names)},
            "secrets": {d: secrets.token_urlsafe(24) for d in DAEMONS},
        }
        for folder in ("images", "disks"):
            os.makedirs(self.data(folder), mode=0o755, exist_ok=True)
        for i in range(nats):
            self.create_nats(i + 1)
        for n in names:
            self.create_node(n)
        self.save()

    def save(self):
        write(self.path("cluster.json"), json.dumps(self.state, indent=1) + "\n", 0o600)

    def nats_version(self):
        text = subprocess.run([self.nats(1).argv[0], "--version"], capture_output=True, text=True,
                              check=True).stdout
        digits = text.rpartition("v")[2].strip().split(".")
        return tuple(int("".join(c for c in d if c.isdigit()) or 0) for d in digits[:3])

    def create_nats(self, i):
        me = self.state["nats"][i - 1]
        folder = self.data(f"nats-{i}")
        store = os.path.join(folder, "store")
        os.makedirs(store, mode=0o700, exist_ok=True)
        sync = ""
        if self.nats_version() >= (2, 10):
            sync = '\tsync_interval: "always"'
        elif not os.listdir(store) and subprocess.run(["chattr", "+S", "+D", store], check=False,
                                                      capture_output=True).returncode:
            print(f"warning: {store}: this file system has no chattr +S +D: a power cut can lose "
                  "acknowledged writes", file=sys.stderr)
        cluster = ""
        if len(self.state["nats"]) > 1:
            routes = "\n".join(f"\t\tnats://127.0.0.1:{s['route']}" for s in self.state["nats"])
            cluster = (f"\ncluster {{\n\tname: spinifex\n\tlisten: \"127.0.0.1:{me['route']}\"\n"
                       f"\troutes: [\n{routes}\n\t]\n}}\n")
        users = "\n".join(f'\t\t{{ user: "{u}", password: "{p}", permissions: $daemon }}'
                          for u, p in self.state["secrets"].items())
        with open(os.path.join(ROOT, "etc/nats/nats-server.conf.in"), encoding="utf-8") as f:
            text = f.read()
        for k, v in {"NAME": f"nats-{i}", "LISTEN": f"127.0.0.1:{me['port']}", "STORE": store,
                     "SYNC": sync, "CLUSTER": cluster, "USERS": users}.items():
            text = text.replace(f"@{k}@", v)
        write(os.path.join(folder, "nats-server.conf"), text, 0o600)

    def create_node(self, node):
        for d in ("state", "log", "pid", "secret"):
            os.makedirs(self.node_dir(node, d), mode=0o755, exist_ok=True)
        for d, p in self.state["secrets"].items():
            write(self.node_dir(node, "secret", d), p + "\n", 0o600)
        conf = {
            "cluster": {"cluster_size": len(self.state["nats"]), "region": "us-east-1",
                        "zone": "us-east-1a"},
            "node": {"name": node, "state_dir": self.node_dir(node, "state")},
            "nats": {"url": ",".join(f"nats://127.0.0.1:{s['port']}" for s in self.state["nats"])},
            "leased": {}, "reaperd": {},
            "uefid": {"guest_user": guest_user()},
            "vmd": {"guest_user": guest_user(), "image_dir": self.data("images"),
                    "disk_dir": self.data("disks"), "guard": self.bin("vmguard"),
                    "types_file": os.path.join(ROOT, "etc/instance-types")},
            "gwd": {"listen": f"127.0.0.1:{self.state['nodes'][node]['port']}",
                    "types_file": os.path.join(ROOT, "etc/instance-types"),
                    "master_key": self.data("master-key")},
        }
        for d in DAEMONS:
            conf[d]["nats_user"] = d
            conf[d]["nats_password_file"] = self.node_dir(node, "secret", d)
        for key, value in self.state["settings"].items():
            section, _, name = key.partition(".")
            if not name or section not in conf:
                raise Failure(f"--set {key}: expected SECTION.KEY=VALUE")
            conf[section][name] = value
        text = "".join(f"[{s}]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items()) + "\n"
                       for s, keys in conf.items())
        write(self.conf(node), text)

    # ---- running it ----

    def start_nats(self):
        for server, s in zip(self.servers(), self.state["nats"]):
            if server.identity():
                continue
            if port_is_open(s["port"]):
                raise Failure(f"port {s['port']} is taken, which {server.name} wants")
            server.start()
        for server, s in zip(self.servers(), self.state["nats"]):
            def up(server=server, s=s):
                if not server.identity():
                    raise Failure(f"{server.name} ended: {tail(server.log_file, 1)}")
                return port_is_open(s["port"])
            wait_for(server.name, up, 15)

    def start_node(self, node):
        port = self.state["nodes"][node]["port"]
        if not self.daemon(node, "gwd").identity() and port_is_open(port):
            raise Failure(f"port {port} is taken, which gwd on {node} wants")
        for d in DAEMONS:
            self.daemon(node, d).start()

    def wait_ready(self, node, seconds=30):
        """Until every daemon answers on its subjects and the API answers."""
        def answers(daemon, ask):
            if not daemon.identity():
                raise Failure(f"{daemon.name} ended: {tail(daemon.log_file, 1)}")
            return ask()
        for tool in ("leasectl", "uefictl", "vmctl"):
            daemon = self.daemon(node, TOOLS[tool])
            wait_for(daemon.name, lambda daemon=daemon, tool=tool: answers(
                daemon, lambda: self.tool(tool, "list", node=node, check=False).returncode == 0),
                seconds)
        reaperd = self.daemon(node, "reaperd")
        try:
            wait_for(reaperd.name, lambda: answers(reaperd, lambda: self.tool(
                "reaperctl", "explain", node=node, check=False).returncode == 0), LEAD_SECONDS)
        except Failure:		# one that was killed holds its lease 40 s longer
            wait_for(reaperd.name, lambda: answers(reaperd, lambda: self.is_up(node, "reaperd")),
                     seconds)
        gwd = self.daemon(node, "gwd")
        def listens():
            if not gwd.identity():
                raise Failure(f"{gwd.name} ended: {tail(gwd.log_file, 1)}")
            return port_is_open(self.state["nodes"][node]["port"])
        wait_for(gwd.name, listens, seconds)

    def is_up(self, node, daemon):
        """Does this node's answer to a ping?"""
        nats = natslib.Nats(self.state["nats"][0]["port"], daemon, self.state["secrets"][daemon])
        try:
            return any(a["metadata"]["node"] == node for a in nats.gather("$SRV.PING." + daemon))
        finally:
            nats.close()

    def tool(self, name, *args, node=None, check=True, timeout=60):
        node = node or self.node_names()[0]
        done = subprocess.run([self.bin(name), "-c", self.conf(node), *args], text=True,
                              capture_output=True, timeout=timeout, check=False)
        if check and done.returncode:
            raise Failure(f"{name} {' '.join(args)}: {done.stderr.strip() or done.returncode}")
        return done

    def make_key(self):
        if "key" in self.state:
            return
        node = self.node_names()[0]
        done = subprocess.run([self.bin("gwd"), "-c", self.conf(node), "-k", ACCOUNT], text=True,
                              capture_output=True, timeout=60, check=False)
        words = done.stdout.split()
        if done.returncode or len(words) < 2:
            raise Failure(f"gwd -k: {done.stderr.strip() or done.stdout.strip()}")
        pairs = dict(zip(words[0::2], words[1::2]))
        self.state["key"] = {"id": pairs.get("AccessKeyId", ""), "secret": pairs.get("SecretAccessKey", "")}
        if not all(self.state["key"].values()):
            raise Failure(f"gwd -k printed no key: {done.stdout.strip()}")
        self.save()

    def up(self):
        for b in (*DAEMONS, *TOOLS, "vmguard"):
            if not os.access(self.bin(b), os.X_OK):
                raise Failure(f"{self.bin(b)} is missing: build with make first")
        self.start_nats()
        for n in self.node_names():
            self.start_node(n)
        for n in self.node_names():
            self.wait_ready(n)
        self.make_key()

    def down(self, grace_ms=0):
        """Guests, then daemons, then servers; ends with nothing running."""
        if not self.state:
            return
        for n in self.node_names():
            if grace_ms and self.daemon(n, "vmd").identity():
                self.tool("vmctl", "drain", str(grace_ms), node=n, check=False,
                          timeout=grace_ms / 1000 + 30)
        procs = [self.daemon(n, d) for n in self.node_names() for d in reversed(DAEMONS)]
        for p in procs:
            p.signal(signal.SIGCONT)
            p.signal(signal.SIGTERM)
        for p in procs:
            p.stop()
        self.kill_strays()
        for s in self.servers():
            s.stop()
        self.kill_strays(("vmguard", "nats-server", *DAEMONS))

    def strays(self, names=("vmguard",)):
        """Processes (guards, QEMUs) that carry this cluster's own folder in their arguments."""
        mark = self.state["data"].encode() + b"/"
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if int(pid) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    argv = f.read().split(b"\0")
                exe = os.path.basename(argv[0]).decode(errors="replace")
                if (exe.startswith("qemu-system") or exe in names) and any(mark in a for a in argv):
                    start = process_start(int(pid))
                    if start is not None:
                        yield int(pid), start, exe

    def kill_strays(self, names=("vmguard",)):
        for pid, start, _ in self.strays(names):
            send(pid, start, signal.SIGKILL)
        wait_for("processes after SIGKILL", lambda: not list(self.strays(names)), 10)

    def purge(self):
        if self.state:
            shutil.rmtree(self.state["data"], ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what it is ----

    def env(self):
        node = self.node_names()[0]
        key = self.state.get("key") or {"id": "", "secret": ""}
        return {
            "AWS_ENDPOINT_URL": self.endpoint(node),
            "AWS_ACCESS_KEY_ID": key["id"], "AWS_SECRET_ACCESS_KEY": key["secret"],
            "AWS_DEFAULT_REGION": "us-east-1", "AWS_PAGER": "",
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "",
            "AWS_SHARED_CREDENTIALS_FILE": "", "SPINIFEX_CONF": self.conf(node),
            "SPINIFEX_DIR": self.folder, "SPINIFEX_NODE": node,
            "SPINIFEX_STATE": self.node_dir(node, "state"), "SPINIFEX_LOG": self.node_dir(node, "log"),
            "PATH": self.state["bin"] + ":" + os.environ.get("PATH", "/usr/bin:/bin"),
        }

    def client(self, service="ec2", node=None, **settings):
        """boto3 against this cluster; imported here, since packages may come later than we."""
        import boto3	# pylint: disable=import-outside-toplevel
        from botocore.config import Config	# pylint: disable=import-outside-toplevel
        key = self.state["key"]
        config = Config(retries={"max_attempts": 1, "mode": "standard"}, **settings)
        return boto3.client(service, endpoint_url=self.endpoint(node), region_name="us-east-1",
                            aws_access_key_id=key["id"], aws_secret_access_key=key["secret"],
                            config=config)

    def status(self):
        lines = []
        for s in self.servers():
            lines.append((s.name, s.pid(), s.log_file))
        for n in self.node_names():
            for d in DAEMONS:
                p = self.daemon(n, d)
                lines.append((p.name, p.pid(), p.log_file))
        for pid, _, exe in self.strays():
            lines.append((exe, pid, ""))
        return lines


def adopt_orphans():
    """Makes this process reap what its children leave behind (guards, guests)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)


def machine_is_supported():
    return platform.machine() == "x86_64"
