"""Removing what has expired. Runs as the system actor `sweep`, across mandates."""

from __future__ import annotations

from datetime import datetime

from workroom.db import UnitOfWork


async def expired(uow: UnitOfWork, now: datetime, attempts_before: datetime) -> dict[str, int]:
    return {
        "sessions": await uow.execute("delete from sessions where expires_at <= $1", now),
        "links": await uow.execute("delete from login_links where expires_at <= $1", now),
        "attempts": await uow.execute("delete from login_attempts where at <= $1", attempts_before),
    }
