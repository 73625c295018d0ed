"""Notices that a text being written repeats itself: the same block over and over, as small models do. Pure.

Only exact repetition counts, and only a lot of it: tables with equal rows, rulers, lists of zeros and refrains are legitimate.
A text that changes a number each time is not noticed; the limit of its length ends it.
"""

from __future__ import annotations

from dataclasses import dataclass

from workroom.core.tokens import estimate

LONGEST_BLOCK = 2_000  # characters
FEWEST_TIMES = 6
# A block of words, about 3,000 letters of it or 750 Chinese characters: two pages of one sentence.
MOST_WORD_TOKENS = 750
SHORTEST_WORDS = 20  # characters; what is shorter may be a list
SHARE_OF_LETTERS = 0.6
# Anything else (digits, markup, short blocks) may be data that was asked for, such as an empty table or a matrix of zeros.
MOST_DATA_TOKENS = 2_500
KEPT_TIMES = 3

# How it is looked for: now and then, where the last few characters have stood before; their distance is that of the blocks.
# Of a ruler inside a block, a few characters stand next to each other: then more of them are looked for.
STEP = 256
PROBES = (64, 500, LONGEST_BLOCK)
WINDOW = max(4 * MOST_DATA_TOKENS, FEWEST_TIMES * LONGEST_BLOCK) + LONGEST_BLOCK + STEP


@dataclass(frozen=True)
class Repetition:
    """From the character `start` of the text on, there is nothing but the same block of `period` characters."""

    start: int
    period: int

    @property
    def kept(self) -> int:
        """How much of the text is worth keeping: what stands before, and a few of the blocks."""
        block = self.period * -(-SHORTEST_WORDS // self.period)
        return self.start + KEPT_TIMES * block


class RepetitionDetector:
    """Is fed a text in pieces. What it finds does not depend on where the pieces were cut, and costs the same for each."""

    def __init__(self) -> None:
        self._window = ""
        self._pending = ""
        self._length = 0  # of the text up to the end of the window

    def feed(self, piece: str) -> Repetition | None:
        """The repetition the text ends with, as soon as there is too much of it."""
        self._pending += piece
        whole = len(self._pending) // STEP * STEP
        steps = [self._pending[at : at + STEP] for at in range(0, whole, STEP)]
        self._pending = self._pending[whole:]
        for step in steps:
            self._window = (self._window + step)[-WINDOW:]
            self._length += STEP
            if (repetition := self._repetition()) is not None:
                return repetition
        return None

    def _repetition(self) -> Repetition | None:
        window = self._window
        for probe in PROBES:
            before = window.rfind(window[-probe:], 0, len(window) - 1)
            period = len(window) - probe - before
            if before < 0 or period > LONGEST_BLOCK:
                return None
            length = period + _repeated(window, period)
            if length >= FEWEST_TIMES * period and estimate(window[-length:]) >= _most_tokens(window[-period:]):
                return Repetition(self._length - length, period)
        return None


def _repeated(text: str, period: int) -> int:
    """How many characters at the end of the text are the same as those `period` before them. By halves: comparing is cheap."""
    least, most = 0, len(text) - period
    while least < most:
        middle = (least + most + 1) // 2
        if text.endswith(text[-middle - period : -period]):
            least = middle
        else:
            most = middle - 1
    return least


def _most_tokens(block: str) -> int:
    written = [character for character in block if not character.isspace()]
    letters = sum(character.isalpha() for character in written)
    is_words = len(block) >= SHORTEST_WORDS and letters >= SHARE_OF_LETTERS * len(written) > 0
    return MOST_WORD_TOKENS if is_words else MOST_DATA_TOKENS
