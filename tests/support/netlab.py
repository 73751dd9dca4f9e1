"""A node's surroundings for tests of guests' networks: the test runs in a network namespace of its
own, with another one, "far", behind the default route; and who connects where is written down."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading

import cloudlib
from cloudlib import check, equal
from clusterlib import wait_for

NODE, FAR, DENIED = "198.51.100.1", "198.51.100.2", "198.51.100.3"
METADATA = "169.254.169.254"	# on the node, as a service of its own
PORT = 8000
HELLO = "hello from afar"

ANSWER = f"""
import socket
s = [socket.create_server((a, {PORT})) for a in {(FAR, DENIED)!r}]
import threading
def serve(s):
    while True:
        c, _ = s.accept()
        c.sendall(b"{HELLO}\\n")
        c.close()
for one in s[1:]:
    threading.Thread(target=serve, args=(one,), daemon=True).start()
print("ready", flush=True)
serve(s[0])
"""


def need_user_namespaces():
    done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "unshare",
                           "--user", "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"skip {os.path.basename(sys.argv[0])}: no user namespaces: {done.stderr.strip()}")
        sys.exit(0)


def enter():
    """Begins the program again in a network namespace of its own."""
    if os.environ.get("NETLAB") == "1":
        return
    done = subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"skip {os.path.basename(sys.argv[0])}: no network namespaces: {done.stderr.strip()}")
        sys.exit(0)
    cloudlib.demo_image()	# its packages are fetched, and nobody is reached from in there
    os.environ["NETLAB"] = "1"
    os.execvp("unshare", ["unshare", "--net", "--", sys.executable, *sys.argv])


def ip(*words, far=None):
    inside = ["nsenter", "--net", "-t", str(far)] if far else []
    done = subprocess.run([*inside, "ip", *words], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Far:
    """The other namespace, with a server on two of its addresses."""

    def __init__(self):
        self.p = subprocess.Popen(["unshare", "--net", "--", sys.executable, "-c",
                                   "import sys; print('new', flush=True); sys.stdin.readline()\n" + ANSWER],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        equal(self.p.stdout.readline(), "new\n", "the far namespace")

    def join(self, near, *addresses):
        """A pair of devices, `near` here and "wire" there, with its addresses there."""
        ip("link", "add", near, "type", "veth", "peer", "name", "wire", "netns", str(self.p.pid))
        for a in addresses:
            ip("addr", "add", a, "dev", "wire", far=self.p.pid)
        for d in ("lo", "wire"):
            ip("link", "set", d, "up", far=self.p.pid)
        ip("link", "set", near, "up")

    def serve(self):
        self.p.stdin.write("\n")
        self.p.stdin.flush()
        equal(self.p.stdout.readline(), "ready\n", "the far server")

    def close(self):
        self.p.kill()
        self.p.wait()
        self.p.stdin.close()
        self.p.stdout.close()


class Ears:
    """Listens at addresses of the node that no guest may reach."""

    def __init__(self, addresses):
        self.heard = []
        self.sockets = []
        for a in addresses:
            s = socket.create_server((a, PORT))
            self.sockets.append(s)
            threading.Thread(target=self.listen, args=(s, a), daemon=True).start()
        for a in addresses:	# they do hear
            socket.create_connection((a, PORT), timeout=30).close()
        wait_for("each ear", lambda: sorted(self.heard) == sorted(addresses), 30, 0.05)
        self.heard.clear()

    def listen(self, s, address):
        with contextlib.suppress(OSError):
            while True:
                s.accept()[0].close()
                self.heard.append(address)

    def close(self):
        for s in self.sockets:
            s.shutdown(socket.SHUT_RDWR)
            s.close()


def processes_of(iid):
    """{name: [pid]} of what runs for the guest: its guard and what that has started."""
    found, parents = {}, {}
    for pid in (int(p) for p in os.listdir("/proc") if p.isdigit()):
        with contextlib.suppress(OSError, ValueError):
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                name, rest = re.match(r"\d+ \((.*)\) (.*)", f.read(), re.S).groups()
            parents[pid] = (int(rest.split()[1]), name, rest.split()[0])
    def is_its(pid):
        while pid in parents:
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    if f"/vm/{iid}/".encode() in f.read():
                        return True
            pid = parents[pid][0]
        return False
    for pid, (_, name, state) in parents.items():
        if state not in "ZX" and is_its(pid):
            found.setdefault(name.partition(".")[0], []).append(pid)
    return found


def is_alive(pid):
    """A zombie is not: whom it comes to may be slow to ask."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    return False


def alive_of(pids):
    """Of what processes_of has found."""
    return {name: left for name, p in pids.items() if (left := [x for x in p if is_alive(x)])}


def is_gone(cloud, iid):
    """Nothing of it is left on the node, and its address is free."""
    equal(processes_of(iid), {}, "its processes")
    check(not os.path.exists(cloud.state_dir("vm", iid)), "its folder is left")
    left = [k for k in cloud.keys("spinifex-ec2-address")
            if iid in cloud.value("spinifex-ec2-address", k).decode()]
    equal(left, [], "its address")


class Guest:
    """A demo guest whose shell is typed at."""

    def __init__(self, cloud, iid):
        self.cloud, self.iid, self.n = cloud, iid, 0

    def ask(self, command, seconds=60):
        """What the command says."""
        self.n += 1
        head, tail = f"<{self.n}:", f":{self.n}>"
        self.cloud.type(self.iid, f"echo \"<\"{self.n}:$( {command} ):{self.n}\">\"", tail, seconds)
        said = self.cloud.console(self.iid)
        return said[said.rindex(head) + len(head):said.rindex(tail)].strip()

    def open_up(self):
        """A guest that keeps to no rule: what goes to loopback leaves by its network card."""
        self.ask("echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet; echo 1 >/proc/sys/net/ipv4/"
                 "conf/eth0/route_localnet; ip link set lo down; echo done")

    def sent(self):
        return int(self.ask("cat /sys/class/net/eth0/statistics/tx_packets"))

    def call(self, address, port=PORT, seconds=3):
        return self.ask(f"echo | nc -w {seconds} {address} {port} 2>&1")

    def call_all(self, targets, seconds=4):
        """Each (address, port) at once: what they all said."""
        return self.ask(" ".join(f"(echo | nc -w {seconds} {a} {p} 2>&1) &" for a, p in targets) + " wait")

    def call_until(self, address, answer):
        wait_for(f"{answer!r} from {address}", lambda: answer in self.call(address, seconds=5), 120, 0.2)


def address_by_dhcp(cloud, iid):
    def said():
        return re.findall(r"guest: address (\S+)", cloud.console(iid))
    wait_for("an address by DHCP", said, cloudlib.BOOT, 0.25)
    return said()[-1]
