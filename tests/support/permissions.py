"""Who may say and hear what on NATS, as etc/nats/nats-server.conf.in has it: the one place where
it is written, from which spinifex-setup and clusterlib make servers' configurations."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEMPLATE = os.path.join(ROOT, "etc/nats/nats-server.conf.in")
BLOCK = re.compile(r"^(\w+) = \{\n(.*?)^\}$", re.M | re.S)
LIST = re.compile(r"(publish|subscribe): \{\s*allow: \[(.*?)\]\s*\}", re.S)


def read(path=TEMPLATE):
    """{user: {"publish": [pattern, ...], "subscribe": [...]}}."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return {user: {act: re.findall(r'"([^"]+)"', rows) for act, rows in LIST.findall(block)}
            for user, block in BLOCK.findall(text)}


def matches(pattern, subject):
    """Does the server take subject, which may have wildcards itself, for one of pattern?"""
    want, has = pattern.split("."), subject.split(".")
    for i, w in enumerate(want):
        if w == ">":
            return len(has) > i
        if i >= len(has) or (w != has[i] and (w != "*" or has[i] == ">")):
            return False
    return len(want) == len(has)


def may(rows, subject):
    return any(matches(p, subject) for p in rows)


def example(pattern):
    """A subject without wildcards that pattern has."""
    return pattern.replace("*", "x7").replace(">", "x7.y8")
