"""A limit on how slowly an answer may be taken: a peer that reads nothing would hold its connection, and what waits to be
sent on it, for ever."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

TAKE_SECONDS = 60.0
SLOWEST_READER = 1_000  # bytes a second


class SlowReaderLimit(HttpToolsProtocol):
    """Looks after TAKE_SECONDS how much was taken, whenever more waits than the transport likes, and after each answer."""

    _waiting_bytes = 0
    _look: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._look_no_longer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.look_whether_taken()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look_no_longer()

    def on_headers_complete(self) -> None:
        if not self.flow.write_paused:
            self._look_no_longer()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.look_whether_taken()

    def look_whether_taken(self) -> None:
        waiting = self.transport.get_write_buffer_size()
        if waiting and self._look is None:
            self._waiting_bytes = waiting
            self._look = self.loop.call_later(TAKE_SECONDS, self._look_now)

    def _look_now(self) -> None:
        self._look = None
        taken = self._waiting_bytes - self.transport.get_write_buffer_size()
        if taken < min(self._waiting_bytes, TAKE_SECONDS * SLOWEST_READER):
            self.transport.abort()
        else:
            self.look_whether_taken()

    def _look_no_longer(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
