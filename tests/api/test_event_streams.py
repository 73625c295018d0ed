"""Event streams: how many one person may have, and how they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest

from workroom.api.frame.sse import EventStream
from workroom.api.frame.stream_limit import StreamLimit
from workroom.core.errors import DatabaseUnavailable, TooManyRequests
from workroom.core.ids import new_id

SCOPE = {"type": "http", "asgi": {"spec_version": "2.3"}}  # as our server says


class Client:
    """Reads a stream until it has had enough."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.opened, self.leaves = asyncio.Event(), asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if body := message.get("body"):
            self.heard.append(body)
            self.opened.set()

    async def read(self, stream: EventStream) -> None:
        await stream(SCOPE, self.receive, self.send)


async def endless(ended: asyncio.Event | None = None) -> AsyncGenerator[bytes, None]:
    try:
        yield b"first"
        await asyncio.Event().wait()
    finally:
        if ended is not None:
            ended.set()


async def refuses(limit: StreamLimit, user_id: UUID) -> bool:
    try:
        with limit.hold(user_id):
            return False
    except TooManyRequests:
        return True


async def test_a_stream_counts_until_its_reader_leaves() -> None:
    limit, bob, ended = StreamLimit(1), new_id(), asyncio.Event()
    first, second = Client(), Client()
    reading = asyncio.create_task(first.read(EventStream(endless(ended), limit, bob)))
    await first.opened.wait()
    second.leaves.set()
    with pytest.raises(TooManyRequests) as refused:
        await second.read(EventStream(endless(), limit, bob))
    assert (refused.value.status, refused.value.code) == (429, "tooManyStreams")
    assert second.heard == [], "not even its head was sent"
    assert not await refuses(limit, new_id()), "others are not concerned"
    first.leaves.set()
    await reading
    assert ended.is_set(), "nothing goes on behind a reader who left"
    assert not await refuses(limit, bob)


async def test_a_stream_that_was_cancelled_or_failed_counts_no_longer() -> None:
    limit, bob, client = StreamLimit(1), new_id(), Client()
    reading = asyncio.create_task(client.read(EventStream(endless(), limit, bob)))
    await client.opened.wait()
    assert await refuses(limit, bob)
    reading.cancel()
    await asyncio.wait([reading])
    assert not await refuses(limit, bob)

    async def broken() -> AsyncGenerator[bytes, None]:
        yield b"first"
        raise ValueError

    with pytest.raises((ValueError, ExceptionGroup)):
        await Client().read(EventStream(broken(), limit, bob))
    assert not await refuses(limit, bob)


async def test_a_database_that_goes_away_ends_a_stream_and_is_no_error_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def follow() -> AsyncGenerator[bytes, None]:
        yield b"first"
        raise DatabaseUnavailable("The database is away.")

    client = Client()
    await client.read(EventStream(follow(), StreamLimit(1), new_id()))
    assert client.heard == [b"first"]
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
