"""German puts words together: a question for a "Krankenversicherungsgesetz" means a law, too, and insurance.

No dictionary: a word is taken apart where all its parts are words of the files that are searched. That goes wrong at times, so
a part counts less than a word that was written (measured: docs/explanation/figures.md). Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

LANGUAGES = ("german",)
LEAST = 4  # letters of a part
MOST = 40  # of a word: longer ones are no words
# What stands between two parts, or is missing in the first one because the index knows its stem.
LINKS = ("", "s", "n", "en", "es", "er", "e", "ung", "ungs")


class Lexeme(str):
    """A word of a question as the index knows it; with `parts`, if it is a compound."""

    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str, parts: tuple[str, ...]) -> Lexeme:
        made = cls(text)
        made.parts = parts
        return made


def pieces(word: str) -> set[str]:
    """Whatever might be a part of it."""
    if not (2 * LEAST <= len(word) <= MOST and word.isalpha()):
        return set()
    starts = (0, *range(LEAST, len(word) - LEAST + 1))
    return {word[start:end] for start in starts for end in range(start + LEAST, len(word) + 1)} - {word}


def parts(word: str, known: Collection[str]) -> tuple[str, ...]:
    """From known words alone; of several ways the one whose shortest part is longest. Nothing if there is none."""

    @cache
    def split(rest: str) -> tuple[str, ...]:
        best: tuple[str, ...] = ()
        for at in range(LEAST, len(rest) - LEAST + 1):
            head, tail = rest[:at], rest[at:]
            after = (tail,) if tail in known else split(tail)
            for link in LINKS if after else ():
                first = head.removesuffix(link)
                if head.endswith(link) and len(first) >= LEAST and first in known:
                    best = max(best, (first, *after), key=_shortest)
        return best

    return split(word)


def spread(lexemes: Iterable[str]) -> list[str]:
    """With the parts of a compound in place of it: those stand in the text that was found by them."""
    return [part for lexeme in lexemes for part in (getattr(lexeme, "parts", ()) or (lexeme,))]


def _shortest(parts: tuple[str, ...]) -> int:
    return min(map(len, parts), default=0)
