"""Agents in a real browser: who answers, who took over from whom, and the page where agents are made."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import HAND_OVER, SLOW, Stage, begin, said, say
from tests.faults.process import Workroom

ASSISTANT, RESEARCHER, ANALYST = "Assistant", "Researcher", "Analyst"


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


def picker(page: Page) -> Locator:
    return page.locator("[data-agent]")


def lines(page: Page) -> Locator:
    """Where the thread says that another agent took over."""
    return page.locator("[data-switch]")


def answer_by(page: Page, agent: str) -> Locator:
    return page.locator(".answer:not([aria-busy])").filter(has=page.get_by_role("heading", name=f"Answer: {agent}"))


async def choose(page: Page, agent: str) -> None:
    await picker(page).click()
    await page.get_by_role("option", name=agent).click()
    await expect(picker(page)).to_contain_text(agent)


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"agents-{name}")


@pytest.mark.requirement("P2")
@pytest.mark.requirement("G1")
async def test_another_agent_takes_over_says_so_in_the_thread_and_can_be_taken_back(visitors: Any) -> None:
    _, page = await begin(visitors, "hello there")
    await expect(said(page, "You said: hello there")).to_be_visible()
    await expect(picker(page)).to_contain_text(ASSISTANT)
    await expect(page.get_by_role("heading", name="Answer:")).to_have_count(0)  # one agent: nothing to tell apart
    await choose(page, RESEARCHER)
    await expect(lines(page)).to_have_text(["Researcher took over from Assistant Undo"])
    await say(page, "and again")
    await expect(answer_by(page, RESEARCHER)).to_have_count(1)
    await expect(answer_by(page, ASSISTANT)).to_have_count(1)
    await fits(page, "thread")
    await lines(page).get_by_role("button", name="Undo").click()
    await expect(lines(page)).to_have_text(
        ["Researcher took over from Assistant", "Back to Assistant from Researcher Undo"]
    )
    await expect(picker(page)).to_contain_text(ASSISTANT)
    await expect(page.get_by_label("Message", exact=True)).to_be_focused()
    await page.reload()
    await expect(lines(page)).to_have_count(2)
    await expect(picker(page)).to_contain_text(ASSISTANT)
    await expect(answer_by(page, RESEARCHER)).to_have_count(1)


@pytest.mark.requirement("P2")
async def test_the_switcher_is_a_keystroke_away_and_found_by_letters(visitors: Any) -> None:
    page = await (await visitors()).enter()
    field = page.get_by_label("Message", exact=True)
    await field.fill("half a thought")
    await expect(picker(page)).to_contain_text(ASSISTANT)
    await page.keyboard.press("Control+,")
    search = page.get_by_role("combobox", name="Search agents")
    await expect(search).to_be_focused()
    await page.keyboard.type("resea")
    await expect(page.get_by_role("option")).to_have_count(1)
    assert await violations(page) == []
    await page.keyboard.press("Enter")
    await expect(picker(page)).to_contain_text(RESEARCHER)
    await expect(field).to_be_focused()
    await page.keyboard.press("Control+,")
    await expect(page.get_by_role("option", name=RESEARCHER, selected=True)).to_contain_text("answers now")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await expect(search).to_have_count(0)
    await page.reload()  # chosen before anything was said, and still chosen
    await expect(picker(page)).to_contain_text(RESEARCHER)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/c/*")
    await expect(said(page, "half a thought")).to_be_visible()
    await expect(picker(page)).to_contain_text(RESEARCHER)
    await expect(lines(page)).to_have_count(0)  # nobody took over: it began so
    await page.get_by_role("link", name="New conversation").click()
    await expect(picker(page)).to_contain_text(ASSISTANT)
    await page.locator("h1").focus()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog").get_by_text("Choose who answers")).to_be_visible()


@pytest.mark.requirement("G1")
async def test_a_switch_while_an_answer_is_made_takes_effect_with_the_next(visitors: Any, stage: Stage) -> None:
    _, page = await begin(visitors, "slowly")
    await expect(said(page, SLOW[:20])).to_be_visible()
    await picker(page).click()
    await expect(page.get_by_role("dialog", name="Choose who answers")).to_contain_text("takes effect with the next")
    await page.get_by_role("option", name=RESEARCHER).click()
    await expect(page.get_by_text("Researcher takes over with the next answer.")).to_be_visible()
    stage.gate.set()
    await expect(answer_by(page, ASSISTANT)).to_contain_text(SLOW)
    await expect(page.get_by_text("Researcher takes over with the next answer.")).to_have_count(0)
    await say(page, "and you?")
    await expect(answer_by(page, RESEARCHER)).to_contain_text("and you?")


@pytest.mark.requirement("A11")
@every_look
async def test_a_handed_over_question_is_answered_in_one_turn(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter()
    await choose(page, RESEARCHER)
    await say(page, HAND_OVER)
    await expect(answer_by(page, ANALYST)).to_contain_text("Now I go on with it.")
    await expect(answer_by(page, RESEARCHER)).to_have_count(1)
    line = lines(page)
    await expect(line).to_contain_text("Researcher handed over to Analyst · These are figures")
    order = "([a, b]) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING)"
    parts = [answer_by(page, RESEARCHER), line, answer_by(page, ANALYST)]
    handles = [await part.element_handle() for part in parts]
    assert all([await page.evaluate(order, pair) for pair in (handles[:2], handles[1:])])
    await expect(page.locator(".bubble")).to_have_count(1)
    await fits(page, f"handoff-{size}-{theme}")
    await picker(page).click()
    await expect(page.get_by_role("combobox", name="Search agents")).to_be_focused()
    await fits(page, f"list-{size}-{theme}")
    await page.keyboard.press("Escape")
    await page.reload()
    await expect(answer_by(page, ANALYST)).to_contain_text("Now I go on with it.")
    await expect(answer_by(page, RESEARCHER)).to_have_count(1)
    await expect(line).to_have_count(1)
