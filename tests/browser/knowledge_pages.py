"""The pages of knowledge, as tests find them: a workspace with files, its list and its search."""

from __future__ import annotations

import base64
import uuid
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import screenshot, violations
from tests.browser.uploads import MAKE_ROOM

INDEXING = 60_000  # milliseconds
PUT = """async ([room, name, encoded]) => {
    const ask = (method, path, body, headers) => fetch(path, {method, body, headers}).then(answer => answer.json())
    const json = {'content-type': 'application/json'}
    const content = Uint8Array.from(atob(encoded), sign => sign.charCodeAt(0))
    const begin = JSON.stringify({name, size: content.length})
    const {uploadId} = await ask('POST', `/api/workspace/${room}/uploads`, begin, json)
    await ask('PATCH', `/api/uploads/${uploadId}`, content, {'Upload-Offset': '0'})
    return ask('POST', `/api/uploads/${uploadId}/finish`, '{}', json)
}"""


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own, open at its knowledge."""

    page: Page
    id: str
    slug: str

    async def put(self, name: str, content: bytes | str) -> str:
        raw = content.encode() if isinstance(content, str) else content
        done = await self.page.evaluate(PUT, [self.id, name, base64.b64encode(raw).decode()])
        assert "id" in done, done
        return str(done["id"])

    async def open(self, query: str = "", part: str = "knowledge") -> None:
        await self.page.goto(self.page.url.split("/i/")[0] + f"/i/{self.slug}/{part}{query}")
        await expect(self.page.locator("h1[tabindex]")).to_be_visible()

    async def indexed(self, *names: str) -> None:
        """Waits as a person does: until the page says so."""
        await self.open("?tab=files")
        for name in names:
            await expect(self.row(name)).to_contain_text("Searchable", timeout=INDEXING)

    def row(self, name: str) -> Locator:
        return self.page.get_by_role("row").filter(has=self.page.get_by_role("link", name=name, exact=True))

    @property
    def field(self) -> Locator:
        return self.page.get_by_label("Search in everything the files say")

    @property
    def hits(self) -> Locator:
        return self.page.locator("li:has([data-hit])")

    async def search(self, words: str) -> None:
        await self.field.fill(words)
        await self.field.press("Enter")
        await expect(self.page.locator("[aria-busy=true]")).to_have_count(0)


async def enter(visitors: Any, *how: str) -> Room:
    page = await (await visitors(*how)).enter()
    made = await page.evaluate(MAKE_ROOM, f"Your files {uuid.uuid4().hex[:6]}")
    room = Room(page, made["id"], made["slug"])
    await room.open()
    return room


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"knowledge-{name}")


def names(page: Page) -> Locator:
    """Of the files, in the order of the list."""
    return page.get_by_role("table", name="Files").locator("td.main a")
