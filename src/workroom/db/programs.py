"""PostgreSQL's own programs (pg_dump, pg_restore, psql) as processes that data passes through in small parts.

However large the data is, this process holds a few parts of it at a time. A program never outlives its block.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator
from urllib.parse import parse_qs, unquote, urlsplit

from workroom.core.errors import DatabaseUnavailable
from workroom.db.embedded import binary

PART = 256 * 1024  # bytes
MOST_ERROR_BYTES = 64 * 1024


class Program:
    def __init__(self, name: str, process: Process) -> None:
        self._name = name
        self._process = process
        self._errors = asyncio.create_task(_first_bytes(process.stderr))

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """What it writes, until it stops writing."""
        assert self._process.stdout is not None
        while part := await self._process.stdout.read(PART):
            yield part

    async def line(self) -> bytes:
        """The next line it writes. Raises when it ends instead."""
        assert self._process.stdout is not None
        if line := await self._process.stdout.readline():
            return line
        raise await self._failure()

    async def feed(self, parts: AsyncGenerator[bytes, None]) -> None:
        """Hand it all parts, no faster than it takes them. Raises when it ends before."""
        assert self._process.stdin is not None
        try:
            async with contextlib.aclosing(parts):
                async for part in parts:
                    self._process.stdin.write(part)
                    await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise await self._failure() from None

    async def finish(self) -> None:
        """No more input: wait for its end. Raises when it failed."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if await self._process.wait():
            raise await self._failure()

    def kill(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        self.kill()
        async for _ in self.parts():
            pass  # asyncio sees the end of a process only when its pipes are empty
        await self._process.wait()
        await self._errors

    async def _failure(self) -> DatabaseUnavailable:
        said = await self._errors
        lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
        reason = next((line for line in lines if "rror" in line), lines[-1] if lines else "no reason given")
        hint = ""
        if "row-level security" in reason:
            hint = " Use --url with a role that has BYPASSRLS: the application's roles only see one tenant at a time."
        return DatabaseUnavailable(f"{self._name} failed, nothing was changed: {reason}.{hint}")


@contextlib.asynccontextmanager
async def running(name: str, *args: str, url: str | None = None, reads: bool = False) -> AsyncIterator[Program]:
    """Start it, connected to `url` if there is one; `reads` says whether it will be fed. Killed if the block is left early."""
    program = Program(
        name,
        await asyncio.create_subprocess_exec(
            str(binary(name)),
            *args,
            env=None if url is None else connection_environment(url),
            stdin=PIPE if reads else DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            limit=PART,
            start_new_session=True,  # a Ctrl+C is for us; we end it
        ),
    )
    try:
        yield program
    finally:
        await program.end()


def connection_environment(url: str) -> dict[str, str]:
    """A connection string as PG… variables: a password on a command line is visible to every user of the machine."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    wanted = {
        "PGHOST": query.get("host") or parts.hostname,
        "PGPORT": query.get("port") or (str(parts.port) if parts.port else None),
        "PGUSER": unquote(parts.username) if parts.username else None,
        "PGPASSWORD": unquote(parts.password) if parts.password else None,
        "PGDATABASE": parts.path.lstrip("/") or None,
        "PGSSLMODE": query.get("sslmode"),
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return inherited | {name: value for name, value in wanted.items() if value}


async def _first_bytes(stream: asyncio.StreamReader | None) -> bytes:
    """Read to the end, keep the beginning: the first error is the one that explains the others."""
    assert stream is not None
    kept = b""
    while part := await stream.read(PART):
        kept += part[: MOST_ERROR_BYTES - len(kept)]
    return kept
