"""Slows down guessing: failures are counted per person at an address, per person, and per address."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from workroom.core.errors import TooManyRequests
from workroom.db import UnitOfWork
from workroom.identity.store import failures

WINDOW = timedelta(minutes=15)


@dataclass(frozen=True)
class Limit:
    name: str
    allowed: int


# A person's own address runs out first, so that somebody elsewhere cannot lock them out with ten bad guesses.
BOTH, LOGIN, ADDRESS = Limit("both", 10), Limit("login", 100), Limit("address", 50)


def _subjects(login: str, address: str) -> dict[Limit, bytes]:
    texts = {BOTH: f"{login}\0{address}", LOGIN: login, ADDRESS: address}
    return {limit: hashlib.sha256(f"{limit.name}\0{text}".encode()).digest() for limit, text in texts.items()}


async def require_patience(uow: UnitOfWork, login: str, address: str, now: datetime) -> None:
    for limit, subject in _subjects(login, address).items():
        seen = await failures.recent(uow, subject, now - WINDOW)
        if len(seen) >= limit.allowed:
            wait = max(1, int((seen[-limit.allowed] + WINDOW - now).total_seconds()) + 1)
            raise TooManyRequests(
                f"Too many failed attempts. Try again in {(wait + 59) // 60} minutes.",
                code="tooManyAttempts",
                retry_after=wait,
                retryAfter=wait,
            )


async def record_failure(uow: UnitOfWork, login: str, address: str, now: datetime) -> None:
    await failures.add(uow, list(_subjects(login, address).values()), now)


async def forgive(uow: UnitOfWork, login: str, address: str) -> None:
    """A right password clears the person at this address; the wider counters run on."""
    await failures.clear(uow, _subjects(login, address)[BOTH])
