"""Server-sent events: encoding, keep-alive, and ending when the client has gone."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from workroom.api.frame.stream_limit import StreamLimit
from workroom.core.errors import DatabaseUnavailable
from workroom.core.wire import Wire

log = logging.getLogger(__name__)

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
PING = b": keep-alive\n\n"
PING_SECONDS = 15.0
RETRY = b"retry: 1000\n\n"


def encode(name: str, payload: Wire, event_id: str | None = None) -> bytes:
    """One event. JSON has no raw line breaks, so the data is always a single line."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {payload.model_dump_json()}\n\n".encode()


class EventStream(StreamingResponse):
    """Counts as one of its reader's streams while it is sent, and only then; over the limit it is not begun."""

    def __init__(self, events: AsyncGenerator[bytes, None], limit: StreamLimit, user_id: UUID | None) -> None:
        self._events, self._limit, self._user_id = _while_there_is_a_database(events), limit, user_id
        super().__init__(self._events, media_type="text/event-stream", headers=HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._limit.hold(self._user_id):
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)


async def _while_there_is_a_database(events: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Clients come back by themselves, and go on after the last event they have."""
    async with aclosing(events):
        try:
            async for event in events:
                yield event
        except DatabaseUnavailable:
            log.info("an event stream ends: the database is away")
