"""Workspaces and files made by script, and things dragged from the disk over the window."""

from __future__ import annotations

import asyncio
from pathlib import Path

from playwright.async_api import Locator, Page, Route

MAKE_ROOM = """name => fetch('/api/instances', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({name})
}).then(answer => answer.json())"""
PUT = """async ([room, name, text, folderId]) => {
    const ask = (method, path, body, headers) => fetch(path, {method, body, headers}).then(answer => answer.json())
    const json = {'content-type': 'application/json'}
    const content = new TextEncoder().encode(text)
    const begin = JSON.stringify({name, size: content.length, folderId})
    const {uploadId} = await ask('POST', `/api/workspace/${room}/uploads`, begin, json)
    if (content.length > 0) await ask('PATCH', `/api/uploads/${uploadId}`, content, {'Upload-Offset': '0'})
    return ask('POST', `/api/uploads/${uploadId}/finish`, '{}', json)
}"""


class Hand:
    """Drags things of the real disk over the window, as somebody with a mouse does."""

    def __init__(self, page: Page, *paths: Path) -> None:
        self._page = page
        self._data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}

    async def over(self, target: Locator) -> None:
        box = await target.bounding_box()
        assert box
        self._at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + min(20, box["height"] / 2)}
        self._session = await self._page.context.new_cdp_session(self._page)
        for kind in ("dragEnter", "dragOver"):
            await self._send(kind)

    async def drop(self) -> None:
        await self._send("drop")

    async def _send(self, kind: str) -> None:
        await self._session.send("Input.dispatchDragEvent", {"type": kind, **self._at, "data": self._data})


def tray(page: Page) -> Locator:
    return page.get_by_role("region", name="Uploads")


async def held(route: Route, until: asyncio.Event) -> None:
    if route.request.method == "PATCH":
        await until.wait()
    await route.continue_()
