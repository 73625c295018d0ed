"""Limits the size of request bodies, by Content-Length and while reading."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.api.frame import errors
from workroom.core.errors import TooLarge


class BodyLimit:
    """`larger` knows the requests that may be larger, and how much; for all others it answers None."""

    def __init__(self, app: ASGIApp, most: int, larger: Callable[[Scope], int | None]) -> None:
        self._app = app
        self._most = most
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        most = self._larger(scope) or self._most
        message = f"The request is larger than {most:,} bytes."
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdigit() or int(declared) > most:
            answer = JSONResponse(errors.body("tooLarge", message, scope["state"]["trace_id"]), 413)
            return await answer(scope, receive, send)
        read = 0

        async def counted() -> Message:
            nonlocal read
            part = await receive()
            read += len(part.get("body", b""))
            if read > most:
                raise TooLarge(message)
            return part

        return await self._app(scope, counted, send)
