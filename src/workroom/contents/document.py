"""One document while it is being read: its structure is loaded once for all requests.

The structure of a long document is as large as its text; a question that is answered in ten bits must not load it ten times.
Who may read is decided before (`document_locator.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.contents import parts, sections, store
from workroom.contents.content_cache import ContentCache
from workroom.contents.document_locator import problem_error
from workroom.contents.parts import PartSelection, SelectedParts
from workroom.contents.scanned_pages import with_page_notes
from workroom.contents.sections import Holds
from workroom.contents.types import KnownContent, ObjectPage, Reading, StoredDocument
from workroom.db import Database
from workroom.documents.kinds import is_container
from workroom.documents.sniffing.names import is_textual
from workroom.documents.types import ContentObject, Structure
from workroom.identity.types import Principal

MOST_OBJECTS = 500
AT_ONCE = 5  # parts read together


@dataclass(frozen=True)
class _Meant:
    """What a selection comes to in this document."""

    chosen: SelectedParts
    numbers: dict[str, int]
    holds: Holds


class Document:
    def __init__(
        self,
        db: Database,
        reader: ContentCache,
        principal: Principal,
        stored_document: StoredDocument,
        content: KnownContent,
        lane: str,
    ) -> None:
        self._db, self._reader, self._principal, self._lane = db, reader, principal, lane
        self.stored_document, self._content = stored_document, content
        self._meant: dict[PartSelection, _Meant] = {}

    @property
    def reading(self) -> Reading:
        stored_document, content = self.stored_document, self._content
        return Reading(
            file_id=stored_document.file.id,
            version=stored_document.stored.version.version,
            inside=stored_document.inside,
            name=stored_document.name,
            media_type=stored_document.key.media_type,
            size=stored_document.size,
            is_container=is_container(stored_document.key.media_type),
            is_text=is_textual(stored_document.key.media_type),
            lie=stored_document.lie,
            structure=None if content.structure is None else with_page_notes(content.structure),
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

    async def passages(
        self, selection: PartSelection, *, after: tuple[int, int] = (0, 0), most: int = MOST_OBJECTS
    ) -> ObjectPage:
        """What is wanted, from `after` on. Only as many parts are read as are needed for `most` objects."""
        meant = await self._meaning(selection)
        wanted, numbers = meant.chosen.parts, meant.numbers
        found, at, cut = list[ContentObject](), list[tuple[int, int]](), False
        number, sequence = after
        while number < len(wanted):
            if len(found) == most:  # the rest is read on request
                return ObjectPage(found, (number, sequence), cut, at)
            batch = wanted[number : number + AT_ONCE]
            kept = await self._reader.keep(self.stored_document, self.content, batch, self._lane)
            cut = cut or any(part.cut for part in kept.values())
            async with self._db.unit_of_work(self._principal.actor) as uow:
                rows = await store.objects(
                    uow,
                    self._principal.mandate_id,
                    self.content.id,
                    batch,
                    self.stored_document.container_path,
                    start=sequence,
                    most=most + 1,
                )
            for part, object in rows:
                if not meant.holds(object):
                    continue
                if len(found) == most:
                    return ObjectPage(found, (numbers[part], object.sequence), cut, at)
                found.append(object)
                at.append((numbers[part], object.sequence))
            if len(rows) > most:
                part, last = rows[-1]
                number, sequence = numbers[part], last.sequence + 1
            else:
                number, sequence = number + len(batch), 0
        return ObjectPage(found, None, cut, at)

    async def _meaning(self, selection: PartSelection) -> _Meant:
        if selection not in self._meant:
            chosen = parts.chosen(self.structure, self.stored_document.size, selection)
            numbers = {part: number for number, part in enumerate(chosen.parts)}
            self._meant[selection] = _Meant(chosen, numbers, await self._holding(chosen))
        return self._meant[selection]

    async def _holding(self, chosen: SelectedParts) -> Holds:
        """Which objects of the chosen parts are meant."""
        if not chosen.sections:
            return lambda _: True
        if not sections.is_by_pages(chosen.sections):
            return sections.by_id(chosen.sections)
        edges = sections.edges(self.structure, chosen.sections)
        await self._reader.keep(self.stored_document, self.content, edges, self._lane)
        async with self._db.unit_of_work(self._principal.actor) as uow:
            seen = await store.objects(
                uow, self._principal.mandate_id, self.content.id, edges, self.stored_document.container_path
            )
        return sections.by_titles(self.structure, chosen.sections, [object for _, object in seen])
