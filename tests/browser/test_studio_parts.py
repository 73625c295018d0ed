"""The parts of a project beside its content, in a real browser: personas, judgements, phases, the trash; and who speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Visitor, every_look, screenshot, violations
from tests.browser.pages import settled, unique
from tests.browser.stage import Stage, said, say
from tests.faults.process import Workroom
from tests.studio.judging import IN_TWO, JUDGE, JUDGE_IN_TWO, REASON, SCORES, SUGGESTION

STUDIO = "/i/workspace/studio"
MAKE = """async (name) => {
    const ask = (method, path, body) => fetch(path, {
        method, headers: {'content-type': 'application/json'}, body: body && JSON.stringify(body)
    }).then(answer => answer.json())
    const room = (await ask('GET', '/api/instances?limit=200')).items.find(one => one.slug === 'workspace').id
    const projects = `/api/workspace/${room}/studio/projects`
    const {id} = await ask('POST', projects, {name, language: 'en'})
    const block = await ask('POST', `${projects}/${id}/blocks`, {name: 'Introduction', phase: 'produce_inner'})
    await ask('PUT', `${projects}/${id}/blocks/${block.id}/text`, {version: 0, text: 'Oil the chain.', status: 'draft'})
    const {workflowId} = await ask('POST', `${projects}/${id}/conversation`)
    return [id, block.id, workflowId]
}"""


@dataclass
class Made:
    """A project in English with one written block."""

    name: str
    id: str
    block_id: str
    conversation_id: str

    def path(self, part: str = "") -> str:
        return f"{STUDIO}/{self.id}/{part}".rstrip("/")


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def project(visitor: Visitor, part: str = "") -> tuple[Made, Page]:
    page = await visitor.enter(f"{STUDIO}/profiles")
    await settled(page)
    name = unique("Bike care")
    made = Made(name, *await page.evaluate(MAKE, name))
    await page.goto(visitor.server.base_url + made.path(part))
    await settled(page)
    return made, page


async def fits(page: Page, name: str) -> None:
    """No control is without a name, nothing scrolls sideways; a picture for those who want to look."""
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"studio-{name}")


async def judged(page: Page, made: Made, visitor: Visitor, *questions: str) -> None:
    """In the conversation about the project, by the agent."""
    await page.goto(f"{visitor.server.base_url}/i/workspace/c/{made.conversation_id}")
    for number, question in enumerate(questions, 1):
        await say(page, question)
        await expect(said(page, "The content is judged.")).to_have_count(number)


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name, exact=True))


async def do(page: Page, name: str, action: str) -> None:
    """From the menu of what is called so."""
    await page.get_by_role("main").get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name=action).click()


@pytest.mark.requirement("F3", "P1")
async def test_a_persona_is_written_by_two_and_comes_back_from_the_trash(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)")
    made, page = await project(visitor, "personas")
    await page.get_by_role("button", name="Try it with").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Habits").fill("Reads in the evening\n\nListens to podcasts")
    await dialog.get_by_role("button", name="Create").click()
    lea = card(page, "Lea, commutes by bike")
    await expect(lea).to_contain_text("Listens to podcasts")
    await expect(lea).to_contain_text("Version 1 · Me")
    await do(page, "Lea, commutes by bike", "Edit persona")
    await dialog.get_by_label("Situation").fill("Two children.")
    elsewhere = await visitors()  # on another device: nothing that is typed here is there
    other = await elsewhere.enter(made.path("personas"))
    await do(other, "Lea, commutes by bike", "Edit persona")
    await other.get_by_role("dialog").get_by_label("Pain points").fill("Rust")
    await other.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(card(other, "Lea, commutes by bike")).to_contain_text("Rust")
    await expect(dialog.get_by_role("alert").filter(has_text="saved version 2")).to_be_visible()
    await expect(dialog.get_by_role("group", name="Your changes to what is saved now")).to_contain_text("Two children.")
    await fits(page, "persona-conflict")
    await dialog.get_by_role("button", name="Save my changes on top").click()
    await expect(lea).to_contain_text("Two children.")
    await expect(lea).to_contain_text("Rust")  # what the other one changed stays
    await do(page, "Lea, commutes by bike", "Delete persona")
    await expect(lea).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(lea).to_be_visible()
    await do(page, "Lea, commutes by bike", "Delete persona")
    await expect(lea).to_have_count(0)
    await other.goto(visitor.server.base_url + made.path("trash"))
    row = other.get_by_role("row").filter(has_text="Lea, commutes by bike")
    await row.get_by_role("button", name="Restore").click()
    await expect(row).to_have_count(0)
    await expect(lea).to_be_visible()  # the other page hears of it


async def test_what_is_entered_of_a_persona_outlives_a_reload_and_is_not_lost_by_a_slip(visitors: Any) -> None:
    _, page = await project(await visitors(), "personas")
    await page.get_by_role("button", name="New persona").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Marco")
    await page.reload()
    await page.get_by_role("button", name="New persona").click()
    await expect(dialog.get_by_label("Name")).to_have_value("Marco")
    await page.keyboard.press("Escape")
    await dialog.get_by_role("button", name="Discard").click()
    await page.get_by_role("button", name="New persona").click()
    await expect(dialog.get_by_label("Name")).to_have_value("")


@pytest.mark.requirement("F1", "F3", "P1")
async def test_a_judgement_is_seen_as_a_radar_with_its_reasons_beside_another(visitors: Any) -> None:
    visitor = await visitors()
    made, page = await project(visitor)
    await judged(page, made, visitor, JUDGE, JUDGE_IN_TWO)
    widget = page.get_by_role("group", name="Evaluation").first
    await expect(widget.get_by_role("img", name="7 of 10 on average. Effect on the audience: 8")).to_be_visible()
    await widget.get_by_text("Reasons and suggestions").click()
    await expect(widget.get_by_role("row").filter(has_text="Voice")).to_contain_text(SUGGESTION)
    await fits(page, "judgement-widget")
    await widget.get_by_role("link", name="Open the evaluation").click()
    main = page.get_by_role("main")
    for name, score in SCORES.items():
        row = main.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))
        await expect(row).to_contain_text(f"{score:g}")
        await expect(row).to_contain_text(REASON)
    await expect(main.get_by_role("link", name="Introduction")).to_have_attribute("href", made.path(made.block_id))
    await main.get_by_label("Compare with").select_option(index=1)
    await expect(main.get_by_text("Dashed: the other evaluation, 6 on average")).to_be_visible()
    row = main.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Voice"))
    await expect(row).to_contain_text(f"Other evaluation: {IN_TWO['Voice']}")
    await main.get_by_role("navigation", name="Parts of the project").get_by_role("link", name="Evaluations").click()
    rows = main.get_by_role("table", name="Evaluations").get_by_role("row")
    await expect(rows).to_have_count(3)
    await rows.nth(1).get_by_role("link").click()
    bars = main.get_by_role("img", name="6 of 10 on average. Clarity: 5; Voice: 7.")
    await expect(bars).to_contain_text("Clarity")  # two respects make no shape


@pytest.mark.requirement("F9")
async def test_who_speaks_is_written_found_and_brought_back(visitors: Any) -> None:
    page = await (await visitors()).enter(f"{STUDIO}/profiles")
    name = unique("Mechanic")
    await page.get_by_role("link", name="New profile").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Who speaks, and how").fill("Speaks plainly.")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await page.reload()
    text = page.get_by_label("Who speaks, and how")
    await expect(text).to_have_value("Speaks plainly.")
    await text.fill("Speaks plainly, with dry humour.")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    await do(page, name, "Delete profile")
    await expect(page.get_by_role("heading", level=1, name="Creator profiles")).to_be_visible()
    await page.get_by_role("link", name="Trash").click()
    await page.get_by_label("Search profiles").fill(name)
    row = page.get_by_role("row").filter(has_text=name)
    await row.get_by_role("button", name="Restore").click()
    await expect(row).to_have_count(0)
    await page.get_by_role("link", name="Creator profiles").click()
    await page.get_by_label("Search profiles").fill(name)
    await expect(page.get_by_role("table", name="Creator profiles").get_by_role("link")).to_have_text([name])
    await expect(page.get_by_text("with dry humour")).to_be_visible()


@pytest.mark.requirement("F1", "F9", "P1")
async def test_phases_are_renamed_hidden_added_and_moved_and_keep_their_blocks(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("422 (Unprocessable")
    made, page = await project(visitor)
    roadmap = page.get_by_role("region", name="Phases").get_by_role("listitem")
    dialog = page.get_by_role("dialog")
    await do(page, made.name, "Edit phases")
    await dialog.get_by_label("Name of “Audience research”").fill("Interviews")
    await dialog.get_by_role("switch", name="Show “Outreach design”").click()
    await expect(dialog.get_by_role("switch")).to_have_count(6)  # the current phase stays
    await dialog.get_by_role("button", name="Add a phase").click()
    await page.keyboard.type("interviews")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_role("alert")).to_have_text("Another phase has this name.")
    await dialog.get_by_label("Name of “interviews”", exact=True).fill("Press kit")
    await dialog.get_by_role("button", name="Move Press kit up").click()
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)
    await expect(roadmap).to_have_count(7)
    await expect(roadmap.nth(1)).to_contain_text("Interviews")
    await expect(roadmap.nth(5)).to_contain_text("Press kit")
    await page.evaluate(
        """async (id) => {
            const {items} = await (await fetch('/api/instances?limit=200')).json()
            const room = items.find(one => one.slug === 'workspace').id
            await fetch(`/api/workspace/${room}/studio/projects/${id}/blocks`, {
                method: 'POST', headers: {'content-type': 'application/json'},
                body: JSON.stringify({name: 'Photographs', phase: 'Press kit'})
            })
        }""",
        made.id,
    )
    await do(page, made.name, "Edit phases")
    await dialog.get_by_role("button", name="Remove Press kit").click()
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("can be hidden but not removed")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(roadmap.nth(5)).to_contain_text("Press kit")


@pytest.mark.requirement("P4")
@every_look
async def test_the_parts_of_a_project_are_accessible_and_fit(visitors: Any, size: str, theme: str) -> None:
    visitor = await visitors(size, theme)
    made, page = await project(visitor)
    look = f"{size}-{theme}"
    await judged(page, made, visitor, JUDGE)
    await page.get_by_role("link", name="Open the evaluation").click()
    await expect(page.get_by_role("main").get_by_role("rowheader", name="Voice")).to_be_visible()
    await fits(page, f"judgement-{look}")
    for path in (
        made.path("evaluations"),
        made.path("trash"),
        f"{STUDIO}/profiles/new?example=1",
        made.path("personas"),
    ):
        await page.goto(visitor.server.base_url + path)
        await settled(page)
        await fits(page, f"{path.split('/')[-1].split('?')[0]}-{look}")
    await page.get_by_role("button", name="Try it with").click()
    await fits(page, f"persona-{look}")
    await page.get_by_role("dialog").get_by_role("button", name="Create").click()
    await expect(card(page, "Lea, commutes by bike")).to_be_visible()
    await fits(page, f"persona-card-{look}")
    await do(page, made.name, "Edit phases")
    await page.get_by_role("button", name="Add a phase").click()
    await fits(page, f"phases-{look}")
