"""A skill called in the chat: `/` completes its name and its parameters, and the message says that it was called."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Size, Theme, every_look, screenshot, violations
from tests.browser.stage import Stage, bubble
from tests.custom_skills.making import CONTENT
from tests.faults.process import Workroom

MAKE_SKILLS = """async skills => {
    const headers = {'content-type': 'application/json'}
    const post = (path, body) => fetch(path, {method: 'POST', headers, body: JSON.stringify(body)}).then(said => said.json())
    const {id, slug} = await post('/api/instances', {name: 'Skills ' + Math.random().toString(36).slice(2)})
    const ids = []
    for (const skill of skills) ids.push((await post(`/api/workspace/${id}/skills`, skill)).id)
    return [slug, ids]
}"""
OTHER = {**CONTENT, "name": "minutes", "description": "Writes the minutes of a meeting.", "parameters": []}


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@pytest.mark.requirement("B8", "P1")
@every_look
async def test_a_skill_is_completed_with_its_parameters_and_called(visitors: Any, size: Size, theme: Theme) -> None:
    page = await (await visitors(size, theme)).enter()
    slug, (skill_id, _) = await page.evaluate(MAKE_SKILLS, [CONTENT, OTHER])
    await page.goto(page.url.split("/i/")[0] + f"/i/{slug}")
    field = page.get_by_label("Message", exact=True)
    await field.click()
    await page.keyboard.type("/")
    skills = page.get_by_role("listbox", name="Skills")
    await expect(skills.get_by_role("option")).to_have_count(2)
    await screenshot(page, f"skill-completion-{size}-{theme}")
    assert await violations(page) == []
    await page.keyboard.type("wee")
    chosen = skills.get_by_role("option", selected=True)
    await expect(chosen).to_contain_text("Writes the weekly report.")
    await page.keyboard.press("Enter")
    await expect(field).to_have_value("/weekly-report ")
    parameters = page.get_by_role("listbox", name="Parameters")
    await expect(parameters.get_by_role("option")).to_have_count(2)
    await expect(parameters.get_by_role("option", selected=True)).to_have_count(0)
    await screenshot(page, f"skill-parameters-{size}-{theme}")
    await parameters.get_by_role("option", name="audience").click()
    await expect(field).to_have_value('/weekly-report audience=""')
    await page.keyboard.type("the team")
    await expect(parameters).to_be_hidden()
    await page.keyboard.press("End")
    await page.keyboard.type(" the third quarter")
    await page.keyboard.press("Enter")
    said = bubble(page, '/weekly-report audience="the team" the third quarter')
    link = said.get_by_role("link", name="/weekly-report")
    await expect(link).to_have_attribute("href", f"/i/{slug}/skills/{skill_id}")
    await page.reload()
    await expect(link).to_be_visible()
    await screenshot(page, f"skill-called-{size}-{theme}")


async def test_what_is_no_skill_opens_nothing_and_is_sent_as_it_is(visitors: Any) -> None:
    page = await (await visitors()).enter()
    slug, _ = await page.evaluate(MAKE_SKILLS, [CONTENT])
    await page.goto(page.url.split("/i/")[0] + f"/i/{slug}")
    await page.get_by_label("Message", exact=True).click()
    await page.keyboard.type("/weekly-report")
    skills = page.get_by_role("listbox", name="Skills")
    await expect(skills.get_by_role("option")).to_have_count(1)
    await expect(skills.get_by_role("option", selected=True)).to_have_count(0)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("/etc/hosts")
    await expect(skills).to_be_hidden()
    await page.keyboard.press("Enter")
    await expect(bubble(page, "/etc/hosts")).to_be_visible()
    await expect(bubble(page, "/etc/hosts").get_by_role("link")).to_have_count(0)
