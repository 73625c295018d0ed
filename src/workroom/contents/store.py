"""What is known of contents. Every row belongs to a mandate; who may see it is decided by the file that leads there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.contents import storable
from workroom.contents.types import ContentKey, KeptPart, KnownContent, Problem
from workroom.core import threaded
from workroom.db import UnitOfWork
from workroom.documents.containers.types import ContainerMember
from workroom.documents.types import ContentObject, Structure

CONTENT = """select content_id, hash, media_type, size, structure, problem_code, problem, looked_at from contents
where mandate_id = $1 and hash = $2 and media_type = $3 and reader = $4"""

ROWS_AT_ONCE = 1_000

# Extracted parts are shared by all who have the file; recognised pictures were requested by one person.
RECOGNISED = "part like 'ocr:%'"
NOT_RECOGNISED = "part not like 'ocr:%'"


async def find(uow: UnitOfWork, key: ContentKey, reader: int) -> KnownContent | None:
    """As that reader, or none, saw it."""
    row = await uow.fetchrow(CONTENT, key.mandate_id, key.hash, key.media_type, reader)
    if row is None:
        return None
    problem = Problem(code=row["problem_code"], message=row["problem"]) if row["problem"] else None
    structure = await threaded.parsed(Structure, row["structure"]) if row["structure"] else None
    return KnownContent(row["content_id"], key, row["size"], structure, problem, row["looked_at"])


async def insert(uow: UnitOfWork, content: KnownContent, reader: int) -> bool:
    """What an older reader saw goes, with all it read. False when another process was quicker."""
    key = content.key
    await uow.execute(
        "delete from contents where mandate_id = $1 and hash = $2 and media_type = $3 and reader < $4",
        key.mandate_id,
        key.hash,
        key.media_type,
        reader,
    )
    return (
        await uow.execute(
            "insert into contents (mandate_id, content_id, hash, media_type, size, reader, structure, problem_code, problem,"
            " looked_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            " on conflict (mandate_id, hash, media_type) do nothing",
            key.mandate_id,
            content.id,
            key.hash,
            key.media_type,
            content.size,
            reader,
            await asyncio.to_thread(_structure_row, content.structure) if content.structure else None,
            content.problem.code if content.problem else None,
            storable.text(content.problem.message) if content.problem else None,
            content.looked_at,
        )
        == 1
    )


async def forget(uow: UnitOfWork, content: KnownContent) -> None:
    """With everything that was read of it, unless it was looked into again meanwhile."""
    await uow.execute(
        "delete from contents where mandate_id = $1 and content_id = $2 and looked_at = $3",
        content.key.mandate_id,
        content.id,
        content.looked_at,
    )


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: contents that no file and no archive holds any more."""
    return await uow.execute(
        "delete from contents c where c.looked_at < $1"
        " and not exists (select from blobs b where b.mandate_id = c.mandate_id and b.hash = c.hash)"
        " and not exists (select from content_members m where m.mandate_id = c.mandate_id and m.hash = c.hash)",
        before,
    )


async def parts(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, names: Sequence[str]) -> Mapping[str, KeptPart]:
    """Those of them that are kept."""
    rows = await uow.fetch(
        "select part, objects, characters, cut from content_parts"
        " where mandate_id = $1 and content_id = $2 and part = any($3)",
        mandate_id,
        content_id,
        names,
    )
    return {row["part"]: KeptPart(row["objects"], row["characters"], row["cut"]) for row in rows}


async def totals(uow: UnitOfWork, mandate_id: UUID, content_id: UUID) -> tuple[int, datetime | None]:
    """How many objects are kept, and since when the first; without what was recognised in pictures."""
    row = await uow.fetchrow(
        "select coalesce(sum(objects), 0)::bigint as objects, min(read_at) as since from content_parts"
        f" where mandate_id = $1 and content_id = $2 and {NOT_RECOGNISED}",
        mandate_id,
        content_id,
    )
    assert row is not None
    return row["objects"], row["since"]


