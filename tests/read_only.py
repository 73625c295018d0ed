"""A law for every transaction of every test: what a unit of work sends as a read neither changes nor locks a row.

Before writes the rights of the person are held, before reads they are not; a write sent as a read would escape that. PostgreSQL
itself is asked: each statement runs once more, in a subtransaction that is read-only and rolled back. Once per statement is
enough, so it costs the tests little.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest

from workroom.db import UnitOfWork


class ReadOnlyReads:
    def __init__(self) -> None:
        self.broken: list[str] = []
        self._accepted: set[str] = set()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("fetch", "fetchrow", "fetchval"):
            patch.setattr(UnitOfWork, name, self._observed(getattr(UnitOfWork, name)))

    def _observed(self, run: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def observed(uow: UnitOfWork, sql: str, *args: Any, writes: bool = False) -> Any:
            if not writes and sql not in self._accepted:
                await self._try(uow, sql, args)
            return await run(uow, sql, *args, writes=writes)

        return observed

    async def _try(self, uow: UnitOfWork, sql: str, args: tuple[Any, ...]) -> None:
        connection = uow._connection
        await connection.execute("savepoint observed; set local transaction_read_only = on")
        try:
            await connection.fetch(sql, *args)
            self._accepted.add(sql)
        except asyncpg.ReadOnlySQLTransactionError as error:
            self.broken.append(f"{error}, but it was sent as a read: {' '.join(sql.split())}")
        except asyncpg.PostgresError:
            pass  # it fails as a read, too, which is for the test to notice
        await connection.execute("rollback to observed; release observed")
