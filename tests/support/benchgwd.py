"""bench describe, pages and million: gwd under load, beside a bare server where there is one."""

import base64
import contextlib
import json
import subprocess
import urllib.parse

import clusterlib as lib
from proclib import cpu_us

LOAD_SECONDS = 8
CONNECTIONS = (1, 8, 64)
PACED_CONNECTIONS = 16
PAGE, CROWD, PAGE_SECONDS = 100, 2000, 2
MILLION, WARM, CHUNK_SECONDS, ONE_BAD_IN = 1000000, 50000, 55, 10
BODY = "Action=DescribeInstances&Version=2016-11-15"
STATE = "spinifex-instance-state"


def run_load(c, port, conns, seconds=LOAD_SECONDS, body=BODY, rate=0, bad=0):
    key = c.state["key"]
    done = subprocess.run([c.bin("support/load"), str(port), key["id"], key["secret"], str(conns),
                           str(seconds), body, str(rate), str(bad)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise lib.Failure(f"load: {done.stdout} {done.stderr}")
    return {k: int(v) for k, v in (l.split() for l in done.stdout.splitlines())}


@contextlib.contextmanager
def bare(c, size, ret_check_us):
    """The port of a bare server with answers of that size; its time for a check of a signature."""
    key = c.state["key"]
    p = subprocess.Popen([c.bin("support/bare"), key["id"], key["secret"], str(size)],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(p.stdout.readline())
    finally:
        p.stdin.close()
        ret_check_us.append(int(p.stdout.read() or 0) / 1000)
        p.wait()


def line(what, conns, r):
    print(f"  {what:7} {conns:2} connection{'s' if conns > 1 else ' '} {r['answers_per_second']:6} answers/s, "
          f"median {r['median_us']:5} us, p99 {r['p99_us']:5} us")


def one_stopped(c, image):
    """An instance whose emulated CPU is not measured too."""
    ec2 = c.client()
    iid = ec2.run_instances(ImageId=image, InstanceType="t3.nano", MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]

    def state():
        return ec2.describe_instances(InstanceIds=[iid])["Reservations"][0]["Instances"][0]["State"]["Name"]
    lib.wait_for(iid, lambda: state() == "running", 60)
    ec2.stop_instances(InstanceIds=[iid], Force=True)
    lib.wait_for(iid + " stopped", lambda: state() == "stopped", 60)
    return iid


def describe(c, image):
    iid, node, best, peak = one_stopped(c, image), c.node_names()[0], 0, 1
    port = c.state["nodes"][node]["port"]
    pids = {d: c.daemon(node, d).pid() for d in ("gwd", "vmd")} | {"nats-server": c.nats(1).pid()}
    print(f"describe, for {LOAD_SECONDS} s each", flush=True)
    for conns in CONNECTIONS:
        before = {d: cpu_us(p) for d, p in pids.items()}
        r = run_load(c, port, conns)
        n, check_us = r["answers"], []
        if r["answers_per_second"] > best:
            best, peak = r["answers_per_second"], conns
        line("gwd", conns, r)
        print("          CPU us an answer: " +
              ", ".join(f"{d} {(cpu_us(p) - before[d]) / n:.0f}" for d, p in pids.items()))
        with bare(c, r["body_bytes"], check_us) as floor_port:
            floor = run_load(c, floor_port, conns)
        line("bare", conns, floor)
        print(f"          gwd / bare: {r['answers_per_second'] / floor['answers_per_second']:.2f} of the answers"
              f"{' (at least 0.5)' if conns > 1 else ''}, {r['median_us'] / floor['median_us']:.1f} times the median; "
              f"a signature's check {check_us[0]:.1f} us (under 10)")
    r = run_load(c, port, peak, rate=best // 2)
    print(f"  at {r['answers_per_second']} answers/s, half the best, over {peak} connections: median "
          f"{r['median_us'] / 1000:.1f} ms, p99 {r['p99_us'] / 1000:.1f} ms (under 20)")
    c.client().terminate_instances(InstanceIds=[iid])


def multiply(c, iid):
    """Copies of a stopped instance's record, as if as many had been launched and stopped; vmd takes
    them for its own when it starts."""
    vmd = c.daemon(c.node_names()[0], "vmd")
    vmd.stop()
    with c.bus() as nats:
        answer = nats.call(f"$JS.API.STREAM.MSG.GET.KV_{STATE}", {"last_by_subj": f"$KV.{STATE}.instance.{iid}"})
        text = base64.b64decode(answer["message"]["data"]).decode()
        for n in range(CROWD):
            record = json.loads(text.replace(iid, f"i-{n:017x}"))
            for member, prefix in (("volume_id", "vol"), ("eni_id", "eni")):
                if record.get(member):
                    record[member] = f"{prefix}-{n:017x}"
            nats.request(f"$KV.{STATE}.instance.i-{n:017x}", json.dumps(record).encode())
    vmd.start()
    c.wait_ready(c.node_names()[0])


def walk(ec2):
    """(the token that leads to it, how many instances) of each page."""
    out, token = [], ""
    while True:
        page = ec2.describe_instances(MaxResults=PAGE, NextToken=token)
        out.append((token, sum(len(r["Instances"]) for r in page["Reservations"])))
        token = page.get("NextToken")
        if not token:
            return out


def pages(c, image):
    iid, ec2, node = one_stopped(c, image), c.client(), c.node_names()[0]
    multiply(c, iid)
    lib.wait_for("all that are listed", lambda: sum(n for _, n in walk(ec2)) > CROWD, 120, 1)
    took = []
    for token, n in walk(ec2):
        body = f"{BODY}&MaxResults={PAGE}" + (f"&NextToken={urllib.parse.quote(token)}" if token else "")
        if n == PAGE:
            took.append(run_load(c, c.state["nodes"][node]["port"], 1, PAGE_SECONDS, body)["median_us"] / 1000)
    print(f"{CROWD} instances in {len(took)} pages of {PAGE}: {min(took):.1f} to {max(took):.1f} ms a page, each a "
          f"median of {PAGE_SECONDS} s (under 30)")


def rss_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(l.split()[1]) for l in f if l.startswith("VmRSS:"))


def million(c, image):
    one_stopped(c, image)
    node = c.node_names()[0]
    pid, port, sent, first = c.daemon(node, "gwd").pid(), c.state["nodes"][node]["port"], 0, 0
    while sent < WARM + MILLION:
        sent += run_load(c, port, PACED_CONNECTIONS, CHUNK_SECONDS if first else 10, bad=ONE_BAD_IN)["answers"]
        if not first and sent >= WARM:
            first, began = rss_kb(pid), sent
        print(f"  {sent} requests: {rss_kb(pid)} kB", flush=True)
        if first and sent - began >= MILLION:
            break
    print(f"{sent - began} requests, 1 in {ONE_BAD_IN} malformed: gwd grew by {(rss_kb(pid) - first) / 1024:.2f} MB, "
          f"from {first / 1024:.1f} MB (under 2)")
