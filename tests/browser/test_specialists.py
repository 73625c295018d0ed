"""The team of specialists in a real browser: begun from the workspace, folded in the switcher, a group in the list of agents."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.agent_pages import picker
from tests.browser.conftest import every_look, screenshot, violations

BUILD = "Build the company’s DNA"


async def fits(page: Page, name: str) -> None:
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"specialists-{name}")


@pytest.mark.requirement("C5")
@every_look
async def test_a_workspace_offers_to_begin_with_who_leads_the_team(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter()
    entry = page.get_by_role("button", name=BUILD)
    await expect(entry).to_be_visible()
    await fits(page, f"home-{size}-{theme}")
    await entry.click()
    await page.wait_for_url("**/c/*")
    await expect(picker(page)).to_contain_text("Strategy lead")
    thread = page.get_by_role("main")
    await expect(thread).to_contain_text("The specialists need a language model, and none is set up here.")
    await expect(thread).to_contain_text("Example: how a briefing begins.")
    await fits(page, f"answer-{size}-{theme}")


@pytest.mark.requirement("P2")
@every_look
async def test_the_team_is_one_entry_until_it_is_opened_or_searched_for(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter()
    await picker(page).click()
    options, search = page.get_by_role("option"), page.get_by_role("combobox", name="Search agents")
    await expect(options.last).to_contain_text("Specialists")
    await expect(page.get_by_role("option", name="SWOT")).to_have_count(0)
    await search.press("ArrowUp")  # from the assistant to the first
    await search.press("ArrowUp")  # and round to the last
    await expect(page.get_by_role("option", selected=True)).to_contain_text("Specialists")
    await fits(page, f"folded-{size}-{theme}")
    closed = await options.count()
    await search.press("Enter")
    group = page.get_by_role("group", name="Specialists").get_by_role("option")
    await expect(group).to_have_count(8)
    assert await options.count() == closed + 7
    assert [(await one.inner_text()).split("\n")[0] for one in await group.all()] == [
        *("Strategy lead", "Briefing", "SWOT", "Audience", "Positioning", "Goals", "Messages", "Project planner"),
    ]
    await expect(page.get_by_role("option", selected=True)).to_contain_text("Strategy lead")
    await fits(page, f"opened-{size}-{theme}")
    await page.keyboard.press("Escape")
    await picker(page).click()
    await search.fill("swot")
    await expect(page.get_by_role("option", selected=True)).to_contain_text("SWOT")
    await search.press("Enter")
    await expect(picker(page)).to_contain_text("SWOT")
    await picker(page).click()
    await expect(group).to_have_count(8)  # who answers is in sight


@every_look
async def test_the_team_is_a_group_below_the_other_agents(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter("/i/workspace/agents")
    rows = page.get_by_role("table").get_by_role("row")
    await expect(page.get_by_role("row", name="Specialists", exact=True)).to_be_visible()
    told = [(await row.inner_text()).split("\n")[0].strip() for row in await rows.all()]
    at = told.index("Specialists")
    assert len(told[at + 1 :]) == 8
    assert "Strategy lead" in " ".join(told[at + 1 :])
    assert "Assistant" in " ".join(told[:at])
    await page.get_by_role("row", name="Specialists", exact=True).scroll_into_view_if_needed()
    await fits(page, f"list-{size}-{theme}")
    await page.get_by_role("link", name="Positioning", exact=True).click()
    await expect(page.get_by_role("group", name="Specialists")).to_be_visible()
    await page.get_by_role("group", name="Specialists").scroll_into_view_if_needed()
    await fits(page, f"hands-to-{size}-{theme}")


async def test_the_team_speaks_five_languages_on_a_phone(visitors: Any) -> None:
    for locale, build, team in (
        ("de-CH", "Firmen-DNA aufbauen", "Spezialisten"),
        ("fr-CH", "Construire l’ADN de l’entreprise", "Spécialistes"),
        ("pt-BR", "Construir o DNA da empresa", "Especialistas"),
        ("zh-CN", "构建企业 DNA", "专家"),
    ):
        page = await (await visitors("phone", "light", locale)).enter()
        await expect(page.get_by_role("button", name=build)).to_be_visible()
        await screenshot(page, f"specialists-home-{locale}")
        await picker(page).click()
        await expect(page.get_by_role("option").last).to_contain_text(team)
        await screenshot(page, f"specialists-list-{locale}")
