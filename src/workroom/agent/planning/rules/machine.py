"""All phrases of an agent as one machine that reads words from left to right. Made once for the same intents.

START is where something may begin, END where it is said; politeness leads from either back to itself. Brackets are never
multiplied out: the machine is as large as the phrases are long. How large it gets is limited all the same, because anybody may
make an agent: what is more is not used, and `check_all` says so before it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pydantic import TypeAdapter

from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.references import references
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.phrases import (
    ADDRESS,
    HERE,
    NAMES,
    STREET,
    Node,
    OneOf,
    PhraseWord,
    PhraseWrong,
    Row,
    Slot,
    endings,
    is_wordless,
    parse,
    slots,
)
from workroom.agent.planning.rules.typos import Known

START, END = 0, 1
MOST_PHRASES, MOST_STATES, MOST_LINKS = 500, 5_000, 20_000  # of one agent; the guide to the map: 236, 2,938, 6,846
MOST_SLOTS = 6  # of one phrase
MOST_ENDINGS, LONGEST_ENDING = 50, 30
_INTENTS: TypeAdapter[list[Intent]] = TypeAdapter(list[Intent])


@dataclass(frozen=True)
class Meaning:
    """What a phrase stands for. `wordless`: it has no words of its own, so any phrase with words comes first."""

    intent: Intent
    way: Way
    wordless: bool = False


@dataclass(frozen=True)
class Take:
    """A slot takes a word: on to `proven` once there is a word that makes it what it should be, until then to `plain`. A name
    that goes on is another name, so it has to be one again."""

    slot: str
    plain: int
    proven: int


@dataclass
class MachineState:
    """`words` and `takes` lead on; `stays` is the slot that goes on here, `after` the state behind it. `careful`: nothing leads
    here by a slip that may be another word, nor by a word that is quoted."""

    words: dict[str, list[int]] = field(default_factory=dict)
    takes: list[Take] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    says: Meaning | None = None
    stays: Take | None = None
    after: int | None = None
    careful: bool = False


@dataclass(frozen=True)
class Machine:
    states: Sequence[MachineState]
    known: Known
    endings: tuple[str, ...]
    wrong: tuple[str, ...]  # phrases that are not used, and why
    refused: str = ""  # the first of them that cannot be read or is too much: its intent, and why


def machine(intents: Sequence[Intent]) -> Machine:
    return _made(_INTENTS.dump_json(list(intents)))


def check_all(intents: Sequence[Intent]) -> None:
    """Before an agent is kept: whether all of its phrases can be read, and followed together."""
    if refused := machine(intents).refused:
        raise PhraseWrong(refused)


class TooManyPhrases(PhraseWrong):
    """What all phrases together may be is used up: neither this one nor those after it can be followed."""


@lru_cache(maxsize=16)
def _made(intents: bytes) -> Machine:
    return _Making().made(_INTENTS.validate_json(intents))


class _Making:
    def __init__(self) -> None:
        self.states = [MachineState(), MachineState()]
        self.endings: list[str] = []
        self.wrong: list[str] = []
        self.refused = ""
        self._whole: dict[int, MachineState] = {}
        self._phrases = self._links = 0

    def made(self, intents: Sequence[Intent]) -> Machine:
        used = list(self._used(intents))  # all are read before the first is added: any of them may have an ending
        polite = parse(vocabulary.one_of("polite"))
        self._empty(self._add(START, polite), START)
        self._empty(self._add(END, polite), END)
        ours = len(self.states)
        for meaning, node in used:
            try:
                self._add_phrase(meaning, node)
            except TooManyPhrases as problem:
                self._not_used(meaning.intent, "", problem)
                break
        self._close(0, ours)
        passed = MachineState()
        states = [self._whole.get(number, passed) for number in range(len(self.states))]
        known = Known(word for state in states for word in state.words)
        return Machine(states, known, tuple(self.endings), tuple(self.wrong), self.refused)

    def _used(self, intents: Sequence[Intent]) -> Iterator[tuple[Meaning, Node]]:
        for intent, way, phrase in _phrases(intents):
            try:
                node = self._read(phrase)
                _check(intent, way)
                yield Meaning(intent, way, is_wordless(node)), node
            except ValueError as problem:
                self._not_used(intent, f" “{phrase}”:", problem)
                if isinstance(problem, TooManyPhrases):
                    return

    def _not_used(self, intent: Intent, phrase: str, problem: ValueError) -> None:
        self.wrong.append(f"{intent.name}:{phrase} {problem}")
        if isinstance(problem, PhraseWrong):
            self.refused = self.refused or f"{intent.name}: {problem}"

    def _read(self, phrase: str) -> Node:
        self._phrases += 1
        if self._phrases > MOST_PHRASES:
            raise TooManyPhrases(f"An agent has at most {MOST_PHRASES} phrases; the last are too many.")
        node = parse(phrase)
        if slots(node) > MOST_SLOTS:
            raise PhraseWrong(f"A phrase has at most {MOST_SLOTS} names in braces.")
        found = {*self.endings, *endings(node)}
        if len(found) > MOST_ENDINGS or any(len(ending) > LONGEST_ENDING for ending in found):
            raise PhraseWrong(
                f"There are at most {MOST_ENDINGS} endings like -layer, of {LONGEST_ENDING} letters each."
            )
        self.endings = sorted(found, key=lambda ending: (-len(ending), ending))
        return node

    def _add_phrase(self, meaning: Meaning, node: Node) -> None:
        begin = self._new()
        self.states[self._add(begin, node)].says = meaning
        for state in self.states[begin:]:
            state.careful = meaning.intent.takes_away
        links = self._close(begin, len(self.states))
        if len(self.states) > MOST_STATES or self._links + links > MOST_LINKS:
            for number in range(begin, len(self.states)):
                self._whole.pop(number, None)
            del self.states[begin:]
            raise TooManyPhrases("These phrases are more than can be followed; make them shorter, or have fewer.")
        self._links += links
        self._empty(START, begin)

    def _add(self, begin: int, node: Node, behind: int | None = None) -> int:
        """The state behind it: the given one, or one that nothing else leads to."""
        match node:
            case PhraseWord(word=word, ending=ending):
                *before, last = [word] if ending else self._pieces(word)
                for piece in before:
                    begin = self._word(begin, piece, self._new())
                return self._word(begin, last, self._new() if behind is None else behind)
            case Slot(name=name) if name == HERE:
                return self._add(begin, parse(vocabulary.one_of("here")), behind)
            case Slot(name=name):
                return self._joined(self._slot(begin, name), behind)
            case Row(nodes=nodes):
                for inner in nodes[:-1]:
                    begin = self._add(begin, inner)
                return self._add(begin, nodes[-1], behind) if nodes else self._joined(begin, behind)
            case OneOf(nodes=nodes):
                end = self._new() if behind is None else behind
                for inner in nodes:
                    self._add(begin, inner, end)
                return end

    def _word(self, begin: int, word: str, behind: int) -> int:
        leads = self.states[begin].words.setdefault(word, [])
        if behind not in leads:
            leads.append(behind)
        return behind

    def _slot(self, begin: int, name: str) -> int:
        behind, proven = self._new(), self._new()
        plain = self._new() if name in (ADDRESS, STREET, *NAMES) else proven
        take = Take(name, plain, proven)
        self.states[begin].takes.append(take)
        self.states[plain].stays = take
        self.states[proven].stays = take if name in NAMES else Take(name, proven, proven)
        self.states[proven].after = behind
        self._empty(proven, behind)
        return behind

    def _joined(self, end: int, behind: int | None) -> int:
        if behind is None:
            return end
        self._empty(end, behind)
        return behind

    def _pieces(self, word: str) -> list[str]:
        """As they are read: what is an ending in one phrase is a word of its own in all."""
        ending = next((one for one in self.endings if word.endswith(one) and len(word) >= len(one) + 3), "")
        return [word.removesuffix(ending), ending] if ending else [word]

    def _new(self) -> int:
        self.states.append(MachineState())
        return len(self.states) - 1

    def _empty(self, begin: int, behind: int) -> None:
        self.states[begin].empty.append(behind)

    def _close(self, first: int, end: int) -> int:
        """Every state with all that the states it leads to without a word can do; what is first in the data stays first. To how
        many others they lead is how large the machine is: where everything is optional, each leads to all."""
        links = 0
        for number in self._stops(first, end):
            state = self.states[number]
            reached_from = self._reached(number)
            whole = MachineState(stays=state.stays, after=state.after, careful=state.careful)
            whole.empty = [one for one in (START, END) if one != number and one in reached_from]
            for reached in reached_from:
                if reached in whole.empty:
                    continue
                for word, behind in self.states[reached].words.items():
                    whole.words.setdefault(word, []).extend(behind)
                whole.takes += self.states[reached].takes
                whole.says = whole.says or self.states[reached].says
            self._whole[number] = whole
            links += len(whole.takes) + sum(map(len, whole.words.values()))
        return links

    def _stops(self, first: int, end: int) -> set[int]:
        """Where a word leads to; all others are only passed through."""
        found = {START, END} if first == START else {first}
        for state in self.states[first:end]:
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
