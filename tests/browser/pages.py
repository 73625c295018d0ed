"""What tests of pages share: waiting until a page is drawn, names that are unique on the shared server, people who only read."""

from __future__ import annotations

import uuid

from playwright.async_api import Locator, Page, expect

LOOKING = 60_000  # milliseconds
INVITE_READER = """async ([name, room]) => {
    const ask = (method, path, body) => fetch(path, body && {
        method, headers: {'content-type': 'application/json'}, body: JSON.stringify(body)
    }).then(answer => answer.json())
    const roleId = (await ask('GET', '/api/roles?limit=200')).items.find(role => role.key === 'reader').id
    const {user, link} = await ask('POST', '/api/users', {login: name, displayName: name, roleId})
    await ask('PUT', `/api/instances/${room}/members/${user.id}`, {roleId: null})
    return link.url
}"""


def unique(text: str) -> str:
    """Tests share a server: names of their own keep them apart."""
    return f"{text} {uuid.uuid4().hex[:6]}"


async def settled(page: Page) -> None:
    """Everything asked for has been answered and drawn."""
    await expect(page.locator("h1[tabindex]")).to_be_visible()  # the page's own, not the one shown while it loads
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)


def sheet(page: Page, number: int) -> Locator:
    """A page of a document, drawn."""
    return page.locator(f'[data-page="{number}"]')


async def drawn(page: Page, number: int) -> None:
    """Its picture is there and on the screen."""
    picture = sheet(page, number).get_by_role("img", name=f"Page {number}", exact=True)
    await expect(picture).to_be_in_viewport(timeout=LOOKING)
    there = "number => document.querySelector(`[data-page='${number}'] img`)?.naturalWidth > 0"
    await page.wait_for_function(there, arg=number, timeout=LOOKING)
