"""Finds parts of a request that may have been misunderstood. Only requests that remove something are checked: asking back costs
a question, a wrong removal costs what was there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.matching import ParsedPart
from workroom.agent.planning.rules.words import QuestionWord, WordKind, WordReading

SHORTEST = 3  # letters before a full stop; fewer are an abbreviation


class Doubts:
    """Of a whole request: `except the forest`, `when I say so` and `no, don't` may stand anywhere beside the order."""

    def __init__(self, parts: Sequence[ParsedPart], reading: WordReading) -> None:
        self._words, self._cut = reading.words, reading.cut
        self._begin = [part.first for part in parts]
        self._ends = [at for at in range(len(self._words)) if _ends(self._words, at)]
        self._unknown = [at for part in parts if part.meaning is None for at in range(part.first, part.end)]
        phrased = {at for part in parts for at in _phrased(part)}
        self._free = {at for at, word in enumerate(self._words) if not word.quoted and at not in phrased}
        self._negations = [at for at in self._free if vocabulary.negates(reading, at)]
        self._limits = [*self._said("limits"), *self._said("pronouns")]  # who speaks of a person names nothing
        self._refusals = [at for at in self._said("refusals") if at and self._words[at - 1].is_break]

    def about(self, part: ParsedPart) -> bool:
        """Whether its sentence is not understood or forbids, it limits itself, or what follows takes it back or was not read."""
        begin = max((at for at in self._ends if at < part.first), default=-1)
        end = min((at for at in self._ends if at >= part.end), default=len(self._words))
        return (
            self._cut
            or any(begin < at < end for at in self._unknown)
            or any(begin < at for at in self._negations)
            or any(part.first <= at < part.end for at in self._limits)
            or any(part.first <= at for at in self._refusals)
        )

    def is_only_asked(self, part: ParsedPart) -> bool:
        """`Can I clear the map?` asks whether one may; `can you` asks to do it."""
        end = min((first for first in self._begin if first >= part.end), default=len(self._words))
        asked = [self._words[at] for at in (*_phrased(part), *range(part.end, end))]
        unquoted = [word.folded for word in asked if not word.quoted]
        return any(_in_order(phrase, unquoted) for phrase in vocabulary.abilities())

    def _said(self, name: str) -> list[int]:
        """Where such a word is, and is no word of a phrase: `zeige ihn nicht mehr` is an order."""
        return [
            at for at, word in enumerate(self._words) if word.folded in vocabulary.single(name) and at in self._free
        ]


def _phrased(part: ParsedPart) -> Iterator[int]:
    """Where the words of its phrase are. In a part that is not negated nothing else is beside the slots but what says nothing."""
    if part.meaning is None or part.negated:
        return
    taken = {at for one in part.taken for at in range(one.first, one.last + 1)}
    yield from (at for at in range(part.first, part.end) if at not in taken)


def _in_order(expected: Sequence[str], words: Sequence[str]) -> bool:
    """Others may stand between them: `可以清空地图吗`."""
    left = iter(words)
    return all(word in left for word in expected)


def _ends(words: Sequence[QuestionWord], at: int) -> bool:
    """A full stop, and something else begins; not that of `e.g.` or `St.`, nor one of three."""
    word = words[at]
    if word.kind is not WordKind.PAUSE or word.text not in (".", "。"):
        return False
    if word.text == "。" or at + 1 == len(words):
        return True
    before = words[at - 1] if at else word
    return len(before.text) >= SHORTEST and not words[at + 1].text[0].islower()
