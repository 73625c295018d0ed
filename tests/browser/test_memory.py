"""What a conversation remembers, in a real browser: facts from what tools found, summaries, and the way to forget them."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import screenshot, violations
from tests.browser.stage import Stage, bubble, said, say
from tests.faults.process import Workroom

SIZES = ["desktop", "phone"]
THEMES = ["light", "dark"]
TITLE = "What this conversation remembers"
FACTS = "Muster AG owes CHF 1'250.00, due on 12 March 2026. Contact: Frau Anna Keller."
NOTE = f"writeNote {json.dumps({'title': 'Claim', 'text': FACTS})}"
LIST = "listNotes {}"
LISTS = "Lists notes, or those that contain a word"
MAKE_ROOM = """async ([name, remembers]) => {
    const ask = (method, path, body) => fetch(path, {
        method, ...(body ? {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)} : {})
    }).then(answer => answer.json())
    const room = await ask('POST', '/api/instances', {name})
    const path = `/api/workspace/${room.id}/agentConfig`
    await ask('PUT', path, {...await ask('GET', path), entityCacheEnabled: remembers})
    return room
}"""


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def enter(visitors: Any, *how: str, remembers: bool = True) -> Page:
    """In a workspace of this test's own."""
    page: Page = await (await visitors(*how)).enter()
    room = await page.evaluate(MAKE_ROOM, [f"Your memory {uuid.uuid4().hex[:6]}", remembers])
    await page.goto(f"{page.url.split('/i/')[0]}/i/{room['slug']}")
    return page


async def ask(page: Page, *texts: str) -> None:
    """One after the other, each answered."""
    for text in texts:
        answers = await page.locator(".answer:not([aria-busy])").count()
        await say(page, text)
        await page.wait_for_url("**/c/*")
        await expect(page.locator(".answer:not([aria-busy])")).to_have_count(answers + 1)


async def open_memory(page: Page) -> Locator:
    """Beside the conversation, or over it."""
    await page.get_by_role("main").get_by_role("button", name=TITLE).click()
    await page.wait_for_url("**memory=1**")
    shown = page.locator("aside, dialog").filter(has=page.locator(".memory"))
    await expect(shown.locator("[aria-busy=true]")).to_have_count(0)
    return shown


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"memory-{name}")


def fact(memory: Locator, group: str, value: str) -> Locator:
    return memory.get_by_role("region", name=group).get_by_role("listitem").filter(has_text=value)


async def forget(page: Page, button: Locator) -> None:
    await button.click()
    await page.get_by_role("dialog", name="Forget").get_by_role("button", name="Forget", exact=True).click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text("Forgotten.")


@pytest.mark.requirement("D5")
@pytest.mark.requirement("P2")
async def test_facts_appear_while_one_looks_lead_to_their_tool_and_can_be_forgotten(visitors: Any) -> None:
    page = await enter(visitors)
    await ask(page, "Hello there")
    memory = await open_memory(page)
    await expect(memory).to_contain_text("Nothing remembered yet")
    await ask(page, NOTE)
    for group, value in {
        "Companies": "Muster AG",
        "Amounts": "CHF 1'250.00",
        "Dates": "12 March 2026",
        "People": "Anna Keller",
    }.items():
        await expect(fact(memory, group, value)).to_contain_text("found once")
    await ask(page, LIST)
    await expect(fact(memory, "Companies", "Muster AG")).to_contain_text("found 2 times")
    await fits(page, "facts-desktop")
    await fact(memory, "Companies", "Muster AG").get_by_role("button", name=f"From: {LISTS}").click()
    line = page.locator("[data-call]").filter(has_text=LISTS)
    await expect(line.get_by_role("button")).to_be_focused()
    await expect(line).to_be_in_viewport()
    await forget(page, fact(memory, "People", "Anna Keller").get_by_role("button", name="Forget"))
    await expect(memory.get_by_role("region", name="People")).to_have_count(0)
    await page.reload()
    await expect(fact(memory, "Companies", "Muster AG")).to_be_visible()
    await expect(memory.get_by_role("region", name="People")).to_have_count(0)
    await forget(page, memory.get_by_role("button", name="Forget everything"))
    await expect(memory.get_by_role("region", name="Companies")).to_have_count(0)
    await expect(memory.get_by_role("region", name="Latest tool results")).to_contain_text("Claim")
    await expect(bubble(page, "Hello there")).to_be_visible()  # what was said stays
    await memory.get_by_role("button", name="Close").click()
    await expect(page.get_by_role("main").get_by_role("button", name=TITLE)).to_be_focused()
    await expect(memory).to_have_count(0)


