"""Dialogs with unsaved changes ask before they close, by whatever way they are left."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import every_look, screenshot, violations

CATALOGUE = "/settings/models?show=catalogue"
UNSAVED = "What you entered is not saved."


@pytest.mark.requirement("P4")
@every_look
async def test_a_draft_is_not_lost_by_a_slip(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter(CATALOGUE)
    add, dialog = page.get_by_role("button", name="Add model"), page.get_by_role("dialog")
    name = dialog.get_by_label("Name at the provider")
    await add.click()
    await expect(name).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)  # nothing was entered

    await add.click()
    await name.fill("mine")
    await page.keyboard.press("Escape")
    await expect(dialog.get_by_text(UNSAVED)).to_be_visible()
    await expect(dialog.get_by_role("button", name="Keep editing")).to_be_focused()
    assert await violations(page) == []
    await screenshot(page, f"unsaved-{size}-{theme}")
    await page.keyboard.press("Escape")
    await expect(dialog.get_by_text(UNSAVED)).to_have_count(0)
    await expect(name).to_be_focused()
    await expect(name).to_have_value("mine")

    await dialog.get_by_role("button", name="Close").click()
    await dialog.get_by_role("button", name="Discard").click()
    await expect(dialog).to_have_count(0)
    await expect(add).to_be_focused()


@pytest.mark.requirement("P4")
async def test_the_way_back_does_not_throw_a_draft_away(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/profile")
    await page.get_by_role("link", name="Tokens").click()
    await page.wait_for_url("**/settings/tokens")
    await page.get_by_role("button", name="New API token").first.click()
    dialog = page.get_by_role("dialog")
    name = dialog.get_by_label("Name", exact=True)
    await name.fill("backup")
    await page.evaluate("history.back()")
    await expect(dialog.get_by_text(UNSAVED)).to_be_visible()
    await dialog.get_by_role("button", name="Keep editing").click()
    await expect(name).to_have_value("backup")
    await expect(page).to_have_url(re.compile("/settings/tokens$"))
    await page.evaluate("history.back()")
    await dialog.get_by_role("button", name="Discard").click()
    await expect(dialog).to_have_count(0)
    await expect(page).to_have_url(re.compile("/settings/tokens$"))
    await page.evaluate("history.back()")
    await page.wait_for_url("**/settings/profile")
