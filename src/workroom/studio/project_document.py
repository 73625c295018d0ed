"""A project as one document: phases, groups and blocks under headings, in the language of its content. Pure.

What is not written yet is left out, and so are hidden phases. Headings within texts stand below the heading of their block; a
text that brings its own title has no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.core.languages import Language
from workroom.core.markdown_headings import heading_line, moved_headings, with_ended_code
from workroom.documents.writers.report import Report, ReportSection
from workroom.studio.errors import NothingWritten
from workroom.studio.project_phases import phase_name, visible
from workroom.studio.tree import BlockTree
from workroom.studio.types import AudiencePersona, Block, BlockStatus, CreatorProfile, Project


@dataclass(frozen=True)
class ProjectContents:
    """Everything of a project that is taken along. `texts` are those of written blocks."""

    project: Project
    tree: BlockTree
    texts: Mapping[UUID, str]
    profile: CreatorProfile | None
    personas: Sequence[AudiencePersona]


@dataclass(frozen=True)
class _Words:
    draft: str
    needs_review: str
    date: str


WORDS: Mapping[Language, _Words] = {
    "de": _Words("Entwurf", "Zu prüfen", "%d.%m.%Y"),
    "en": _Words("Draft", "Needs review", "%d %b %Y"),
    "fr": _Words("Brouillon", "À relire", "%d.%m.%Y"),
    "pt": _Words("Rascunho", "A revisar", "%d/%m/%Y"),
    "zh": _Words("草稿", "待审阅", "%Y-%m-%d"),
}


def report_of(contents: ProjectContents, moment: datetime) -> Report:
    """Raises NothingWritten."""
    project = contents.project
    lines = [line.strip() for line in project.description.splitlines()]
    return Report(
        title=project.name,
        lines=[line for line in (*lines, moment.strftime(WORDS[project.language].date)) if line],
        language=project.language,
        sections=[ReportSection(title=name, note="", markdown=text) for name, text in _phases(contents, 2)],
    )


def markdown_of(contents: ProjectContents) -> str:
    """Raises NothingWritten."""
    project = contents.project
    sections = [part for name, text in _phases(contents, 3) for part in (heading_line(2, name), text)]
    return "\n\n".join(filter(None, [heading_line(1, project.name), project.description, *sections])) + "\n"


def _phases(contents: ProjectContents, level: int) -> list[tuple[str, str]]:
    """The name of each phase in which something is written, and that, with headings from this level on."""
    project, tree = contents.project, contents.tree
    texts = {code: "\n\n".join(_parts(contents, tree.siblings(None, code), level)) for code in visible(project)}
    written = [(phase_name(project, code, project.language), text) for code, text in texts.items() if text]
    if not written:
        raise NothingWritten
    return written


def _parts(contents: ProjectContents, blocks: Sequence[Block], level: int) -> Iterator[str]:
    for block in blocks:
        if not block.is_group:
            yield from _block(block, contents.texts.get(block.id, ""), level, WORDS[contents.project.language])
        elif parts := list(_parts(contents, contents.tree.siblings(block.id, block.phase), level + 1)):
            yield heading_line(level, block.name)
            yield from parts


def _block(block: Block, text: str, level: int, words: _Words) -> Iterator[str]:
    if not text:
        return
    title, rest = heading_line(level, block.name), moved_headings(text, level + 1)
    if text.startswith("# "):
        title, _, rest = moved_headings(text, level).partition("\n")
    yield title
    if note := {BlockStatus.DRAFT: words.draft, BlockStatus.NEEDS_REVIEW: words.needs_review}.get(block.status):
        yield f"*{note}*"
    if rest:
        yield with_ended_code(rest.lstrip("\n"))
