"""Into which parts a document is divided to be summed up: along its sections, and never more than twenty. Pure.

Chapters stay whole where they fit, long ones are divided where their own sections begin, short neighbours are joined. What is
too large for twenty parts that a model can read is sampled: of every section the beginning, evenly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

MOST_PARTS = 20
SMALLEST = 6_000  # tokens: for less, a call of its own is not worth it
CHAPTER = 24_000  # tokens: up to that one stays whole, if a model can read it
GROWTH = 1.15
EVENLY = 12  # places of a part without sections that are sampled


@dataclass(frozen=True)
class Atom:
    """What is not divided any further: a page, a slide, an object of a text. `level`: of the section that begins here, 1 for a
    chapter; 0 if none does."""

    tokens: int
    level: int = 0
    title: str = ""


class Atoms(tuple[Atom, ...]):
    """How much a stretch of them is, is asked once for every section, and a hostile document has a hundred thousand: it is not
    counted anew each time."""

    @cached_property
    def _sums(self) -> list[int]:
        return [0, *accumulate(atom.tokens for atom in self)]

    def size(self, first: int, end: int) -> int:
        return self._sums[end] - self._sums[first]


@dataclass(frozen=True)
class AtomGroup:
    """Atoms from `first` to before `end`; `taken` are those that are read."""

    first: int
    end: int
    taken: tuple[int, ...]

    @property
    def sampled(self) -> bool:
        return len(self.taken) < self.end - self.first


@dataclass(frozen=True)
class PartSizes:
    """What is larger than `whole` is divided; neighbours are joined up to `joined`."""

    whole: int
    joined: int

    @classmethod
    def of(cls, limit: float, room: int) -> PartSizes:
        return cls(max(int(limit), min(CHAPTER, room)), int(limit))


def divide(those: Sequence[Atom], room: int) -> list[AtomGroup]:
    """In their order, without a gap; each holds at most about `room` tokens that are read."""
    if not those:
        return []
    atoms = Atoms(those)
    total = atoms.size(0, len(atoms))
    if total <= room or len(atoms) == 1:
        spans = [(0, len(atoms))]
    else:
        limit = max(total / MOST_PARTS, min(SMALLEST, room))
        while len(spans := _pieces(atoms, 0, len(atoms), PartSizes.of(limit, room), 1)) > MOST_PARTS:
            limit *= GROWTH
    return [AtomGroup(first, end, tuple(_taken(atoms, first, end, room))) for first, end in spans]


def title_of(atoms: Sequence[Atom], group: AtomGroup) -> str:
    """Its chapters by name; of a chapter that is divided the sections."""
    chapters = _titles(atoms, group, 1)
    whole = atoms[group.first].level == 1 and (group.end == len(atoms) or atoms[group.end].level == 1)
    inner = [] if whole or len(chapters) > 1 else _titles(atoms, group, 2)
    return ": ".join(_from_to(titles) for titles in (chapters, inner) if titles)


def _titles(atoms: Sequence[Atom], group: AtomGroup, level: int) -> list[str]:
    """Of the sections of that level that it begins in, and that begin in it."""
    begun_in: list[str] = []
    for atom in reversed(atoms[: group.first + 1]):
        if 0 < atom.level <= level:
            begun_in = [atom.title] if atom.level == level else []
            break
    begun = [atom.title for atom in atoms[group.first + 1 : group.end] if atom.level == level]
    return list(dict.fromkeys(filter(None, [*begun_in, *begun])))


def _from_to(titles: Sequence[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{titles[0]} … {titles[-1]}"


def _pieces(atoms: Atoms, first: int, end: int, sizes: PartSizes, level: int) -> list[tuple[int, int]]:
    """None too large, unless it is a single atom."""
    if end - first == 1 or atoms.size(first, end) <= sizes.whole:
        return [(first, end)]
    deeper = [atom.level for atom in atoms[first + 1 : end] if atom.level >= level]
    if not deeper:
        return list(_filled(atoms, first, end, sizes.whole))
    begun = min(deeper)
    cuts = [first, *(n for n in range(first + 1, end) if atoms[n].level == begun), end]
    found = [piece for one, other in pairwise(cuts) for piece in _pieces(atoms, one, other, sizes, begun + 1)]
    return _joined(atoms, found, sizes.joined)


def _filled(atoms: Atoms, first: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """As even as it goes."""
    count = -(-atoms.size(first, end) // limit)
    share = atoms.size(first, end) / count
    begins, spent = first, 0
    for place in range(first, end):
        if place > begins and spent + atoms[place].tokens / 2 > share:
            yield begins, place
            begins, spent = place, 0
        spent += atoms[place].tokens
    yield begins, end


def _joined(atoms: Atoms, pieces: Sequence[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    made = [pieces[0]]
    for first, end in pieces[1:]:
        if atoms.size(made[-1][0], end) <= limit:
            made[-1] = (made[-1][0], end)
        else:
            made.append((first, end))
    return made


def _taken(atoms: Atoms, first: int, end: int, room: int) -> list[int]:
    """All of them; or, where that is too much, what comes first in each of its sections."""
    if end - first == 1 or atoms.size(first, end) <= room:
        return list(range(first, end))
    starts = _starts(atoms, first, end, room)
    share = room / len(starts)
    taken: list[int] = []
    for one, other in pairwise([*starts, end]):
        left = share
        for place in range(one, other):
            if atoms[place].tokens > left and place > one:
                break
            taken.append(place)
            left -= atoms[place].tokens
    return taken


def _starts(atoms: Atoms, first: int, end: int, room: int) -> list[int]:
    """Of the sections in it, the upper levels first and as many as can be sampled; without sections some places."""
    average = max(1, atoms.size(first, end) // (end - first))
    most = max(1, room // average)
    found: list[int] = []
    for level in sorted({atom.level for atom in atoms[first:end] if atom.level}):
        more = sorted({first, *(n for n in range(first, end) if 0 < atoms[n].level <= level)})
        if len(more) > most:
            break
        found = more
    if len(found) > 1:
        return found
    places = max(1, min(most, EVENLY))
    return sorted({first + (end - first) * n // places for n in range(places)})
