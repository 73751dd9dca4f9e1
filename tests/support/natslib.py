"""A NATS client of one socket for tests: connect, publish, request, subscribe.  It waits on a
socket with a bound and keeps what it was not asked for until it is."""

import base64
import contextlib
import json
import re
import secrets
import socket
import threading
import time

ALIVE = 2	# seconds between signs of life; the server lets the silent go
NO_MESSAGE = 10037	# JetStream's code


class Refused(Exception):
    """An answer that is an error: Code in .code, Message, .retryable."""

    def __init__(self, body):
        super().__init__(f"{body.get('Code')}: {body.get('Message')}")
        self.code = body.get("Code")
        self.retryable = bool(body.get("Retryable"))


class NoResponders(Exception):
    pass


class Nats:
    def __init__(self, port, user=None, password=None):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.buf = b""
        self.waiting = {}		# sid -> messages
        self.sids = 0
        self.pings = 1			# sent and not answered
        self.reply = ""
        options = {"verbose": False, "pedantic": False, "headers": True,
                   "no_responders": True, "name": "test", "lang": "python", "version": "1"}
        if user:
            options.update(user=user, **{"pass": password})
        self.sending, self.closed = threading.Lock(), threading.Event()
        self._send(f"CONNECT {json.dumps(options)}\r\nPING\r\n".encode())
        self.inbox = "_INBOX." + (f"{user}." if user else "") + secrets.token_hex(11)
        self.inbox_sid = self._subscribe(self.inbox + ".*")
        threading.Thread(target=self._live, daemon=True).start()

    def close(self):
        self.closed.set()
        self.sock.close()

    def _live(self):
        """Answers the server's PINGs while nobody reads them."""
        with contextlib.suppress(OSError):
            while not self.closed.wait(ALIVE):
                self._send(b"PONG\r\n")

    def _send(self, data):
        with self.sending:
            self.sock.sendall(data)

    def _more(self, end):
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError("nothing came in time")
        self.sock.settimeout(left)
        got = self.sock.recv(65536)
        if not got:
            raise ConnectionError("the server closed the connection")
        self.buf += got

    def _peek(self, n, end):
        """At least n bytes lie in the buffer."""
        while len(self.buf) < n:
            self._more(end)

    def _one(self, end):
        """Takes one protocol message in: whole, or nothing of it when the time is over."""
        while b"\r\n" not in self.buf:
            self._more(end)
        line = self.buf[:self.buf.index(b"\r\n")]
        words, at = line.decode().split(), len(line) + 2
        is_message = bool(words) and words[0] in ("MSG", "HMSG")
        size = int(words[-1]) if is_message else 0
        if is_message:
            self._peek(at + size + 2, end)
        data = self.buf[at:at + size]
        self.buf = self.buf[at + (size + 2 if is_message else 0):]
        if is_message:
            self._keep(words, data)
        elif words[:1] == ["PING"]:
            self._send(b"PONG\r\n")
        elif words[:1] == ["PONG"]:
            self.pings -= 1
        elif words[:1] == ["-ERR"]:
            raise ConnectionError(line.decode())

    def _keep(self, words, data):
        counts = 2 if words[0] == "HMSG" else 1
        headers = int(words[-2]) if counts == 2 else 0
        reply = words[3] if len(words) == 4 + counts else ""
        self.waiting.setdefault(int(words[2]), []).append(
            (words[1], data[:headers].decode(), data[headers:], reply))

    def _subscribe(self, subject):
        self.sids += 1
        self._send(f"SUB {subject} {self.sids}\r\n".encode())
        return self.sids

    def _ping(self):
        self.pings += 1
        self._send(b"PING\r\n")

    def subscribe(self, subject):
        """From its return on, whatever anybody publishes there comes to us."""
        sid, end = self._subscribe(subject), time.monotonic() + 10
        self._ping()
        while self.pings:
            self._one(end)
        return sid

    def next(self, sid, seconds=20.0):
        """(subject, headers, data) of the next message, or TimeoutError; self.reply is where its
        answer goes."""
        end = time.monotonic() + seconds
        while not self.waiting.get(sid):
            self._one(end)
        *message, self.reply = self.waiting[sid].pop(0)
        return tuple(message)

    def drain(self, sid):
        """All that has come already."""
        self._ping()
        got = []
        try:
            while True:
                got.append(self.next(sid, 0.02))
        except TimeoutError:
            return got

    def publish(self, subject, data=b"", headers=None, reply=""):
        if headers:
            head = "NATS/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
            head = head.encode()
            self._send(f"HPUB {subject} {reply} {len(head)} {len(head) + len(data)}\r\n".encode() +
                       head + data + b"\r\n")
        else:
            self._send(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")

    def send_raw(self, message):
        """A protocol message that somebody else made."""
        self._send(message)

    def denied(self, act, subjects):
        """Those of subjects that the server does not let us "publish" to, or "subscribe"."""
        found, end = set(), time.monotonic() + 30
        for s in subjects:
            if act == "publish":
                self.publish(s)
            else:
                self._subscribe(s)
        last = f"{self.inbox}.{secrets.token_hex(6)}"
        self.publish(last)
        while True:
            try:
                if self.next(self.inbox_sid, max(0.001, end - time.monotonic()))[0] == last:
                    return found
            except ConnectionError as e:
                said = re.search(r"Permissions Violation for (Publish to|Subscription to) \"(.*?)\"", str(e))
                if not said:
                    raise
                found.add(said[2])

    def request(self, subject, data=b"", seconds=20.0, headers=None):
        """(headers, data) of the answer."""
        reply = f"{self.inbox}.{secrets.token_hex(6)}"
        self.publish(subject, data, headers, reply)
        end = time.monotonic() + seconds
        while True:
            got = self.next(self.inbox_sid, max(0.001, end - time.monotonic()))
            if got[0] == reply:
                if got[1].startswith("NATS/1.0 503"):
                    raise NoResponders(subject)
                return got[1:]

    def gather(self, subject, data=b"", seconds=0.5):
        """Every answer, as JSON, until none has come for so long."""
        reply = f"{self.inbox}.{secrets.token_hex(6)}"
        self.publish(subject, data, reply=reply)
        found = []
        try:
            while True:
                to, head, body = self.next(self.inbox_sid, seconds)
                if to == reply and not head.startswith("NATS/1.0 503"):
                    found.append(json.loads(body))
        except TimeoutError:
            return found

    def call(self, subject, body=None, seconds=20.0):
        """An own subject: JSON in, JSON out, Refused for an error."""
        _, data = self.request(subject, json.dumps(body or {}).encode(), seconds)
        answer = json.loads(data)
        if "Code" in answer:
            raise Refused(answer)
        return answer

    def revisions(self, bucket):
        """{key: (sequence of its last message, is it a delete marker)}."""
        prefix = f"$KV.{bucket}."
        info = self.call(f"$JS.API.STREAM.INFO.KV_{bucket}", {"subjects_filter": ">"})
        found = {}
        for subject in info["state"].get("subjects") or {}:
            answer = self.call(f"$JS.API.STREAM.MSG.GET.KV_{bucket}", {"last_by_subj": subject})
            if answer.get("error", {}).get("err_code") == NO_MESSAGE:	# erased meanwhile
                continue
            m = answer["message"]
            head = base64.b64decode(m.get("hdrs", "")).decode()
            found[subject[len(prefix):]] = (m["seq"], "KV-Operation: " in head)
        return found
