"""The outermost layer: gives every request a trace id, logs and counts it, and turns uncaught exceptions into an error."""

from __future__ import annotations

import logging
import secrets
import time

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.api.frame import errors
from workroom.api.frame.metrics import Metrics

log = logging.getLogger("workroom.http")


class Trace:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        trace_id = secrets.token_hex(16)
        scope.setdefault("state", {})["trace_id"] = trace_id
        status = 0

        async def traced_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Trace-Id"] = trace_id
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, traced_send)
        except Exception:
            log.exception("unexpected error", extra={"trace": trace_id, "path": scope["path"]})
            if status == 0:
                message = (
                    "Something went wrong on our side. Try again; if it stays, give the trace id to your administrator."
                )
                answer = JSONResponse(errors.body("unexpected", message, trace_id), 500)
                await answer(scope, receive, traced_send)
            else:
                raise
        finally:
            self._finished(scope, status, time.perf_counter() - started, trace_id)
        return None

    def _finished(self, scope: Scope, status: int, seconds: float, trace_id: str) -> None:
        route = getattr(scope.get("route"), "path", None) or "unmatched"
        self._metrics.request(scope["method"], route, status, seconds)
        level = logging.WARNING if status >= 500 else logging.DEBUG
        fields = {"method": scope["method"], "path": scope["path"], "status": status, "trace": trace_id}
        log.log(level, "request", extra={**fields, "ms": round(seconds * 1000, 1)})
