"""The words somebody may have meant: what is written right means itself, what is mistyped the nearest words. One slip in a word
of five letters, two in one of eight; two letters that changed places are one slip, and the only one in a word of four."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

ONE_SLIP_FROM, TWO_SLIPS_FROM, LONGEST = 5, 8, 30


class Known:
    def __init__(self, words: Iterable[str]) -> None:
        self._exact = frozenset(words)
        self._letters = [(word, _letters(word)) for word in sorted(self._exact) if word.isalpha() and word.isascii()]

    def meant(self, written: str) -> Mapping[str, int]:
        """Words, and how many slips away they are."""
        if written in self._exact:
            return {written: 0}
        if not ONE_SLIP_FROM - 1 <= len(written) <= LONGEST or not (written.isalpha() and written.isascii()):
            return {}
        letters = _letters(written)
        found = {}
        for word, others in self._letters:
            most = _most(max(len(word), len(written)))
            if abs(len(word) - len(written)) > most or (letters ^ others).bit_count() > 2 * most:
                continue
            slips = distance(word, written)
            long = max(len(word), len(written)) >= ONE_SLIP_FROM
            if slips <= most and (long or sorted(word) == sorted(written)):
                found[word] = slips
        return found


def distance(one: str, other: str) -> int:
    """Letters left out, put in, changed, or swapped with the next."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            least = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                least = min(least, before[column - 2] + 1)
            line.append(least)
        before, last = last, line
    return last[-1]


def _most(length: int) -> int:
    return 2 if length >= TWO_SLIPS_FROM else 1


def _letters(word: str) -> int:
    """A bit for every letter in it: words that differ in many cannot be near, and nobody has to count how far they are."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter)
    return bits