@pytest.mark.requirement("D5")
async def test_when_it_is_off_it_says_so_and_leads_to_the_switch(visitors: Any) -> None:
    page = await enter(visitors, remembers=False)
    await ask(page, NOTE)
    memory = await open_memory(page)
    await expect(memory).to_contain_text("Names and figures are not remembered here")
    await fits(page, "off-desktop")
    await memory.get_by_role("button", name="Switch it on in the settings").click()
    settings = page.get_by_role("dialog", name="Settings of Your memory")
    by_model = settings.get_by_label("Ask a model for them as well")
    await expect(by_model).to_be_disabled()
    await settings.get_by_label("Remember names and figures").check()
    await expect(by_model).to_be_enabled()
    await fits(page, "switches-desktop")
    await settings.get_by_role("button", name="Save").click()
    await expect(memory).not_to_contain_text("Names and figures are not remembered here")
    await ask(page, LIST)
    await expect(fact(memory, "Companies", "Muster AG")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("workspace settings")
    await page.keyboard.press("Enter")
    await expect(settings.get_by_label("Remember names and figures")).to_be_checked()


@pytest.mark.requirement("D3")
async def test_summaries_say_which_rounds_they_cover_and_can_be_forgotten(visitors: Any) -> None:
    page = await enter(visitors)
    await ask(page, "one", "two", "three", "four")
    memory = await open_memory(page)
    summary = memory.get_by_role("region", name="Summaries").get_by_role("listitem")
    await summary.get_by_text("Rounds 1 to 2").click()
    await expect(summary.get_by_role("paragraph")).to_be_visible()
    await fits(page, "summaries-desktop")
    await forget(page, summary.get_by_role("button", name="Forget Rounds 1 to 2"))
    await expect(memory.get_by_role("region", name="Summaries")).to_have_count(0)


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
async def test_the_panel_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    page = await enter(visitors, size, theme)
    await ask(page, "one", "two", NOTE, LIST)
    memory = await open_memory(page)
    await memory.get_by_text("Rounds 1 to 2").click()
    await fits(page, f"all-{size}-{theme}")
    await memory.get_by_role("button", name="Forget everything").click()
    await expect(page.get_by_role("dialog", name="Forget everything this conversation remembers?")).to_be_visible()
    await fits(page, f"asks-{size}-{theme}")
    await page.keyboard.press("Escape")
    await memory.get_by_role("button", name=f"From: {LISTS}").first.click()
    await expect(page.locator("[data-call]").filter(has_text=LISTS)).to_be_in_viewport()
    await expect(memory).to_have_count(1 if size == "desktop" else 0)


@pytest.mark.requirement("P4")
async def test_the_panel_speaks_five_languages_on_a_phone(visitors: Any) -> None:
    page = await enter(visitors, "phone")
    await ask(page, "one", "two", NOTE, LIST)
    await expect(said(page, "two")).to_be_visible()
    place = page.url.split("?")[0].split("/i/")[1]
    for locale, companies in (("de-CH", "Firmen"), ("fr-CH", "Entreprises"), ("pt-BR", "Empresas"), ("zh-CN", "公司")):
        visitor = await visitors("phone", "light", locale)
        theirs = await visitor.enter(f"/i/{place}?memory=1")
        panel = theirs.locator("dialog .memory")
        await expect(panel).to_contain_text(companies)
        await expect(theirs.locator("[aria-busy=true]")).to_have_count(0)
        assert await theirs.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        text = await panel.inner_text()
        assert "memory." not in text
        assert "entity" not in text
        await screenshot(theirs, f"memory-phone-{locale}")
