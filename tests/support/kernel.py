"""Debian's cloud kernel, as the demo image has it unpacked, for machines that boot it directly:
its file, its modules, and an initial RAM disk around them."""

import os
import shutil
import subprocess
import tempfile

import clusterlib
from clusterlib import Failure

CACHE = os.path.join(clusterlib.ROOT, "build/cache")


def run(*argv, **kw):
    done = subprocess.run(argv, text=True, capture_output=True, check=False, **kw)
    if done.returncode:
        raise Failure(f"{argv[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def libraries(program):
    """The paths of what it is linked with."""
    for line in run("ldd", program).splitlines():
        words = line.replace("=>", " ").split()
        yield from (w for w in words[:2] if w.startswith("/"))


def copy_program(root, path):
    shutil.copy(path, os.path.join(root, "bin"))
    for library in libraries(path):
        os.makedirs(root + os.path.dirname(library), exist_ok=True)
        shutil.copy(library, root + library)


def busybox(root, applets):
    shutil.copy(shutil.which("busybox"), os.path.join(root, "bin"))
    for applet in applets:
        os.symlink("busybox", os.path.join(root, "bin", applet))


def pack(root, initrd):
    subprocess.run(f"cd '{root}' && find . | cpio -o -H newc --quiet | gzip -1 >'{initrd}'", shell=True,
                   check=True)


class Kernel:
    def __init__(self):
        with tempfile.TemporaryDirectory(prefix="kernel-") as folder:	# the cache is what is wanted
            run(os.path.join(clusterlib.ROOT, "tests/support/demo-image"), os.path.join(folder, "demo"), CACHE)
        self.root = os.path.join(CACHE, "kernel")
        old = os.path.join(self.root, "lib/modules")
        self.modules = old if os.path.isdir(old) else os.path.join(self.root, "usr/lib/modules")
        self.version = sorted(os.listdir(self.modules))[0]
        self.path = os.path.join(self.root, "boot", f"vmlinuz-{self.version}")

    def copy_modules(self, root, wanted):
        """To modules/, with the order in which they are loaded."""
        base = os.path.dirname(os.path.dirname(self.modules))
        order = []
        for name in wanted:
            shown = run("modprobe", "-d", base, "-S", self.version, "--show-depends", name)
            order += [words[1] for words in map(str.split, shown.splitlines()) if words[0] == "insmod"]
        names = []
        for path in dict.fromkeys(order):
            name, packed = os.path.splitext(os.path.basename(path))
            unpack = {".xz": ["xz", "-dc"], ".zst": ["zstd", "-qdc"]}.get(packed)
            names.append(name if unpack else name + packed)
            with open(os.path.join(root, "modules", names[-1]), "wb") as f:
                subprocess.run([*(unpack or ["cat"]), path], stdout=f, check=True)
        clusterlib.write(os.path.join(root, "modules/order"), "\n".join(names) + "\n")
