"""The DNA of a company: what is written about it, and what is missing. The payload is for a widget and for the model alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.companies.conversations import CompanyConversations
from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.documents import DnaDocuments, require_kind
from workroom.companies.gaps import Dna
from workroom.companies.service import Companies
from workroom.companies.types import Company, DocumentStatus
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.languages import Language
from workroom.core.pages import PageRequest
from workroom.core.results import ToolResult, result_of
from workroom.core.wire import Wire
from workroom.tools.shared.authors import by_others
from workroom.tools.shared.item_references import id_in

OVERVIEW, CHOSEN = 4_000, 40_000  # characters of a document: among all of them, or when it was asked for
MOST_NAMED = 10


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


@dataclass(frozen=True)
class _Author:
    """A person who wrote a part of it last; None when their account is gone."""

    owner_id: UUID | None


@tool("skill_dna_lookup", effect="read", sets={"skills"})
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
    meant = await _company(ctx, company)
    dna = await ctx.use(DnaDocuments).dna(ctx.principal, ctx.instance_id, meant.id)
    shown = [document for kind, document in dna.documents.items() if not kinds or kind in kinds]
    authors = [_Author(dna.company.changed_by), *(_Author(one.written_by) for one in shown if one.version)]
    return result_of(overview_of(dna, ctx.language, kinds)).marked(untrusted=by_others(ctx, authors))


def overview_of(dna: Dna, language: str, kinds: Sequence[str] | None = None) -> DnaOverview:
    """`kinds` are those to read at length; then the others are left out. Names of documents are in `language`."""
    longest = CHOSEN if kinds else OVERVIEW
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


async def _company(ctx: ToolContext, reference: str | None) -> Company:
    if reference:
        return await _named(ctx, reference)
    found = await ctx.use(CompanyConversations).of_conversation(ctx.principal, ctx.instance_id, ctx.conversation_id)
    if found is None:
        raise InvalidInput(
            f"This conversation is about no company yet. Give its name.{await _own(ctx)}", field="company"
        )
    return found


async def _named(ctx: ToolContext, reference: str) -> Company:
    """By its id, its name, or a part of the name that only one company has."""
    companies = ctx.use(Companies)
    if (company_id := id_in(reference)) is not None:
        return await companies.get(ctx.principal, ctx.instance_id, company_id)
    page = await companies.list(
        ctx.principal, ctx.instance_id, PageRequest(query=reference, limit=MOST_NAMED), names_only=True
    )
    same = [one for one in page.items if one.name.casefold() == " ".join(reference.split()).casefold()]
    candidates = same or list(page.items)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        ids = ", ".join(str(one.id) for one in candidates)
        raise InvalidInput(
            f"Several companies have this name: {ids}. Which one is meant? Give its id.", field="company"
        )
    raise NotFound(f"There is no such company here, or it is not yours to see.{await _own(ctx)}")


async def _own(ctx: ToolContext) -> str:
    """The user's own by name. What others called theirs is not repeated in errors, which do not mark the run."""
    page = await ctx.use(Companies).list(ctx.principal, ctx.instance_id, PageRequest(sort="updatedAt", order="desc"))
    own = [one for one in page.items if one.owner_id == one.changed_by == ctx.principal.user_id][:MOST_NAMED]
    return " There is " + "; ".join(f"“{one.name}”" for one in own) + "." if own else ""
