"""Private nats-servers for tests, and a client that speaks the protocol by hand, so that what a
test sees does not come through the code under test."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clusterlib import free_port, nats_environment, port_is_open, wait_for	# noqa: E402


class Server:
    """One nats-server with JetStream under folder; routes: the cluster's other servers."""

    def __init__(self, folder, name="s1", routes=None, route_port=0, jetstream=True, user=None):
        self.folder = os.path.join(folder, name)
        self.store = os.path.join(self.folder, "store")
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.child = None
        os.makedirs(self.folder)
        self.conf = os.path.join(self.folder, "nats.conf")
        self.text = f"listen: 127.0.0.1:{self.port}\nserver_name: {name}\n"
        if jetstream:
            self.text += f'jetstream {{ store_dir: "{self.store}" }}\n'
        if routes:
            self.text += (f"cluster {{ name: c, listen: 127.0.0.1:{route_port}, "
                          f"routes: [{', '.join(routes)}] }}\n")
        self.set_user(*(user or (None, None)))

    def set_user(self, name, password):
        """From the next start on."""
        with open(self.conf, "w", encoding="ascii") as f:
            f.write(self.text)
            if name:
                f.write(f"authorization {{ user: {name}, password: {password} }}\n")

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as f:
            return f.read()

    def start(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.child = subprocess.Popen(["nats-server", "-c", self.conf], stdout=log, stderr=log,
                                          env={**os.environ, **nats_environment()})
        wait_for("nats-server to listen", lambda: port_is_open(self.port), 10)
        return self

    def signal(self, sig):
        self.child.send_signal(sig)
        if sig == signal.SIGSTOP:	# which is asynchronous
            wait_for("the server to stand still", self.is_stopped, 5)

    def is_stopped(self):
        tasks = f"/proc/{self.child.pid}/task"
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/stat", encoding="ascii", errors="replace") as f:
                if f.read().rpartition(")")[2].split()[0] not in "tT":
                    return False
        return True

    def kill(self):
        """SIGKILL, so that nothing is flushed or said."""
        if self.child and self.child.poll() is None:
            self.child.kill()
            self.child.wait()

    def stop(self):
        if self.child and self.child.poll() is None:
            self.child.send_signal(signal.SIGCONT)
            self.child.terminate()
            try:
                self.child.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def client(self):
        return Client(self.port)

    def copy_store(self, to):
        shutil.copytree(self.store, to)

    def put_store(self, source):
        shutil.rmtree(self.store)
        shutil.copytree(source, self.store)


def cluster(folder, n=3):
    """n servers that know each other, all started."""
    ports = [free_port() for _ in range(n)]
    routes = [f"nats-route://127.0.0.1:{p}" for p in ports]
    servers = [Server(folder, f"s{i + 1}", routes, ports[i]) for i in range(n)]
    for s in servers:
        s.start()
    return servers


class Client:
    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), 10)
        self.buffer = bytearray()
        self.need(lambda: b"\r\n" in self.buffer, 10)
        self.take(self.buffer.index(b"\r\n") + 2)	# INFO
        self.sids = 0
        self.inbox = f"_INBOX.test{os.getpid()}{id(self)}"
        self.got = []				# (subject, reply, headers, data) of subscriptions
        self.send(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\n')
        self.subscribe(self.inbox + ".*")
        self.asked = 0
        self.flush()

    def send(self, data):
        self.sock.settimeout(10)
        self.sock.sendall(data)

    def need(self, enough, seconds):
        """Receives until enough(); False when it is not within that time."""
        end = time.monotonic() + seconds
        while not enough():
            self.sock.settimeout(max(0.001, end - time.monotonic()))
            try:
                got = self.sock.recv(1 << 16)
            except TimeoutError:
                return False
            if not got:
                raise ConnectionError("the server closed the connection")
            self.buffer += got
        return True

    def take(self, n):
        data = bytes(self.buffer[:n])
        del self.buffer[:n]
        return data

    def subscribe(self, subject, queue=""):
        self.sids += 1
        self.send(f"SUB {subject} {queue} {self.sids}\r\n".encode())

    def publish(self, subject, data=b"", reply="", headers=None):
        data = data.encode() if isinstance(data, str) else data
        if headers is None:
            self.send(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")
            return
        h = ("NATS/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n").encode()
        self.send(f"HPUB {subject} {reply} {len(h)} {len(h) + len(data)}\r\n".encode() +
                  h + data + b"\r\n")

    def read_line(self, seconds):
        """The words of one protocol line that is not a PING, or None when none came in time."""
        while True:
            if not self.need(lambda: b"\r\n" in self.buffer, seconds):
                return None
            line = self.take(self.buffer.index(b"\r\n") + 2)
            if line.startswith(b"PING"):
                self.send(b"PONG\r\n")
                continue
            return line.decode().split()

    def read_message(self, seconds):
        """(subject, reply, headers, data), "PONG", or None."""
        words = self.read_line(seconds)
        if words is None or words[0] in ("PONG", "+OK"):
            return words and "PONG"
        if words[0] == "-ERR":
            raise ConnectionError(" ".join(words))
        total = int(words[-1])
        if not self.need(lambda: len(self.buffer) >= total + 2, 10):
            raise ConnectionError("half a message")
        body = self.take(total + 2)[:total]
        if words[0] == "MSG":
            return words[1], words[3] if len(words) == 5 else "", {}, body
        size = int(words[-2])
        lines = body[:size].decode().split("\r\n")
        headers = {"Status": lines[0][len("NATS/1.0 "):]} if len(lines[0]) > 9 else {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if colon:
                headers[name] = value.strip()
        return words[1], words[3] if len(words) == 6 else "", headers, body[size:]

    def flush(self):
        """What was sent is with the server; messages that came are kept."""
        self.send(b"PING\r\n")
        while True:
            m = self.read_message(10)
            if m == "PONG":
                return
            if m:
                self.got.append(m)

    def messages(self, seconds=0.2):
        """What the subscriptions got until nothing comes for that long."""
        while True:
            m = self.read_message(seconds)
            if m is None:
                got, self.got = self.got, []
                return got
            if m != "PONG":
                self.got.append(m)

    def ask(self, subject, data=b"", headers=None, seconds=5):
        """(headers, data) of the first answer, or None."""
        self.asked += 1
        inbox = f"{self.inbox}.{self.asked}"
        self.publish(subject, data, inbox, headers)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            m = self.read_message(max(0.01, end - time.monotonic()))
            if m and m != "PONG":
                if m[0] == inbox:
                    return m[2], m[3]
                self.got.append(m)
        return None

    def api(self, what, body=None):
        """A JetStream request's answer as an object."""
        answer = self.ask(f"$JS.API.{what}", json.dumps(body) if body is not None else b"")
        return json.loads(answer[1]) if answer and answer[1] else None

    def close(self):
        self.sock.close()
