"""Small things that make the difference: nothing is lost by a slip, and what is said fits what is there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import every_look, screenshot, search, violations
from tests.browser.test_agents import choose
from tests.browser.test_map import PARCELS, SEED, at_the_address, begin, chart, tool

CATALOGUE = "/settings/models?show=catalogue"
UNSAVED = "What you entered is not saved."
SEE = "View on the map"


@pytest.mark.requirement("P1")
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


@pytest.mark.requirement("P1")
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


@pytest.mark.requirement("C2")
async def test_what_was_undone_elsewhere_is_not_offered_any_more(visitors: Any) -> None:
    page = await (await visitors()).enter(CATALOGUE)
    await search(page, "Search models", "openai/gpt-5-mini")
    await page.get_by_role("button", name="Actions for GPT-5 mini").click()
    await page.get_by_role("menuitem", name="Edit").click()
    await page.get_by_role("dialog").get_by_label("Firmness").select_option("high")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    told = page.get_by_text("GPT-5 mini is saved.")
    await expect(told).to_be_visible()
    await page.get_by_role("button", name="History").click()
    await page.get_by_role("dialog").get_by_role("listitem").first.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("dialog").get_by_role("listitem").first).to_contain_text("Undoes revision")
    await expect(told).to_have_count(0)


async def lines(page: Page) -> list[float]:
    """How high what can be done with a layer stands: the eye, the slider, the way up."""
    layer = chart(page).get_by_role("region", name="Layers").get_by_role("listitem").first
    found = [layer.get_by_role("button", name=re.compile("^Show ")), layer.get_by_role("slider"),
             layer.get_by_role("button", name=re.compile("^Move .* up"))]  # fmt: skip
    boxes = [await one.bounding_box() for one in found]
    return [round(box["y"] + box["height"] / 2) for box in boxes if box]


@pytest.mark.requirement("E8")
@pytest.mark.requirement("P1")
async def test_on_a_phone_an_answer_leads_to_the_map(visitors: Any) -> None:
    page = await begin(visitors, SEED, "phone", "light")
    await page.get_by_role("button", name=SEE).click()
    await at_the_address(page)
    await tool(page, "Layers").click()
    high = await lines(page)
    assert max(high) - min(high) <= 2, "they share a line"
    assert await violations(page) == []
    await screenshot(page, "map-phone-seen")


@pytest.mark.requirement("E8")
async def test_beside_an_open_map_nothing_leads_to_it(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await expect(page.get_by_role("button", name=SEE)).to_have_count(0)


@pytest.mark.requirement("A9")
async def test_a_choice_says_how_sure_it_is_and_can_be_set_aside(visitors: Any) -> None:
    page = await begin(visitors, PARCELS)
    await expect(page.get_by_role("button", name=re.compile("CH1234567891011"))).to_contain_text("91 % sure")
    await page.get_by_role("button", name="Set this aside").click()
    await expect(page.locator(".settled")).to_contain_text("Set aside without an answer")


@pytest.mark.requirement("P1")
async def test_without_a_model_the_start_page_speaks_of_who_is_chosen(visitors: Any) -> None:
    page = await (await visitors()).enter()
    section = page.get_by_role("region", name="No language model is set up yet")
    await expect(section).to_contain_text("notes, todos and sums")
    await choose(page, "Map")
    await expect(section).to_contain_text("The agent “Map” understands sentences like these already.")
    await expect(section).not_to_contain_text("notes")
    await expect(section.get_by_role("listitem").first).to_contain_text("Langendorfstrasse")


@pytest.mark.requirement("G1")
async def test_a_whole_set_of_tools_is_told_as_one(visitors: Any) -> None:
    page = await (await visitors()).enter()
    await page.goto(page.url + "/agents/new")
    await page.get_by_role("checkbox", name="All tools of the workspace").uncheck()
    told = page.get_by_role("status").filter(has_text=re.compile("tool|set"))
    await page.get_by_role("checkbox", name="map", exact=True).check()
    await expect(told).to_have_text("All of the set “map”")
    await page.get_by_role("checkbox", name="calculate", exact=True).check()
    await expect(told).to_have_text("All of the set “map” · 1 tool chosen")
