"""The DNA of a company: what is written about it, and what is missing; at length for the model, in short for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.documents import LARGEST, DnaDocuments, require_kind
from workroom.companies.gaps import Dna
from workroom.companies.types import DocumentStatus
from workroom.core.languages import Language
from workroom.core.results import ToolResult, result_of
from workroom.core.widgets import Widget
from workroom.core.wire import Wire
from workroom.tools.shared.authors import by_others
from workroom.tools.shared.company_references import find_company

OVERVIEW, CHOSEN = (
    4_000,
    40_000,
)  # characters of a document: among all of them, or among those asked for; a single one is whole


class DnaCompany(Wire):
    """The company that an overview is about."""

    id: UUID
    name: str
    website: str
    language: Language
    description: str


class DnaEntry(Wire):
    """One document. `isCut`: `text` is its beginning; naming its kind returns more of it. `waitsFor` and `staleAfter` are
    kinds it builds on: not final yet, or final only since it was written."""

    kind: str
    name: str
    purpose: str
    status: DocumentStatus
    version: int
    written_by: str
    written_at: datetime | None
    builds_on: list[str]
    waits_for: list[str]
    stale_after: list[str]
    missing_headings: list[str]
    text: str
    is_cut: bool


class DnaOverview(Wire):
    """The documents about a company, each after those it builds on. `next`: the first that is not complete, whose bases are."""

    company: DnaCompany
    documents: list[DnaEntry]
    next: str | None


class DnaState(Wire):
    """How far a document is."""

    kind: str
    name: str
    status: DocumentStatus
    stale_after: list[str]


class CompanyDna(Widget):
    """What the page draws of an overview: the documents and how far they are, each opens its editor."""

    company_id: UUID
    company_name: str
    documents: list[DnaState]


@dataclass(frozen=True)
class _Author:
    """A person who wrote a part of it last; None when their account is gone."""

    owner_id: UUID | None


@tool("skill_dna_lookup", effect="read", sets={"skills"}, rare=True)
async def dna_lookup(
    ctx: ToolContext,
    company: Annotated[
        str | None, Field(max_length=200, description="Name or id; else the company of this conversation.")
    ] = None,
    kinds: Annotated[
        list[str] | None,
        Field(
            max_length=20,
            description="Documents to read at length, such as briefing or swot; else the beginnings of all.",
        ),
    ] = None,
) -> ToolResult:
    """Read a company's DNA: its strategy documents with status and version, and what is missing or stale. Read what a document
    builds on before writing it."""
    for kind in kinds or ():
        require_kind(kind)
    meant = await find_company(ctx, company)
    dna = await ctx.use(DnaDocuments).dna(ctx.principal, ctx.instance_id, meant.id)
    shown = [document for kind, document in dna.documents.items() if not kinds or kind in kinds]
    authors = [_Author(dna.company.changed_by), *(_Author(one.written_by) for one in shown if one.version)]
    overview = overview_of(dna, ctx.language, kinds)
    result = result_of(overview).model_copy(update={"actions": [_widget(overview).action()]})
    return result.marked(untrusted=by_others(ctx, authors))


def _widget(overview: DnaOverview) -> CompanyDna:
    states = [DnaState(**{name: getattr(one, name) for name in DnaState.model_fields}) for one in overview.documents]
    return CompanyDna(company_id=overview.company.id, company_name=overview.company.name, documents=states)


def overview_of(dna: Dna, language: str, kinds: Sequence[str] | None = None) -> DnaOverview:
    """`kinds` are those to read at length; then the others are left out. Names of documents are in `language`."""
    longest = OVERVIEW if not kinds else LARGEST if len(set(kinds)) == 1 else CHOSEN
    ready = (kind for kind, gaps in dna.gaps.items() if not gaps.is_complete and not gaps.waits_for)
    return DnaOverview(
        company=DnaCompany(**{name: getattr(dna.company, name) for name in DnaCompany.model_fields}),
        documents=[_entry(dna, kind, language, longest) for kind in dna.documents if not kinds or kind in kinds],
        next=next(ready, None),
    )


def _entry(dna: Dna, name: str, language: str, longest: int) -> DnaEntry:
    kind, document, gaps = KINDS[name], dna.documents[name], dna.gaps[name]
    return DnaEntry(
        kind=name,
        name=in_language(kind.name, language),
        purpose=in_language(kind.purpose, language),
        status=document.status,
        version=document.version,
        written_by=document.agent_name or document.written_by_name or "",
        written_at=document.written_at,
        builds_on=list(kind.builds_on),
        waits_for=list(gaps.waits_for),
        stale_after=list(gaps.stale_after),
        missing_headings=[in_language(one.title, dna.company.language) for one in gaps.headings],
        text=_beginning(document.text, longest),
        is_cut=len(document.text) > longest,
    )


def _beginning(text: str, longest: int) -> str:
    """Up to a whole line, if one ends in the second half."""
    if len(text) <= longest:
        return text
    end = text.rfind("\n", longest // 2, longest)
    return text[: end if end > 0 else longest]
