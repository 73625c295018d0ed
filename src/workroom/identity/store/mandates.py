"""Mandates."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.identity.types import Mandate

COLUMNS = "mandate_id, name, created_at, contact"


async def insert(uow: UnitOfWork, mandate: Mandate) -> None:
    await uow.execute(
        "insert into mandates (mandate_id, name, created_at) values ($1, $2, $3)",
        mandate.id,
        mandate.name,
        mandate.created_at,
    )


async def get(uow: UnitOfWork, mandate_id: UUID) -> Mandate | None:
    row = await uow.fetchrow(f"select {COLUMNS} from mandates where mandate_id = $1", mandate_id)
    return _mandate(row) if row else None


async def update(uow: UnitOfWork, mandate_id: UUID, name: str | None, contact: str | None) -> None:
    """None: as it is."""
    await uow.execute(
        "update mandates set name = coalesce($2, name), contact = coalesce($3, contact) where mandate_id = $1",
        mandate_id,
        name,
        contact,
    )


async def contact_of_only_mandate(uow: UnitOfWork) -> str:
    """Empty when there are several: who works here is no business of strangers. For system actors."""
    rows = await uow.fetch("select contact from mandates limit 2")
    return rows[0]["contact"] if len(rows) == 1 else ""


async def several(uow: UnitOfWork) -> bool:
    """Whether there is more than one. For system actors only: others see their own."""
    return bool(await uow.fetchval("select count(*) > 1 from (select from mandates limit 2) few"))


async def all_of_them(uow: UnitOfWork) -> list[Mandate]:
    """For system actors: oldest first."""
    rows = await uow.fetch(f"select {COLUMNS} from mandates order by created_at, mandate_id")
    return [_mandate(row) for row in rows]


def _mandate(row: Any) -> Mandate:
    return Mandate(row["mandate_id"], row["name"], row["created_at"], row["contact"])
