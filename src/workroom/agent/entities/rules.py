"""What the rules find in a result: each thing once, in the order in which it stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice

from workroom.agent.entities.amounts import amounts
from workroom.agent.entities.companies import companies
from workroom.agent.entities.dates import dates
from workroom.agent.entities.persons import persons
from workroom.agent.entities.result_lines import lines
from workroom.agent.entities.types import Entity, one_line
from workroom.core.results import ResultStatus, ToolResult

LONGEST = 200_000  # characters that are looked at
PIECE = 8_000  # at once: whatever they are, other threads wait for no more than a moment
MOST = 200  # entities of one kind in one result

Rule = Callable[[str], Iterator[Entity]]
RULES: tuple[Rule, ...] = (companies, amounts, dates, persons)


def find(result: ToolResult) -> list[Entity]:
    """An error says nothing about the world."""
    return [] if result.status is ResultStatus.ERROR else find_in(lines(result, LONGEST))


def find_in(text: str) -> list[Entity]:
    found: dict[tuple[str, str], Entity] = {}
    pieces = list(_pieces(text[:LONGEST]))
    for rule in RULES:
        for entity in islice(chain.from_iterable(map(rule, pieces)), MOST):
            if value := one_line(entity.value):
                found.setdefault((entity.key, entity.normalised), replace(entity, value=value))
    return list(found.values())


def _pieces(text: str) -> Iterator[str]:
    """Cut at the end of a line, else between words: no name, amount or date goes over several lines."""
    place = 0
    while len(text) - place > PIECE:
        cut = text.rfind("\n", place + 1, place + PIECE)
        if cut < 0:
            cut = text.rfind(" ", place + 1, place + PIECE)
        cut = cut if cut > 0 else place + PIECE
        yield text[place:cut]
        place = cut
    yield text[place:]
