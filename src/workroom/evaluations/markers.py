"""By what a persona is known in a text: how it begins and ends, the form it has, words it always says. Pure: counts and
comparisons, so that the same answer is always judged the same way.

A marker is written `check` or `check: value`. Checks forgive what does not matter, such as bold type or a line before a list;
they are the same for the persona that should be there and for the one that should not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

BESIDE = 2  # lines beside a list: one that introduces it, one that signs
SIGNATURE = 5  # words in a line that signs
CAPITALS = 0.8  # of all letters
RHYMING = 2  # letters that two ends of lines have in common
_BULLET = re.compile(r"\s*[-*•–]\s+\S")
_NUMBER = re.compile(r"\s*\**\d+[.)]\**\s+\S")
_HEADING = re.compile(r"\s*#{1,6}\s+\S")
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"\s*\|[\s:|-]*-[\s:|-]*\|\s*")
_FENCE = re.compile(r"\s*```\w*\s*\n(.*?)\n\s*```\s*", re.DOTALL)
_EMOJI = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u27BF]")
_WORD = re.compile(r"\w+")
_EDGES = re.compile(r"\A[\W_]+|[\W_]+\Z")


@dataclass(frozen=True)
class Marker:
    check: str
    value: str = ""

    @classmethod
    def parse(cls, written: str) -> Marker:
        """ValueError when there is no such check, or when it lacks what it needs."""
        check, _, value = written.partition(": ")
        if check not in CHECKS:
            raise ValueError(f"there is no check {check!r}; there are {', '.join(CHECKS)}")
        if (check in WITH_VALUE) is not bool(value):
            raise ValueError(f"{check!r} {'needs a value' if check in WITH_VALUE else 'takes no value'}")
        return cls(check, value)

    def __str__(self) -> str:
        return f"{self.check}: {self.value}" if self.value else self.check

    def is_in(self, text: str) -> bool:
        return bool(text.strip()) and CHECKS[self.check](text, self.value)


def _begins(text: str, value: str) -> bool:
    return _bare(text).startswith(_bare(value))


def _ends(text: str, value: str) -> bool:
    return _bare(text).endswith(_bare(value))


def _says(text: str, value: str) -> bool:
    return _folded(value) in _folded(text)


def _signs(text: str, value: str) -> bool:
    """The name is the last thing said: behind a dash, or in a short line of its own."""
    last = next((bare for line in reversed(_lines(text)) if (bare := _bare(line))), "")
    if not last.endswith(_bare(value)):
        return False
    before = last.removesuffix(_bare(value)).rstrip(" *_")
    return before.endswith(("—", "–", "-")) or len(_WORD.findall(last)) <= SIGNATURE


def _bullets(text: str, _: str) -> bool:
    return _is_list(text, _BULLET)


def _numbered(text: str, _: str) -> bool:
    return _is_list(text, _NUMBER)


def _prose(text: str, _: str) -> bool:
    """One dash begins no list: it may stand before a signature."""
    lines = _lines(text)
    points = max(sum(bool(item.match(line)) for line in lines) for item in (_BULLET, _NUMBER))
    return points < 2 and not any(form.match(line) for line in lines for form in (_HEADING, _ROW))


def _table(text: str, _: str) -> bool:
    rows = [line for line in _lines(text) if _ROW.fullmatch(line)]
    return len(rows) >= 3 and any(_RULE.fullmatch(row) for row in rows)


def _quoted(text: str, _: str) -> bool:
    return all(line.lstrip().startswith(">") for line in _lines(text))


def _json(text: str, value: str) -> bool:
    """An object with this key, and nothing around it but a fence."""
    fenced = _FENCE.fullmatch(text)
    try:
        read = json.loads(fenced[1] if fenced else text)
    except ValueError:
        return False
    return isinstance(read, dict) and value in read


def _brief(text: str, value: str) -> bool:
    return len(_WORD.findall(text)) <= int(value)


def _asks(text: str, _: str) -> bool:
    return text.rstrip(" \n*_\"'”“»").endswith("?")


def _capitals(text: str, _: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and sum(letter.isupper() for letter in letters) >= CAPITALS * len(letters)


def _emoji(text: str, _: str) -> bool:
    return _EMOJI.search(text) is not None


def _rhymes(text: str, _: str) -> bool:
    """At least two pairs of neighbouring lines end alike, as they are spelled, and not in the same word. Points of a list often
    end alike by chance, so they are no verse."""
    verse = [line for line in _lines(text) if not _BULLET.match(line) and not _NUMBER.match(line)]
    ends = [words[-1] for line in verse if (words := _WORD.findall(_folded(line)))]
    pairs = [(one, other) for one, other in pairwise(ends) if one != other and one[-RHYMING:] == other[-RHYMING:]]
    return len(pairs) >= 2


def _is_list(text: str, item: re.Pattern[str]) -> bool:
    lines = _lines(text)
    items = sum(bool(item.match(line)) for line in lines)
    return items >= 2 and len(lines) - items <= BESIDE


def _lines(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if line.strip()]


def _bare(text: str) -> str:
    """Without quotes, emphasis, punctuation and emoji around it."""
    return _EDGES.sub("", _folded(text))


def _folded(text: str) -> str:
    """Typographic signs as they are typed: models use either."""
    return text.strip().casefold().replace("’", "'").replace("\u00a0", " ")


CHECKS: Mapping[str, Callable[[str, str], bool]] = {
    "begins": _begins,
    "ends": _ends,
    "says": _says,
    "signs": _signs,
    "bullets": _bullets,
    "numbered": _numbered,
    "prose": _prose,
    "table": _table,
    "quoted": _quoted,
    "json": _json,
    "brief": _brief,
    "asks": _asks,
    "capitals": _capitals,
    "emoji": _emoji,
    "rhymes": _rhymes,
}
WITH_VALUE = frozenset({"begins", "ends", "says", "signs", "json", "brief"})
