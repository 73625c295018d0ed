"""All SQL of digests. A digest belongs to a content and goes with it; who may see it is decided by the file that leads there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from workroom.contents import storable
from workroom.contents.types import ContentKey
from workroom.db import UnitOfWork, leases
from workroom.knowledge.digests.types import DigestKey, StoredDigest


async def find(
    uow: UnitOfWork, key: ContentKey, parts: Sequence[str], asked: str, model: str | None, stood_in_after: datetime
) -> Mapping[str, StoredDigest]:
    """By part, what this model said; or, not long ago, another in its place. No model: what any of them said, the newest."""
    rows = await uow.fetch(
        "select distinct on (d.part) d.part, d.digest, d.model"
        " from digests d join contents c using (mandate_id, content_id)"
        " where mandate_id = $1 and c.hash = $2 and c.media_type = $3 and d.part = any($4) and d.asked = $5"
        " and ($6::text is null or d.model = $6 or (d.stood_in_for = $6 and d.created_at > $7))"
        " order by d.part, d.model is not distinct from $6 desc, d.created_at desc",
        key.mandate_id,
        key.hash,
        key.media_type,
        list(parts),
        asked,
        model,
        stood_in_after,
    )
    return {row["part"]: StoredDigest(row["digest"], row["model"]) for row in rows}


async def keep(uow: UnitOfWork, piece: DigestKey, kept: StoredDigest, created_at: datetime) -> None:
    """Nothing happens if the content is gone meanwhile."""
    await uow.execute(
        "insert into digests (mandate_id, content_id, part, asked, digest, model, stood_in_for, created_at)"
        " select mandate_id, content_id, $4, $5, $6, $7, nullif($8, $7), $9 from contents"
        " where mandate_id = $1 and hash = $2 and media_type = $3 for share"
        " on conflict (mandate_id, content_id, part, asked, model) do update set digest = excluded.digest,"
        " stood_in_for = excluded.stood_in_for, created_at = excluded.created_at",
        *_key(piece),
        piece.part,
        piece.asked,
        storable.json_text(kept.digest),
        kept.model,
        piece.model,
        created_at,
    )


async def claim(uow: UnitOfWork, piece: DigestKey, worker_id: UUID, claim_id: UUID) -> bool:
    """Whether it is ours to make; also when the content is gone, because then no other process makes it."""
    return bool(
        await uow.fetchval(
            "with content as (select mandate_id, content_id from contents"
            " where mandate_id = $1 and hash = $2 and media_type = $3 for share),"
            " claimed as (insert into digest_claims as d (mandate_id, content_id, part, asked, model, lease_holder, claim_id)"
            " select mandate_id, content_id, $4, $5, $6, $7, $8 from content"
            " on conflict (mandate_id, content_id, part, asked, model) do update set lease_holder = excluded.lease_holder,"
            f" claim_id = excluded.claim_id where {leases.lapsed('d')} returning 1)"
            " select exists (select from claimed) or not exists (select from content)",
            *_key(piece),
            piece.part,
            piece.asked,
            piece.model,
            worker_id,
            claim_id,
            writes=True,
        )
    )


async def release(uow: UnitOfWork, piece: DigestKey, claim_id: UUID) -> None:
    await uow.execute(
        "delete from digest_claims where mandate_id = $1 and part = $2 and asked = $3 and model = $4 and claim_id = $5",
        piece.key.mandate_id,
        piece.part,
        piece.asked,
        piece.model,
        claim_id,
    )


def _key(piece: DigestKey) -> tuple[UUID, str, str]:
    return piece.key.mandate_id, piece.key.hash, piece.key.media_type
