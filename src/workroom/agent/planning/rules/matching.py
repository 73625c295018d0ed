"""The parts of a request: which phrase each is, and what it says in its slots; and what of it is no phrase.

All phrases are followed at once, from left to right, and of all ways to get to the same point only the cheapest is kept: words
of a phrase cost nothing, slips and words in slots a little, words that nobody understands a lot. So the work grows with the
number of words and the length of the phrases, whatever somebody writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.machine import END, START, Machine, Meaning, State, Take
from workroom.agent.planning.rules.phrases import ADDRESS, EGRID, PAIR, PLACES, QUERY, STREET
from workroom.agent.planning.rules.words import Kind, Reading, Word

FILLER, NEGATION, COMMA = 1, 2, 3
SLOT_WORD, ADDRESS_WORD, FIXED, STRANGE = 10, 9, 1, 30
WORDLESS, UNKNOWN, UNKNOWN_WORD = 60, 300, 100
LONGEST_VALUE = 200  # characters
LONGEST_ITEM = 10  # words after a comma or `and` that may still be the same name


@dataclass(frozen=True, slots=True)
class Taken:
    """A slot, and the first and last word in it."""

    slot: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Part:
    """From word `first` up to `end`. No meaning: nobody understands it."""

    meaning: Meaning | None
    first: int
    end: int
    taken: tuple[Taken, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Parts, the last one first: paths share what they have in common."""

    part: Part
    before: Chain | None

    def in_order(self) -> tuple[Part, ...]:
        found: list[Part] = []
        link: Chain | None = self
        while link is not None:
            found.append(link.part)
            link = link.before
        return tuple(reversed(found))


class Path(NamedTuple):
    """How a place was reached. Many are made."""

    cost: int
    began: int
    parts: Chain | None = None
    taken: tuple[Taken, ...] = ()
    negated: bool = False

    def dearer(self, cost: int) -> Path:
        return Path(self.cost + cost, *self[1:])


