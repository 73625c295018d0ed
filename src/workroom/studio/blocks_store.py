"""All SQL of blocks and of the versions of their texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.clock import now
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page
from workroom.studio.digests import RESTED, NewDigest
from workroom.studio.types import Block, BlockStatus, BlockText, BlockVersion, BlockVersionText

VERSION = """
v.status, v.from_outside, v.written_by, w.display_name as written_by_name, v.agent_id, v.agent_name, v.run_id, v.written_at,
v.restored_from, v.cost_chf"""
WRITER = "left join users w on w.mandate_id = v.mandate_id and w.user_id = v.written_by"
BLOCK = f"""
b.block_id as id, b.project_id, b.parent_id, b.kind, b.phase, b.name, b.position, b.version, b.depends_on, b.digest,
b.digest_by_model, e.user_id as edited_by, e.display_name as edited_by_name, b.created_at, b.updated_at, b.deleted_at,
coalesce((select sum(c.cost_chf) from content_block_versions c where c.mandate_id = b.mandate_id and c.block_id = b.block_id), 0)
    as total_chf, {VERSION}"""
SOURCE = f"""
from content_blocks b
left join content_block_versions v on v.mandate_id = b.mandate_id and v.block_id = b.block_id and v.version = b.version
{WRITER}
left join users e on e.mandate_id = b.mandate_id and e.user_id = b.edited_by and b.edited_until > $2
where b.mandate_id = $1"""


async def of_project(
    uow: UnitOfWork, mandate_id: UUID, project_id: UUID, *, deleted: bool = False, lock: bool = False
) -> list[Block]:
    """Without their texts. `deleted`: also those in the trash. `lock`: the second writer sees what the first one wrote."""
    rows = await uow.fetch(
        f"select {BLOCK} {SOURCE} and b.project_id = $3 and ($4 or b.deleted_at is null)"
        + (" for update of b" if lock else ""),
        mandate_id,
        now(),
        project_id,
        deleted,
        writes=lock,
    )
    return [_block(row) for row in rows]


async def thrown_away(uow: UnitOfWork, mandate_id: UUID, project_id: UUID) -> list[Block]:
    """What was deleted itself, newest first; not what went along with it."""
    rows = await uow.fetch(
        f"select {BLOCK} {SOURCE} and b.project_id = $3 and b.deleted_with = b.block_id order by b.deleted_at desc, b.block_id",
        mandate_id,
        now(),
        project_id,
    )
    return [_block(row) for row in rows]


async def newest(uow: UnitOfWork, mandate_id: UUID, project_id: UUID, block_id: UUID) -> BlockText | None:
    """With its text; None when it is in the trash or in another project."""
    row = await uow.fetchrow(
        f"select {BLOCK}, coalesce(v.text, '') as text {SOURCE} and b.project_id = $3 and b.block_id = $4"
        " and b.deleted_at is null",
        mandate_id,
        now(),
        project_id,
        block_id,
    )
    return BlockText(**_block(row).model_dump(), text=row["text"]) if row else None


async def texts(uow: UnitOfWork, mandate_id: UUID, block_ids: Collection[UUID]) -> dict[UUID, str]:
    """The newest of each; none for those that were never written."""
    rows = await uow.fetch(
        "select v.block_id, v.text from content_block_versions v join content_blocks b on b.mandate_id = v.mandate_id"
        " and b.block_id = v.block_id and b.version = v.version where v.mandate_id = $1 and v.block_id = any($2)",
        mandate_id,
        list(block_ids),
    )
    return {row["block_id"]: row["text"] for row in rows}


async def size(uow: UnitOfWork, mandate_id: UUID, project_id: UUID) -> int:
    """Of the newest texts of all its blocks, in bytes."""
    total = await uow.fetchval(
        "select coalesce(sum(octet_length(v.text)), 0) from content_block_versions v join content_blocks b"
        " on b.mandate_id = v.mandate_id and b.block_id = v.block_id and b.version = v.version"
        " where b.mandate_id = $1 and b.project_id = $2 and b.deleted_at is null",
        mandate_id,
        project_id,
    )
    return int(total)


async def insert(uow: UnitOfWork, mandate_id: UUID, blocks: Sequence[Block]) -> None:
    for block in blocks:
        await uow.execute(
            "insert into content_blocks (mandate_id, block_id, project_id, parent_id, kind, phase, name, position, depends_on,"
            " created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            mandate_id,
            block.id,
            block.project_id,
            block.parent_id,
            block.kind,
            block.phase,
            block.name,
            block.position,
            block.depends_on,
            block.created_at,
            block.updated_at,
        )


async def update(uow: UnitOfWork, mandate_id: UUID, blocks: Sequence[Block]) -> None:
    """Where they stand, what they are called, and what they depend on."""
    for block in blocks:
        await uow.execute(
            "update content_blocks set parent_id = $3, phase = $4, name = $5, position = $6, depends_on = $7, updated_at = $8"
            " where mandate_id = $1 and block_id = $2",
            mandate_id,
            block.id,
            block.parent_id,
            block.phase,
            block.name,
            block.position,
            block.depends_on,
            block.updated_at,
        )


async def move_to_trash(uow: UnitOfWork, mandate_id: UUID, block_ids: Sequence[UUID], with_id: UUID) -> None:
    await uow.execute(
        "update content_blocks set deleted_at = $4, deleted_with = $3 where mandate_id = $1 and block_id = any($2)",
        mandate_id,
        list(block_ids),
        with_id,
        now(),
    )


async def restore(uow: UnitOfWork, mandate_id: UUID, with_id: UUID) -> int:
    """What went into the trash together with this block, and the block."""
    return await uow.execute(
        "update content_blocks set deleted_at = null, deleted_with = null where mandate_id = $1 and deleted_with = $2",
        mandate_id,
        with_id,
    )


async def count(uow: UnitOfWork, mandate_id: UUID, project_id: UUID) -> int:
    """Without those in the trash."""
    sql = "select count(*) from content_blocks where mandate_id = $1 and project_id = $2 and deleted_at is null"
    return int(await uow.fetchval(sql, mandate_id, project_id))


async def set_editing(uow: UnitOfWork, mandate_id: UUID, block_id: UUID, user_id: UUID, until: datetime) -> bool:
    """False while another person edits it."""
    done = await uow.execute(
        "update content_blocks set edited_by = $3, edited_until = $4 where mandate_id = $1 and block_id = $2"
        " and (edited_by is null or edited_by = $3 or edited_until <= $5)",
        mandate_id,
        block_id,
        user_id,
        until,
        now(),
    )
    return done == 1


async def end_editing(uow: UnitOfWork, mandate_id: UUID, block_id: UUID, user_id: UUID) -> bool:
    """False when this person did not edit it."""
    done = await uow.execute(
        "update content_blocks set edited_by = null, edited_until = null"
        " where mandate_id = $1 and block_id = $2 and edited_by = $3",
        mandate_id,
        block_id,
        user_id,
    )
    return done == 1


async def version(uow: UnitOfWork, mandate_id: UUID, block_id: UUID, number: int) -> BlockVersionText | None:
    row = await uow.fetchrow(
        f"select v.version, v.text, {VERSION} from content_block_versions v {WRITER}"
        " where v.mandate_id = $1 and v.block_id = $2 and v.version = $3",
        mandate_id,
        block_id,
        number,
    )
    return BlockVersionText(**{name: row[name] for name in BlockVersionText.model_fields}) if row else None


async def versions(uow: UnitOfWork, mandate_id: UUID, block_id: UUID, request: PageRequest) -> Page[BlockVersion]:
    listing = Listing(
        f"select v.version as id, v.version, {VERSION} from content_block_versions v {WRITER}"
        " where v.mandate_id = $1 and v.block_id = $2",
        [mandate_id, block_id],
        sorts={"version": "lpad(version::text, 10, '0')"},
        default_sort="version",
        search=["written_by_name", "agent_name"],
    )
    found = await page(uow, listing, request)
    return found.map(lambda row: BlockVersion(**{name: row[name] for name in BlockVersion.model_fields}))


async def add_version(
    uow: UnitOfWork, mandate_id: UUID, block_id: UUID, made: BlockVersionText, digest: NewDigest
) -> None:
    """It is the block's text from now on. What a model was about to say of the one before is not wanted any more."""
    await uow.execute(
        "with added as (insert into content_block_versions (mandate_id, block_id, version, status, text, from_outside,"
        " written_by, agent_id, agent_name, run_id, written_at, restored_from, cost_chf)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13))"
        " update content_blocks set version = $3, digest = $14, digest_by_model = $15, digest_for = $16, digest_tries = 0,"
        " lease_holder = null, lease_epoch = lease_epoch + 1, updated_at = $11,"
        " not_before = case when $16::uuid is not null then clock_timestamp() + $17::interval end"
        " where mandate_id = $1 and block_id = $2",
        mandate_id,
        block_id,
        made.version,
        made.status,
        made.text,
        made.from_outside,
        made.written_by,
        made.agent_id,
        made.agent_name,
        made.run_id,
        made.written_at,
        made.restored_from,
        made.cost_chf,
        digest.text,
        digest.by_model,
        digest.wanted_for,
        RESTED,
    )


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from content_blocks where deleted_at <= $1", before)


def _block(row: Any) -> Block:
    columns = {name: row[name] for name in Block.model_fields}
    unwritten: dict[str, object] = {"status": BlockStatus.EMPTY, "from_outside": False, "agent_name": "", "cost_chf": 0}
    return Block(**{**columns, **(unwritten if row["status"] is None else {})})
