"""Attempts to sign in, counted across processes and restarts. Runs as the system actor `login`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork


async def lock(uow: UnitOfWork, subjects: Sequence[bytes]) -> None:
    """Until the transaction ends; always in the same order, so that no two transactions deadlock."""
    for subject in subjects:
        await uow.execute("select pg_advisory_xact_lock($1)", int.from_bytes(subject[:8], signed=True))


async def recent(uow: UnitOfWork, subject: bytes, since: datetime) -> list[datetime]:
    """Moments of the attempts since then, oldest first."""
    rows = await uow.fetch("select at from login_attempts where subject = $1 and at > $2 order by at", subject, since)
    return [row["at"] for row in rows]


async def add(uow: UnitOfWork, attempt_id: UUID, subjects: Sequence[bytes], now: datetime) -> None:
    await uow.executemany(
        "insert into login_attempts (attempt_id, subject, at) values ($1, $2, $3)",
        [(attempt_id, subject, now) for subject in subjects],
    )


async def take_back(uow: UnitOfWork, attempt_id: UUID) -> None:
    await uow.execute("delete from login_attempts where attempt_id = $1", attempt_id)


async def clear(uow: UnitOfWork, subject: bytes) -> None:
    await uow.execute("delete from login_attempts where subject = $1", subject)
