"""Todos of the workspace. Removing one is not confirmed, because it can be taken back; unless others may have suggested it."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ConfirmPrompt, ToolContext, tool
from workroom.core.errors import InvalidInput
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.core.results import ToolResult, result_of
from workroom.db import UnitOfWork
from workroom.identity.types import Action
from workroom.todos import service
from workroom.todos.service import LONGEST_TITLE, MOST_AT_ONCE, Todos
from workroom.todos.types import Todo, TodoChange
from workroom.tools.shared.authors import by_others
from workroom.tools.shared.item_references import ItemLookup, ItemReference, find_item, id_in

Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
Titles = Annotated[list[Title], Field(min_length=1, max_length=MOST_AT_ONCE)]


async def _ask_to_add(ctx: ToolContext, titles: Titles, due: date | None = None) -> ConfirmPrompt:
    named = ", ".join(titles)[:LONGEST_TITLE]
    return ConfirmPrompt(f"Add to the todos: {named}? Everyone in this workspace can read them.", named)


@tool("addTodos", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_add)
async def add_todos(ctx: ToolContext, titles: Titles, due: date | None = None) -> list[Todo]:
    """Add todos to this workspace, one per title; `due` is a date such as 2030-01-31."""
    return await ctx.commit(
        lambda uow: service.add(uow, ctx.principal, ctx.instance_id, titles, due, ctx.conversation_id)
    )


@tool("listTodos", effect="read", sets={"core"}, needs="todos")
async def list_todos(ctx: ToolContext, done: bool | None = None) -> ToolResult:
    """List todos of this workspace; `done` keeps those that are, or are not."""
    page = await ctx.use(Todos).list(ctx.principal, ctx.instance_id, PageRequest(limit=MAX_LIMIT), done=done)
    return result_of(list(page.items)).marked(untrusted=by_others(ctx, page.items))


async def _ask_to_update(
    ctx: ToolContext,
    todoId: ItemReference,  # noqa: N803
    title: Title | None = None,
    done: bool | None = None,
    due: date | None = None,
) -> ConfirmPrompt:
    todo = await _find(ctx, todoId, Action.UPDATE)
    if id_in(todoId) is None:  # until the user answers, the same words may come to mean another todo
        raise InvalidInput(f"The user is asked about this change: give the id, {todo.id}.", field="todoId")
    return ConfirmPrompt(f"Change the todo “{todo.title}”?", todo.title)


@tool("updateTodo", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_update, needs="todos")
async def update_todo(
    ctx: ToolContext,
    todoId: ItemReference,  # noqa: N803 -- the model's spelling
    title: Title | None = None,
    done: bool | None = None,
    due: date | None = None,
) -> Todo:
    """Tick off (`done`: true), reopen or rename a todo, or set its date."""
    todo = await _find(ctx, todoId, Action.UPDATE)
    wanted = TodoChange(title=title, done=done, due=due)
    return await ctx.commit(lambda uow: service.change(uow, ctx.principal, ctx.instance_id, todo.id, wanted))


async def _ask_to_remove(ctx: ToolContext, todoId: ItemReference) -> ConfirmPrompt:  # noqa: N803
    todo = await _find(ctx, todoId, Action.DELETE)
    return ConfirmPrompt(f"Remove the todo “{todo.title}”? It can be restored for thirty days.", todo.title)


@tool("removeTodo", effect="ours", sets={"core"}, confirm_untrusted=_ask_to_remove, needs="todos")
async def remove_todo(ctx: ToolContext, todoId: ItemReference) -> str:  # noqa: N803
    """Remove a todo; the user can restore it."""
    todo = await _find(ctx, todoId, Action.DELETE)

    async def effect(uow: UnitOfWork) -> str:
        removed = await service.TODOS.move_to_trash(uow, ctx.principal, ctx.instance_id, todo.id)
        return f"The todo “{removed.title}” is removed."

    return await ctx.commit(effect)


async def _find(ctx: ToolContext, reference: str, action: Action) -> Todo:
    todos, place = ctx.use(Todos), (ctx.principal, ctx.instance_id)
    lookup = ItemLookup(
        "todo",
        get=lambda todo_id, action: todos.get(*place, todo_id, action),
        search=lambda request: todos.list(*place, request),
        suggest=lambda request: todos.list(*place, request, done=False),
        detail=lambda todo: ", done" if todo.done else "",
    )
    return await find_item(ctx, lookup, reference, action)
