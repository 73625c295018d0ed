"""A cap on request bodies, believed from the header and enforced while reading, because headers lie."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.api.frame import errors
from workroom.core.errors import TooLarge


class BodyLimit:
    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        message = f"The request is larger than {self._most:,} bytes."
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdigit() or int(declared) > self._most:
            answer = JSONResponse(errors.body("tooLarge", message, scope["state"]["trace_id"]), 413)
            return await answer(scope, receive, send)
        read = 0

        async def counted() -> Message:
            nonlocal read
            part = await receive()
            read += len(part.get("body", b""))
            if read > self._most:
                raise TooLarge(message)
            return part

        return await self._app(scope, counted, send)
