"""A document, or some of it, as parts to be summed up. Where a look has counted the letters of every page or slide, nothing is
read for that but three of them; sheets and running text are measured by reading them, which they are anyway, once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from workroom.contents.parts import PartSelection, chosen
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.places import DocumentPlace, numbered_place
from workroom.core.tokens import estimate
from workroom.documents.types import ContextRef, Section, Structure
from workroom.identity.types import Principal
from workroom.knowledge.digests.part_text import objects, text_of, told
from workroom.knowledge.digests.plan import Atom, AtomGroup, divide, title_of
from workroom.knowledge.digests.types import DigestPart, Stretch

PROBES = 3
USUAL = 0.27  # tokens per letter, where nothing can be tried
LONGEST_TITLE = 120
Unit = Literal["page", "slide"]
HEADING = 8  # tokens: that it is page 47


@dataclass(frozen=True)
class DocumentDivision:
    reader: DocumentReader
    principal: Principal
    place: StoredDocument
    structure: Structure
    selection: PartSelection

    async def parts(self, room: int) -> list[DigestPart]:
        """None when nothing is written there."""
        numbered = _numbered(self.structure, self.place.size, self.selection)
        return await (self._numbered(numbered, room) if numbered else self._measured(room))

    async def _numbered(self, numbers: Sequence[int], room: int) -> list[DigestPart]:
        kind, letters = _letters(self.structure)
        if not any(letters[number] for number in numbers):
            return []
        density = await self._density([number for number in numbers if letters[number]], letters)
        begun = _begun(self.structure, numbers)
        atoms = [
            replace(begun.get(n, Atom(0)), tokens=int(letters[n] * density) + HEADING if letters[n] else 0)
            for n in numbers
        ]
        groups = divide(atoms, room)
        if len(groups) == 1 and not groups[0].sampled:
            return [self._only(atoms, groups[0], kind, numbers)]
        return [self._some(atoms, group, kind, numbers) for group in groups]

    def _only(self, atoms: Sequence[Atom], group: AtomGroup, kind: Unit, numbers: Sequence[int]) -> DigestPart:
        """Exactly what is wished for: a section begins and ends in the middle of a page."""
        part = self._some(atoms, group, kind, numbers)
        named = [section for section in self.structure.sections if section.id in self.selection.sections]
        title = named[0].title if named else (part.place.title or "") if _is_some(self.selection) else ""
        return replace(part, place=_titled(part.place, title), stretches=(Stretch(self.selection),))

    def _some(self, atoms: Sequence[Atom], group: AtomGroup, kind: Unit, numbers: Sequence[int]) -> DigestPart:
        every = [numbers[n] + 1 for n in range(group.first, group.end)]
        taken = tuple(numbers[n] + 1 for n in group.taken)
        selection = PartSelection(pages=taken) if kind == "page" else PartSelection(slides=taken)
        place = _titled(numbered_place(kind, every), title_of(atoms, group))
        return DigestPart(place, (Stretch(selection),), {kind: every[0]}, group.sampled)

    async def _density(self, numbers: Sequence[int], letters: dict[int, int]) -> float:
        """Tokens per letter, tried on a few pages: alphabets differ, and tables have more signs than letters."""
        places = sorted({len(numbers) * (2 * n + 1) // (2 * PROBES) for n in range(PROBES)})
        tried = [numbers[place] for place in places]
        selection = _wish(self.structure, [number + 1 for number in tried])
        found = estimate(await text_of(self.reader, self.principal, self.place, (Stretch(selection),)))
        counted = sum(letters[number] for number in tried)
        return found / counted if found and counted else USUAL

    async def _measured(self, room: int) -> list[DigestPart]:
        atoms, refs, places = list[Atom](), list[ContextRef](), list[tuple[int, int]]()
        sections = {section.id: section for section in self.structure.sections}
        heading, top = "", _top(self.structure)
        async for object, at in objects(self.reader, self.principal, self.place, self.selection):
            here = object.ref.sheet_name or object.ref.section_id or ""
            begins = here != heading
            level, title = _heading(object.ref, sections, top) if begins else (0, "")
            atoms.append(Atom(estimate(told(object)), level, title))
            refs.append(object.ref)
            places.append(at)
            heading = here
        if not any(atom.tokens for atom in atoms):
            return []
        groups = divide(atoms, room)
        if len(groups) == 1 and not groups[0].sampled:
            named = [sections[id_].title for id_ in self.selection.sections if id_ in sections]
            place = _titled(DocumentPlace(), next(iter([*named, *self.selection.sheets]), ""))
            return [DigestPart(place, (Stretch(self.selection),), _opens(refs[0]) if _is_some(self.selection) else {})]
        return [
            DigestPart(
                _titled(DocumentPlace(piece=number, pieces=len(groups)), title_of(atoms, group)),
                tuple(Stretch(self.selection, places[first], count) for first, count in _runs(group.taken)),
                _opens(refs[group.first]),
                group.sampled,
            )
            for number, group in enumerate(groups, 1)
        ]


def _numbered(structure: Structure, size: int, selection: PartSelection) -> list[int]:
    """Indices of the pages or slides that are meant; none where a look has not counted their letters."""
    kind, letters = _letters(structure)
    keys = chosen(structure, size, selection).parts
    numbers = [int(key.removeprefix(f"{kind}:")) - 1 for key in keys if key.startswith(f"{kind}:")]
    return numbers if letters and all(number in letters for number in numbers) else []


def _letters(structure: Structure) -> tuple[Unit, dict[int, int]]:
    if structure.pages:
        return "page", {page.page_index: page.text_length for page in structure.page_map}
    return "slide", {slide.slide_index: slide.text_length for slide in structure.slides}


def _wish(structure: Structure, numbers: Iterable[int]) -> PartSelection:
    return PartSelection(pages=tuple(numbers)) if structure.pages else PartSelection(slides=tuple(numbers))


def _begun(structure: Structure, numbers: Sequence[int]) -> dict[int, Atom]:
    """The uppermost section that begins on each page; of several the first."""
    found: dict[int, Atom] = {}
    top, wanted = _top(structure), frozenset(numbers)
    for section in structure.sections:
        page, level = section.start_page, section.level - top + 1
        if page is None or page not in wanted or level < 1:
            continue
        if page not in found or level < found[page].level:
            found[page] = Atom(0, level, section.title)
    return found


def _top(structure: Structure) -> int:
    """The level of chapters: the title of it all is none."""
    levels = [section.level for section in structure.sections]
    top = min(levels, default=1)
    return top + 1 if levels.count(top) == 1 and len(set(levels)) > 1 else top


def _heading(ref: ContextRef, sections: dict[str, Section], top: int) -> tuple[int, str]:
    if ref.sheet_name is not None:
        return 1, ref.sheet_name
    section = sections.get(ref.section_id or "")
    return (max(0, section.level - top + 1), section.title) if section else (0, "")


def _opens(ref: ContextRef) -> dict[str, Any]:
    if ref.sheet_name is not None:
        return {"sheet": ref.sheet_name}
    return {"section": ref.section_id} if ref.section_id else {}


def _titled(place: DocumentPlace, title: str) -> DocumentPlace:
    """The place with this title, or without any; a whole file with a title is what stands under it."""
    short = _short(title) or None
    kind = "title" if place.kind == "file" and short else place.kind
    return place.model_copy(update={"kind": kind, "title": short})


def _short(title: str) -> str:
    """One line, however it was written in the document."""
    line = " ".join(title.split())
    return line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE]}…"


def _is_some(selection: PartSelection) -> bool:
    return selection != PartSelection()


def _runs(taken: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours together: where each run begins, and how many there are in it."""
    runs: list[tuple[int, int]] = []
    for place in taken:
        if runs and place == runs[-1][0] + runs[-1][1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return runs
