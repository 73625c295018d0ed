"""Of what there is anything in a workspace."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.tool import WorkspaceContent
from workroom.db import UnitOfWork

# Only whether there are any: which of them the person may read, the tools ask.
NOTES_AND_TODOS = """
select 'notes' as kind where exists (
    select from notes where mandate_id = $1 and instance_id = $2 and deleted_at is null)
union all
select 'todos' where exists (
    select from todos where mandate_id = $1 and instance_id = $2 and deleted_at is null)"""


async def notes_and_todos(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID) -> frozenset[WorkspaceContent]:
    rows = await uow.fetch(NOTES_AND_TODOS, mandate_id, instance_id)
    return frozenset(row["kind"] for row in rows)
