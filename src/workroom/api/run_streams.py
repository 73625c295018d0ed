"""Streams the events of runs to a waiting client, with the rights it has at the moment."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from uuid import UUID

from workroom.api.frame import sse
from workroom.api.run_reader import RunReader
from workroom.core.changes import Hello, SignedOut
from workroom.core.errors import Forbidden, NotFound, Unauthenticated
from workroom.runs.chat_sessions import PauseWatch
from workroom.runs.run_creation import MOST_HANDOFFS
from workroom.runs.service import Accepted


async def run_stream(reader: RunReader, after: int | None) -> AsyncGenerator[bytes, None]:
    """The events of one run after that number, until it is over. None: from the beginning, said by `reset`."""
    first = b"" if after is not None else sse.encode("reset", Hello())
    async with aclosing(_opened(reader, _events(reader, after or 0), first)) as parts:
        async for part in parts:
            yield part


async def answer_stream(reader: RunReader, instance_id: UUID, asked: Accepted) -> AsyncGenerator[bytes, None]:
    """The events that follow an input: of its run and of those of the agents that take over, until the answer is complete or
    waits for the person."""
    async with aclosing(_opened(reader, _answer(reader, instance_id, asked))) as parts:
        async for part in parts:
            yield part


async def _opened(
    reader: RunReader, events: AsyncGenerator[bytes, None], first: bytes = b""
) -> AsyncGenerator[bytes, None]:
    with reader.services.metrics.streams.track_inprogress():
        yield sse.RETRY + first
        try:
            async with aclosing(events):
                async for event in events:
                    yield event
        except (Unauthenticated, NotFound, Forbidden):
            yield sse.encode("signedOut", SignedOut(reason="sessionEnded"))


async def _answer(reader: RunReader, instance_id: UUID, asked: Accepted) -> AsyncGenerator[bytes, None]:
    after = asked.after
    for _ in range(MOST_HANDOFFS + 1):
        async with aclosing(_events(reader, after, until_waiting=True)) as events:
            async for event in events:
                yield event
        newest = await reader.services.answers.newest_run(reader.principal, instance_id, asked)
        if newest.id == reader.run_id:
            return
        reader, after = replace(reader, run_id=newest.id), 0


async def _events(reader: RunReader, after: int, *, until_waiting: bool = False) -> AsyncGenerator[bytes, None]:
    """`until_waiting`: until it is over, or waits for a person."""
    watch, sent_at = PauseWatch(), time.monotonic()
    async with aclosing(reader.services.tail.follow(reader.run_id, reader.read, after)) as stored:
        async for event in stored:
            if event is not None:
                watch.observe(event)
                sent_at = time.monotonic()
                yield sse.encode(event.event.type, event.event, event.id)
            elif until_waiting and watch.waiting is not None:
                return
            elif time.monotonic() - sent_at >= sse.PING_SECONDS:
                sent_at = time.monotonic()
                yield sse.PING
