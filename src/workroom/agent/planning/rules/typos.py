"""The words a user may have meant: what is written right means itself, what is mistyped the nearest words. One slip in a word
of five letters, two in one of eight; two letters that changed places are one slip, and the only one in a word of four."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from workroom.core.edit_distance import edit_distance

ONE_SLIP_FROM, TWO_SLIPS_FROM, LONGEST = 5, 8, 30


SCANNED_AT_ONCE = 16  # words that are ruled out by their letters in the time of one step


class Meant(NamedTuple):
    """Words, and how many slips away they are; `steps` is how much work it was to find them."""

    words: Mapping[str, int]
    steps: int = 1


class Known:
    def __init__(self, words: Iterable[str]) -> None:
        self._exact = frozenset(words)
        self._by_length: dict[int, list[tuple[str, int]]] = {}
        for word in sorted(self._exact):
            if word.isalpha() and word.isascii():
                self._by_length.setdefault(len(word), []).append((word, _letters(word)))

    def meant(self, written: str) -> Meant:
        if written in self._exact:
            return Meant({written: 0})
        if not ONE_SLIP_FROM - 1 <= len(written) <= LONGEST or not (written.isalpha() and written.isascii()):
            return Meant({})
        letters, found, steps = _letters(written), {}, 1
        for length in range(len(written) - 2, len(written) + 3):
            there = self._by_length.get(length, ())
            longer = max(length, len(written))
            most = _most(longer)
            if abs(length - len(written)) > most:
                continue
            steps += len(there) // SCANNED_AT_ONCE
            for word, others in there:
                if (letters ^ others).bit_count() > 2 * most:
                    continue
                steps += longer // 2 + 4
                slips = edit_distance(word, written, most)
                if slips <= most and (longer >= ONE_SLIP_FROM or sorted(word) == sorted(written)):
                    found[word] = slips
        return Meant(dict(sorted(found.items())), steps)


def _most(length: int) -> int:
    return 2 if length >= TWO_SLIPS_FROM else 1


def _letters(word: str) -> int:
    """A bit for every letter in it: words that differ in many cannot be near, and their distance is not computed."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter)
    return bits
