"""Server-sent events: encoding, keep-alive, and ending when the client has gone."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from workroom.core.wire import Wire

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
PING = b": keep-alive\n\n"
PING_SECONDS = 15.0
RETRY = b"retry: 1000\n\n"


def encode(name: str, payload: Wire, event_id: str | None = None) -> bytes:
    """One event. JSON has no raw line breaks, so the data is always a single line."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {payload.model_dump_json()}\n\n".encode()


def response(events: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", headers=HEADERS)
