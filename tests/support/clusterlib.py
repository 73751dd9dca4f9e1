"""A private Spinifex cluster under one folder: its nats-server(s), its nodes and their five
daemons, each a plain process that is known by pid and start time.  `cluster` is its command
line; the system tests and `make run` import it."""

import contextlib
import ctypes
import hashlib
import ipaddress
import json
import os
import platform
import pwd
import random
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile

import natslib
from proclib import (Failure, Process, descendants, process_start, run_state, send, tail,
                     wait_for, write)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = os.path.join(ROOT, "tests/support/link")
LINK_PORT = 4222	# at its node's end, and those after it
DAEMONS = ("leased", "uefid", "vmd", "reaperd", "gwd")
TOOLS = {"leasectl": "leased", "uefictl": "uefid", "vmctl": "vmd", "reaperctl": "reaperd"}
TESTS = "tests"		# the user of NATS that may say and hear anything
ACCOUNT = "123456789012"
LEAD_SECONDS = 5	# in which a reaperd leads when no other holds the lease
READY = 120	# seconds until a daemon is up, on a disk that others keep busy
SHM, STORES_BYTES = "/dev/shm", 1 << 30
PATH_MAX = 48		# longer, and a guest's socket has no room in sun_path's 108 bytes


_had = {}	# port: what keeps it for this process, while its server is yet to start


def reserve(port):
    """False: another process has it, or this one did.  The name ends with the process, and is of its
    network alone, as the port is."""
    if port in _had:
        return False
    s = socket.socket(socket.AF_UNIX)
    try:
        s.bind(f"\0spinifex-tests-port-{port}")
    except OSError:
        s.close()
        return False
    _had[port] = s
    return True


def free_port():
    """Below the range that the kernel gives to clients, so that none of them has it by the time
    its server starts; each another."""
    for _ in range(200):
        port = 15000 + secrets.randbelow(17000)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                s.bind(("127.0.0.1", port))
                if reserve(port):
                    return port
    raise Failure("no free port on 127.0.0.1 from 15000 to 32000")


def free_ports():
    while True:
        yield free_port()


def port_is_open(port, address="127.0.0.1"):
    with socket.socket() as s:
        s.settimeout(1)
        if s.connect_ex((address, port)):
            return False
        with contextlib.suppress(OSError):
            return s.getsockname() != s.getpeername()	# TCP can come to talk to itself
        return False


