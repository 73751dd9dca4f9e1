"""A private S3 server for tests: Ceph's radosgw, one monitor and one OSD that keeps all in memory,
over TCP and TLS on loopback.  It checks every signature."""

import glob
import os
import signal
import subprocess
import sys
import uuid

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clusterlib import free_port, port_is_open, wait_for	# noqa: E402

KEY_ID, SECRET = "AKIATESTTESTTESTTEST", "secret/of+the=test"
# Debian 13's looks for them below the folder that it is started in.
CLASSES = next(iter(glob.glob("/usr/lib/*/rados-classes")), "/usr/lib/rados-classes")

CONF = """[global]
fsid = {fsid}
mon host = {mon}
mon initial members = a
public addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
mon allow pool size one = true
mon warn on pool no redundancy = false
mon data avail crit = 1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 536870912
osd class dir = {classes}
osd class load list = *
osd class default list = *
osd heartbeat grace = 60
run dir = {folder}/run
log file = {folder}/$name.log
mon data = {folder}/mon
osd data = {folder}/osd
keyring = {folder}/keyring
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:{port} ssl_endpoint=127.0.0.1:{tls} \
ssl_certificate={folder}/cert.pem ssl_private_key={folder}/key.pem
rgw enable usage log = false
rgw init timeout = 60
rgw thread pool size = 16
rgw gc max objs = 1
rgw lc max objs = 1
rgw usage max shards = 1
rgw reshard num logs = 1
rgw data log num shards = 1
rgw md log max shards = 1
rgw override bucket index max shards = 1
"""


class Server:
    """start() returns when it serves; url and tls_url; ca is the certificate to trust."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "s3")
        self.children = []
        for sub in ("", "mon", "osd", "run"):
            os.makedirs(os.path.join(self.folder, sub))
        self.port, self.tls, v2, v1 = (free_port() for _ in range(4))
        self.mon = f"[v2:127.0.0.1:{v2},v1:127.0.0.1:{v1}]"
        self.fsid = str(uuid.uuid4())
        self.url = f"http://127.0.0.1:{self.port}"
        self.tls_url = f"https://127.0.0.1:{self.tls}"
        self.ca = os.path.join(self.folder, "cert.pem")
        self.conf = os.path.join(self.folder, "ceph.conf")
        with open(self.conf, "w", encoding="ascii") as f:
            f.write(CONF.format(fsid=self.fsid, mon=self.mon, port=self.port, tls=self.tls,
                                folder=self.folder, classes=CLASSES))

    def do(self, *argv, limit=60):
        r = subprocess.run(argv, capture_output=True, text=True, timeout=limit, check=False)
        if r.returncode != 0:
            raise RuntimeError(f"{' '.join(argv)}: {r.stderr[-500:]}")

    def spawn(self, *argv):
        with open(os.path.join(self.folder, argv[0] + ".out"), "ab") as log:
            self.children.append(subprocess.Popen([*argv, "-c", self.conf, "-f"], stdout=log,
                                                  stderr=log))

    def make_keys(self):
        ring = os.path.join(self.folder, "keyring")
        everything = ["--cap", "mon", "allow *", "--cap", "osd", "allow *", "--cap", "mgr", "allow *"]
        self.do("ceph-authtool", "-C", ring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *")
        for name in ("osd.0", "client.admin"):
            self.do("ceph-authtool", ring, "--gen-key", "-n", name, *everything)
        self.do("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                os.path.join(self.folder, "key.pem"), "-out", self.ca)
        return ring

    def start(self):
        osd, ring = str(uuid.uuid4()), self.make_keys()
        mons = os.path.join(self.folder, "monmap")
        self.do("monmaptool", "--create", "--fsid", self.fsid, "--addv", "a", self.mon, mons)
        self.do("ceph-mon", "-c", self.conf, "--mkfs", "-i", "a", "--keyring", ring, "--monmap",
                mons)
        self.spawn("ceph-mon", "-i", "a")
        self.do("ceph", "-c", self.conf, "osd", "new", osd, "0")
        self.do("ceph-osd", "-c", self.conf, "-i", "0", "--mkfs", "--osd-uuid", osd)
        self.spawn("ceph-osd", "-i", "0")
        self.start_gateway()
        self.do("radosgw-admin", "-c", self.conf, "-n", "client.admin", "user", "create",
                "--uid=u", "--display-name=u", f"--access-key={KEY_ID}", f"--secret-key={SECRET}")
        return self

    def start_gateway(self):
        """The objects outlive the gateway, which is the last child."""
        self.spawn("radosgw", "-n", "client.admin")
        wait_for("radosgw to listen", lambda: port_is_open(self.port) and port_is_open(self.tls), 90)

    def kill_gateway(self):
        self.children[-1].kill()
        self.children.pop().wait()

    def environment(self, **more):
        return {**os.environ, "AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET,
                "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", **more}

    def client(self):
        import boto3
        from botocore.config import Config
        return boto3.client("s3", endpoint_url=self.url, aws_access_key_id=KEY_ID,
                            aws_secret_access_key=SECRET, region_name="us-east-1",
                            config=Config(s3={"addressing_style": "path"}))

    def stop(self):
        for child in reversed(self.children):	# nothing of theirs is kept
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.children = []
