"""Todos of the workspace. Removing one is not confirmed, because it can be taken back; unless others may have suggested it."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.core.results import ToolResult, result_of
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.todos import service
from workroom.todos.service import LONGEST_TITLE, MOST_AT_ONCE, Todos
from workroom.todos.types import Todo, TodoChange
from workroom.tools.shared.authors import by_others

Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
Titles = Annotated[list[Title], Field(min_length=1, max_length=MOST_AT_ONCE)]


async def _ask_to_add(ctx: ToolContext, titles: Titles, due: date | None = None) -> ConfirmPrompt:
    named = ", ".join(titles)[:LONGEST_TITLE]
    return ConfirmPrompt(f"Add to the todos: {named}? Everyone in this workspace can read them.", named)


@tool("addTodos", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_add)
async def add_todos(ctx: ToolContext, titles: Titles, due: date | None = None) -> list[Todo]:
    """Add todos to the list of this workspace, one per title; `due` is a date such as 2030-01-31."""
    return await ctx.commit(
        lambda uow: service.add(uow, ctx.principal, ctx.instance_id, titles, due, ctx.conversation_id)
    )


@tool("listTodos", effect="read", sets={"core"}, needs="todos")
async def list_todos(ctx: ToolContext, done: bool | None = None) -> ToolResult:
    """List the todos of this workspace; `done` keeps those that are done, or those that are not."""
    page = await ctx.use(Todos).list(ctx.principal, ctx.instance_id, PageRequest(limit=MAX_LIMIT), done=done)
    return result_of(list(page.items)).marked(untrusted=by_others(ctx, page.items))


async def _ask_to_update(
    ctx: ToolContext,
    todoId: UUID,  # noqa: N803
    title: Title | None = None,
    done: bool | None = None,
    due: date | None = None,
) -> ConfirmPrompt:
    todo = await ctx.use(Todos).get(ctx.principal, ctx.instance_id, todoId, Action.UPDATE)
    return ConfirmPrompt(f"Change the todo “{todo.title}”?", todo.title)


@tool("updateTodo", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_update, needs="todos")
async def update_todo(
    ctx: ToolContext,
    todoId: UUID,  # noqa: N803 -- the model's spelling
    title: Title | None = None,
    done: bool | None = None,
    due: date | None = None,
) -> Todo:
    """Tick a todo off (`done`), reopen or rename it, or give it a due date."""
    wanted = TodoChange(title=title, done=done, due=due)
    return await ctx.commit(lambda uow: service.change(uow, ctx.principal, ctx.instance_id, todoId, wanted))


async def _ask_to_remove(ctx: ToolContext, todoId: UUID) -> ConfirmPrompt:  # noqa: N803
    todo = await ctx.use(Todos).get(ctx.principal, ctx.instance_id, todoId, Action.DELETE)
    return ConfirmPrompt(f"Remove the todo “{todo.title}”? It can be restored for thirty days.", todo.title)


@tool("removeTodo", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_remove, needs="todos")
async def remove_todo(ctx: ToolContext, todoId: UUID) -> str:  # noqa: N803
    """Remove a todo; the user can restore it for thirty days."""

    async def effect(uow: UnitOfWork) -> str:
        todo = await service.TODOS.move_to_trash(uow, ctx.principal, ctx.instance_id, todoId)
        return f"The todo “{todo.title}” is removed."

    return await ctx.commit(effect)