def free_networks():
    """Networks of two addresses, for cables, of the range for tests of RFC 2544."""
    taken = subprocess.run(["ip", "-o", "-4", "address"], check=True, text=True, timeout=30,
                           stdout=subprocess.PIPE).stdout
    everything = ipaddress.ip_network("198.18.0.0/15")
    while True:
        at = everything.network_address + 4 * random.randrange(everything.num_addresses // 4)
        if f" {at + 1}/" not in taken:
            yield f"{at}/30"


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


def nats_environment():
    """What the shipped unit gives a nats-server."""
    with open(os.path.join(ROOT, "etc/systemd/spinifex-nats.service"), encoding="utf-8") as f:
        return dict(line.strip().removeprefix("Environment=").split("=", 1) for line in f
                    if line.startswith("Environment="))


def conf_text(conf):
    return "".join(f"[{s}]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items()) + "\n"
                   for s, keys in conf.items())


def memory_folder(name):
    """A new folder in memory for a store whose writes shall not wait for a disk that others use; None
    where there is no room."""
    with contextlib.suppress(OSError):
        room = os.statvfs(SHM)
        if os.path.ismount(SHM) and room.f_bavail * room.f_frsize >= STORES_BYTES:
            return tempfile.mkdtemp(prefix=f"{name}-", dir=SHM)
    return None


def sync_folder(store):
    if subprocess.run(["chattr", "+S", "+D", store], check=False, capture_output=True).returncode:
        print(f"warning: {store}: this file system has no chattr +S +D: a power cut can lose "
              "acknowledged writes", file=sys.stderr)


def total_memory():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


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

    def store(self, i, *parts):
        """Of nats-server number i."""
        return os.path.join(self.state.get("stores") or self.data(), f"nats-{i}", "store", *parts)

    def node_names(self):
        return list(self.state["nodes"])

    def node_dir(self, node, *parts):
        return self.data(node, *parts)

    def conf(self, node):
        return self.node_dir(node, "spinifex.conf")

    def probe_conf(self, node):
        """Of a program that stands in for any daemon."""
        return self.node_dir(node, "probe.conf")

    def bin(self, name):
        return os.path.join(self.state["bin"], name)

    def endpoint(self, node=None):
        node = node or self.node_names()[0]
        return f"http://127.0.0.1:{self.state['nodes'][node]['port']}"

    def monitor(self, node):
        """Where the operator's pages of the node's gwd are."""
        return f"http://127.0.0.1:{self.state['nodes'][node]['monitor']}"

    def need(self):
        if not self.state:
            raise Failure(f"no cluster in {self.folder}: cluster up --dir {self.folder}")
        return self

    def daemon(self, node, name):
        if node not in self.state["nodes"]:
            raise Failure(f"no node {node}: one of {' '.join(self.node_names())}")
        if name not in DAEMONS:
            raise Failure(f"no daemon {name}: one of {' '.join(DAEMONS)}")
        program = os.path.join(self.state.get("bins", {}).get(node, self.state["bin"]), name)
        return Process(f"{name} on {node}", [program, "-d", "-c", self.conf(node)],
                       self.node_dir(node, "pid", name), self.node_dir(node, "log", name + ".log"),
                       self.node_dir(node), lambda: self.start_link(node))

    def link(self, node):
        """A node's cable to the nats-servers; None: the only node has none."""
        network = self.state["nodes"][node].get("network")
        if not network:
            return None
        pairs = [f"{LINK_PORT + i}:{s['port']}" for i, s in enumerate(self.state["nats"])]
        return Process(f"link of {node}", [LINK, self.node_dir(node), network, *pairs],
                       self.node_dir(node, "pid", "link"), self.node_dir(node, "log", "link.log"),
                       self.node_dir(node))

    def nats(self, i):
        name = f"nats-{i}"
        server = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not server:
            raise Failure("nats-server is missing: apt-get install nats-server")
        return Process(name, [server, "-c", self.data(name, "nats-server.conf")],
                       self.data(name, "pid"), self.data(name, "log"), self.data(name),
                       env=nats_environment())

    def servers(self):
        return [self.nats(i + 1) for i in range(len(self.state["nats"]))]

    # ---- making it ----

    def create(self, nodes, nats, bin_dir, settings, ports=(), in_memory=False):
        """in_memory: the servers' stores, which outlive a killed server and no power cut."""
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
        free = (p for p in free_ports() if p not in ports)
        networks = free_networks()
        self.state = {
            "data": data, "bin": os.path.abspath(bin_dir), "settings": settings,
            "stores": memory_folder(os.path.basename(here)) if in_memory else None,
            "nats": [{"port": next(free), "route": next(free)} for _ in range(nats)],
            "nodes": {n: {"port": ports[i] if i < len(ports) else next(free),
                          "monitor": next(free),
                          "network": next(networks) if nodes > 1 else None}
                      for i, n in enumerate(names)},
            "secrets": {u: secrets.token_urlsafe(24) for u in (*DAEMONS, *TOOLS, TESTS)},
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
        store = self.store(i)
        for d in (folder, store):
            os.makedirs(d, mode=0o700, exist_ok=True)
        sync = ""
        if self.nats_version() >= (2, 10):
            sync = '\tsync_interval: "always"'
        elif not self.state.get("stores") and not os.listdir(store):
            sync_folder(store)
        cluster = ""
        if len(self.state["nats"]) > 1:
            routes = "\n".join(f"\t\tnats://127.0.0.1:{s['route']}" for s in self.state["nats"])
            cluster = (f"\ncluster {{\n\tname: spinifex\n\tlisten: \"127.0.0.1:{me['route']}\"\n"
                       f"\troutes: [\n{routes}\n\t]\n}}\n")
        users = "\n".join(f'\t\t{{ user: "{u}", password: "{p}"' +
                          (" }" if u == TESTS else f", permissions: ${u} }}")
                          for u, p in self.state["secrets"].items())
        with open(os.path.join(ROOT, "etc/nats/nats-server.conf.in"), encoding="utf-8") as f:
            text = f.read()
        for k, v in {"NAME": f"nats-{i}", "LISTEN": f"127.0.0.1:{me['port']}", "STORE": store,
                     "SYNC": sync, "CLUSTER": cluster, "USERS": users}.items():
            text = text.replace(f"@{k}@", v)
        write(os.path.join(folder, "nats-server.conf"), text, 0o600)

    def way_to_nats(self, node):
        """[(address, port)] at which the node's daemons reach the servers."""
        network = self.state["nodes"][node].get("network")
        if not network:
            return [("127.0.0.1", s["port"]) for s in self.state["nats"]]
        far = str(list(ipaddress.ip_network(network).hosts())[1])
        return [(far, LINK_PORT + i) for i in range(len(self.state["nats"]))]

    def create_node(self, node):
        for d in ("state", "log", "pid", "secret"):
            os.makedirs(self.node_dir(node, d), mode=0o755, exist_ok=True)
        for u, p in self.state["secrets"].items():
            write(self.node_dir(node, "secret", u), p + "\n", 0o600)
        nodes = len(self.node_names())
        conf = {
            "cluster": {"cluster_size": len(self.state["nats"]), "region": "us-east-1",
                        "zone": "us-east-1a"},
            "node": {"name": node, "state_dir": self.node_dir(node, "state")},
            "nats": {"url": ",".join(f"nats://{a}:{p}" for a, p in self.way_to_nats(node))},
            "objects": {}, "leased": {}, "reaperd": {},
            "uefid": {"guest_user": guest_user()},
            "vmd": {"guest_user": guest_user(), "image_dir": self.data("images"),
                    "disk_dir": self.data("disks"), "guard": self.bin("vmguard"),
                    "types_file": os.path.join(ROOT, "etc/instance-types")},
            "gwd": {"listen": f"127.0.0.1:{self.state['nodes'][node]['port']}",
                    "monitor": f"127.0.0.1:{self.state['nodes'][node]['monitor']}",
                    "types_file": os.path.join(ROOT, "etc/instance-types"),
                    "master_key": self.data("master-key")},
        }
        if nodes > 1:	# what all promise together is there
            conf["vmd"].update(memory=total_memory() // nodes, memory_reserve=(512 << 20) // nodes)
        for u in (*DAEMONS, *TOOLS):
            conf.setdefault(u, {})["nats_user"] = u
            conf[u]["nats_password_file"] = self.node_dir(node, "secret", u)
        for key, value in self.state["settings"].items():
            section, _, name = key.partition(".")
            if not name or section not in conf:
                raise Failure(f"--set {key}: expected SECTION.KEY=VALUE")
            conf[section][name] = value
        write(self.conf(node), conf_text(conf))
        for u in (*DAEMONS, *TOOLS):
            conf[u]["nats_user"] = TESTS
            conf[u]["nats_password_file"] = self.node_dir(node, "secret", TESTS)
        write(self.probe_conf(node), conf_text(conf))

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
            wait_for(server.name, up, READY)

    def start_link(self, node):
        link = self.link(node)
        if not link or link.identity():
            return
        link.start()
        def up():
            if not link.identity():
                raise Failure(f"{link.name} ended: {tail(link.log_file, 1)}")
            return all(port_is_open(p, a) for a, p in self.way_to_nats(node))
        wait_for(link.name, up, READY)

    def start_node(self, node):
        port = self.state["nodes"][node]["port"]
        if not self.daemon(node, "gwd").identity() and port_is_open(port):
            raise Failure(f"port {port} is taken, which gwd on {node} wants")
        self.start_link(node)
        for d in DAEMONS:
            self.daemon(node, d).start()

    def wait_ready(self, node, seconds=READY):
        """Until every daemon does its work and the API answers."""
        asks = {
            "leased": lambda: self.tool("leasectl", "list", node=node, check=False).returncode == 0,
            "uefid": lambda: self.has_stores(node),
            "vmd": lambda: self.takes_instances(node),
            "reaperd": lambda: self.is_up(node, "reaperd"),
            "gwd": lambda: port_is_open(self.state["nodes"][node]["port"]),
        }
        def answers(daemon, ask):
            if not daemon.identity():
                raise Failure(f"{daemon.name} ended: {tail(daemon.log_file, 1)}")
            try:
                return ask()
            except OSError:		# of a connection
                return False
        for name, ask in asks.items():
            daemon = self.daemon(node, name)
            try:
                wait_for(daemon.name, lambda daemon=daemon, ask=ask: answers(daemon, ask), seconds)
            except Failure as e:
                more = f"; its log ends: {tail(daemon.log_file, 1)}" if daemon.identity() else ""
                raise Failure(f"{e}{more}") from None

    def wait_leader(self):
        """Until a reaperd leads; False when one that was killed may still hold its lease."""
        with contextlib.suppress(Failure):
            return wait_for("a leading reaperd", lambda: any(self.tool(
                "reaperctl", "explain", node=n, check=False).returncode == 0
                for n in self.node_names()), LEAD_SECONDS)
        return False

    @contextlib.contextmanager
    def bus(self, user=TESTS):
        """A connection to one of the servers that run."""
        up = [s["port"] for p, s in zip(self.servers(), self.state["nats"])
              if p.identity() and run_state(p.pid()) != "T"]
        nats = natslib.Nats((up or [self.state["nats"][0]["port"]])[0], user, self.state["secrets"][user])
        try:
            yield nats
        finally:
            nats.close()

    def stream_leader(self, bucket):
        """The number of the server that leads a bucket's stream; None: nobody says so."""
        with contextlib.suppress(OSError, ValueError, KeyError, natslib.NoResponders), self.bus() as nats:
            info = nats.call(f"$JS.API.STREAM.INFO.KV_{bucket}", seconds=2)
            return int(info["cluster"]["leader"].rpartition("-")[2])
        return None

    def is_up(self, node, daemon):
        """Does this node's answer to a ping?"""
        with self.bus() as nats:
            return any(a["metadata"]["node"] == node for a in nats.gather("$SRV.PING." + daemon))

    def takes_instances(self, node):
        with self.bus() as nats:
            return any(a.get("node") == node for a in nats.gather("spinifex.node.status"))

    def has_stores(self, node):
        with self.bus() as nats:
            try:
                nats.call(f"uefi.v1.{node}.show", {"instance_id": "i-00000000000000000"})
            except natslib.Refused as e:
                return not e.retryable
            except (natslib.NoResponders, TimeoutError):
                return False
        return True

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
        self.wait_leader()
        self.make_key()

    def down(self, grace_ms=0):
        """Guests, then daemons, then servers; ends with nothing running."""
        if not self.state:
            return
        for n in self.node_names():
            self.drain(n, grace_ms)
        self.stop_daemons(self.node_names())
        self.kill_strays()
        for p in (*filter(None, map(self.link, self.node_names())), *self.servers()):
            p.stop()
        self.kill_strays(("vmguard", "nats-server", "link", *DAEMONS))
        if denials := self.denials():
            raise Failure(f"NATS denied {len(denials)} times, the first: {denials[0]}")

    def denials(self):
        """What the servers did not let a daemon or a tool say or hear.  Answers are left out: what
        was asked over a connection that died since cannot be answered over the next one."""
        found = []
        for server in self.servers():
            with contextlib.suppress(FileNotFoundError), \
                    open(server.log_file, encoding="utf-8", errors="replace") as f:
                found += [line.strip() for line in f
                          if " Violation - " in line and ', Subject "_INBOX.' not in line]
        return found

    def drain(self, node, grace_ms):
        if grace_ms and self.daemon(node, "vmd").identity():
            self.tool("vmctl", "drain", str(grace_ms), node=node, check=False,
                      timeout=grace_ms / 1000 + 30)

    def stop_daemons(self, nodes):
        for node in nodes:
            if self.link(node) and self.is_cut(node):
                self.heal_node(node)
        procs = [self.daemon(n, d) for n in nodes for d in reversed(DAEMONS)]
        for p in procs:
            p.signal(signal.SIGCONT)
            p.signal(signal.SIGTERM)
        for p in procs:
            p.stop()

    # ---- what befalls a node ----

    def stop_node(self, node, grace_ms=0):
        """As its machine is switched off in order."""
        self.drain(node, grace_ms)
        self.stop_daemons([node])
        self.kill_strays(node=node)
        if link := self.link(node):
            link.stop()

    def members(self, node):
        """(pid, start time) of every process of a node but its link."""
        pids = {p for p, _, _ in self.strays(node=node)}
        pids |= {self.daemon(node, d).pid() for d in DAEMONS} - {None}
        return {(p, s) for p in pids | descendants(pids) if (s := process_start(p)) is not None}

    def signal_node(self, node, sig):
        for pid, start in self.members(node):
            send(pid, start, sig)

    def freeze_node(self, node):
        """All of it: whoever was made while we looked is seen the next time."""
        frozen = set()
        while more := self.members(node) - frozen:
            for pid, start in more:
                send(pid, start, signal.SIGSTOP)
            frozen |= more

    def kill_node(self, node):
        """As its power goes: nothing of it sees another part of it die.  The servers see its
        connections end; those of a node that is cut stay as they are."""
        self.freeze_node(node)
        link = self.link(node)
        if link and not self.is_cut(node):
            link.kill()
        self.signal_node(node, signal.SIGKILL)
        wait_for(f"the end of {node} after SIGKILL", lambda: not self.members(node), 10)

    def need_link(self, node):
        link = self.link(node)
        if not link:
            raise Failure("the only node of a cluster has no link: freeze its nats-server instead")
        return link

    def is_cut(self, node):
        who = self.need_link(node).identity()
        if not who:
            return False
        with open(f"/proc/{who[0]}/net/route", encoding="ascii") as f:
            return len(f.readlines()) == 1	# only the heading: its end is down

    def cut_node(self, node):
        """From all nats-servers, while everything runs on."""
        self.need_link(node)
        self.start_link(node)
        self.set_cable(node, "down")

    def heal_node(self, node):
        self.set_cable(node, "up")

    def set_cable(self, node, state):
        pid = self.need_link(node).pid()
        if not pid:
            raise Failure(f"{self.link(node).name} does not run")
        subprocess.run(["nsenter", f"--net=/proc/{pid}/ns/net", "ip", "link", "set", "cable", state],
                       check=True, timeout=30)

    def strays(self, names=("vmguard",), node=None):
        """Processes (guards, QEMUs) that carry this cluster's own folder in their arguments, or
        that of one node."""
        mark = os.path.join(self.state["data"], node or "").encode() + (b"/" if node else b"")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if int(pid) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    argv = f.read().split(b"\0")
                script = argv[0].endswith(b"/python3") and len(argv) > 1
                exe = os.path.basename(argv[script]).decode(errors="replace")
                if (exe.startswith("qemu-system") or exe in names) and any(mark in a for a in argv):
                    start = process_start(int(pid))
                    if start is not None:
                        yield int(pid), start, exe

    def kill_strays(self, names=("vmguard",), node=None):
        for pid, start, _ in self.strays(names, node):
            send(pid, start, signal.SIGKILL)
        wait_for("processes after SIGKILL", lambda: not list(self.strays(names, node)), 10)

    def purge(self):
        if self.state:
            self.keep_logs()
            shutil.rmtree(self.state["data"], ignore_errors=True)
            if self.state.get("stores"):
                shutil.rmtree(self.state["stores"], ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep_logs(self):
        """In a folder below SPINIFEX_LOGS, where that is set."""
        if folder := os.environ.get("SPINIFEX_LOGS"):
            to = tempfile.mkdtemp(prefix=os.path.basename(self.folder) + ".", dir=folder)
            for node in self.node_names():
                if os.path.isdir(self.node_dir(node, "log")):
                    shutil.copytree(self.node_dir(node, "log"), os.path.join(to, node))

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
            procs = [self.daemon(n, d) for d in DAEMONS]
            for p in (*procs, *filter(None, [self.link(n)])):
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
