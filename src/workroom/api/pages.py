"""The web app's files, held in memory: small, hashed and compressed by the build.

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
BROTLI = ".br"  # written beside a file when the pages are built (web/plugins/brotli.ts)
FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = (
    "<!doctype html><html lang=en><title>Workroom</title><p>The pages of this installation are missing. "
    "Run <code>make web</code> in the source folder, or install the released package."
)
TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}


@dataclass(frozen=True)
class Asset:
    body: bytes
    encoded: dict[str, bytes]  # by content encoding, the shortest first
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
        accepted = {one.strip() for one in request.headers.get("accept-encoding", "").split(",")}
        encoding = next((encoding for encoding in asset.encoded if encoding in accepted), None)
        if encoding is None:
            return Response(asset.body, media_type=asset.media_type, headers=headers)
        headers["Content-Encoding"] = encoding
        return Response(asset.encoded[encoding], media_type=asset.media_type, headers=headers)


def _load(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    entries = {entry.name: entry for entry in folder.iterdir() if not entry.name.startswith(".")}
    found: list[tuple[str, Asset]] = []
    for name, entry in entries.items():
        if entry.is_dir():
            found += _load(entry, f"{prefix}{name}/")
        elif not name.endswith(BROTLI):
            shorter = entries.get(name + BROTLI)
            brotli = None if shorter is None else shorter.read_bytes()
            found.append((prefix + name, _asset(prefix + name, entry.read_bytes(), brotli)))
    return found


def _asset(name: str, body: bytes, brotli: bytes | None) -> Asset:
    ending = "." + name.rsplit(".", 1)[-1]
    encoded = {"br": brotli} if brotli else {}
    if ending in COMPRESSED and len(body) > 500:
        encoded["gzip"] = gzip.compress(body, 9, mtime=0)
    return Asset(
        body=body,
        encoded=encoded,
        media_type=TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream",
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        cache=FOREVER if name.startswith("assets/") else "no-cache",
    )
