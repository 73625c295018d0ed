"""LISTEN with reconnection: one connection per process, any number of channels.

Subscribers are told of every (re)connection, because what was said while the connection was away is gone: they look
again. That makes a lost notification a delay, not a loss.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import asyncpg

from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db.connection import UNREACHABLE, connect

log = logging.getLogger(__name__)

Callback = Callable[[str], None]
Connected = Callable[[], None]
RETRY_SECONDS = 1.0
PING_SECONDS = 20.0


class Listener:
    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._channels: list[tuple[str, Callback]] = []
        self._on_connect: list[Connected] = []
        self._stop = asyncio.Event()
        self.connected = asyncio.Event()

    def on(self, channel: str, callback: Callback) -> None:
        """Register before `run`: `callback(payload)` is called in the event loop and must not block."""
        self._channels.append((channel, callback))

    def on_connect(self, connected: Connected) -> None:
        self._on_connect.append(connected)

    async def run(self) -> None:
        """Listen until `stop`, across any number of lost connections."""
        while not self._stop.is_set():
            try:
                await self._listen_once()
            except (DatabaseUnavailable, *UNREACHABLE, asyncpg.PostgresError) as error:
                log.warning("notifications are away, trying again", extra={"reason": type(error).__name__})
            finally:
                self.connected.clear()
            await wait_for(self._stop, RETRY_SECONDS)

    def stop(self) -> None:
        self._stop.set()

    async def _listen_once(self) -> None:
        connection = await connect(self._dsn)
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        try:
            for channel, callback in self._channels:
                await connection.add_listener(channel, _payload_only(callback))
            self.connected.set()
            for connected in self._on_connect:
                connected()
            await self._until_lost(connection, lost)
        finally:
            with contextlib.suppress(*UNREACHABLE):
                await connection.close(timeout=2)

    async def _until_lost(self, connection: asyncpg.Connection[Any], lost: asyncio.Event) -> None:
        """A silent network takes a connection without a word: ask now and then."""
        waiting = {asyncio.create_task(lost.wait()), asyncio.create_task(self._stop.wait())}
        try:
            while True:
                done, _ = await asyncio.wait(waiting, timeout=PING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if done:
                    return
                await connection.execute("select 1", timeout=5)
        finally:
            for task in waiting:
                task.cancel()


def _payload_only(callback: Callback) -> Callable[..., None]:
    def relay(_connection: object, _pid: object, _channel: object, payload: object) -> None:
        callback(str(payload))

    return relay
