"""Agents of a conversation, as tests find them on a page: the picker, the answers of each, the switches between them."""

from __future__ import annotations

import re

from playwright.async_api import Locator, Page, expect


def picker(page: Page) -> Locator:
    return page.locator("[data-agent]")


def lines(page: Page) -> Locator:
    """Where the thread says that another agent took over."""
    return page.locator("[data-switch]")


def answer_by(page: Page, agent: str) -> Locator:
    return page.locator(".answer:not([aria-busy])").filter(has=page.get_by_role("heading", name=f"Answer: {agent}"))


async def choose(page: Page, agent: str) -> None:
    await picker(page).click()
    await page.get_by_role("option", name=re.compile(rf"^{re.escape(agent)}\b")).click()  # not what it is for
    await expect(picker(page)).to_contain_text(agent)
