"""The web app's files, held in memory: small, hashed by the build, compressed once.

Every address that is a page of the app (NAMES: pages) gets the same `index.html`; the app draws what the address says.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from workroom.core.errors import NotFound

COMPRESSED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt")
FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = (
    "<!doctype html><html lang=en><title>Workroom</title><p>The pages of this installation are missing. "
    "Run <code>make web</code> in the source folder, or install the released package."
)
TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}


@dataclass(frozen=True)
class Asset:
    body: bytes
    zipped: bytes | None
    media_type: str
    etag: str
    cache: str


class WebApp:
    def __init__(self, folder: Traversable | None = None) -> None:
        folder = folder or resources.files("workroom") / "_web"
        self._assets: dict[str, Asset] = dict(_load(folder, "")) if folder.is_dir() else {}

    def router(self) -> APIRouter:
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/{path:path}", self._serve, methods=["GET", "HEAD"])
        return router

    async def _serve(self, request: Request, path: str) -> Response:
        if path.startswith(("api/", "assets/")) and path not in self._assets:
            raise NotFound("There is nothing at this address.")
        asset = self._assets.get(path) or self._assets.get("index.html")
        if asset is None:
            return HTMLResponse(NOT_BUILT, 503)
        headers = {"ETag": asset.etag, "Cache-Control": asset.cache, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        if asset.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(asset.zipped, media_type=asset.media_type, headers=headers | {"Content-Encoding": "gzip"})
        return Response(asset.body, media_type=asset.media_type, headers=headers)


def _load(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    found: list[tuple[str, Asset]] = []
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        name = prefix + entry.name
        found += _load(entry, name + "/") if entry.is_dir() else [(name, _asset(name, entry.read_bytes()))]
    return found


def _asset(name: str, body: bytes) -> Asset:
    ending = "." + name.rsplit(".", 1)[-1]
    return Asset(
        body=body,
        zipped=gzip.compress(body, 9, mtime=0) if ending in COMPRESSED and len(body) > 500 else None,
        media_type=TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream",
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        cache=FOREVER if name.startswith("assets/") else "no-cache",
    )
