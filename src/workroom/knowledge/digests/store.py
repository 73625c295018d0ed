"""All SQL of digests. A digest belongs to a content and goes with it; who may see it is decided by the file that leads there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from workroom.contents import storable
from workroom.contents.types import ContentKey
from workroom.db import UnitOfWork


async def find(uow: UnitOfWork, key: ContentKey, parts: Sequence[str], asked: str) -> Mapping[str, str]:
    """As JSON, by part; those that are kept."""
    rows = await uow.fetch(
        "select d.part, d.digest from digests d join contents c using (mandate_id, content_id)"
        " where mandate_id = $1 and c.hash = $2 and c.media_type = $3 and d.part = any($4) and d.asked = $5",
        key.mandate_id,
        key.hash,
        key.media_type,
        list(parts),
        asked,
    )
    return {row["part"]: row["digest"] for row in rows}


async def keep(
    uow: UnitOfWork, key: ContentKey, part: str, asked: str, digest: str, model: str, created_at: datetime
) -> None:
    """Nothing happens if somebody was quicker, or if the content is gone meanwhile."""
    await uow.execute(
        "insert into digests (mandate_id, content_id, part, asked, digest, model, created_at)"
        " select mandate_id, content_id, $4, $5, $6, $7, $8 from contents"
        " where mandate_id = $1 and hash = $2 and media_type = $3 for share on conflict do nothing",
        key.mandate_id,
        key.hash,
        key.media_type,
        part,
        asked,
        storable.json_text(digest),
        model,
        created_at,
    )
