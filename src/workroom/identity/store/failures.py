"""Failed sign-ins, counted across processes and restarts."""

from __future__ import annotations

from datetime import datetime

from workroom.db import UnitOfWork


async def recent(uow: UnitOfWork, subject: bytes, since: datetime) -> list[datetime]:
    """Moments of the failures since then, oldest first."""
    rows = await uow.fetch("select at from login_failures where subject = $1 and at > $2 order by at", subject, since)
    return [row["at"] for row in rows]


async def add(uow: UnitOfWork, subjects: list[bytes], now: datetime) -> None:
    await uow.executemany("insert into login_failures (subject, at) values ($1, $2)", [(s, now) for s in subjects])


async def clear(uow: UnitOfWork, subject: bytes) -> None:
    await uow.execute("delete from login_failures where subject = $1", subject)
