"""Fuzzy matching of names as people type them: without accents, abbreviated, with typos. Pure.

Two texts are compared after folding: small letters, no accents, `ae oe ue ss` for what they stand for, `str.` for a street.
What is then still different is counted in letters (Damerau and Levenshtein), but only between names that resemble each
other at all: comparing a word with two thousand names must not block other requests.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from workroom.core.edit_distance import edit_distance

SURE = 0.9  # at least this, and nothing else near it: there is nothing to ask
NEAR = 0.12  # as much less than the best is still as good as it
MOST = 8

_APART = re.compile(r"[^\w]+")
_DOUBLED = re.compile("([aou])e+")
_STREET = re.compile(r"(?:strasse|str)\b")
_LONELY_STREET = re.compile(r"(?<=[^\W\d_]) str\b")
T = TypeVar("T")


def folded(text: str) -> str:
    """For comparing, never for showing."""
    # Twice: there are signs that stand for a capital letter, and small letters that stand for several signs.
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = "".join(char for char in spread if not unicodedata.combining(char))
    words = _APART.sub(" ", _DOUBLED.sub(r"\1", bare)).strip()
    return _LONELY_STREET.sub("str", _STREET.sub("str", words))


def likeness(first: str, second: str) -> float:
    """Of two folded texts: 1 for the same, 0 for what has nothing in common or is too different to be a slip."""
    if first == second:
        return 1.0
    longest = max(len(first), len(second))
    most = slips(min(len(first), len(second)))
    if not most or abs(len(first) - len(second)) > most:
        return 0.0
    if len(_pairs(first) & _pairs(second)) < len(_pairs(first)) - 2 * most - 1:
        return 0.0
    distance = edit_distance(first, second, most)
    return 0.0 if distance > most else 1.0 - distance / (longest + 2)


def slips(length: int) -> int:
    """How many letters of a word may be wrong for it to be still that word."""
    return 0 if length < 4 else 1 if length < 7 else 2 if length < 12 else 3


def best_matches(scored: Iterable[tuple[float, T]], *, keep: float = NEAR) -> list[tuple[float, T]]:
    """The best first. Alone if it is very good and nothing comes near it; otherwise with everything that does."""
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    if not ranked:
        return []
    near = [pair for pair in ranked if pair[0] >= ranked[0][0] - keep]
    if ranked[0][0] >= SURE:
        return near[:MOST]
    return [pair for pair in ranked if pair[0] >= ranked[0][0] - 3 * keep][:MOST]


def word_coverage(query_words: Sequence[str], label: str) -> float:
    """How well the words of a query occur in a label, 0 to 1; 0 when one is missing. Numbers must match exactly."""
    there = folded(label).split()
    if not query_words or not there:
        return 0.0
    best = [max((_word_likeness(word, other) for other in there), default=0.0) for word in query_words]
    return 0.0 if min(best) == 0.0 else sum(best) / len(best)


def _word_likeness(word: str, other: str) -> float:
    if any(char.isdigit() for char in word):
        return float(word == other)
    return max(likeness(word, other), 0.9 if len(word) >= 4 and other.startswith(word) else 0.0)


@lru_cache(maxsize=10_000)
def _pairs(text: str) -> frozenset[str]:
    """Letters with their neighbour: a slip changes two of them, seldom three."""
    return frozenset({text[place : place + 2] for place in range(len(text) - 1)})
