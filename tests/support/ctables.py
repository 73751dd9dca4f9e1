"""ctables - reads the constant tables of the C sources: route tables, field tables, keys, verbs.

A file goes through the compiler's preprocessor, so macros cost nothing; then initialisers of
the wanted types are parsed, and their expressions evaluated as far as they are constant.
"""

import os
import re
import shlex
import subprocess

PKGS = ("libnats", "libcjson", "libsystemd", "libcurl", "libmicrohttpd", "libcrypto", "zlib",
        "libxml-2.0")
LAYOUT = {
    "json_field": ("key", "type", "offset", "min", "max", "need", "sub", "nsub"),
    "bus_route": ("subject", "handler", "kind", "max_bytes", "deadline_ms", "needs", "in", "nin",
                  "in_size", "code_prefix"),
    "conf_key": ("section", "name", "type", "offset", "def", "min", "max", "words"),
    "bucket_spec": ("name", "description", "ttl_ms", "loss", "may_erase", "guard"),
    "tool_verb": ("name", "args", "min_args", "max_args", "help", "run"),
}
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|0[xX][0-9a-fA-F]+[uUlL]*|'
                   r'\d+[uUlL]*|[A-Za-z_]\w*|->|[^\s\w]')
TABLE = re.compile(r"\bstruct (%s) (\w+)\s*(\[[^\]]*\])?\s*= \{" % "|".join(LAYOUT))


class Unreadable(Exception):
    """A source that cannot be preprocessed or a table that is not understood."""


def _flags():
    flags = ["-I.", "-D_GNU_SOURCE", '-DSPINIFEX_LIBEXEC="/usr/libexec/spinifex"']
    for p in PKGS:
        r = subprocess.run(["pkg-config", "--cflags", p], capture_output=True, text=True,
                           check=False)
        flags += shlex.split(r.stdout)
    return flags


class Preprocessor:
    """Texts by path, as they are or as a proof has them; what was read once is kept."""

    def __init__(self, root):
        self.root = root
        self.flags = _flags()
        self.kept = {}

    def run(self, path, text):
        key = (path, text)
        if key not in self.kept:
            r = subprocess.run([os.environ.get("CC", "gcc"), "-E", "-P", *self.flags, "-x", "c",
                                "-I", os.path.dirname(path) or ".", "-"], cwd=self.root,
                               input=text, capture_output=True, text=True, check=False)
            if r.returncode != 0:
                raise Unreadable(f"{path}: {r.stderr.strip().splitlines()[:1]}")
            self.kept[key] = r.stdout
        return self.kept[key]


# ---- sizes of char arrays, for sizeof(((struct x *)0)->member) ----

def _structs(text):
    found = {}
    for m in re.finditer(r"\bstruct (\w+) \{", text):
        depth, i = 1, m.end()
        while depth and i < len(text):
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            i += 1
        members = {}
        for decl in text[m.end():i - 1].split(";"):
            d = re.match(r"\s*(?:const )?(char|struct \w+)\s+(.*)", decl, re.S)
            if not d or "{" in decl:
                continue
            for one in d.group(2).split(","):
                a = re.match(r"\s*(\w+)\s*((?:\[[^\]]*\])*)\s*$", one)
                if a:
                    members[a.group(1)] = (d.group(1), re.findall(r"\[([^\]]*)\]", a.group(2)))
        found.setdefault(m.group(1), members)
    return found


def _sizeof(structs, struct, path):
    kind, dims = structs.get(struct, {}).get(path[0], (None, []))
    if kind is None:
        return None
    if len(path) > 1:
        return _sizeof(structs, kind.split()[-1], path[1:])
    size = 1
    for d in dims:
        n = _number(structs, d)
        if n is None:
            return None
        size *= n
    return size if kind == "char" else None


SIZEOF = re.compile(r"sizeof\s*\(\s*\(\s*\(\s*struct\s+(\w+)\s*\*\s*\)\s*0\s*\)\s*->\s*([\w.\s]+?)\s*\)")


def _number(structs, text):
    text = SIZEOF.sub(lambda m: str(_sizeof(structs, m.group(1),
                                            re.sub(r"\s", "", m.group(2)).split("."))), text)
    text = re.sub(r"\b(\d+|0[xX][0-9a-fA-F]+)[uUlL]+\b", r"\1", text)
    if not re.fullmatch(r"[\d\s()+*/<>|&xXa-fA-F-]+", text):
        return None
    try:
        return int(eval(text.replace("/", "//"), {"__builtins__": {}}))  # digits and operators
    except (SyntaxError, TypeError, NameError, ZeroDivisionError):
        return None


# ---- initialisers ----

def _literal(token):
    return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _value(structs, tokens):
    while len(tokens) > 2 and tokens[0] == "(" and tokens[-1] == ")":
        tokens = tokens[1:-1]
    if tokens and all(t.startswith('"') for t in tokens):
        return "".join(_literal(t) for t in tokens)
    text = " ".join(tokens)
    if text in ("NULL", "( ( void * ) 0 )", "( void * ) 0"):
        return None
    n = _number(structs, text)
    return text.strip("& ") if n is None else n


def _braces(structs, tokens, i):
    """The initialiser at tokens[i] == '{': [(designator or None, value)], and what follows."""
    out, i = [], i + 1
    while tokens[i] != "}":
        name = None
        if tokens[i] == ".":
            name, i = tokens[i + 1], i + 3
        elif tokens[i] == "[":
            i = tokens.index("=", i) + 1
        if tokens[i] == "{":
            value, i = _braces(structs, tokens, i)
        else:
            depth, start = 0, i
            while depth or tokens[i] not in (",", "}"):
                depth += {"(": 1, ")": -1, "{": 1, "}": -1, "[": 1, "]": -1}.get(tokens[i], 0)
                i += 1
            value = _value(structs, tokens[start:i])
        out.append((name, value))
        if tokens[i] == ",":
            i += 1
    return out, i + 1


def _row(layout, items):
    row, at = dict.fromkeys(layout), 0
    for name, value in items:
        if name is not None:
            at = layout.index(name) if name in layout else at
        row[layout[at]] = value
        at += 1
    return row


def tables(text):
    """[(type, name, [row, ...])] of a preprocessed text; one struct is a table of one row."""
    structs = None
    for m in TABLE.finditer(text):
        structs = structs or _structs(text)
        rest = text[m.end() - 1:]
        tokens = TOKEN.findall(rest[:rest.index("};") + 2])
        items, _ = _braces(structs, tokens, 0)
        layout = LAYOUT[m.group(1)]
        if m.group(3) is None:
            rows = [_row(layout, items)]
        else:
            rows = [_row(layout, value) for _, value in items if isinstance(value, list)]
        yield m.group(1), m.group(2), rows
