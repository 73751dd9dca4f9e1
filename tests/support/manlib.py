"""manlib - the tree of sources and pages that check-man compares: as it is, or as a proof of one
of its checks has it; and the lists of a page in mdoc."""

import functools
import glob
import os
import re

import ctables

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DAEMONS = ("leased", "uefid", "vmd", "reaperd", "gwd")
TOOLS = {"leasectl": "leased", "uefictl": "uefid", "vmctl": "vmd", "reaperctl": "reaperd"}
SUBJECTS = "man/spinifex-subjects.7"
U64_MAX = 2 ** 64 - 1


# ---- the tree, as it is or as a proof has it ----

class Tree:
    """Pages and sources by path; what a proof changes is laid over them."""

    pre = ctables.Preprocessor(ROOT)

    def __init__(self, over=None):
        self.over = over or {}

    @functools.lru_cache(maxsize=None)  # noqa: B019  (trees are few and live as long as we)
    def read(self, path):
        if path in self.over:
            return self.over[path]
        try:
            with open(os.path.join(ROOT, path), encoding="utf-8") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def changed(self, path, old, new):
        """A tree in which old, a regular expression that has to match, is new."""
        text, n = re.subn(old, new, self.read(path), count=1, flags=re.M)
        if n == 0:
            raise ctables.Unreadable(f"a proof finds no {old!r} in {path}")
        return Tree({**self.over, path: text})

    def sources(self, *folders, tools=True):
        for d in folders:
            for path in sorted(glob.glob(os.path.join(ROOT, d, "*.c"))):
                rel = os.path.relpath(path, ROOT)
                if tools or os.path.basename(rel)[:-2] not in TOOLS:
                    yield rel

    @functools.lru_cache(maxsize=None)  # noqa: B019
    def tables(self, kind):
        """[(path, name, rows)]"""
        found = []
        wanted = re.compile(r"\bstruct %s \w+\s*(\[[^\]]*\])?\s*=" % kind)
        for path in self.sources("common", *DAEMONS):
            if wanted.search(self.read(path)):
                text = self.pre.run(path, self.read(path))
                found += [(path, n, rows) for k, n, rows in ctables.tables(text) if k == kind]
        return found


# ---- pages ----

def plain(line):
    return re.sub(r"\\&", "", line)


class Page:
    """The lists of a page: entries are the items of the outermost list of a section."""

    def __init__(self, text):
        self.section = {}		# of each .Sh and .Ss: its lines
        self.entry = {}			# by head: its lines
        self.entry_section = {}
        sh, ss, depth, head = "", None, 0, None
        for line in text.splitlines():
            if line.startswith(".Sh "):
                sh, ss, depth, head = line[4:], None, 0, None
                self.section.setdefault(sh, [])
            elif line.startswith(".Ss "):
                ss, depth, head = line[4:], 0, None
                self.section.setdefault(ss, [])
            depth += line.startswith(".Bl") - line.startswith(".El")
            if depth == 0:
                head = None
            elif depth == 1 and line.startswith(".It "):
                head = plain(line[4:])
                self.entry.setdefault(head, [])
                self.entry_section[head] = ss or sh
            for name in {sh, ss} - {None, ""}:
                self.section[name].append(line)
            if head:
                self.entry[head].append(line)

    def heads(self, macro):
        """{first word after the macro: lines} of entries that begin with it."""
        return {h.split()[1]: lines for h, lines in self.entry.items()
                if h.split()[0] == macro and len(h.split()) > 1}


def rows(lines):
    """[(names, what it says)] of the ".It Va name No what" lines."""
    found = []
    for line in lines:
        m = re.match(r"\.It Va (.*?)(?: No (.*))?$", plain(line))
        if m:
            found.append((m.group(1).split(" , "), m.group(2) or ""))
    return found


def request_lines(lines):
    """What stands before the answer."""
    for i, line in enumerate(lines):
        if line.startswith("Answer"):
            return lines[:i]
    return lines


def words(lines, macro):
    """Arguments of a macro, on lines of its own and inside others."""
    found = set()
    for line in lines:
        line = plain(line)
        if not line.startswith("."):
            continue
        on = False
        for w in re.sub(r"\\\s*$", "", line[1:]).split():
            if w == macro:
                on = True
            elif re.fullmatch(r"[A-Z][a-z]", w) and w != "No" or w == "No":
                on = False
            elif on and w not in (",", ".", ";", ":", ")", "("):
                found.add(w)
    return found


@functools.lru_cache(maxsize=None)
def page_of(text):
    return Page(text)


def subjects_page(t):
    return page_of(t.read(SUBJECTS))


# ---- what a field is called in the page ----

def type_text(f):
    least, most = f["min"] or 0, f["max"] or 0
    kind = f["type"]
    if kind in ("JSON_STR", "JSON_DUP"):
        said = f"text, {most} bytes" if least == most else \
            f"text, {least} to {most} bytes" if least else f"text, up to {most} bytes"
    elif kind in ("JSON_U64", "JSON_U32", "JSON_U64_STR"):
        said = "u64" if kind == "JSON_U64_STR" else "number"
        if most in (0, U64_MAX):
            said += f", from {least}" if least else ""
        else:
            said += f", {least} to {most}" if least else f", up to {most}"
    else:
        said = {"JSON_BOOL": "boolean", "JSON_TIME": "time", "JSON_TREE": "value",
                "JSON_OBJECT": "object"}[kind]
    return said + (", needed" if f["need"] else "")


def compare_fields(where, fields, lines, mode):
    """Sentences about what differs."""
    found, bad = {}, []
    said = rows(lines)
    if mode == "names":
        known = words(lines, "Va")
        return [f"{where}: no field {f['key']}" for f in fields if f["key"] not in known]
    for names, what in said:
        for n in names:
            found.setdefault(n, []).append(what)
    for f in fields:
        if f["key"] not in found:
            bad.append(f"{where}: no field {f['key']}")
        elif type_text(f) not in found[f["key"]]:
            bad.append(f"{where}: {f['key']} is \"{type_text(f)}\", "
                       f"the page says \"{found[f['key']][0]}\"")
    if mode == "request":
        extra = set(found) - {f["key"] for f in fields}
        bad += [f"{where}: the code has no field {n}" for n in sorted(extra)]
    return bad
