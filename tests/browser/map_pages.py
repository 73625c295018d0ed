"""The map of a conversation, as tests find it on a page."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import Locator, Page, expect

SEED = "Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer"
PARCELS = "Lade den ÖREB-Auszug an der Koordinate 2600513, 1215519"
HERE = "2609767.1, 1228437.4"
LAYER = "ch.so.gws"
ASK = """async ([text, slug]) => {
    const read = async (path, how) => (await fetch(path, how)).json()
    const [room] = (await read('/api/session')).instances
    const agents = await read(`/api/instances/${room.id}/agents?limit=50`)
    const body = JSON.stringify({prompt: text, agentId: agents.items.find(one => one.slug === slug).id})
    const how = {method: 'POST', headers: {'content-type': 'application/json'}, body}
    const {workflowId} = await read(`/api/workspace/${room.id}/input`, how)
    return `/i/${room.slug}/c/${workflowId}`
}"""


async def begin(visitors: Any, text: str, *how: str) -> Page:
    """Somebody who asks the guide to the map, and looks at the conversation."""
    return await asked(await visitors(*how), text)


async def asked(visitor: Any, text: str) -> Page:
    page: Page = await visitor.enter()
    path = await page.evaluate(ASK, [text, "navigator"])
    await page.goto(visitor.server.base_url + path)
    return page


def chart(page: Page) -> Locator:
    return page.locator(".map")


def layer(page: Page, name: str = LAYER) -> Locator:
    return chart(page).locator(f"[data-layer='{name}']")


def tool(page: Page, name: str | re.Pattern[str]) -> Locator:
    return chart(page).get_by_role("button", name=name, exact=isinstance(name, str))


async def at_the_address(page: Page) -> None:
    await expect(chart(page)).to_have_attribute("data-center", HERE)
    await expect(chart(page)).to_have_attribute("data-resolution", "1")
    await expect(chart(page).locator("[data-marker]")).to_have_attribute("data-marker", "addr-7568")
