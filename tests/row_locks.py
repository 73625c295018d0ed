"""A law for every transaction of every test: a row that was read and is then changed or deleted was locked before.

Without the lock the write undoes what another transaction wrote meanwhile, or acts on a state that is no longer true.
`RowLocks` listens to the statements; nothing has to collide for it to notice.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import pytest

from workroom.db import UnitOfWork

# Rows that are guarded by the lock of another row: they may not exist yet, or come and go with it.
GUARDED_BY = {
    "memberships": "users",
    "chunks": "knowledge_files",
    "postings": "knowledge_files",
    "conversation_pins": "conversations",
    "studio_conversations": "studio_projects",
    "personas": "studio_projects",
}
READ = re.compile(r"\b(?:from|join) (\w+)")
WRITTEN = re.compile(r"^(?:update|delete from) (\w+)|^insert into (\w+) \((.*?)\) .* on conflict \((.*?)\) do update")
LOCK = re.compile(r" for (?:no key )?update| for share|pg_advisory_xact_lock")
INSIDE = re.compile(r"\binsert into |\bupdate \w+(?: \w+)? set |\bdelete from ")
KEY = re.compile(r"\w+_id = (?:any\()?\$(\d+)\)?")


@dataclass(frozen=True)
class Statement:
    """`written` is the table a write changes, `keys` the parameters that name its rows. A write that asks for more than
    their keys (`… and state = 'queued'`), only counts on (`tries = tries + 1`), or deletes and answers with what it deleted,
    decides by itself and needs no lock."""

    read: frozenset[str]
    locks: bool
    written: str = ""
    keys: tuple[int, ...] = ()


@dataclass
class Transaction:
    read: dict[tuple[str, UUID], str] = field(default_factory=dict)
    locked: set[tuple[str, UUID]] = field(default_factory=set)
    alone: bool = False  # holds an advisory lock: what is read from then on is read under it


class RowLocks:
    def __init__(self) -> None:
        self.broken: list[str] = []
        self._transactions: WeakKeyDictionary[UnitOfWork, Transaction] = WeakKeyDictionary()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("fetch", "fetchrow", "fetchval", "execute"):
            patch.setattr(UnitOfWork, name, self._heard(getattr(UnitOfWork, name)))

    def _heard(self, run: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def heard(uow: UnitOfWork, sql: str, *args: Any, **kind: bool) -> Any:
            statement, transaction = parsed(sql), self._transactions.setdefault(uow, Transaction())
            if statement.written:
                self._write(transaction, statement, sql, args)
            found = await run(uow, sql, *args, **kind)
            if statement.written:  # whoever has changed a row has locked it
                transaction.locked.update((statement.written, id_) for id_ in _ids(args))
            else:
                _remember(transaction, statement, sql, args, found)
            return found

        return heard

    def _write(self, transaction: Transaction, statement: Statement, sql: str, args: tuple[Any, ...]) -> None:
        table, guard = statement.written, GUARDED_BY.get(statement.written, statement.written)
        for key in product(*(list(_ids(args[number - 1])) for number in statement.keys)):
            sources = [transaction.read.get((table, one)) for one in key]
            if key and all(sources) and not any((guard, one) in transaction.locked for one in key):
                files = (f"{frame.filename}:{frame.lineno}" for frame in reversed(traceback.extract_stack()))
                service = next((file for file in files if "/workroom/" in file and "store" not in file), "")
                self.broken.append(f"{service}: {sql}\n  writes what was read without a lock: {sources[0]}")


@cache
def parsed(sql: str) -> Statement:
    said = re.sub(r"\s+", " ", sql).strip()
    tables, locks = frozenset(READ.findall(said)), LOCK.search(said) is not None
    if (write := WRITTEN.match(said)) is None:
        return Statement(frozenset() if INSIDE.search(said) else tables, locks)
    if write[2]:
        columns = write[3].split(", ")
        keys = [columns.index(name) + 1 for name in write[4].split(", ") if name != "mandate_id"]
        return Statement(tables, locks, write[2], tuple(keys))
    where = said.partition(" where ")[2].partition(" returning ")[0].replace("mandate_id = $1 and ", "", 1)
    changes = re.split(r", (?=\w+ = )", said.partition(" where ")[0].partition(" set ")[2])
    counts = all(re.match(r"(\w+) = .*\b\1\b", one) for one in changes)
    takes = said.startswith("delete ") and " returning " in said
    if counts or takes or KEY.sub("", where).replace(" and ", "").strip():
        return Statement(tables, locks, write[1])
    return Statement(tables, locks, write[1], tuple(int(number) for number in KEY.findall(where)))


def _remember(transaction: Transaction, statement: Statement, sql: str, args: tuple[Any, ...], found: Any) -> None:
    """Every id a statement asks for or answers with may be that of a row it read."""
    rows = found if isinstance(found, list) else [found]
    transaction.alone |= "pg_advisory_xact_lock" in sql
    for key in product(statement.read, _ids([args, [list(row.values()) for row in rows if hasattr(row, "values")]])):
        if statement.locks or transaction.alone:
            transaction.locked.add(key)
        else:
            transaction.read[key] = sql


def _ids(value: Any) -> Iterator[UUID]:
    if isinstance(value, UUID):
        yield value
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _ids(one)
