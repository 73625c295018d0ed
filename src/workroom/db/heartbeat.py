"""The heartbeat of a worker process: one statement every three seconds that keeps all its leases (db/leases.py).

It comes from a thread with an event loop and a connection of its own, so it does not wait for anything else in the process. It
begins with the first claim and ends when the process closes its database; then all its leases are free at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from concurrent.futures import Future
from typing import Any
from uuid import UUID

import asyncpg

from workroom.core.actors import SystemActor
from workroom.core.errors import DatabaseUnavailable
from workroom.core.ids import new_id
from workroom.db.connection import REFUSED, connect
from workroom.db.leases import LEASE

log = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
AGAIN_SECONDS = 0.5  # after a beat that failed
ANSWER_SECONDS = 3.0
# A process whose event loop has not turned for so long does not work any more, although its threads do.
LONGEST_SILENCE = 120.0

# Whether the last one is too long ago is known by the database alone. Rows of processes that died are swept with the first.
BEAT = f"""
insert into workroom.workers as w (worker_id, heartbeat_at) values ($1, now())
on conflict (worker_id) do update set heartbeat_at = now(),
    steady_since = case when w.heartbeat_at < now() - {LEASE} then now() else w.steady_since end
returning steady_since = heartbeat_at"""
SWEEP = "delete from workroom.workers where heartbeat_at < clock_timestamp() - interval '1 hour'"
END = "delete from workroom.workers where worker_id = $1"


class Heartbeat:
    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self.seconds = BEAT_SECONDS
        self._worker_id = new_id()
        self._begin = asyncio.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop_seen = 0.0

    async def worker_id(self) -> UUID:
        """The id under which this process claims. From the first time on it is kept alive. Raises DatabaseUnavailable."""
        if self._thread is None:
            async with self._begin:
                if self._thread is None:
                    await self._start()
        return self._worker_id

    async def end(self) -> None:
        """All leases of this process are free from now on."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    async def _start(self) -> None:
        first: Future[None] = Future()
        thread = threading.Thread(
            target=self._beat_regularly, args=(asyncio.get_running_loop(), first), name="heartbeat", daemon=True
        )
        thread.start()
        await asyncio.wrap_future(first)
        self._thread = thread

    def _beat_regularly(self, loop: asyncio.AbstractEventLoop, first: Future[None]) -> None:
        """In the thread, until `end`, across any number of lost connections."""
        connection: asyncpg.Connection[Any] | None = None
        pause, self._loop_seen = 0.0, time.monotonic()
        with asyncio.Runner() as runner:
            while not self._stop.wait(pause):
                pause = self.seconds
                if not self._does_the_loop_turn(loop):
                    continue
                try:
                    connection = connection or runner.run(self._connect())
                    runner.run(self._beat(connection))
                except (DatabaseUnavailable, *REFUSED) as error:
                    if connection is not None:
                        connection.terminate()
                    if not first.done():
                        first.set_exception(DatabaseUnavailable(f"A worker cannot say that it is there: {error}"))
                        return
                    log.warning("the heartbeat waits for the database", extra={"reason": type(error).__name__})
                    connection, pause = None, AGAIN_SECONDS
                else:
                    if not first.done():
                        first.set_result(None)
            if connection is not None:
                runner.run(self._say_goodbye(connection))

    def _does_the_loop_turn(self, loop: asyncio.AbstractEventLoop) -> bool:
        def turned() -> None:
            self._loop_seen = time.monotonic()

        with contextlib.suppress(RuntimeError):  # it is closed already
            loop.call_soon_threadsafe(turned)
        silent = time.monotonic() - self._loop_seen
        if silent > LONGEST_SILENCE:
            log.error("the event loop does not turn; the leases of this worker lapse", extra={"seconds": round(silent)})
        return silent <= LONGEST_SILENCE

    async def _connect(self) -> asyncpg.Connection[Any]:
        connection = await asyncio.wait_for(connect(self._dsn), 2 * ANSWER_SECONDS)
        await connection.execute(f"set role {SystemActor.SWEEP.value}", timeout=ANSWER_SECONDS)
        await connection.execute(SWEEP, timeout=ANSWER_SECONDS)
        return connection

    async def _beat(self, connection: asyncpg.Connection[Any]) -> None:
        if await connection.fetchval(BEAT, self._worker_id, timeout=ANSWER_SECONDS):
            log.warning("this worker was not heard of for a while; others may have taken what it had")

    async def _say_goodbye(self, connection: asyncpg.Connection[Any]) -> None:
        with contextlib.suppress(*REFUSED):  # then it lapses
            await connection.execute(END, self._worker_id, timeout=ANSWER_SECONDS)
            await connection.close(timeout=ANSWER_SECONDS)
