"""How many ways to the database something takes, counted at the driver: begin and commit are two of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg

_ASKING = ("execute", "executemany", "fetch", "fetchrow", "fetchval")


@dataclass
class Statements:
    count: int = 0


@contextmanager
def counted() -> Iterator[Statements]:
    """Of all connections of this process, while it lasts."""
    counting, kept = Statements(), {name: getattr(asyncpg.Connection, name) for name in _ASKING}

    def counts(asks: Any) -> Any:
        async def asked(*args: Any, **named: Any) -> Any:
            counting.count += 1
            return await asks(*args, **named)

        return asked

    for name, asks in kept.items():
        setattr(asyncpg.Connection, name, counts(asks))
    try:
        yield counting
    finally:
        for name, asks in kept.items():
            setattr(asyncpg.Connection, name, asks)
