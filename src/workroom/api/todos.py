"""Todos of a workspace. Removing one puts it into a trash; `?deleted=true` lists that."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.pages import MAX_LIMIT
from workroom.core.wire import Wire
from workroom.todos.service import LAST_POSITION, LONGEST_TITLE
from workroom.todos.types import Todo, TodoChange

router = APIRouter(prefix="/api/workspace/{instanceId}/todos", tags=["todos"])


class TodoQuery(ListQuery):
    """`ids`: only these."""

    done: bool | None = None
    deleted: bool = False
    ids: Annotated[list[UUID] | None, Field(max_length=MAX_LIMIT)] = None


class NewTodo(Wire):
    title: str = Field(max_length=LONGEST_TITLE)
    due: date | None = None


class TodoInput(Wire):
    """A field that is not there stays as it is; `due: null` takes the date away."""

    title: str | None = Field(None, max_length=LONGEST_TITLE)
    done: bool | None = None
    position: int | None = Field(None, ge=0, le=LAST_POSITION)
    due: date | None = None

    def change(self) -> TodoChange:
        no_due = "due" in self.model_fields_set and self.due is None
        return TodoChange(self.title, self.done, self.position, self.due, no_due)


@router.get("")
async def list_todos(
    instanceId: UUID, query: Annotated[TodoQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[Todo]:
    found = await services.todos.list(
        principal, instanceId, query.request(), done=query.done, deleted=query.deleted, ids=query.ids
    )
    return page_of(found, lambda todo: todo)


@router.post("", status_code=201)
async def add_todo(instanceId: UUID, body: NewTodo, principal: CurrentPrincipal, services: AppServices) -> Todo:
    return (await services.todos.add(principal, instanceId, [body.title], body.due))[0]


@router.get("/{todoId}")
async def get_todo(instanceId: UUID, todoId: UUID, principal: CurrentPrincipal, services: AppServices) -> Todo:
    return await services.todos.get(principal, instanceId, todoId)


@router.patch("/{todoId}")
async def change_todo(
    instanceId: UUID, todoId: UUID, body: TodoInput, principal: CurrentPrincipal, services: AppServices
) -> Todo:
    return await services.todos.change(principal, instanceId, todoId, body.change())


@router.delete("/{todoId}", status_code=204)
async def remove_todo(instanceId: UUID, todoId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """It can be restored for thirty days."""
    await services.todos.remove(principal, instanceId, todoId)


@router.post("/{todoId}/restore")
async def restore_todo(instanceId: UUID, todoId: UUID, principal: CurrentPrincipal, services: AppServices) -> Todo:
    return await services.todos.restore(principal, instanceId, todoId)
