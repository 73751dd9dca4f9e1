"""What system tests do with a cluster that has one image: run, wait, look from outside, talk to
a guest on its serial line; and a runner whose stages print `ok NAME` and `not ok NAME: why`."""

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

import clusterlib as lib
import natslib
from clusterlib import wait_for

BUILD = os.environ.get("B", os.path.join(lib.ROOT, "build"))
IMAGE = os.path.join(lib.ROOT, "build/demo.img")
CACHE = os.path.join(lib.ROOT, "build/cache")
GUID = "3b6f4a52-9d1e-4c77-8a0b-5f1d2c3e4a60"	# of the demo guest's variables
COUNTER = "SpinifexBoots"
BOOT = 180	# seconds; emulated guests on a busy machine


class Failed(Exception):
    """What a test found wrong."""


class Skipped(Exception):
    """Why a test cannot run here."""


def check(ok, what):
    if not ok:
        raise Failed(what)


def equal(got, want, what):
    check(got == want, f"{what}: {got!r} instead of {want!r}")


# ---- the runner ----

def run_stages(stages, close):
    """Runs the functions in order; after one failed, those that build on it (needs) are failed
    too.  A stage's name is the function's, or its attribute `title`.  Exit status."""
    bad = set()
    try:
        for stage in stages:
            name = getattr(stage, "title", stage.__name__.replace("_", " "))
            lost = [n for n in getattr(stage, "needs", ()) if n in bad]
            start = time.monotonic()
            try:
                check(not lost, f"needs what failed: {', '.join(lost)}")
                stage()
                print(f"ok {name}  # {time.monotonic() - start:.1f} s", flush=True)
            except Skipped as e:
                print(f"skip {name}: {e}", flush=True)
            except Exception as e:  # pylint: disable=broad-except  # boto3's, OSError: all are failures
                bad.add(stage.__name__)
                if not isinstance(e, (Failed, lib.Failure)):
                    traceback.print_exc(file=sys.stdout)
                print(f"not ok {name}: {str(e).strip() or type(e).__name__}", flush=True)
    except (KeyboardInterrupt, SystemExit):
        bad.add("interrupted")
        print("not ok the whole run: interrupted", flush=True)
    finally:
        with uninterrupted():
            close(bool(bad))
    return 1 if bad else 0


def needs(*names):
    def mark(fn):
        fn.needs = names
        return fn
    return mark


@contextlib.contextmanager
def uninterrupted():
    old = {s: signal.signal(s, signal.SIG_IGN) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for s, handler in old.items():
            signal.signal(s, handler)


# Somebody else, who reads this checkout though it may be in a folder of root's.
AS_NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=+dac_read_search",
             "--ambient-caps=+dac_read_search")


def need_root():
    """Ends the test as skipped where guests cannot be started; a SIGTERM ends it as an
    interrupt does, so that what it started is ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lib.adopt_orphans()
    why = None
    if os.geteuid() != 0:
        why = "needs root: guests run as another user"
    elif not lib.machine_is_supported():
        why = "guests of the tests are amd64 only"
    if why:
        print(f"skip {os.path.basename(sys.argv[0])}: {why}")
        sys.exit(0)


def folder(prefix):
    """A new one under /tmp that a guest's user can reach."""
    path = tempfile.mkdtemp(prefix=f"sp-{prefix}-", dir="/tmp")
    os.chmod(path, 0o755)
    return path


