"""What there is in a workspace for a person: names and counts, nothing of what files say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.store.files import reached_file
from workroom.identity.sharing import ReadableScope
from workroom.identity.store.sharing import reached

# One statement, so that files and folders are of the same moment. Files are those that search finds (`search_queries.READABLE`),
# and those that it will find once they are indexed.
OVERVIEW = f"""
(select 'file' as kind, f.name,
    case when k.version = f.version and k.state in ('indexed', 'failed') then k.state else 'waiting' end as state,
    count(*) over () as total,
    count(*) filter (where k.version is distinct from f.version or k.state not in ('indexed', 'failed')) over () as waiting,
    count(*) filter (where k.version = f.version and k.state = 'failed') over () as failed,
    count(*) filter (where f.visibility = 'ALL') over () as shared
from files f left join knowledge_files k on k.mandate_id = f.mandate_id and k.file_id = f.file_id
where f.mandate_id = $1 and f.deleted_at is null and f.status <> 'archived'
    and {reached_file(3, "f")}
order by f.updated_at desc, f.file_id limit $15)
union all
(select 'folder', d.name, '', count(*) over (), 0, 0, 0 from folders d
where d.mandate_id = $1 and d.deleted_at is null and {reached("d", 9)}
order by d.updated_at desc, d.folder_id limit $15)"""


async def read(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, files: ReadableScope, folders: ReadableScope, most: int
) -> Sequence[Any]:
    """The newest files and folders, each row with how many there are of its kind."""
    return await uow.fetch(OVERVIEW, mandate_id, instance_id, *files.args, *folders.args, most)
