"""What the EC2 suites share: a private cluster of one node with an image whose guest stays in
the firmware's shell, checks, and a runner that prints a line per test."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import clusterlib as lib  # noqa: E402  pylint: disable=wrong-import-position

STATES = {"pending": 0, "running": 16, "shutting-down": 32, "terminated": 48, "stopping": 64,
          "stopped": 80}
ACCOUNT = lib.ACCOUNT
TYPE = "t3.nano"
UNKNOWN = "i-00000000000000000"
WAITER = {"Delay": 1, "MaxAttempts": 90}
FAST = {"vmd.stop_grace": "1s"}		# nothing in the guest hears the power button


class Skip(Exception):
    """Why a suite cannot run here."""


def same(got, want, what="value"):
    if got != want:
        raise AssertionError(f"{what}: {got!r} instead of {want!r}")


def true(ok, what):
    if not ok:
        raise AssertionError(what)


def refused(code, fn, *args, status=None, **kw):
    """fn is refused with exactly this code; the message."""
    from botocore.exceptions import ClientError	# pylint: disable=import-outside-toplevel
    try:
        answer = fn(*args, **kw)
    except ClientError as e:
        same(e.response["Error"]["Code"], code, f"code ({e.response['Error']['Message']})")
        true(e.response["Error"]["Message"], f"{code} without a message")
        if status:
            same(e.response["ResponseMetadata"]["HTTPStatusCode"], status, "HTTP status")
        return e.response["Error"]["Message"]
    raise AssertionError(f"{fn.__name__} was answered instead of {code}: {str(answer)[:200]}")


def snake(action):
    from botocore import xform_name	# pylint: disable=import-outside-toplevel
    return xform_name(action)


def method(ec2, action):
    return getattr(ec2, snake(action))


def served():
    """The EC2 actions that have a row."""
    with open(os.path.join(ROOT, "gwd/actions.c"), encoding="utf-8") as f:
        return [l.split("EC2_")[1].split(",")[0].split()[0] for l in f if "{ EC2_" in l]


def members(w, action):
    return w.ec2.meta.service_model.operation_model(action).input_shape.members


def one(answers):
    """The one instance of several answers of RunInstances."""
    got = {i["InstanceId"] for a in answers for i in a["Instances"]}
    same(len(got), 1, "instances")
    return got.pop()


def patient(w, token, seconds=60):
    """RunInstances as an SDK would send it: again, until it is answered."""
    from botocore.exceptions import BotoCoreError, ClientError	# pylint: disable=import-outside-toplevel

    def asked():
        try:
            return w.run(ec2=w.client(), ClientToken=token)
        except (BotoCoreError, ClientError):
            return None
    return lib.wait_for(f"an answer for {token}", asked, seconds, 0.2)


class World:
    """A cluster, its image and a client."""

    def __init__(self, folder, nodes=1, settings=None, nats=1):
        self.c = lib.Cluster(folder)
        self.c.create(nodes, nats, os.environ.get("B", os.path.join(ROOT, "build")),
                      {**FAST, **(settings or {})}, in_memory=True)
        self.c.up()
        self.ec2 = self.client()
        self.image = self.import_image("empty")

    def client(self, node=None, **settings):
        return self.c.client(node=node, max_pool_connections=32, **settings)

    def stranger(self, account="210987654321"):
        """A client of another account."""
        import boto3	# pylint: disable=import-outside-toplevel
        done = subprocess.run([self.c.bin("gwd"), "-c", self.c.conf(self.c.node_names()[0]), "-k",
                               account], text=True, capture_output=True, timeout=60, check=True)
        words = done.stdout.split()
        return boto3.client("ec2", endpoint_url=self.c.endpoint(), region_name="us-east-1",
                            aws_access_key_id=words[1], aws_secret_access_key=words[3])

    def signed(self, action, **params):
        """A signed request that no client here would make, unsent: url, body and headers."""
        from botocore.auth import SigV4Auth	# pylint: disable=import-outside-toplevel
        from botocore.awsrequest import AWSRequest	# pylint: disable=import-outside-toplevel
        from botocore.credentials import Credentials	# pylint: disable=import-outside-toplevel
        key = self.c.state["key"]
        data = urllib.parse.urlencode({"Action": action, "Version": "2016-11-15", **params})
        r = AWSRequest("POST", self.c.endpoint() + "/", data=data,
                       headers={"Content-Type": "application/x-www-form-urlencoded"})
        SigV4Auth(Credentials(key["id"], key["secret"]), "ec2", "us-east-1").add_auth(r)
        p = r.prepare()
        return p.url, p.body.encode(), dict(p.headers)

    def raw(self, action, **params):
        """The answer to it: (status, code, message or tree)."""
        try:
            with urllib.request.urlopen(urllib.request.Request(*self.signed(action, **params))) as f:
                return f.status, None, ET.fromstring(f.read())
        except urllib.error.HTTPError as e:
            root = ET.fromstring(e.read())
            same(root.tag, "Response", "envelope")
            true(root.find("RequestID").text, "RequestID")
            return e.code, root.find("Errors/Error/Code").text, root.find("Errors/Error/Message").text

    def import_image(self, name, arch="x86_64"):
        disk = self.c.path(f"{name}.img")
        with open(disk, "wb") as f:
            f.truncate(1 << 20)
        done = self.c.tool("vmctl", "--json", "image", "import", name, disk, arch, "uefi", ACCOUNT)
        return json.loads(done.stdout)["image_id"]

    def run(self, n=1, ec2=None, **more):
        more = {"ImageId": self.image, "InstanceType": TYPE, "MinCount": n, "MaxCount": n, **more}
        return (ec2 or self.ec2).run_instances(**more)

    def run_one(self, **more):
        return self.run(**more)["Instances"][0]["InstanceId"]

    def get(self, iid):
        r = self.ec2.describe_instances(InstanceIds=[iid])["Reservations"]
        same(len(r), 1, "reservations")
        same(len(r[0]["Instances"]), 1, "instances")
        return r[0]["Instances"][0]

    def all(self):
        """Every instance that is listed, by id."""
        out = {}
        for r in self.ec2.describe_instances()["Reservations"]:
            for i in r["Instances"]:
                same(STATES[i["State"]["Name"]], i["State"]["Code"], "code of a state")
                out[i["InstanceId"]] = i
        return out

    def wait(self, state, *ids):
        self.ec2.get_waiter("instance_" + state).wait(InstanceIds=list(ids), WaiterConfig=WAITER)

    def terminate_all(self):
        left = [i for i, v in self.all().items() if v["State"]["Name"] not in
                ("terminated", "shutting-down")]
        if left:
            self.ec2.terminate_instances(InstanceIds=left)
            self.wait("terminated", *left)


def check_machine():
    if os.geteuid() != 0:
        raise Skip("guests are started under another user: needs root")
    try:
        import boto3	# noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    except ImportError as e:
        raise Skip("python3-boto3 is missing") from e
    if not shutil.which("qemu-system-x86_64"):
        raise Skip("qemu-system-x86_64 is missing")


def report(name, fn, *args):
    """One line; the trace of a failure goes to stderr, which the log has as well."""
    start = time.monotonic()
    try:
        fn(*args)
    except Skip as e:
        print(f"skip {name}: {e}", flush=True)
        return True
    except Exception as e:	# pylint: disable=broad-except
        traceback.print_exc()
        print(f"not ok {name}: {str(e).splitlines()[0] if str(e) else type(e).__name__}", flush=True)
        return False
    print(f"ok {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def main(tests, nodes=1, settings=None, nats=1):
    """Runs tests[name](world), in order, against one cluster."""
    only = sys.argv[1:]
    try:
        check_machine()
    except Skip as e:
        print(f"skip {os.path.basename(sys.argv[0])}: {e}")
        return 0
    folder = tempfile.mkdtemp(prefix="ec2-", dir="/var/tmp")
    os.chmod(folder, 0o755)
    ok, world = True, None
    try:
        world = World(folder, nodes, settings, nats)
        for fn in tests:
            if not only or fn.__name__ in only:
                ok = report(fn.__name__, fn, world) and ok
    except (lib.Failure, OSError, subprocess.SubprocessError) as e:
        print(f"not ok cluster: {e}", flush=True)
        ok = False
    finally:
        c = lib.Cluster(folder)
        if c.state:
            for s in c.status() if not ok else ():
                print(f"-- {s[0]}: {lib.tail(s[2], 8)}", file=sys.stderr)
            c.down()
            c.purge()
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if ok else 1
