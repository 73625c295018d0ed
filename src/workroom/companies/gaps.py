"""The gaps in the documents about a company: what is still missing. Pure: documents in, gaps out.

A document is waited for while it is no final one. A heading has no text when nothing stands below it, or when it is not there. A
document is stale when one it builds on was finalised after it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workroom.companies.document_kinds import HEADING_LEVEL, KINDS, DocumentKind, HeadingTexts
from workroom.companies.types import Company, DnaDocument, DocumentStatus
from workroom.core.markdown_headings import headings

_NUMBER = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+")


@dataclass(frozen=True)
class Gaps:
    """Of one document: kinds it waits for, kinds that have made it stale, and its headings without text."""

    kind: str
    status: DocumentStatus
    headings: Sequence[HeadingTexts]
    waits_for: Sequence[str]
    stale_after: Sequence[str]

    @property
    def is_complete(self) -> bool:
        return self.status is DocumentStatus.FINAL and not self.headings and not self.stale_after


@dataclass(frozen=True)
class Dna:
    """A company with its document of every kind, each after those it builds on, and what is missing in them."""

    company: Company
    documents: Mapping[str, DnaDocument]
    gaps: Mapping[str, Gaps]


def gaps_of(documents: Mapping[str, DnaDocument]) -> Mapping[str, Gaps]:
    """The gaps of each of these documents, which are one of every kind."""
    return {kind: _gaps(KINDS[kind], document, documents) for kind, document in documents.items()}


def empty_headings(kind: DocumentKind, markdown: str) -> list[HeadingTexts]:
    """The headings of the kind that have no text, in any of the languages they could be written in."""
    written = {title for title, text in _sections(markdown) if text}
    return [heading for heading in kind.headings if written.isdisjoint(map(_comparable, heading.title.values()))]


def _gaps(kind: DocumentKind, document: DnaDocument, documents: Mapping[str, DnaDocument]) -> Gaps:
    bases = [documents[base] for base in kind.builds_on]
    return Gaps(
        kind=kind.kind,
        status=document.status,
        headings=empty_headings(kind, document.text),
        waits_for=[base.kind for base in bases if base.status is not DocumentStatus.FINAL],
        stale_after=[base.kind for base in bases if _is_newer(base, document)],
    )


def _is_newer(base: DnaDocument, document: DnaDocument) -> bool:
    if document.status is DocumentStatus.EMPTY or document.written_at is None or base.finalised_at is None:
        return False
    return base.finalised_at > document.written_at


def _sections(markdown: str) -> Iterator[tuple[str, bool]]:
    """The title of each section at the level of a document's headings, and whether there is text in it. Headings alone, however
    deep, are none."""
    title, has_text, end = None, False, 0
    for level, heading, start, after in headings(markdown):
        has_text = has_text or bool(markdown[end:start].strip())
        if level <= HEADING_LEVEL:
            if title is not None:
                yield title, has_text
            title, has_text = (_comparable(heading) if level == HEADING_LEVEL else None), False
        end = after
    if title is not None:
        yield title, has_text or bool(markdown[end:].strip())


def _comparable(title: str) -> str:
    """Without number, emphasis, colon and case, which people and models write as they like."""
    bare = _NUMBER.sub("", title.strip(" \t*_:：#"))
    return " ".join(bare.strip(" \t*_:：").casefold().split())
