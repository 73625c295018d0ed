"""All SQL of todos."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level
from workroom.todos.types import Todo

SELECT = """
select todo_id as id, title, done, position, due, owner_id, conversation_id, created_at, updated_at, deleted_at
from todos where mandate_id = $1 and instance_id = $2"""
SORTS = {
    "position": "to_char(position, 'FM0000000000')",
    "due": "coalesce(to_char(due, 'YYYYMMDD'), '99999999')",  # without a date: last
    "title": "lower(title)",
    "createdAt": moment("created_at"),
    "updatedAt": moment("updated_at"),
}


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, todos: Sequence[Todo]) -> None:
    await uow.executemany(
        "insert into todos (mandate_id, todo_id, instance_id, owner_id, conversation_id, title, done, position, due,"
        " created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        [
            (
                mandate_id,
                todo.id,
                instance_id,
                todo.owner_id,
                todo.conversation_id,
                todo.title,
                todo.done,
                todo.position,
                todo.due,
                todo.created_at,
                todo.updated_at,
            )
            for todo in todos
        ],
    )


async def next_position(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID) -> int:
    """After the last one. Two who add at the same moment may get the same number; then the older one is first."""
    value: int = await uow.fetchval(
        "select coalesce(max(position) + 1, 0) from todos where mandate_id = $1 and instance_id = $2",
        mandate_id,
        instance_id,
    )
    return value


async def get(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, todo_id: UUID, *, lock: bool = False
) -> Todo | None:
    """Whether it is in the trash or not. `lock`: the second writer sees what the first one wrote."""
    sql = SELECT + " and todo_id = $3" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, todo_id, writes=lock)
    return _todo(row) if row else None


async def of_conversation(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, conversation_id: UUID
) -> Sequence[Todo]:
    """Also those in the trash. Locked: what is ticked off is what was read."""
    rows = await uow.fetch(
        f"{SELECT} and conversation_id = $3 order by position, todo_id for update",
        mandate_id,
        instance_id,
        conversation_id,
        writes=True,
    )
    return [_todo(row) for row in rows]


async def update(uow: UnitOfWork, mandate_id: UUID, todo: Todo) -> None:
    await uow.execute(
        "update todos set title = $3, done = $4, position = $5, due = $6, updated_at = $7, deleted_at = $8"
        " where mandate_id = $1 and todo_id = $2",
        mandate_id,
        todo.id,
        todo.title,
        todo.done,
        todo.position,
        todo.due,
        todo.updated_at,
        todo.deleted_at,
    )


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    scope: ListScope,
    request: PageRequest,
    *,
    done: bool | None,
    deleted: bool,
    ids: Sequence[UUID] | None = None,
) -> Page[Todo]:
    listing = Listing(
        SELECT
        + " and ($3 or owner_id = $4 or instance_id = any($5)) and ($6::boolean is null or done = $6)"
        + " and ($7::uuid[] is null or todo_id = any($7)) and deleted_at is "
        + ("not null" if deleted else "null"),
        [mandate_id, instance_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids), done, ids],
        sorts=SORTS,
        default_sort="position",
        search=["title"],
    )
    return (await page(uow, listing, request)).map(_todo)


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from todos where deleted_at <= $1", before)


def _todo(row: Any) -> Todo:
    return Todo(**{name: row[name] for name in Todo.model_fields})