def demo_image():
    """The image of all tests, made once."""
    if not os.path.exists(IMAGE):
        done = subprocess.run([os.path.join(lib.ROOT, "tests/support/demo-image"), IMAGE, CACHE],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise lib.Failure(done.stderr.strip() or "the demo image could not be made")
    return IMAGE


def reap_children():
    """What ended and was ours, or came to us (adopt_orphans)."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def processes(*marks):
    """[(pid, argv)] of whatever has one of the marks in its arguments."""
    found, marks = [], [m.encode() for m in marks]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                argv = f.read().split(b"\0")
            if any(m in a for m in marks for a in argv):
                found.append((int(pid), b" ".join(argv).decode(errors="replace")))
    return found


# ---- a cluster with an image ----

class Cloud:
    """One node unless told otherwise; self.node is the one that is asked where none is named."""

    def __init__(self, prefix, nodes=1, nats=1, **settings):
        """settings: reaperd__sweep_period="2s" for [reaperd] sweep_period."""
        self.c = lib.Cluster(folder(prefix))
        self.nats_connection = None
        self.ec2 = self.quick = self.image = None	# quick: an API call that takes 2 s at most
        settings = {k.replace("__", "."): v for k, v in settings.items()}
        self.c.create(nodes, nats, BUILD, settings, in_memory=True)
        self.node = self.c.node_names()[0]

    def up(self, image=True):
        self.c.up()
        self.ask(self.node)
        if image:
            done = self.c.tool("vmctl", "--json", "image", "import", "demo", demo_image(), "x86_64",
                               "uefi", lib.ACCOUNT, timeout=180)
            self.image = json.loads(done.stdout)["image_id"]

    def ask(self, node):
        """From here on this one, unless another is named."""
        self.node = node
        self.ec2 = self.c.client(node=node, connect_timeout=2, read_timeout=60)
        self.quick = self.c.client(node=node, connect_timeout=1, read_timeout=2)

    def close(self, failed=False):
        """Ends everything and removes the folder; the logs of a failed run go to build/check."""
        try:
            if failed:
                self.keep_logs()
        finally:
            self.end()

    def end(self):
        try:
            self.c.down()
        finally:
            reap_children()
            self.c.purge()

    def keep_logs(self):
        to = os.path.join(lib.ROOT, "build/check", os.path.basename(self.c.folder))
        shutil.rmtree(to, ignore_errors=True)
        for node in self.c.node_names():
            shutil.copytree(self.c.node_dir(node, "log"), os.path.join(to, node))
        for server in self.c.servers():
            shutil.copy(server.log_file, os.path.join(to, f"{server.name}.log"))
        print(f"# the daemons' logs are in {os.path.relpath(to, lib.ROOT)}")

    def log(self, daemon, node=None):
        path = self.c.daemon(node or self.node, daemon).log_file
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()

    def state_dir(self, *parts):
        return self.c.node_dir(self.node, "state", *parts)

    # ---- through the API ----

    def instance(self, iid):
        found = [i for r in self.ec2.describe_instances(InstanceIds=[iid])["Reservations"]
                 for i in r["Instances"]]
        equal([i["InstanceId"] for i in found], [iid], "described instances")
        return found[0]

    def state(self, iid):
        return self.instance(iid)["State"]["Name"]

    def run(self, **kw):
        kw = {"ImageId": self.image, "InstanceType": "t3.nano", "MinCount": 1, "MaxCount": 1, **kw}
        return self.ec2.run_instances(**kw)["Instances"][0]["InstanceId"]

    def wait_state(self, iid, want, seconds=60):
        def reached():
            i = self.instance(iid)
            now = i["State"]["Name"]
            if want not in ("terminated", "shutting-down"):
                check(now not in ("terminated", "shutting-down"),
                      f"{iid} is {now}: {i.get('StateReason', {}).get('Message')}")
            return now == want
        wait_for(f"{iid} {want}", reached, seconds, 0.1)

    def console(self, iid):
        return self.ec2.get_console_output(InstanceId=iid, Latest=True).get("Output", "").replace("\r", "")

    def boots(self, iid):
        """What the guest said of its counter, one (old, new) a boot."""
        said = []
        for line in self.console(iid).splitlines():
            _, found, rest = line.partition(f"guest: UEFI variable {COUNTER} was ")
            if found:
                said.append(tuple(w.strip('"') for w in rest.split(", is now ")))
        return said

    def wait_boot(self, iid, number):
        """Until the guest has come up that many times, by its own count on its console."""
        def up():
            check(self.state(iid) in ("pending", "running"), f"{iid} is {self.state(iid)}")
            return self.console(iid).count("guest: ready") >= number
        self.wait_console(f"boot {number} of {iid}", iid, up)

    def wait_counted(self, iid, n):
        """Until the guest has read n and come up with n + 1.  A node's console log keeps what ran
        there before: what counts is the end of it."""
        def up():
            text, last = self.console(iid), self.boots(iid)[-1:]
            check(not last or int(last[0][0] or 0) <= n, f"the guest has read {last}")
            return last == [(str(n), str(n + 1))] and "guest: ready" in text[text.rfind(COUNTER):]
        self.wait_console(f"{iid} counting {n + 1}", iid, up)

    def wait_console(self, what, iid, up):
        """For what a guest says there; what it did say, where that does not come."""
        try:
            wait_for(what, up, BOOT, 0.25)
        except lib.Failure:
            print("# its console: " + self.console(iid)[-1500:].replace("\n", "\n# "), flush=True)
            raise

    # ---- from outside ----

    def tool(self, name, *args, node=None):
        return json.loads(self.c.tool(name, "--json", *args, node=node or self.node).stdout)

    def guest(self, iid, node=None):
        """What vmd knows of it; its pid is QEMU's."""
        listed = self.tool("vmctl", "list", node=node)["instances"]
        found = [i for i in listed if i["instance_id"] == iid]
        equal(len(found), 1, f"{iid} in vmctl list")
        return found[0]

    def show(self, iid):
        return self.tool("uefictl", "show", iid)

    def stored(self, iid):
        """The variable region that the store's record points at, from the object store."""
        key = self.show(iid)["pointer"]["key"]
        return zlib.decompress(self.value("spinifex-objects", key.replace("/", ".")), wbits=31)

    def variables(self, iid):
        """{name: bytes} of the demo guest's own, through uefictl vars."""
        found = self.tool("uefictl", "vars", iid)["variables"]
        return {v["name"]: base64.b64decode(v["data"]) for v in found if v["guid"] == GUID}

    def type(self, iid, command, answer, seconds=30):
        """Types a line at the guest's shell, and again until its serial line shows answer."""
        with subprocess.Popen([self.c.bin("vmctl"), "-c", self.c.conf(self.node), "console", iid],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as p:
            try:
                p.stdin.write(command.encode() + b"\n")
                p.stdin.flush()
                wait_for(f"\"{answer}\" of the guest's shell", lambda: answer in self.console(iid),
                         seconds, 0.1)
            finally:
                p.kill()

    def set_variable(self, iid, name, value):
        """In the guest; the answer is one that the echo of the command does not contain."""
        self.type(iid, f"efivar set {name} {value} && echo set: $((1+1)) {name} {value}",
                  f"set: 2 {name} {value}")

    # ---- in the buckets ----

    @property
    def nats(self):
        if not self.nats_connection:
            port = self.c.state["nats"][0]["port"]
            self.nats_connection = natslib.Nats(port, lib.TESTS, self.c.state["secrets"][lib.TESTS])
        return self.nats_connection

    def forget_nats(self):
        """After its server was killed."""
        if self.nats_connection:
            self.nats_connection.close()
        self.nats_connection = None

    def js(self, verb, body=None):
        answer = json.loads(self.nats.request(f"$JS.API.{verb}", json.dumps(body or {}).encode())[1])
        check("error" not in answer, f"{verb}: {answer.get('error')}")
        return answer

    def keys(self, bucket):
        """{key: sequence of its last message}, delete markers left out."""
        return {k: s for k, (s, gone) in self.revisions(bucket).items() if not gone}

    def revisions(self, bucket):
        """{key: (sequence of its last message, is it a delete marker)}."""
        return self.nats.revisions(bucket)

    def record(self, iid):
        return json.loads(self.value("spinifex-instance-state", f"instance.{iid}"))

    def claim(self, iid):
        """(holder, generation) of its variables' store; None: it is free."""
        seq = self.keys("spinifex-sync").get(f"uefi.{iid}")
        if seq is None:
            return None
        token = json.loads(self.value("spinifex-sync", f"uefi.{iid}"))
        return token["holder"], int(token["generation"]) or seq

    def sweeps(self):
        """Of all reaperds: only a leader has any."""
        return sum(a["data"]["sweeps"] for a in self.nats.gather("$SRV.STATS.reaperd"))

    def value(self, bucket, key):
        m = self.js(f"STREAM.MSG.GET.KV_{bucket}", {"last_by_subj": f"$KV.{bucket}.{key}"})["message"]
        return base64.b64decode(m.get("data", ""))
