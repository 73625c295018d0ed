"""Which company a call means: by its id, its name, or a part of the name that only one company has; else the conversation's."""

from __future__ import annotations

from workroom.agent.tool import ToolContext
from workroom.companies.conversations import CompanyConversations
from workroom.companies.service import Companies
from workroom.companies.types import Company
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import PageRequest
from workroom.tools.shared.item_references import id_in

MOST_NAMED = 10


async def find_company(ctx: ToolContext, reference: str | None) -> Company:
    if reference:
        return await _named(ctx, reference)
    if (found := await company_of_conversation(ctx)) is not None:
        return found
    raise InvalidInput(f"This conversation is about no company yet. Give its name.{await _own(ctx)}", field="company")


async def company_of_conversation(ctx: ToolContext) -> Company | None:
    return await ctx.use(CompanyConversations).of_conversation(ctx.principal, ctx.instance_id, ctx.conversation_id)


async def exactly_named(ctx: ToolContext, name: str) -> list[Company]:
    """Those that are called so, whatever the case."""
    wanted = " ".join(name.split()).casefold()
    return [company for company in await _containing(ctx, name) if company.name.casefold() == wanted]


async def _named(ctx: ToolContext, reference: str) -> Company:
    if (company_id := id_in(reference)) is not None:
        return await ctx.use(Companies).get(ctx.principal, ctx.instance_id, company_id)
    candidates = await exactly_named(ctx, reference) or await _containing(ctx, reference)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise several(candidates)
    raise NotFound(f"There is no such company here, or it is not yours to see.{await _own(ctx)}")


def several(candidates: list[Company]) -> InvalidInput:
    ids = ", ".join(str(company.id) for company in candidates)
    return InvalidInput(f"Several companies have this name: {ids}. Which one is meant? Give its id.", field="company")


async def _containing(ctx: ToolContext, text: str) -> list[Company]:
    request = PageRequest(query=text, limit=MOST_NAMED)
    return list((await ctx.use(Companies).list(ctx.principal, ctx.instance_id, request, names_only=True)).items)


async def _own(ctx: ToolContext) -> str:
    """The user's own by name. What others called theirs is not repeated in errors, which do not mark the run."""
    page = await ctx.use(Companies).list(ctx.principal, ctx.instance_id, PageRequest(sort="updatedAt", order="desc"))
    own = [one for one in page.items if one.owner_id == one.changed_by == ctx.principal.user_id][:MOST_NAMED]
    return " There is " + "; ".join(f"“{one.name}”" for one in own) + "." if own else ""