async def amount(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, but: Sequence[str]) -> tuple[int, int]:
    """How many objects are kept, and how many characters, but for some parts."""
    row = await uow.fetchrow(
        "select coalesce(sum(objects), 0)::bigint as objects, coalesce(sum(characters), 0)::bigint as characters"
        " from content_parts where mandate_id = $1 and content_id = $2 and not part = any($3)",
        mandate_id,
        content_id,
        list(but),
    )
    assert row is not None
    return row["objects"], row["characters"]


async def keep(
    uow: UnitOfWork,
    mandate_id: UUID,
    content_id: UUID,
    part: str,
    objects: Sequence[ContentObject],
    *,
    cut: bool,
    now: datetime,
) -> bool:
    """One part, whole. False, and nothing happens, if it is there already, or if the content is gone meanwhile."""
    stored = await uow.execute(
        "insert into content_parts (mandate_id, content_id, part, objects, characters, cut, read_at)"
        " select $1, $2, $3, $4, $5, $6, $7 from contents where mandate_id = $1 and content_id = $2 for share"
        " on conflict do nothing",
        mandate_id,
        content_id,
        part,
        len(objects),
        sum(len(object.text) for object in objects),
        cut,
        now,
    )
    if stored:
        for start in range(0, len(objects), ROWS_AT_ONCE):
            await uow.executemany(
                "insert into content_objects (mandate_id, content_id, part, sequence, content_type, text, ref, metadata)"
                " values ($1, $2, $3, $4, $5, $6, $7, $8)",
                await threaded.each(
                    lambda numbered: _row(mandate_id, content_id, part, *numbered),
                    list(enumerate(objects[start : start + ROWS_AT_ONCE], start)),
                ),
            )
    return stored == 1


async def objects(
    uow: UnitOfWork,
    mandate_id: UUID,
    content_id: UUID,
    parts: Sequence[str],
    container_path: str,
    *,
    start: int = 0,
    most: int | None = None,
) -> list[tuple[str, ContentObject]]:
    """With their part, in the order of `parts`, of the first from `start` on; named as the requesting person's file is."""
    rows = await uow.fetch(
        "select part, sequence, content_type, text, ref, metadata from content_objects"
        " where mandate_id = $1 and content_id = $2 and part = any($3) and (part <> $4 or sequence >= $5)"
        " order by array_position($3, part), sequence limit $6",
        mandate_id,
        content_id,
        list(parts),
        parts[0] if parts else "",
        start,
        most,
    )
    return await threaded.each(lambda row: (row["part"], _object(row, container_path)), rows)


async def pictures(
    uow: UnitOfWork, mandate_id: UUID, content_id: UUID, container_path: str
) -> list[tuple[str, ContentObject]]:
    """What was recognised in pictures, or could not be, in reading order; without the words."""
    rows = await uow.fetch(
        "select part, sequence, content_type, '' as text, ref, metadata from content_objects"
        f" where mandate_id = $1 and content_id = $2 and {RECOGNISED} order by length(part), part",
        mandate_id,
        content_id,
    )
    return await threaded.each(lambda row: (row["part"], _object(row, container_path)), rows)


async def drop_cut(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, part: str) -> None:
    """A part that is not whole."""
    await uow.execute(
        "delete from content_parts where mandate_id = $1 and content_id = $2 and part = $3 and cut",
        mandate_id,
        content_id,
        part,
    )


async def recognised(uow: UnitOfWork, key: ContentKey) -> int:
    """How much was done to recognise pictures of a content, and of what lies in it: each try counts, and each that had success
    counts twice. It only grows, so that those who had the same number had the same."""
    count: int = await uow.fetchval(
        "with recursive inside as ("
        " select content_id from contents where mandate_id = $1 and hash = $2 and media_type = $3"
        " union select c.content_id from inside i"
        " join content_members m on m.mandate_id = $1 and m.content_id = i.content_id"
        " join contents c on c.mandate_id = $1 and c.hash = m.hash and c.media_type = m.found_type)"
        " select (count(*) + count(*) filter (where not p.cut))::int from inside i"
        f" join content_parts p on p.mandate_id = $1 and p.content_id = i.content_id and p.{RECOGNISED}",
        key.mandate_id,
        key.hash,
        key.media_type,
    )
    return count


