"""What was said in the slots of a phrase, and where it goes in the arguments of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from workroom.agent.planning.intents import Way
from workroom.agent.planning.ports import NameCatalogue
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.matching import ParsedPart, Taken
from workroom.agent.planning.rules.phrases import EGRID, PAIR, PLACE, PLACES, QUERY
from workroom.agent.planning.rules.words import QuestionWord, WordKind, WordReading
from workroom.core.plans import PlannedCall

Values = Mapping[str, Any]
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_MISSING = object()
A_LIST = 3  # names: one of them is known, and the last comes after `and`


def slot_values(part: ParsedPart, reading: WordReading, endings: Sequence[str], places: NameCatalogue) -> list[Values]:
    """The values of its slots; several of them where a list was said, none where it says what is not wanted. `endings` are no
    part of an item."""
    values: dict[str, Any] = {}
    lists: dict[str, Sequence[str]] = {}
    for taken in part.taken:
        word = reading.words[taken.first]
        if taken.slot == PAIR and word.pair is not None:
            values |= {"x": word.pair[0], "y": word.pair[1]}
        elif taken.slot == EGRID:
            values[EGRID] = word.folded
        elif taken.slot == QUERY:
            end = _wanted(taken, reading)
            wanted = [] if end is None else _items(replace(taken, last=end - 1), reading, frozenset(endings))
            lists[QUERY] = list(wanted)
        else:
            values[taken.slot] = reading.between(_first(taken, reading), taken.last)
            if taken.slot == PLACE and (listed := _places(taken, reading, places)):
                lists[PLACE] = listed
    for name in (QUERY, PLACE):  # one of them: who names both says one thing about each
        if name in lists:
            return [{**values, name: item} for item in dict.fromkeys(lists[name])]
    return [values]


def names_a_place(values: Values) -> bool:
    return any(name in values for name in (*PLACES, "x"))


def needs_a_place(way: Way, values: Values) -> bool:
    """A coordinate that was not said."""
    needed = {name for call in way.calls for name in _slots(call.arguments)}
    return bool({"x", "y"} & needed - values.keys())


def from_step(step: int) -> Values:
    """The coordinate that an earlier step finds."""
    return {
        axis: {"$from": {"step": step, "call": 0, "pointer": f"/items/0/coord/{at}"}} for at, axis in enumerate("xy")
    }


def calls(way: Way, values: Values) -> list[PlannedCall]:
    return [PlannedCall(tool=call.tool, arguments=_filled(call.arguments, values)) for call in way.calls]


def _first(taken: Taken, reading: WordReading) -> int:
    """`La Chaux-de-Fonds` begins with an article that is written as a name."""
    if taken.slot in PLACES and taken.first > 1:
        before = reading.words[taken.first - 1]
        if before.folded in vocabulary.single("articles") and before.text.istitle():
            return taken.first - 1
    return taken.first


def _items(taken: Taken, reading: WordReading, endings: frozenset[str]) -> Iterator[str]:
    """`Gewässerschutzlayer und den Waldlayer`: each as if it had been said alone."""
    pauses = [at for at in range(taken.first, taken.last + 1) if _parts_items(reading.words[at])]
    starts, ends = [taken.first, *(at + 1 for at in pauses)], [*pauses, taken.last + 1]
    for first, end in zip(starts, ends, strict=True):
        positions = [at for at in range(first, end) if reading.words[at].kind is not WordKind.SOFT]
        if pauses:
            positions = _without(positions, reading, endings)
        if positions:
            yield reading.between(positions[0], positions[-1])


def _wanted(taken: Taken, reading: WordReading) -> int | None:
    """Up to where it is wanted: `forest, but not noise`. None: nothing is, or who knows what is, as in `not noise and forest`."""
    words, contrasts = reading.words, vocabulary.single("contrasts")
    for at in range(taken.first, taken.last + 1):
        end = at
        while end > taken.first and (words[end - 1].is_break or words[end - 1].folded in contrasts):
            end -= 1
        part_of_a_word = end == at > taken.first and not words[at].folded.isascii()  # as signs of Chinese are
        if vocabulary.negates(reading, at) and not part_of_a_word:
            more = any(words[behind].is_break for behind in range(at, taken.last + 1))
            return None if more or end == taken.first else end
    return taken.last + 1


def _places(taken: Taken, reading: WordReading, places: NameCatalogue) -> Sequence[str]:
    """`Bern, Zürich und Olten` are three; `Berg und Tal`, and a house with its town behind a comma, are one: then none."""
    words = reading.words
    pauses = [at for at in range(taken.first, taken.last + 1) if _parts_items(words[at])]
    starts, ends = [_first(taken, reading), *(at + 1 for at in pauses)], [*pauses, taken.last + 1]
    found = [_place(first, end, reading) for first, end in zip(starts, ends, strict=True)]
    names = [name for name in found if name]
    sure = [places.has(name) for name in names]
    listed = len(names) >= A_LIST and any(sure) and words[pauses[-1]].folded.isalpha()
    plain = not any(char.isdigit() for name in names for char in name)
    return names if len(names) > 1 and plain and (all(sure) or listed) else ()


def _place(first: int, end: int, reading: WordReading) -> str:
    """Without the article of its language, which is no part of its name unless it has a capital as well."""
    positions = [at for at in range(first, end) if reading.words[at].kind is WordKind.WORD]
    while len(positions) > 1 and reading.words[positions[0]].text in vocabulary.single("articles"):
        positions.pop(0)
    return reading.between(positions[0], positions[-1]) if positions else ""


def _without(positions: list[int], reading: WordReading, endings: frozenset[str]) -> list[int]:
    before, kept = vocabulary.single("articles") | endings, list(positions)
    while len(kept) > 1 and reading.words[kept[0]].folded in before:
        kept.pop(0)
    while len(kept) > 1 and reading.words[kept[-1]].folded in endings:
        kept.pop()
    return kept


def _parts_items(word: QuestionWord) -> bool:
    return word.kind is WordKind.PAUSE and word.text not in (".", "…")


def _slots(value: Any) -> Iterator[str]:
    match value:
        case str() if found := _SLOT.fullmatch(value):
            yield found[1]
        case dict():
            for inner in value.values():
                yield from _slots(inner)
        case list():
            for inner in value:
                yield from _slots(inner)


def _filled(value: Any, values: Values) -> Any:
    match value:
        case str() if found := _SLOT.fullmatch(value):
            return values.get(found[1], _MISSING)
        case dict():
            filled = {name: _filled(inner, values) for name, inner in value.items()}
            return {name: inner for name, inner in filled.items() if inner is not _MISSING}
        case list():
            return [inner for item in value if (inner := _filled(item, values)) is not _MISSING]
        case _:
            return value