@dataclass
class Matching:
    machine: Machine
    reading: Reading
    steps: int = 0  # how much work it was
    _at: list[dict[int, Path]] = field(default_factory=list)
    _more: dict[int, int | None] = field(default_factory=dict)

    def parts(self) -> tuple[Part, ...]:
        words = self.reading.words
        self._at = [{} for _ in range(len(words) + 1)]
        self._reach(0, START, Path(0, 0))
        for place, word in enumerate(words):
            for number, path in list(self._at[place].items()):
                self.steps += 1
                self._follow(place, word, number, path)
        found = self._at[-1][END].parts
        return found.in_order() if found is not None else ()

    def _follow(self, place: int, word: Word, number: int, path: Path) -> None:
        if word.kind is Kind.SOFT:
            return self._reach(place + 1, number, path)
        state = self.machine.states[number]
        if word.is_break:
            return self._across(place, word, number, state, path)
        for meant, slips in self._meant[place].items():
            for behind in state.words.get(meant, ()):
                self.steps += 1
                self._reach(place + 1, behind, path.dearer(_slip(meant, slips)))
        for take in state.takes:
            self.steps += 1
            self._take(place, word, take, path, Taken(take.slot, place, place))
        if state.stays is not None and path.taken:
            self._take(place, word, state.stays, path, replace(path.taken[-1], last=place))
        self._skip(place, word, number, state, path)
        if number in (START, END):
            self._leave(place, number, path)
        return None

    def _across(self, place: int, word: Word, number: int, state: State, path: Path) -> None:
        """A comma, `and`: something else begins, or a slot goes on; a phrase may have such a word itself, as `que puis-je`."""
        for behind in state.words.get(word.folded, ()):
            self.steps += 1
            self._reach(place + 1, behind, path)
        if number == END:
            self._reach(place + 1, START, Path(path.cost, place + 1, path.parts))
        elif number == START:
            return
        elif state.stays is None:
            if word.text == ",":
                self._reach(place + 1, number, path.dearer(COMMA))
        elif (more := self._goes_on(place, path)) is not None:
            self._reach(more, number, path.dearer(SLOT_WORD))

    def _take(self, place: int, word: Word, take: Take, path: Path, taken: Taken) -> None:
        if (cost := self._fits(word, take.slot, taken)) is None:
            return
        before = path.taken[:-1] if taken.first < place else path.taken
        behind = take.proven if _proves(word, take.slot) else take.plain
        self._reach(place + 1, behind, path.dearer(cost)._replace(taken=(*before, taken)))

    def _fits(self, word: Word, slot: str, taken: Taken) -> int | None:
        """What it costs to take this word into the slot, if it may be in it."""
        if slot in (PAIR, EGRID):
            fitting = word.kind is (Kind.PAIR if slot == PAIR else Kind.EGRID) and taken.first == taken.last
            return FIXED if fitting else None
        if word.end - self.reading.words[taken.first].start > LONGEST_VALUE:
            return None
        if word.kind is not Kind.WORD:
            return None if slot in PLACES else STRANGE
        if slot == STREET and word.folded in vocabulary.single("pronouns"):
            return None
        return ADDRESS_WORD if slot == ADDRESS else SLOT_WORD

    def _skip(self, place: int, word: Word, number: int, state: State, path: Path) -> None:
        """Words that change nothing, and words that change everything: beside a slot, never inside one."""
        behind = number if state.stays is None else state.after
        if behind is None or state.empty:  # behind politeness it is START or END that goes on
            return
        if word.folded in vocabulary.single("negations"):
            parts = _taken_back(path.parts) if number == END else path.parts
            self._reach(place + 1, behind, path.dearer(NEGATION)._replace(parts=parts, negated=True))
        elif word.folded in vocabulary.single("fillers"):
            self._reach(place + 1, behind, path.dearer(FILLER))

    def _leave(self, place: int, number: int, path: Path) -> None:
        """Up to the next comma nobody understands a word; who says so also after an order may be taking it back."""
        end = self._next_break[place]
        left = self.reading.words[place:end]
        taken_back = number == END and any(word.folded in vocabulary.single("negations") for word in left)
        known = _taken_back(path.parts) if taken_back else None
        parts = known or Chain(Part(None, place, end), path.parts)
        cost = path.cost + UNKNOWN + UNKNOWN_WORD * len(left)
        self.steps += 1
        self._reach(end, END, Path(cost, place, parts))

    def _reach(self, place: int, number: int, path: Path) -> None:
        known = self._at[place].get(number)
        if known is not None and known.cost <= path.cost:
            return
        self._at[place][number] = path
        state = self.machine.states[number]
        if state.says is not None:
            part = Part(state.says, path.began, place, path.taken, path.negated)
            cost = path.cost + (WORDLESS if state.says.wordless else 0)
            self._reach(place, END, Path(cost, place, Chain(part, path.parts)))
        for behind in state.empty:
            self._reach(place, behind, path)
        if number == START:
            self._reach(place, END, path)

    def _goes_on(self, place: int, path: Path) -> int | None:
        """Where a slot goes on behind a comma or `and`, if what stands there may be more of the same."""
        if place not in self._more:
            self._more[place] = self._behind(place)
        behind, words, slot = self._more[place], self.reading.words, path.taken[-1]
        if behind is None or slot.slot == QUERY or not words[behind - 1].folded.isalpha():
            return behind
        other = words[slot.first].text[0].isupper() and words[behind].text[0].islower()
        later = any(word.folded in vocabulary.single("then") for word in words[place:behind])
        return None if other or later else behind  # `Berg und Tal` is a name, `Bern und trinke Kaffee` is not

    def _behind(self, place: int) -> int | None:
        words, behind = self.reading.words, place
        while behind < len(words) and (words[behind].is_break or words[behind].kind is Kind.SOFT):
            if words[behind].kind is Kind.STOP:
                return None
            behind += 1
        end = self._next_break[behind] if behind < len(words) else behind
        said = [word.folded for word in words[behind:end] if word.kind is not Kind.SOFT]
        fits = 0 < len(said) <= LONGEST_ITEM and not vocabulary.single("pronouns") & set(said)
        return behind if fits else None

    @cached_property
    def _next_break(self) -> list[int]:
        words = self.reading.words
        ends, end = [0] * len(words), len(words)
        for place in reversed(range(len(words))):
            end = place if words[place].is_break else end
            ends[place] = end
        return ends

    @cached_property
    def _meant(self) -> list[Mapping[str, int]]:
        known = {word.folded for word in self.reading.words if word.kind is Kind.WORD}
        meant = {folded: self.machine.known.meant(folded) for folded in known}
        return [meant[word.folded] if word.kind is Kind.WORD else {} for word in self.reading.words]


def _slip(meant: str, slips: int) -> int:
    """A slip in a long word is likelier one than a word of its own in a slot; in a short one it is not: Mitte is not bitte."""
    return slips * (7 if len(meant) >= 6 else 12)


def _taken_back(parts: Chain | None) -> Chain | None:
    return None if parts is None else Chain(replace(parts.part, negated=True), parts.before)


def _proves(word: Word, slot: str) -> bool:
    """Whether it makes an address of the words around it."""
    if slot == ADDRESS and any(char.isdigit() for char in word.folded):
        return True
    return word.folded in vocabulary.single("streets") or word.folded.endswith(_endings())


@cache
def _endings() -> tuple[str, ...]:
    """`-strasse`: also of a longer word."""
    return tuple(street[1:] for street in vocabulary.single("streets") if street.startswith("-"))
