"""Widgets in a conversation: drawn, used by hand, there again after a reload, and out of the way once a later one stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Size, Theme, every_look, screenshot, violations
from tests.browser.stage import Stage, begin, say
from tests.faults.process import Workroom

MAKE_WORKSPACE = """async () => {
    const headers = {'content-type': 'application/json'}
    const send = (method, path, body) => fetch(path, {method, headers, body: JSON.stringify(body)}).then(said => said.json())
    const {id, slug} = await send('POST', '/api/instances', {name: 'Team ' + Math.random().toString(36).slice(2)})
    await send('PATCH', `/api/instances/${id}`, {toolSet: 'skills'})
    return slug
}"""


def roadmap(*states: str) -> str:
    names = ["Company and offer", "Customers", "Goals"]
    phases = [{"name": name, "status": state} for name, state in zip(names, states, strict=True)]
    return f"skill_roadmap {json.dumps({'title': 'Briefing', 'phases': phases})}"


CHECKLIST = {"title": "What we still need", "items": [{"title": "Your logo"}, {"title": "The price list"}]}
REPLIES = {"suggestions": ["A bakery in Basel", "Something else"]}
CONFIRM = {"text": "Is this briefing right?", "confirmLabel": "It is", "cancelLabel": "Not yet"}


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def in_a_team(visitors: Any, text: str, *look: str) -> Page:
    """A conversation in a workspace whose agents have skills."""
    _, page = await begin(visitors, "hello", *look)
    slug = await page.evaluate(MAKE_WORKSPACE)
    await page.goto(page.url.split("/i/")[0] + f"/i/{slug}")
    await say(page, text)
    await page.wait_for_url("**/c/*")
    return page


@pytest.mark.requirement("B7", "P1")
@every_look
async def test_widgets_are_drawn_used_and_still_there_after_a_reload(visitors: Any, size: Size, theme: Theme) -> None:
    text = "\n".join([roadmap("done", "active", "pending"), f"skill_todos {json.dumps(CHECKLIST)}"])
    page = await in_a_team(visitors, f"{text}\nskill_suggestions {json.dumps(REPLIES)}", size, theme)
    plan, list_ = page.get_by_role("group", name="Briefing"), page.get_by_role("group", name="What we still need")
    await expect(plan.locator("[aria-current=step]")).to_contain_text("Customers")
    await expect(plan).to_contain_text("1 of 3 done")
    reply = page.get_by_role("button", name="A bakery in Basel")
    await expect(reply).to_be_enabled()
    await screenshot(page, f"skills-{size}-{theme}")
    assert await violations(page) == []

    await list_.get_by_label("Your logo").check()
    await expect(list_).to_contain_text("1 of 2 done")
    await page.reload()
    await expect(list_.get_by_label("Your logo")).to_be_checked()
    await reply.click()
    await expect(page.locator(".bubble")).to_have_count(2)  # the first names it, too
    await expect(page.locator(".bubble").last).to_contain_text("A bakery in Basel")
    await expect(reply).to_have_count(0)

    await say(page, roadmap("done", "done", "active"))
    await expect(plan.locator("[aria-current=step]")).to_contain_text("Goals")
    await expect(plan).to_have_count(1)


@pytest.mark.requirement("B7", "A15")
async def test_a_confirmation_waits_for_a_click(visitors: Any) -> None:
    page = await in_a_team(visitors, f"skill_confirm {json.dumps(CONFIRM)}")
    card = page.get_by_role("region", name="Your answer is needed")
    await expect(card).to_contain_text("Is this briefing right?")
    await screenshot(page, "skills-confirm")
    await page.reload()
    await card.get_by_role("button", name="It is").click()
    await expect(page.locator(".settled")).to_contain_text("It is")
    await expect(page.locator(".prose", has_text="has confirmed it")).to_be_visible()
