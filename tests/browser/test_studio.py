"""The studio in a real browser: a project from the example, its phases, the tree of blocks, two who write one block, versions."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import settled, unique


async def fits(page: Page, name: str) -> None:
    """Accessible, and nothing scrolls sideways; a picture to look at."""
    await settled(page)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"studio-{name}")


async def create(page: Page, name: str) -> None:
    """In English, from the list."""
    await page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill(name)
    await dialog.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=name)


@pytest.mark.requirement("F1", "P4")
@every_look
async def test_look(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter("/i/workspace/studio")
    await fits(page, f"list-{size}-{theme}")
    await create(page, unique("Bike guide"))
    await fits(page, f"project-{size}-{theme}")
    await page.get_by_role("treeitem").nth(1).get_by_role("link").click()
    await page.get_by_label("Text", exact=True).fill("# Intent\n\nCommuters should **try it** for a week.")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("button", name="What changed")).to_be_visible()
    await fits(page, f"editor-{size}-{theme}")
