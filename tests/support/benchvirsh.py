"""bench launch, beside it: virsh create of libvirt with the same machine, in the same turns.

libvirtd runs for the bench alone, as root, with folders of its own in a private mount namespace; what
costs it time and is no part of a launch here (cgroups, namespaces, security labels, virtlogd) is off."""

import contextlib
import os
import re
import shutil
import subprocess
import time
import xml.sax.saxutils as sax

import clusterlib as lib

PACKAGES = "libvirt-daemon libvirt-daemon-driver-qemu libvirt-clients"
NEEDED = ("libvirtd", "virsh")
ITS_FOLDERS = ("/etc/libvirt", "/run/libvirt", "/var/lib/libvirt", "/var/cache/libvirt", "/var/log/libvirt")
DRIVER = "/usr/lib/{}/libvirt/connection-driver/libvirt_driver_qemu.so"
# Debian's libvirt-daemon-system makes them, which also starts services; libvirtd wants to know the name.
ACCOUNTS = {"passwd": "libvirt-qemu:x:64055:64055::/:/usr/sbin/nologin\n", "group": "libvirt-qemu:x:64055:\n"}
QEMU_CONF = """user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
cgroup_controllers = []
namespaces = []
security_driver = "none"
stdio_handler = "file"
"""


def missing():
    """What has to be installed first, or None."""
    arch = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True, check=False).stdout.strip()
    if all(shutil.which(p, path="/usr/sbin:/usr/bin") for p in NEEDED) and os.path.exists(DRIVER.format(arch)):
        return None
    return "libvirt is not installed: apt-get install --no-install-recommends " + PACKAGES


class Libvirt:
    """One libvirtd of ours."""

    def __init__(self, folder, process):
        self.process = process
        self.uri = f"qemu+unix:///system?socket={folder}/libvirt-sock"

    def virsh(self, *words, check=True):
        return subprocess.run(["virsh", "-q", "-c", self.uri, *words], capture_output=True, text=True,
                              timeout=120, check=check)

    def version(self):
        return self.virsh("version").stdout

    def answers(self):
        if self.process.poll() is not None:
            raise lib.Failure("libvirtd ended at its start")
        return self.virsh("uri", check=False).returncode == 0

    def connect_ms(self):
        start = time.monotonic()
        self.virsh("uri")
        return (time.monotonic() - start) * 1000

    def create_ms(self, machine, folder):
        """virsh create: from its start to its end, when the guest runs; that is ended then."""
        path = os.path.join(folder, "machine.xml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(machine)
        start = time.monotonic()
        done = self.virsh("create", path, check=False)
        took = (time.monotonic() - start) * 1000
        if done.returncode:
            raise lib.Failure(f"virsh create: {done.stderr}")
        self.virsh("destroy", "bench")
        return took


@contextlib.contextmanager
def running(folder):
    """Yields the Libvirt; it and what it made go at the end."""
    os.makedirs(folder, exist_ok=True)
    conf = os.path.join(folder, "libvirtd.conf")
    with open(conf, "w", encoding="utf-8") as f:
        f.write(f'unix_sock_dir = "{folder}"\nauth_unix_rw = "none"\nauth_unix_ro = "none"\n')
    with open(os.path.join(folder, "qemu.conf"), "w", encoding="utf-8") as f:
        f.write(QEMU_CONF)
    for f in ITS_FOLDERS:
        os.makedirs(f, exist_ok=True)
    script = "".join(f"mount -t tmpfs none {f}; " for f in ITS_FOLDERS)
    for name, line in ACCOUNTS.items():
        with open(f"/etc/{name}", encoding="utf-8") as f, open(f"{folder}/{name}", "w", encoding="utf-8") as to:
            to.write(f.read() + line)
        script += f'mount --bind "{folder}/{name}" /etc/{name}; '
    with open(os.path.join(folder, "log"), "wb") as log:
        process = subprocess.Popen(
            ["unshare", "-m", "--propagation", "private", "sh", "-ec", script +
             f'cp "{folder}/qemu.conf" /etc/libvirt/; exec libvirtd -f "{conf}" -p "{folder}/pid"'],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        it = Libvirt(folder, process)
        lib.wait_for("libvirtd", it.answers, 60, 0.2)
        yield it
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def one(pattern, text):
    m = re.search(pattern, text)
    if not m:
        raise lib.Failure(f"the arguments of QEMU have no {pattern}")
    return m.group(1)


def disk(driver, n, path, read_only):
    return (f"<disk type='file' device='disk'><driver name='qemu' type='{driver}' discard='unmap'/>"
            f"<source file={sax.quoteattr(path)}/><target dev='vd{'ab'[n]}' bus='virtio'/>"
            f"{'<readonly/>' if read_only else ''}</disk>")


def machine_of(argv, folder):
    """The XML of the machine that these arguments of QEMU make."""
    text = "\n".join(argv)
    disks = "".join(
        disk(driver, int(n), one(rf"node-name=disk{n}-file,filename=([^,]+)", text), more)
        for driver, n, more in re.findall(r"driver=(qcow2|raw),node-name=disk(\d),[^\n]*?(,read-only=on)?$", text, re.M))
    ports = "<controller type='pci' index='0' model='pcie-root'/>" + "".join(
        f"<controller type='pci' index='{n + 1}' model='pcie-root-port'/>" for n in range(text.count("pcie-root-port,")))
    firmware = ""
    if "node-name=vars-file" in text:
        code = sax.escape(one(r"node-name=code-file,filename=([^,]+)", text))
        nvram = sax.escape(one(r"node-name=vars-file,filename=([^,\n]+)", text))
        firmware = f"<loader readonly='yes' type='pflash'>{code}</loader><nvram>{nvram}</nvram>"
    kind = "kvm" if ",accel=kvm" in text else "qemu"
    cpu, memory, vcpus = one(r"\n-cpu\n(\S+)", text), one(r"size=(\d+)M", text), one(r"cpus=(\d+)", text)
    mac = one(r"mac=([0-9a-f:]+)", text)
    cpu = "<cpu mode='host-passthrough'/>" if cpu == "host" else \
        f"<cpu mode='custom' match='minimum' check='none'><model>{cpu}</model></cpu>"
    return f"""<domain type='{kind}'><name>bench</name>
    <memory unit='MiB'>{memory}</memory><vcpu>{vcpus}</vcpu>
    <os><type arch='x86_64' machine='q35'>hvm</type>{firmware}</os>
    <features><acpi/><vmport state='off'/></features>{cpu}<on_poweroff>destroy</on_poweroff>
    <devices><emulator>{sax.escape(shutil.which(argv[0]) or argv[0])}</emulator>{disks}{ports}
    <interface type='user'><mac address='{mac}'/><model type='virtio'/>
    <rom enabled='no'/></interface>
    <serial type='unix'><source mode='bind' path='{folder}/serial'/><log file='{folder}/serial.log' append='on'/></serial>
    <rng model='virtio'><backend model='builtin'/></rng>
    <controller type='usb' model='none'/><memballoon model='none'/></devices></domain>"""