async def first_objects(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, most: int, length: int) -> Sequence[Any]:
    """In short, for an overview: the first of what is kept, as it was read."""
    return await uow.fetch(
        "select o.sequence, o.content_type, o.ref ->> 'location' as location,"
        " case when o.text <> '' then left(o.text, $4) else coalesce(o.ref ->> 'label', '') end as summary"
        " from content_objects o join content_parts p using (mandate_id, content_id, part)"
        f" where mandate_id = $1 and content_id = $2 and {NOT_RECOGNISED} order by p.read_at, o.part, o.sequence limit $3",
        mandate_id,
        content_id,
        most,
        length,
    )


async def add_members(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, members: Iterable[ContainerMember]) -> None:
    await uow.executemany(
        "insert into content_members (mandate_id, content_id, place, path, size, is_folder, modified, media_type, encrypted)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        (
            (mandate_id, content_id, n, m.path, m.size, m.is_folder, m.modified, m.media_type, m.encrypted)
            for n, m in enumerate(members)
        ),
    )


async def members(
    uow: UnitOfWork, mandate_id: UUID, content_id: UUID, *, start: int, limit: int, text: str = ""
) -> Sequence[Any]:
    """From that place on, those whose path contains `text`."""
    return await uow.fetch(
        "select place, path, size, is_folder, modified, coalesce(found_type, media_type) as media_type, encrypted"
        " from content_members where mandate_id = $1 and content_id = $2 and place >= $3"
        " and ($5 = '' or strpos(lower(path), lower($5)) > 0) order by place limit $4",
        mandate_id,
        content_id,
        start,
        limit,
        text,
    )


async def member(uow: UnitOfWork, mandate_id: UUID, content_id: UUID, paths: Sequence[str]) -> Any | None:
    """The file among these paths; of several the longest."""
    return await uow.fetchrow(
        "select place, path, size, encrypted, hash, found_type, lie from content_members"
        " where mandate_id = $1 and content_id = $2 and path = any($3) and not is_folder order by length(path) desc limit 1",
        mandate_id,
        content_id,
        paths,
    )


async def taken(
    uow: UnitOfWork,
    mandate_id: UUID,
    content_id: UUID,
    place: int,
    hash: str,
    size: int,
    media_type: str,
    lie: str | None,
) -> None:
    """What a member is, once it was unpacked."""
    await uow.execute(
        "update content_members set hash = $4, size = $5, found_type = $6, lie = $7"
        " where mandate_id = $1 and content_id = $2 and place = $3",
        mandate_id,
        content_id,
        place,
        hash,
        size,
        media_type,
        lie,
    )


def _structure_row(structure: Structure) -> str:
    return storable.json_text(structure.model_dump_json())


def _row(mandate_id: UUID, content_id: UUID, part: str, sequence: int, object: ContentObject) -> tuple[Any, ...]:
    ref = object.ref.model_dump_json(exclude={"container_path"}, exclude_none=True)
    return (
        mandate_id,
        content_id,
        part,
        sequence,
        object.content_type.value,
        storable.text(object.text),
        storable.json_text(ref),
        storable.json_text(json.dumps(object.metadata)),
    )


def _object(row: Any, container_path: str) -> ContentObject:
    ref = json.loads(row["ref"]) | {"containerPath": container_path}
    return ContentObject.model_validate(
        {
            "sequence": row["sequence"],
            "contentType": row["content_type"],
            "text": row["text"],
            "ref": ref,
            "metadata": json.loads(row["metadata"]),
        }
    )
