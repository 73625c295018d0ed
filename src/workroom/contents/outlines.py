"""What a file is made of, in lines a model or a person reads: kind and size, sections with their ids, sheets, slides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workroom.contents.types import MemberInfo, Reading
from workroom.documents.types import Section, Structure

SHORT_LINES = 40
COUNTED = ("images", "tables", "attachments", "charts", "footnotes", "comments", "rows", "files", "folders")


def outline(reading: Reading) -> list[str]:
    """All of it, however long."""
    lines = [summary(reading), *_about(reading)]
    if (structure := reading.structure) is not None:
        lines += _parts(structure)
        lines += [f"Note: {note}" for note in structure.notes]
    return lines


def brief(reading: Reading, most: int = SHORT_LINES) -> list[str]:
    """The same in few lines: only the upper levels of its sections, and where there are more."""
    whole = outline(reading)
    if len(whole) <= most or reading.structure is None:
        return whole
    head = [summary(reading), *_about(reading)]
    structure, room = reading.structure, most - len(head)
    level = 1
    while level < 6 and sum(s.level <= level + 1 for s in structure.sections) <= room:
        level += 1
    upper = structure.model_copy(update={"sections": [s for s in structure.sections if s.level <= level]})
    lines = list(_parts(upper))
    hidden = len(whole) - len(head) - min(len(lines), room)
    return [*head, *lines[:room], f"[{hidden} more lines; browseContainer shows all of them]"]


def summary(reading: Reading) -> str:
    """`report.pdf: application/pdf, 1.2 MB, 619 pages`."""
    facts = [reading.media_type, size_of(reading.size)]
    if (structure := reading.structure) is not None:
        facts += [f"{structure.pages} pages"] if structure.pages else []
        facts += [f"{len(structure.sheets)} sheets"] if structure.sheets else []
        facts += [f"{len(structure.slides)} slides"] if structure.slides else []
        facts += [f"{structure.counts[name]} {name}" for name in COUNTED if structure.counts.get(name)]
    return f"{reading.name}: {', '.join(facts)}"


def counted(reading: Reading) -> str:
    """`619 pages, 18 images`; nothing where nothing was counted."""
    if (structure := reading.structure) is None:
        return ""
    facts = {"pages": structure.pages, "sheets": len(structure.sheets), "slides": len(structure.slides)}
    top = min((section.level for section in structure.sections), default=0)
    facts["chapters"] = sum(section.level == top for section in structure.sections)
    facts |= {name: structure.counts.get(name, 0) for name in COUNTED}
    return ", ".join(f"{count} {name}" for name, count in facts.items() if count)


def members_listed(members: Sequence[MemberInfo]) -> list[str]:
    return [_member(member) for member in members]


def size_of(size: int) -> str:
    amount, units = float(size), ["bytes", "kB", "MB", "GB"]
    while amount >= 1000 and len(units) > 1:
        amount /= 1000
        units.pop(0)
    return f"{size} bytes" if units[0] == "bytes" else f"{amount:.1f} {units[0]}"


def _about(reading: Reading) -> Iterator[str]:
    if reading.lie:
        yield f"Careful: {reading.lie}"
    if reading.problem is not None:
        yield f"It cannot be read: {reading.problem.message}"
    if reading.structure is not None:
        for name in ("title", "author", "subject", "date"):
            if value := reading.structure.properties.get(name):
                yield f"{name}: {value[:200]}"


def _parts(structure: Structure) -> Iterator[str]:
    if structure.sections:
        yield "Sections (id, title, pages):"
        yield from map(_section, structure.sections)
    for sheet in structure.sheets:
        yield f"Sheet “{sheet.name}”: {sheet.rows} rows × {sheet.columns} columns{', hidden' if sheet.hidden else ''}"
    for slide in structure.slides:
        yield f"Slide {slide.slide_index + 1}: {slide.title or '(no title)'}{', hidden' if slide.hidden else ''}"


def _section(section: Section) -> str:
    pages = ""
    if section.start_page is not None:
        last = section.end_page if section.end_page is not None else section.start_page
        pages = f" (page {section.start_page + 1})" if last == section.start_page else ""
        pages = pages or f" (pages {section.start_page + 1}-{last + 1})"
    return f"{'  ' * (section.level - 1)}{section.id} {section.title[:200]}{pages}"


def _member(member: MemberInfo) -> str:
    if member.is_folder:
        return f"{member.path.rstrip('/')}/"
    facts = [size_of(member.size)] if member.size is not None else []
    facts += ["locked with a password"] if member.encrypted else []
    facts += ["can be opened itself"] if member.opens else []
    return f"{member.path} ({', '.join(facts)})" if facts else member.path
