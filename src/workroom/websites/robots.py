"""robots.txt, as RFC 9309 has it: which addresses of an origin we may read. Pure.

The group for our own name counts, else the one for everybody; of its rules the longest that fits, and `allow` between equals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

AGENT = "workroom"
MOST_RULES = 2_000
MAX_BYTES = 500_000
_TOKEN = re.compile(r"[a-z_-]+")


@dataclass(frozen=True)
class Robots:
    """`rules` are patterns of paths, with whether they allow. `delay` is in seconds."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, target: str) -> bool:
        """`target` is path and query, percent-encoded."""
        fitting = [(len(pattern), allowed) for pattern, allowed in self.rules if _fits(pattern, target)]
        return max(fitting, default=(0, True))[1]


@dataclass
class _Group:
    agents: list[str]
    rules: list[tuple[str, bool]]
    delay: float = 0.0


def parse_robots(text: str) -> Robots:
    groups, sitemaps = _groups(text)
    own = [group for group in groups if AGENT in group.agents] or [group for group in groups if "*" in group.agents]
    rules = tuple(rule for group in own for rule in group.rules)
    return Robots(rules, max((group.delay for group in own), default=0.0), tuple(sitemaps))


def _groups(text: str) -> tuple[list[_Group], list[str]]:
    groups: list[_Group] = []
    sitemaps: list[str] = []
    begins = False  # whether the line before named an agent: several may share a group
    for key, value in _lines(text):
        if key == "user-agent":
            if not begins:
                groups.append(_Group([], []))
            token = _TOKEN.match(value.lower())
            groups[-1].agents.append(token[0] if token else value)
        elif key == "sitemap":
            sitemaps.append(value)
            continue  # belongs to no group
        elif groups and key in ("allow", "disallow") and value and len(groups[-1].rules) < MOST_RULES:
            groups[-1].rules.append((_encoded(value), key == "allow"))
        elif groups and key == "crawl-delay":
            groups[-1].delay = _seconds(value)
        begins = key == "user-agent"
    return groups, sitemaps


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _encoded(pattern: str) -> str:
    return quote(pattern, safe="%/?:@!$&'()*+,;=-._~[]")


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def _fits(pattern: str, target: str) -> bool:
    """`*` stands for anything, `$` at the end for the end. Piece by piece, so no pattern takes long."""
    anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    at = len(first)
    for index, piece in enumerate(others):
        if anchored and index == len(others) - 1:
            return target.endswith(piece) and len(target) - len(piece) >= at
        found = target.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return not anchored or at == len(target)
