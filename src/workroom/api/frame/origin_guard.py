"""Host and Origin: who is asked, and by which page (THREATS: DNS rebinding, cross-site requests)."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from workroom.api.frame import errors
from workroom.api.frame.site import Site

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class OriginGuard:
    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refusal(scope)) is not None:
            return await refusal(scope, receive, send)
        return await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        trace_id = scope["state"]["trace_id"]
        if len(headers.getlist("host")) != 1 or not self._site.accepts_host(host):
            message = "This server does not answer to that name. Set WORKROOM_PUBLIC_URL to the address people use."
            return JSONResponse(errors.body("hostRefused", message, trace_id), 421)
        if self._is_foreign(scope, headers, host):
            message = "This request comes from another site, so it was refused."
            return JSONResponse(errors.body("originRefused", message, trace_id), 403)
        return None

    def _is_foreign(self, scope: Scope, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        if origin is not None and not self._site.accepts_origin(origin, host):
            return True
        # `same-site` is foreign too: it includes every other port of this machine.
        if headers.get("sec-fetch-site", "").lower() in ("cross-site", "same-site"):
            return scope["path"].startswith("/api/") or scope["method"] not in SAFE_METHODS
        return False
