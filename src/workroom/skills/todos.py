"""A checklist of the conversation: todos of the workspace that the user and the agent tick off."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.results import ToolResult
from workroom.core.widgets import Widget
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.todos import service
from workroom.todos.service import LONGEST_TITLE, MOST_AT_ONCE

Title = Annotated[str, Field(max_length=200)]


class ChecklistItem(Wire):
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    done: bool = False


class ListedTodo(ChecklistItem):
    id: UUID


class Checklist(Widget):
    """`todos`: as they were when it was shown; what has become of them stands with the todos of the workspace."""

    title: str
    todos: list[ListedTodo]


Items = Annotated[list[ChecklistItem], Field(min_length=1, max_length=MOST_AT_ONCE)]


async def _ask_to_list(ctx: ToolContext, items: Items, title: Title = "") -> ConfirmPrompt:
    named = ", ".join(item.title for item in items)[:LONGEST_TITLE]
    return ConfirmPrompt(f"Put on the checklist: {named}? Everyone in this workspace can read it.", named)


@tool("skill_todos", effect="ours", sets={"skills"}, confirm_untrusted=_ask_to_list)
async def skill_todos(ctx: ToolContext, items: Items, title: Title = "") -> ToolResult:
    """Show a checklist that the user and you tick off. Give the same titles again to update it: `done` ticks one off."""

    async def effect(uow: UnitOfWork) -> ToolResult:
        wanted = [(item.title, item.done) for item in items]
        todos = await service.put_checklist(uow, ctx.principal, ctx.instance_id, ctx.conversation_id, wanted)
        listed = [ListedTodo(id=todo.id, title=todo.title, done=todo.done) for todo in todos]
        open_titles = ", ".join(todo.title for todo in todos if not todo.done) or "none"
        return Checklist(title=title, todos=listed).shown(f"The user sees the checklist. Still open: {open_titles}.")

    return await ctx.commit(effect)
