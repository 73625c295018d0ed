"""What every page has to be: accessible, and no wider than its window."""

from __future__ import annotations

from playwright.async_api import Page

from tests.browser.conftest import screenshot, violations
from tests.browser.pages import settled


async def fits(page: Page, name: str) -> None:
    """Shuts no user out and does not scroll sideways; a picture to look at."""
    await settled(page)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, name)
