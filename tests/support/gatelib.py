"""gatelib - a gate between a daemon and its server, for tests that kill the server between any two
steps of a sequence.  It carries everything, and counts for each instance the messages that change
something.  One that it was asked for is held: before the server has it, or once the server has done
it and nobody heard.  Then the test kills the server, which ends the connections."""

import contextlib
import http.client
import http.server
import re
import socket
import sys
import threading

sys.dont_write_bytecode = True
from proclib import wait_for	# noqa: E402

BEFORE, AFTER = "before", "after"
INSTANCE = re.compile(r"i-[0-9a-f]{17}")
DELETES_OBJECT = "$JS.API.STREAM.MSG.DELETE.KV_spinifex-objects"
SEQUENCE = re.compile(rb'"seq": *(\d+)')
OBJECT = re.compile(rb'"subject":"\$KV\.spinifex-objects\.([^"]+)","seq":(\d+)')
READ_MAX = 1 << 16
HELD_MAX = 60	# seconds


class Hold:
    """Of the n-th effect on an instance from now on."""

    def __init__(self, n, mode):
        self.left, self.mode = n, mode
        self.reached, self.over = threading.Event(), threading.Event()
        self.message = None	# as it was sent


class Steps:
    """What has an effect on whom, and what of it is to be held."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seen = {}		# instance -> names of the effects since it was armed or counted
        self.holds = {}
        self.known = set()	# instances that had any effect
        self.next = None	# what is to be held of the next that had none, or a Hold of nothing

    def arm_next(self, n=0, mode=BEFORE):
        """Of the instance that has its first effect next; n 0: it is counted alone."""
        with self.lock:
            self.next = Hold(n, mode)
            return self.next

    def count(self, instance):
        with self.lock:
            self.seen[instance] = []

    def steps(self, instance):
        """What was counted, which ends."""
        with self.lock:
            return self.seen.pop(instance)

    def arm(self, instance, n, mode):
        with self.lock:
            self.seen[instance] = []
            self.holds[instance] = Hold(n, mode)
            return self.holds[instance]

    def release(self, instance):
        with self.lock:
            hold = self.holds.pop(instance, None)
        if hold:
            hold.over.set()

    def effect(self, text, name, message):
        """The hold that begins with this message, or None."""
        found = INSTANCE.search(text)
        with self.lock:
            if found and found[0] not in self.known:
                self.known.add(found[0])
                if self.next:
                    self.seen[found[0]], self.holds[found[0]] = [], self.next
                    self.next = None
            if not found or found[0] not in self.seen:
                return None
            self.seen[found[0]].append(name)
            hold = self.holds.get(found[0])
            if not hold:
                return None
            hold.left -= 1
            if hold.left != 0:
                return None
            hold.message = message
            return hold


class NatsGate(Steps):
    """listens on .port; .target is the port of the nats-server, which may come and go."""

    def __init__(self):
        super().__init__()
        self.target = 0
        self.objects = {}	# sequence -> key
        self.muted = {}		# subject of an answer that nobody is to hear -> its hold
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                client.close()
                continue
            for s in (client, server):
                s.settimeout(None)
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for way in ((client, server, self.goes), (server, client, self.comes)):
                threading.Thread(target=self.carry, args=way, daemon=True).start()

    @staticmethod
    def carry(source, sink, may_pass):
        """Whole protocol messages, until either side ends."""
        have = b""
        with contextlib.suppress(OSError):
            while True:
                at = have.find(b"\r\n")
                words = have[:max(at, 0)].split()
                size = at + 2
                if words and words[0] in (b"PUB", b"HPUB", b"MSG", b"HMSG"):
                    size += int(words[-1]) + 2
                if at < 0 or len(have) < size:
                    got = source.recv(READ_MAX)
                    if not got:
                        break
                    have += got
                    continue
                if may_pass([w.decode() for w in words], have[:size]):
                    sink.sendall(have[:size])
                have = have[size:]
        for s in (source, sink):
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)

    def goes(self, words, message):
        if words[:1] not in (["PUB"], ["HPUB"]):
            return True
        hold = None
        if words[1].startswith("$KV."):
            verb = "delete" if b"KV-Operation: DEL" in message else "write"
            hold = self.effect(words[1], f"{verb} {words[1].split('.')[1]}", message)
        elif words[1] == DELETES_OBJECT:
            with self.lock:
                key = self.objects.get(SEQUENCE.search(message)[1], "")
            hold = self.effect(key, "delete object", message)
        if not hold:
            return True
        if hold.mode == BEFORE:
            hold.reached.set()
            return False
        with self.lock:
            self.muted[words[2]] = hold
        return True

    def comes(self, words, message):
        if words[:1] not in (["MSG"], ["HMSG"]):
            return True
        found = OBJECT.search(message)
        with self.lock:
            if found:	# an object is deleted by its sequence alone
                self.objects[found[2]] = found[1].decode()
            hold = self.muted.pop(words[1], None)
        if hold:
            hold.reached.set()
        return not hold


class S3Gate(Steps):
    """The same for an S3 server, whose signatures cover what the gate does not touch."""

    def __init__(self):
        super().__init__()
        self.target = 0
        gate = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_args):
                pass

            def one(self):
                gate.one(self)
            do_GET = do_PUT = do_DELETE = do_HEAD = one

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def one(self, h):
        body = h.rfile.read(int(h.headers.get("Content-Length", 0)))
        hold = self.effect(h.path, h.command.lower() + (" list" if "list-type" in h.path else " object"),
                           None)
        h.close_connection = True
        if hold and hold.mode == BEFORE:
            hold.reached.set()
            hold.over.wait(HELD_MAX)
            return
        try:
            conn = http.client.HTTPConnection("127.0.0.1", self.target, timeout=60)
            conn.putrequest(h.command, h.path, skip_host=True, skip_accept_encoding=True)
            for k, v in h.headers.items():
                conn.putheader(k, v)
            conn.endheaders(body)
            answer = conn.getresponse()
            data = answer.read()
        except OSError:
            return		# its server is away: an end without an answer
        if hold:
            hold.reached.set()
            hold.over.wait(HELD_MAX)
            return
        h.send_response(answer.status)
        for k, v in answer.getheaders():
            if k.lower() not in ("transfer-encoding", "content-length", "connection", "date", "server"):
                h.send_header(k, v)
        h.send_header("Content-Length", str(len(data)))
        h.send_header("Connection", "close")
        h.end_headers()
        h.wfile.write(data)


def wait_held(holds, seconds=90):
    """Until the daemon stands at every one of them."""
    wait_for("every step to be reached", lambda: all(h.reached.is_set() for h in holds), seconds, 0.01)
