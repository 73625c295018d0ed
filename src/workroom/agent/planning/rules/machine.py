"""All phrases of an agent as one machine that reads words from left to right. Made once for the same intents.

START is where something may begin, END where it is said; politeness leads from either back to itself. Brackets are never
multiplied out: the machine is as large as the phrases are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from pydantic import TypeAdapter

from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.references import references
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.phrases import (
    ADDRESS,
    HERE,
    STREET,
    Node,
    OneOf,
    Row,
    Said,
    Slot,
    endings,
    is_wordless,
    parse,
)
from workroom.agent.planning.rules.typos import Known

START, END = 0, 1
MOST_PHRASES, MOST_STATES = 1_000, 20_000  # of one agent; the shipped guide to the map has some 180 and 7,000
_INTENTS: TypeAdapter[list[Intent]] = TypeAdapter(list[Intent])


@dataclass(frozen=True)
class Meaning:
    """What a phrase stands for. `wordless`: it has no words of its own, so any phrase with words comes first."""

    intent: Intent
    way: Way
    wordless: bool = False


@dataclass(frozen=True)
class Take:
    """A slot takes a word: on to `proven` once there is a word that makes it what it should be, until then to `plain`."""

    slot: str
    plain: int
    proven: int


@dataclass
class State:
    """`words` and `takes` lead on; `stays` is the slot that goes on here, `after` the state behind it."""

    words: dict[str, list[int]] = field(default_factory=dict)
    takes: list[Take] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    says: Meaning | None = None
    stays: Take | None = None
    after: int | None = None


@dataclass(frozen=True)
class Machine:
    states: Sequence[State]
    known: Known
    endings: tuple[str, ...]
    wrong: tuple[str, ...]  # phrases that are not used, and why


def machine(intents: Sequence[Intent]) -> Machine:
    return _made(_INTENTS.dump_json(list(intents)))


@lru_cache(maxsize=16)
def _made(intents: bytes) -> Machine:
    return _Making().made(_INTENTS.validate_json(intents))


class _Making:
    def __init__(self) -> None:
        self.states = [State(), State()]
        self.endings: tuple[str, ...] = ()

    def made(self, intents: Sequence[Intent]) -> Machine:
        wrong: list[str] = []
        used: list[tuple[Meaning, Node]] = []
        for intent, way, phrase in islice(_phrases(intents), MOST_PHRASES):
            try:
                _check(intent, way)
                node = parse(phrase)
                used.append((Meaning(intent, way, is_wordless(node)), node))
            except ValueError as problem:
                wrong.append(f"{intent.name}: “{phrase}”: {problem}")
        found = {one for _, node in used for one in endings(node)}
        self.endings = tuple(sorted(found, key=lambda one: (-len(one), one)))
        polite = parse(vocabulary.one_of("polite"))
        self._empty(self._add(START, polite), START)
        self._empty(self._add(END, polite), END)
        for meaning, node in used:
            if len(self.states) > MOST_STATES:
                wrong.append(
                    f"{meaning.intent.name}: these phrases are more than can be followed; the last are not used."
                )
                break
            self.states[self._add(START, node)].says = meaning
        closed = self._closed()
        return Machine(closed, Known(word for state in closed for word in state.words), self.endings, tuple(wrong))

    def _add(self, begin: int, node: Node) -> int:
        """The state behind it, which nothing else leads to."""
        match node:
            case Said(word=word, ending=ending):
                at = begin
                for piece in [word] if ending else self._pieces(word):
                    at = self._word(at, piece)
                return at
            case Slot(name=name):
                return self._add(begin, parse(vocabulary.one_of("here"))) if name == HERE else self._slot(begin, name)
            case Row(nodes=nodes):
                at = self._new()
                self._empty(begin, at)
                for inner in nodes:
                    at = self._add(at, inner)
                return at
            case OneOf(nodes=nodes):
                behind = self._new()
                for inner in nodes:
                    self._empty(self._add(begin, inner), behind)
                return behind

    def _word(self, begin: int, word: str) -> int:
        behind = self._new()
        self.states[begin].words.setdefault(word, []).append(behind)
        return behind

    def _slot(self, begin: int, name: str) -> int:
        behind, proven = self._new(), self._new()
        plain = self._new() if name in (ADDRESS, STREET) else proven
        take = Take(name, plain, proven)
        self.states[begin].takes.append(take)
        self.states[plain].stays = take
        self.states[proven].stays = Take(name, proven, proven)
        self.states[proven].after = behind
        self._empty(proven, behind)
        return behind

    def _pieces(self, word: str) -> list[str]:
        """As they are read: what is an ending in one phrase is a word of its own in all."""
        ending = next((one for one in self.endings if word.endswith(one) and len(word) >= len(one) + 3), "")
        return [word.removesuffix(ending), ending] if ending else [word]

    def _new(self) -> int:
        self.states.append(State())
        return len(self.states) - 1

    def _empty(self, begin: int, behind: int) -> None:
        self.states[begin].empty.append(behind)

    def _closed(self) -> list[State]:
        """Every state with all that the states it leads to without a word can do; what is first in the data stays first."""
        closed = [State()] * len(self.states)
        for number in self._stops():
            state = self.states[number]
            reached_from = self._reached(number)
            whole = State(stays=state.stays, after=state.after)
            whole.empty = [one for one in (START, END) if one != number and one in reached_from]
            for reached in reached_from:
                if reached in whole.empty:
                    continue
                for word, behind in self.states[reached].words.items():
                    whole.words.setdefault(word, []).extend(behind)
                whole.takes += self.states[reached].takes
                whole.says = whole.says or self.states[reached].says
            closed[number] = whole
        return closed

    def _stops(self) -> set[int]:
        """Where a word leads to; all others are only passed through."""
        found = {START, END}
        for state in self.states:
            found.update(behind for several in state.words.values() for behind in several)
            found.update(behind for take in state.takes for behind in (take.plain, take.proven))
            found.update([state.after] if state.after is not None else ())
        return found

    def _reached(self, number: int) -> list[int]:
        seen, found = {number}, [number]
        for one in found:
            if one in (START, END) and one != number:
                continue
            new = [behind for behind in self.states[one].empty if behind not in seen]
            seen.update(new)
            found += new
        return found


def _check(intent: Intent, way: Way) -> None:
    for number, call in enumerate(way.calls):
        if call.tool not in intent.tools:
            raise ValueError(f"{call.tool} is no tool of this intent.")
        list(references(call.arguments, 0, number))


def _phrases(intents: Sequence[Intent]) -> Iterator[tuple[Intent, Way, str]]:
    for intent in intents:
        for way in intent.ways:
            for phrases in way.phrases.values():
                for phrase in phrases:
                    yield intent, way, phrase
