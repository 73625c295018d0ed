"""The parts of a request: which phrase each is, and what it says in its slots; and what of it is no phrase.

All phrases are followed at once, from left to right, and of all ways to get to the same point only the cheapest is kept: words
of a phrase cost nothing, slips and words in slots a little, words without a meaning a lot. So the work grows with the
number of words and the length of the phrases, whatever a user writes; and because both may be chosen by a user with bad
intentions, it ends at MOST_WORK, wherever it is then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from workroom.agent.planning.ports import NO_NAMES, KnownNames
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.machine import END, START, Machine, MachineState, Meaning, Take
from workroom.agent.planning.rules.phrases import ADDRESS, EGRID, NAMES, PAIR, PLACE, PLACES, QUERY, STREET, THEME, TOWN
from workroom.agent.planning.rules.words import QuestionWord, WordKind, WordReading

FILLER, NEGATION, COMMA = 1, 2, 3
SLOT_WORD, ADDRESS_WORD, FIXED, STRANGE = 10, 9, 1, 30
WORDLESS, UNKNOWN, UNKNOWN_WORD = 60, 300, 100
BEGINS = 5  # a wish without anything between it and the one before; less than a word in a slot
LONGEST_VALUE = 200  # characters
MOST_WORK = 100_000  # steps, of about a microsecond each
LOOKED_UP_AT_ONCE = 8  # words that are looked up in the time of one step
LONGEST_NAME = 12  # words of a known name: in Chinese each is a sign
PLACING = 4  # words before a name, of which one may say that it is a place
LONGEST_ITEM = 10  # words after a comma or `and` that may still be the same name
SURE_SLIP, SURE_SWAP = 7, 6  # letters of a word that is no other with a slip in it, or two letters that changed places


@dataclass(frozen=True, slots=True)
class Taken:
    """A slot, and the first and last word in it."""

    slot: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ParsedPart:
    """From word `first` up to `end`. No meaning: it is not understood."""

    meaning: Meaning | None
    first: int
    end: int
    taken: tuple[Taken, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ParseChain:
    """Parts, the last one first: paths share what they have in common."""

    part: ParsedPart
    before: ParseChain | None

    def in_order(self) -> tuple[ParsedPart, ...]:
        found: list[ParsedPart] = []
        link: ParseChain | None = self
        while link is not None:
            found.append(link.part)
            link = link.before
        return tuple(reversed(found))


class Path(NamedTuple):
    """How a place was reached. Many are made."""

    cost: int
    began: int
    parts: ParseChain | None = None
    taken: tuple[Taken, ...] = ()
    negated: bool = False

    def dearer(self, cost: int) -> Path:
        return Path(self.cost + cost, self.began, self.parts, self.taken, self.negated)


class TooMuch(Exception):
    """Matching the request exceeds MOST_WORK."""


@dataclass
class Matching:
    """`steps` is how much work it was: places reached, ways looked at, words compared."""

    machine: Machine
    reading: WordReading
    names: KnownNames = NO_NAMES
    steps: int = 0
    _at: list[dict[int, Path]] = field(default_factory=list)
    _more: dict[int, int | None] = field(default_factory=dict)

    def parts(self) -> tuple[ParsedPart, ...]:
        words = self.reading.words
        self._at = [{} for _ in range(len(words) + 1)]
        self._reach(0, START, Path(0, 0))
        for place, word in enumerate(words):
            follow = self._on if word.kind is WordKind.SOFT else self._across if word.is_break else self._follow
            for number, path in self._at[place].items():
                self._work(1)
                follow(place, word, number, path)
            self._at[place] = {}  # nothing leads back: only what is still open is kept
        found = self._at[-1][END].parts
        return found.in_order() if found is not None else ()

    def _on(self, place: int, word: QuestionWord, number: int, path: Path) -> None:
        self._reach(place + 1, number, path)

    def _follow(self, place: int, word: QuestionWord, number: int, path: Path) -> None:
        state = self.machine.states[number]
        self._say(place, word, state, path)
        for take in state.takes:
            self._take(place, word, take, path, Taken(take.slot, place, place))
        if state.stays is not None and path.taken:
            self._take(place, word, state.stays, path, Taken(path.taken[-1].slot, path.taken[-1].first, place))
        if self._skipped[place]:
            self._skip(place, number, state, path)
        if number in (START, END):
            self._leave(place, number, path)

    def _say(self, place: int, word: QuestionWord, state: MachineState, path: Path) -> None:
        """A word of a phrase. Many may be meant, or many be possible here: the fewer are looked at."""
        meant = self._meant[place]
        few = meant if len(meant) <= len(state.words) else state.words
        self.steps += len(few) // LOOKED_UP_AT_ONCE
        for said in few:
            if said in meant and said in state.words:
                cost = _slip(said, meant[said])
                sure = not word.quoted and (not meant[said] or _is_sure(said, meant[said], word.folded))
                for behind in state.words[said]:
                    if sure or not self.machine.states[behind].careful:
                        self._reach(place + 1, behind, path.dearer(cost))

    def _across(self, place: int, word: QuestionWord, number: int, path: Path) -> None:
        """A comma, `and`: something else begins, or a slot goes on; a phrase may have such a word itself, as `que puis-je`."""
        state = self.machine.states[number]
        for behind in state.words.get(word.folded, ()):
            self._reach(place + 1, behind, path)
        if number == END:
            self._reach(place + 1, START, Path(path.cost, place + 1, path.parts))
        elif number == START:
            return
        elif state.stays is None:
            if word.text == ",":
                self._reach(place + 1, number, path.dearer(COMMA))
        elif (more := self._goes_on(place, path)) is not None:
            self._reach(more, state.stays.plain, path.dearer(SLOT_WORD))

    def _take(self, place: int, word: QuestionWord, take: Take, path: Path, taken: Taken) -> None:
        self.steps += 1
        if (cost := self._fits(word, take.slot, taken)) is None:
            return
        before = path.taken[:-1] if taken.first < place else path.taken
        behind = take.proven if self._is_proven(word, taken) else take.plain
        self._reach(place + 1, behind, Path(path.cost + cost, path.began, path.parts, (*before, taken), path.negated))

    def _fits(self, word: QuestionWord, slot: str, taken: Taken) -> int | None:
        """What it costs to take this word into the slot, if it may be in it."""
        if slot in (PAIR, EGRID):
            fitting = word.kind is (WordKind.PAIR if slot == PAIR else WordKind.EGRID) and taken.first == taken.last
            return FIXED if fitting else None
        if word.end - self.reading.words[taken.first].start > LONGEST_VALUE:
            return None
        if word.kind is not WordKind.WORD:
            return None if slot in PLACES else STRANGE
        if slot == STREET and word.folded in vocabulary.single("pronouns"):
            return None
        if slot in NAMES and not self._is_of_a_name(word, taken):
            return None
        return ADDRESS_WORD if slot in (ADDRESS, THEME) else SLOT_WORD

    def _is_of_a_name(self, word: QuestionWord, taken: Taken) -> bool:
        if taken.last - taken.first >= LONGEST_NAME:
            return False
        if taken.slot == THEME:
            return self.names.themes.has_word(word.text)
        return not self.reading.words[taken.first].text[0].islower() and self.names.places.has_word(word.text)

    def _is_proven(self, word: QuestionWord, taken: Taken) -> bool:
        """Whether the words so far are what the slot is for."""
        if taken.slot not in NAMES:
            return _proves(word, taken.slot)
        self.steps += 1
        name = self.reading.between(taken.first, taken.last)
        return (self.names.places if taken.slot == TOWN else self.names.themes).has(name)

    def _skip(self, place: int, number: int, state: MachineState, path: Path) -> None:
        """Words that change nothing, and words that change everything: beside a slot, never inside one."""
        behind = number if state.stays is None else state.after
        if behind is None or state.empty:  # behind politeness it is START or END that goes on
            return
        cost = self._skipped[place]
        if cost == NEGATION:
            parts = _taken_back(path.parts) if number == END else path.parts
            self._reach(place + 1, behind, Path(path.cost + cost, path.began, parts, path.taken, True))
        else:
            self._reach(place + 1, behind, path.dearer(cost))

    def _leave(self, place: int, number: int, path: Path) -> None:
        """Up to the next comma no word is understood; who says so also after an order may be taking it back. A name with
        more words behind it is no wish, but what they speak about."""
        if number == END and path.parts is not None and _is_name(path.parts.part):
            return
        end = self._next_break[place]
        left = self.reading.words[place:end]
        taken_back = number == END and any(word.folded in vocabulary.single("negations") for word in left)
        known = _taken_back(path.parts) if taken_back else None
        parts = known or ParseChain(ParsedPart(None, place, end), path.parts)
        cost = path.cost + UNKNOWN + UNKNOWN_WORD * len(left)
        self._reach(end, END, Path(cost, place, parts))

    def _reach(self, place: int, number: int, path: Path) -> None:
        self.steps += 1
        known = self._at[place].get(number)
        if known is not None and known.cost <= path.cost:
            return
        self._at[place][number] = path
        state = self.machine.states[number]
        if state.says is not None:
            part = ParsedPart(state.says, path.began, place, path.taken, path.negated)
            cost = path.cost + (WORDLESS if state.says.wordless else 0)
            self._reach(place, END, Path(cost, place, ParseChain(part, path.parts)))
        for behind in state.empty:
            self._reach(place, behind, path)
        if number == START:
            self._reach(place, END, path)
        elif number == END and path.parts is not None and self._begins[place]:
            self._reach(place, START, Path(path.cost + BEGINS, place, path.parts))

    def _goes_on(self, place: int, path: Path) -> int | None:
        """Where a slot goes on behind a comma or `and`, if what stands there may be more of the same."""
        if path.taken[-1].slot == TOWN:
            return None
        if place not in self._more:
            self._more[place] = self._behind(place)
        behind, words, slot = self._more[place], self.reading.words, path.taken[-1]
        if behind is None or slot.slot in (QUERY, THEME) or not words[behind - 1].folded.isalpha():
            return behind
        other = words[slot.first].text[0].isupper() and words[behind].text[0].islower()
        later = any(word.folded in vocabulary.single("then") for word in words[place:behind])
        if other or later or (slot.slot == PLACE and self._is_about_layers(path, place, behind)):
            return None
        return behind  # `Berg und Tal` is a name, `Bern und trinke Kaffee` is not

    def _is_about_layers(self, path: Path, place: int, behind: int) -> bool:
        """Whether what is before a comma or what is behind it is a theme, and nothing says that places are meant."""
        words, first = self.reading.words, path.taken[-1].first
        before = words[max(path.began, first - PLACING) : first]
        if any(word.folded in vocabulary.single("placing") for word in before):
            return False
        self.steps += 2
        begin = place
        while begin > first and not words[begin - 1].is_break:
            begin -= 1
        items = ((begin, place), (behind, self._next_break[behind]))
        return any(start < end and self.names.themes.has(self.reading.between(start, end - 1)) for start, end in items)

    def _behind(self, place: int) -> int | None:
        words, behind = self.reading.words, place
        while behind < len(words) and (words[behind].is_break or words[behind].kind is WordKind.SOFT):
            if words[behind].kind is WordKind.STOP:
                return None
            behind += 1
        end = self._next_break[behind] if behind < len(words) else behind
        said = [word.folded for word in words[behind:end] if word.kind is not WordKind.SOFT]
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
    def _begins(self) -> list[bool]:
        """Whether a wish may begin here although nothing is between it and the words before. With a capital it is a name, and
        a verb right behind a verb leaves the first without what it is about."""
        folded, orders = [word.folded for word in self.reading.words], vocabulary.orders()
        longest, found = max(map(len, orders)), [False] * (len(folded) + 1)
        for place, word in enumerate(self.reading.words):
            if word.kind is WordKind.WORD and not word.text[0].isupper() and not (place and found[place - 1]):
                found[place] = any(tuple(folded[place : place + length]) in orders for length in range(1, longest + 1))
        return found

    @cached_property
    def _skipped(self) -> list[int]:
        """What it costs to pass over a word, if it is one that may be passed over."""
        fillers = vocabulary.single("fillers")
        return [
            NEGATION if vocabulary.negates(self.reading, at) else FILLER if word.folded in fillers else 0
            for at, word in enumerate(self.reading.words)
        ]

    @cached_property
    def _meant(self) -> list[Mapping[str, int]]:
        """The name of a place means nothing else: Baden is not laden."""
        meant: dict[tuple[str, bool], Mapping[str, int]] = {}
        found: list[Mapping[str, int]] = []
        for word in self.reading.words:
            if word.kind is not WordKind.WORD:
                found.append({})
                continue
            kind = (word.folded, word.text[0].isupper())
            if kind not in meant:
                meant[kind], steps = self.machine.known.meant(word.folded)
                self._work(steps)
                if kind[1] and word.folded not in meant[kind] and meant[kind] and self.names.places.has(word.text):
                    meant[kind] = {}
            found.append(meant[kind])
        return found

    def _work(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_WORK:
            raise TooMuch


def _slip(meant: str, slips: int) -> int:
    """A slip in a long word is likelier one than a word of its own in a slot; in a short one it is not: Mitte is not bitte."""
    return slips * (7 if len(meant) >= 6 else 12)


def _is_sure(meant: str, slips: int, written: str) -> bool:
    """Whether it cannot be another word; a letter too many makes what was done of what is to be done: löschte."""
    swapped = len(meant) >= SURE_SWAP and sorted(meant) == sorted(written)
    return slips == 1 and (swapped or len(meant) >= max(SURE_SLIP, len(written)))


def _is_name(part: ParsedPart) -> bool:
    """A known name, and not a word with it."""
    return part.meaning is not None and part.meaning.wordless and any(one.slot in NAMES for one in part.taken)


def _taken_back(parts: ParseChain | None) -> ParseChain | None:
    return None if parts is None else ParseChain(replace(parts.part, negated=True), parts.before)


def _proves(word: QuestionWord, slot: str) -> bool:
    """Whether it makes an address of the words around it."""
    if slot == ADDRESS and any(char.isdigit() for char in word.folded):
        return True
    gone = slot == STREET and word.text in _endings()  # `alles weg` is no address
    return word.folded in vocabulary.single("streets") or (word.folded.endswith(_endings()) and not gone)


@cache
def _endings() -> tuple[str, ...]:
    """`-strasse`: also of a longer word."""
    return tuple(street[1:] for street in vocabulary.single("streets") if street.startswith("-"))
