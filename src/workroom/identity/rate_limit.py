"""Slows down guessing: attempts are counted per person at an address, per person, and per address.

An attempt is counted before the password is looked at and taken back when it was right. Counting afterwards would let
any number of guesses through that are made at the same moment.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from workroom.core.errors import TooManyRequests
from workroom.core.ids import new_id
from workroom.db import UnitOfWork
from workroom.identity.store import attempts, credentials

WINDOW = timedelta(minutes=15)


@dataclass(frozen=True)
class Limit:
    """`per`: what is counted together, a login, an address, or both."""

    name: str
    allowed: int
    per: Literal["login", "address", "both"]


# A person's own address runs out first, so that an attacker elsewhere cannot lock them out with ten bad guesses.
BOTH, LOGIN, ADDRESS = (
    Limit("both", 10, "both"),
    Limit("login", 100, "login"),
    Limit("address", 50, "address"),
)
SIGN_IN = (BOTH, LOGIN, ADDRESS)
# Requests for mails: to one person from anywhere, and from one address for any person.
RESET = (Limit("resetLogin", 3, "login"), Limit("resetAddress", 20, "address"))
TEST_MAIL = (Limit("testMail", 20, "login"),)


@dataclass(frozen=True)
class Attempt:
    id: UUID
    subjects: dict[Limit, bytes]


async def begin(uow: UnitOfWork, login: str, address: str, now: datetime, limits: Sequence[Limit] = SIGN_IN) -> Attempt:
    """Count an attempt, or refuse it. One after another per subject, whatever comes in parallel."""
    attempt = Attempt(new_id(), _subjects(login, address, limits))
    await attempts.lock(uow, sorted(attempt.subjects.values()))
    for limit, subject in attempt.subjects.items():
        seen = await attempts.recent(uow, subject, now - WINDOW)
        if len(seen) < limit.allowed:
            continue
        if limit is LOGIN and await credentials.is_known_address(uow, login, address):
            continue
        wait = max(1, int((seen[-limit.allowed] + WINDOW - now).total_seconds()) + 1)
        raise TooManyRequests(
            f"Too many attempts. Try again in {(wait + 59) // 60} minutes.",
            code="tooManyAttempts",
            retry_after=wait,
            retryAfter=wait,
        )
    await attempts.add(uow, attempt.id, list(attempt.subjects.values()), now)
    return attempt


async def forgive(uow: UnitOfWork, attempt: Attempt) -> None:
    """It was the right password: the attempt did not count, and the person starts anew at this address."""
    await attempts.take_back(uow, attempt.id)
    await attempts.clear(uow, attempt.subjects[BOTH])


def _subjects(login: str, address: str, limits: Sequence[Limit]) -> dict[Limit, bytes]:
    where = _network(address)
    texts = {"both": f"{login}\0{where}", "login": login, "address": where}
    return {limit: hashlib.sha256(f"{limit.name}\0{texts[limit.per]}".encode()).digest() for limit in limits}


def _network(address: str) -> str:
    """With IPv6 one customer has a whole /64, and as many addresses as they like."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address
