"""The document editor beside the conversation: the agent writes a document of the company, the user edits the same one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.companies import documents, service
from workroom.companies.conversations import assign
from workroom.companies.document_kinds import KINDS, in_language
from workroom.companies.documents import LARGEST
from workroom.companies.gaps import empty_headings
from workroom.companies.service import Companies
from workroom.companies.types import Company, DnaDocument, DocumentInput, DocumentStatus
from workroom.core.languages import language_or_default
from workroom.core.results import ToolResult
from workroom.core.widgets import Widget
from workroom.db import UnitOfWork
from workroom.runs.call_agents import calling_agent
from workroom.tools.shared.company_references import company_of_conversation, exactly_named, several

CHANGED = (
    "Nothing was written: {author} has changed the document since you saw it. Take those changes over, and send the whole text "
    "again with version {version}. It reads now:\n\n{text}"
)


class CompanyDocument(Widget):
    """A document that was written; the page opens its editor beside the conversation."""

    company_id: UUID
    company_name: str
    kind: str
    name: str
    status: DocumentStatus
    version: int


Kind = Literal["briefing", "swot", "audience", "positioning", "goals", "messages", "project"]
Text = Annotated[str, Field(min_length=1, max_length=LARGEST)]
Version = Annotated[int | None, Field(ge=0, description="Of the text yours was made from, if you read it.")]
CompanyName = Annotated[str, Field(min_length=1, max_length=200, description="Its name, as the user calls it.")]


async def _ask_to_write(
    ctx: ToolContext, company: CompanyName, document: Kind, text: Text, final: bool = False, version: Version = None
) -> ConfirmPrompt:
    name = in_language(KINDS[document].name, ctx.language)
    return ConfirmPrompt(f"Write the document “{name}”? Everyone in this workspace can read it.", name)


@tool("skill_sidebar", effect="ours", sets={"skills"}, confirm_untrusted=_ask_to_write, rare=True)
async def skill_sidebar(
    ctx: ToolContext, company: CompanyName, document: Kind, text: Text, final: bool = False, version: Version = None
) -> ToolResult:
    """Write a whole document of the company as Markdown, in the editor beside the conversation; the answer names headings (`##`)
    that it lacks. The user edits the same text; `final` once they have confirmed it."""
    await ctx.use(Companies).require_writing(ctx.principal, ctx.instance_id)
    own = await company_of_conversation(ctx)
    known = own or await _named(ctx, company)
    missing = await asyncio.to_thread(empty_headings, KINDS[document], text)

    async def effect(uow: UnitOfWork) -> ToolResult:
        about = known or await _new(ctx, uow, company)
        if own is None:
            await assign(uow, ctx.principal, ctx.instance_id, ctx.conversation_id, about.id)
        newest = (await documents.read_all(uow, ctx.principal, ctx.instance_id, about.id))[1][document]
        if not _is_base(newest, version, ctx.principal.user_id):
            author = newest.agent_name or newest.written_by_name or "somebody"
            told = CHANGED.format(author=author, version=newest.version, text=newest.text)
            return ToolResult.error(told).marked(untrusted=newest.written_by != ctx.principal.user_id)
        status = DocumentStatus.FINAL if final else DocumentStatus.DRAFT
        writer = await calling_agent(uow, ctx.principal.mandate_id, ctx.call_id)
        given = DocumentInput(newest.version, text, status)
        written = await documents.write(uow, ctx.principal, ctx.instance_id, about.id, document, given, writer)
        return _shown(ctx, about, written, [in_language(heading.title, about.language) for heading in missing])

    return await ctx.commit(effect)


async def _named(ctx: ToolContext, name: str) -> Company | None:
    """The one that is called so, if there is one already."""
    same = await exactly_named(ctx, name)
    if len(same) > 1:
        raise several(same)
    return same[0] if same else None


async def _new(ctx: ToolContext, uow: UnitOfWork, name: str) -> Company:
    language = language_or_default(ctx.language)
    return await service.create(uow, ctx.principal, ctx.instance_id, name, language=language)


def _is_base(newest: DnaDocument, version: int | None, user_id: UUID | None) -> bool:
    """Whether a text may take the place of the newest: it was made from that, or there is only a draft that an agent wrote for
    the same person."""
    if version is not None:
        return version == newest.version
    own_draft = newest.agent_id is not None and newest.written_by == user_id
    return newest.version == 0 or (own_draft and newest.status is not DocumentStatus.FINAL)


def _shown(ctx: ToolContext, company: Company, written: DnaDocument, missing: Sequence[str]) -> ToolResult:
    name = in_language(KINDS[written.kind].name, ctx.language)
    widget = CompanyDocument(
        company_id=company.id,
        company_name=company.name,
        kind=written.kind,
        name=name,
        status=written.status,
        version=written.version,
    )
    seen = f"The user sees “{name}” in the editor: version {written.version}, {written.status}."
    return widget.shown(f"{seen} Its headings without text: {', '.join(missing) or 'none'}.")
