"""Todos: add, list, change, remove, restore. Like a note, a todo is seen by the members of its workspace.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, InvalidInput
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name
from workroom.identity.types import Action, Principal
from workroom.identity.workspace_items import WorkspaceItems
from workroom.todos import store
from workroom.todos.types import Todo, TodoChange

KEY = "data.todo"
LONGEST_TITLE = 300
MOST_AT_ONCE = 50
LAST_POSITION = 1_000_000_000
TODOS = WorkspaceItems("todo", KEY, ChangeKind.TODO, store.get, store.update)


class Todos:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self,
        principal: Principal,
        instance_id: UUID,
        request: PageRequest,
        *,
        done: bool | None = None,
        deleted: bool = False,
        ids: Sequence[UUID] | None = None,
    ) -> Page[Todo]:
        """`deleted` lists the trash: only what one could have put there oneself. `ids`: only these."""
        reach = scope(principal, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(
                uow, principal.mandate_id, instance_id, reach, request, done=done, deleted=deleted, ids=ids
            )

    async def get(self, principal: Principal, instance_id: UUID, todo_id: UUID, action: Action = Action.READ) -> Todo:
        """The todo, if this may be done to it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await TODOS.checked(uow, principal, action, instance_id, todo_id)

    async def add(
        self, principal: Principal, instance_id: UUID, titles: Sequence[str], due: date | None = None
    ) -> Sequence[Todo]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await add(uow, principal, instance_id, titles, due)

    async def change(self, principal: Principal, instance_id: UUID, todo_id: UUID, change_: TodoChange) -> Todo:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await change(uow, principal, instance_id, todo_id, change_)

    async def remove(self, principal: Principal, instance_id: UUID, todo_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await TODOS.move_to_trash(uow, principal, instance_id, todo_id)

    async def restore(self, principal: Principal, instance_id: UUID, todo_id: UUID) -> Todo:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await TODOS.restore(uow, principal, instance_id, todo_id)


async def add(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    titles: Sequence[str],
    due: date | None = None,
    conversation_id: UUID | None = None,
) -> list[Todo]:
    """At the end of the list, in the order given."""
    owner_id = await TODOS.require_create(uow, principal, instance_id)
    if not 1 <= len(titles) <= MOST_AT_ONCE:
        raise InvalidInput(f"Add 1 to {MOST_AT_ONCE} todos at once.", field="titles")
    moment, first = now(), await store.next_position(uow, principal.mandate_id, instance_id)
    todos = [
        Todo(
            id=new_id(),
            title=clean_name(title, "titles", LONGEST_TITLE),
            done=False,
            position=min(first + place, LAST_POSITION),
            due=due,
            owner_id=owner_id,
            conversation_id=conversation_id,
            created_at=moment,
            updated_at=moment,
        )
        for place, title in enumerate(titles)
    ]
    await store.insert(uow, principal.mandate_id, instance_id, todos)
    await TODOS.announce(
        uow, principal, instance_id, todos[0]
    )  # one notification: pages that show the list fetch all of it
    return todos


async def put_checklist(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    conversation_id: UUID,
    wanted: Sequence[tuple[str, bool]],
) -> list[Todo]:
    """The todos of a conversation with these titles: those that are missing are added, those marked as done are ticked off, as
    far as the person may. What a person has ticked off or removed stays so."""
    known = await store.of_conversation(uow, principal.mandate_id, instance_id, conversation_id)
    by_title = {_key(todo.title): todo for todo in known if todo.deleted_at is None}
    removed = {_key(todo.title) for todo in known} - by_title.keys()
    missing = {_key(title): title for title, _ in reversed(wanted) if _key(title) not in by_title.keys() | removed}
    if missing:
        titles = list(reversed(missing.values()))
        added = await add(uow, principal, instance_id, titles, conversation_id=conversation_id)
        by_title |= {_key(todo.title): todo for todo in added}
    for title, done in wanted:
        todo = by_title.get(_key(title))
        if done and todo is not None and not todo.done:
            with suppress(Forbidden):  # it is another person's
                by_title[_key(title)] = await change(uow, principal, instance_id, todo.id, TodoChange(done=True))
    return [by_title[key] for key in dict.fromkeys(_key(title) for title, _ in wanted) if key in by_title]


def _key(title: str) -> str:
    return clean_name(title, "titles", LONGEST_TITLE).casefold()


async def change(uow: UnitOfWork, principal: Principal, instance_id: UUID, todo_id: UUID, ids: TodoChange) -> Todo:
    todo = await TODOS.checked(uow, principal, Action.UPDATE, instance_id, todo_id, lock=True)
    if ids.position is not None and not 0 <= ids.position <= LAST_POSITION:
        raise InvalidInput(f"A position is a number from 0 to {LAST_POSITION:,}.", field="position")
    return await TODOS.update(
        uow,
        principal,
        instance_id,
        todo,
        title=todo.title if ids.title is None else clean_name(ids.title, "title", LONGEST_TITLE),
        done=todo.done if ids.done is None else ids.done,
        position=todo.position if ids.position is None else ids.position,
        due=None if ids.no_due else ids.due or todo.due,
    )
