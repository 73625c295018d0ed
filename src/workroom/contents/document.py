"""One document while somebody reads in it: what it is made of is looked up once, however many bits are asked for.

The structure of a long document is as large as its text; a question that is answered in ten bits must not load it ten times.
Who may read is decided before (`places.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.contents import parts, sections, store
from workroom.contents.parts import Chosen, Wish
from workroom.contents.places import problem_error
from workroom.contents.reading import ContentReader
from workroom.contents.sections import Holds
from workroom.contents.types import KnownContent, Passages, Place, Reading
from workroom.contents.wordless import noted
from workroom.db import Database
from workroom.documents.kinds import is_container
from workroom.documents.sniffing.names import is_textual
from workroom.documents.types import ContentObject, Structure
from workroom.identity.types import Principal

MOST_OBJECTS = 500
AT_ONCE = 5  # parts read together; whoever asks for one gets one


@dataclass(frozen=True)
class _Meant:
    """What a wish comes to in this document."""

    chosen: Chosen
    numbers: dict[str, int]
    holds: Holds


class Document:
    def __init__(
        self, db: Database, reader: ContentReader, who: Principal, place: Place, content: KnownContent, lane: str
    ) -> None:
        self._db, self._reader, self._who, self._lane = db, reader, who, lane
        self.place, self._content = place, content
        self._meant: dict[Wish, _Meant] = {}

    @property
    def reading(self) -> Reading:
        place, content = self.place, self._content
        return Reading(
            file_id=place.file.id,
            version=place.stored.version.version,
            inside=place.inside,
            name=place.name,
            media_type=place.key.media_type,
            size=place.size,
            is_container=is_container(place.key.media_type),
            is_text=is_textual(place.key.media_type),
            lie=place.lie,
            structure=None if content.structure is None else noted(content.structure),
            problem=content.problem,
        )

    @property
    def content(self) -> KnownContent:
        """Raises the DocumentError that says why it cannot be read."""
        if (problem := self._content.problem) is not None:
            raise problem_error(problem.code, problem.message)
        return self._content

    @property
    def structure(self) -> Structure:
        """Raises the DocumentError that says why there is none."""
        structure = self.content.structure
        assert structure is not None
        return structure

    async def passages(self, wish: Wish, *, after: tuple[int, int] = (0, 0), most: int = MOST_OBJECTS) -> Passages:
        """What is wanted, from `after` on. Only as many parts are read as are needed for `most` objects."""
        meant = await self._meaning(wish)
        wanted, numbers = meant.chosen.parts, meant.numbers
        found, at, cut = list[ContentObject](), list[tuple[int, int]](), False
        number, sequence = after
        while number < len(wanted):
            if len(found) == most:  # what comes next is read when somebody asks for it
                return Passages(found, (number, sequence), cut, at)
            batch = wanted[number : number + AT_ONCE]
            kept = await self._reader.keep(self.place, self.content, batch, self._lane)
            cut = cut or any(part.cut for part in kept.values())
            async with self._db.unit_of_work(self._who.actor) as uow:
                rows = await store.objects(
                    uow,
                    self._who.mandate_id,
                    self.content.id,
                    batch,
                    self.place.container_path,
                    start=sequence,
                    most=most + 1,
                )
            for part, object in rows:
                if not meant.holds(object):
                    continue
                if len(found) == most:
                    return Passages(found, (numbers[part], object.sequence), cut, at)
                found.append(object)
                at.append((numbers[part], object.sequence))
            if len(rows) > most:
                part, last = rows[-1]
                number, sequence = numbers[part], last.sequence + 1
            else:
                number, sequence = number + len(batch), 0
        return Passages(found, None, cut, at)

    async def _meaning(self, wish: Wish) -> _Meant:
        if wish not in self._meant:
            chosen = parts.chosen(self.structure, self.place.size, wish)
            numbers = {part: number for number, part in enumerate(chosen.parts)}
            self._meant[wish] = _Meant(chosen, numbers, await self._holding(chosen))
        return self._meant[wish]

    async def _holding(self, chosen: Chosen) -> Holds:
        """Which objects of the chosen parts are meant."""
        if not chosen.sections:
            return lambda _: True
        if not sections.is_by_pages(chosen.sections):
            return sections.by_id(chosen.sections)
        edges = sections.edges(self.structure, chosen.sections)
        await self._reader.keep(self.place, self.content, edges, self._lane)
        async with self._db.unit_of_work(self._who.actor) as uow:
            seen = await store.objects(uow, self._who.mandate_id, self.content.id, edges, self.place.container_path)
        return sections.by_titles(self.structure, chosen.sections, [object for _, object in seen])
