"""Agents in a real browser: who answers, who took over from whom, and the page where agents are made."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.agent_pages import answer_by, choose, lines, picker
from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import HAND_OVER, SLOW, Stage, begin, said, say
from tests.browser.uploads import MAKE_ROOM
from tests.faults.process import Workroom

ASSISTANT, RESEARCHER, ANALYST = "Assistant", "Researcher", "Analyst"
DEFAULT = "Use as this workspace’s default"


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


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
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("switch to ana")
    found = page.get_by_role("option", selected=True)
    await expect(found).to_contain_text(f"Switch to {ANALYST}")
    await expect(found).to_contain_text("figures")  # what it is for
    assert await violations(page) == []
    await screenshot(page, "agents-palette")
    await page.keyboard.press("Enter")
    await expect(picker(page)).to_contain_text(ANALYST)
    await expect(lines(page)).to_have_count(1)
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


def unique(text: str) -> str:
    """Tests share a server: names of their own keep them apart."""
    return f"{text} {uuid.uuid4().hex[:6]}"


async def make(page: Page, name: str, text: str = "You cook.") -> None:
    """A new agent; answers on its page."""
    await page.get_by_role("navigation").get_by_role("link", name="Agents").click()
    await page.get_by_role("link", name="New agent").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Instructions in English").fill(text)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


async def with_mail(page: Page) -> None:
    """No shipped tool acts outside; one that came with a plugin does."""

    async def answer(route: Route) -> None:
        real = await route.fetch()
        mail = {"name": "sendMail", "description": "Send a mail.", "effect": "outside", "asks": True, "parameters": {}}
        await route.fulfill(response=real, json=[*await real.json(), mail])

    await page.route("**/api/tools", answer)


@pytest.mark.requirement("P2")
async def test_an_agent_is_made_tried_changed_and_brought_back(visitors: Any) -> None:
    page = await (await visitors()).enter()
    name = unique("Chef")
    await with_mail(page)
    await page.get_by_role("navigation").get_by_role("link", name="Agents").click()
    await page.get_by_role("link", name="New agent").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Save", exact=True).click()
    field = page.get_by_label("Instructions in English")
    await expect(field).to_be_focused()  # it was empty
    await field.fill("You cook.")
    await page.get_by_role("tab", name="Deutsch").click()
    await page.get_by_label("Instructions in Deutsch").fill("Du kochst.")
    await page.get_by_label("All tools of the workspace").uncheck()
    await page.get_by_label("Search tools").fill("listF")
    await page.get_by_role("checkbox", name="listFiles").check()
    await page.get_by_label("Use of tools").select_option("any")
    await page.get_by_role("checkbox", name=ANALYST).check()
    trusted = page.get_by_role("group", name="Acts outside without asking").get_by_role("checkbox")
    await expect(trusted).to_have_count(1)
    await trusted.check()
    await expect(page.get_by_text("Tick only what may happen unseen")).to_be_visible()
    await page.get_by_label("Kind of work").select_option("Pictures")
    await page.reload()  # nothing typed is lost
    await expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await expect(page.get_by_role("checkbox", name="listFiles")).to_be_checked()
    await expect(page.get_by_role("checkbox", name=ANALYST)).to_be_checked()
    await expect(trusted).to_be_checked()
    await expect(page.get_by_label("Kind of work")).to_have_value("VISION")
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    await fits(page, "trusted")
    await page.get_by_label("Instructions in English").fill("You cook soups.")
    await expect(page.get_by_text("Not saved yet")).to_be_visible()
    await page.get_by_role("button", name="Save", exact=True).click()
    versions = page.get_by_role("complementary", name="Try it").get_by_role("listitem")
    await expect(versions).to_have_count(2)
    await versions.first.get_by_role("button", name="What changed").click()
    shown = versions.first.get_by_role("group", name="Version 2")
    await expect(shown.locator("del")).to_have_text("You cook.")
    await expect(shown.locator("ins")).to_have_text("You cook soups.")
    await versions.last.get_by_role("button", name="Bring back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Bring back").click()
    await expect(page.get_by_label("Instructions in English")).to_have_value("You cook.")
    await expect(versions).to_have_count(3)
    await expect(versions.first).to_contain_text("brought back from version 1")
    await page.get_by_label(f"Message to {name}").fill("hello chef")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/c/*")
    await expect(picker(page)).to_contain_text(name)


@pytest.mark.requirement("P2")
async def test_a_workspace_begins_conversations_with_whom_it_chose(visitors: Any, server: Workroom) -> None:
    page = await (await visitors()).enter()
    room = await page.evaluate(MAKE_ROOM, unique("Kitchen"))
    await page.goto(f"{server.base_url}/i/{room['slug']}")
    name = unique("Chef")
    await make(page, name)
    await page.get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name=DEFAULT).click()
    await (
        page.get_by_role("dialog", name=f"Share “{name}” with the workspace?")
        .get_by_role("button", name="Share and use as default")
        .click()
    )
    await expect(page.get_by_role("main").get_by_text("Default", exact=True)).to_be_visible()
    await page.get_by_role("link", name="Agents").last.click()
    chosen = page.get_by_role("row").filter(has=page.get_by_text("Default", exact=True))
    await expect(chosen).to_have_count(1)
    await expect(chosen).to_contain_text(name)
    await fits(page, "default")
    await page.get_by_role("link", name="New conversation").click()
    await expect(picker(page)).to_contain_text(name)
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("workspace settings")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    first = dialog.get_by_label("New conversations begin with")
    await expect(first.locator("option:checked")).to_have_text(name)
    await dialog.get_by_label("Most model calls per answer").fill("12")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved.").last).to_be_visible()
    await expect(dialog).to_have_count(0)
    with server.signed_in() as client:
        config = client.get(f"/api/workspace/{room['id']}/agentConfig").json()
        named = client.get(f"/api/instances/{room['id']}/agents/{config['defaultAgentId']}").json()["name"]
    assert (config["maxRounds"], named) == (12, name)  # what was not touched stays
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("workspace settings")
    await page.keyboard.press("Enter")
    await first.select_option(ASSISTANT)
    await screenshot(page, "agents-settings")
    await dialog.get_by_role("button", name="Save").click()
    await expect(picker(page)).to_contain_text(ASSISTANT)


@pytest.mark.requirement("P2")
async def test_two_who_change_an_agent_at_once_lose_nothing(visitors: Any) -> None:
    first = await (await visitors()).enter()
    name = unique("Chef")
    await make(first, name)
    other = await (await visitors()).enter(first.url.split(first.url.split("/i/")[0])[1])
    await other.get_by_label("Description").fill("Cooks what there is.")
    await first.get_by_label("Instructions in English").fill("You cook soups.")
    await first.get_by_role("button", name="Save", exact=True).click()
    conflict = other.get_by_role("alert").filter(has_text="Somebody saved version 2 meanwhile")
    await expect(conflict).to_be_visible()
    await expect(other.get_by_label("Description")).to_have_value("Cooks what there is.")
    await expect(other.get_by_role("group", name="Your changes").locator("ins")).to_contain_text("Cooks what there is.")
    await other.get_by_role("button", name="Save", exact=True).click()  # leads to what happened, and saves nothing
    await expect(conflict).to_be_in_viewport()
    await fits(other, "conflict")
    await other.get_by_role("button", name="Save my changes on top").click()
    await expect(conflict).to_have_count(0)
    await expect(other.get_by_label("Instructions in English")).to_have_value("You cook soups.")
    await expect(first.get_by_label("Description")).to_have_value("Cooks what there is.")


@pytest.mark.requirement("P2")
async def test_shipped_agents_are_read_and_copied_and_own_ones_shared_taken_along_and_deleted(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)")  # an import of what is here already
    page = await visitor.enter("/i/workspace/agents")
    table = page.get_by_role("table", name="Agents")
    await table.get_by_role("link", name="Translator").click()
    await expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    await expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    await fits(page, "shipped")
    await page.get_by_role("button", name="Actions for Translator").click()
    await page.get_by_role("menuitem", name="Duplicate").click()
    await expect(page.get_by_role("heading", level=1, name="Copy of Translator")).to_be_visible()
    await page.get_by_role("radio", name="Everybody").check()
    await page.get_by_role("dialog").get_by_role("button", name="Share with everybody").click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text("is shared with: Everybody")
    name = unique("Copy")
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    async with page.expect_download() as leaving:
        await page.get_by_role("button", name=f"Actions for {name}").click()
        await page.get_by_role("menuitem", name="Export as a file").click()
    file = (await (await leaving.value).path()).read_text()
    versions = re.compile(r"/agents/[^/]+/versions\?")
    await page.route(versions, lambda _: None)  # is on its way for as long as the page waits for it
    async with page.expect_request(versions):
        await page.reload()
    async with page.expect_event("requestfailed", lambda request: versions.search(request.url) is not None):
        await page.get_by_role("button", name=f"Actions for {name}").click()
        await page.get_by_role("menuitem", name="Delete agent").click()
    await page.unroute(versions)
    await page.wait_for_url("**/agents")
    await expect(table.get_by_role("link", name=name)).to_have_count(0)
    await page.get_by_role("region", name="Notifications").get_by_role("button", name="Undo").last.click()
    await expect(table.get_by_role("link", name=name)).to_be_visible()
    brought = file.replace('"toolNames": []', '"toolNames": ["flyToTheMoon"]').replace(name, f"{name} from afar")
    upload = page.get_by_label("Import", exact=True).and_(page.locator("input"))
    await upload.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": brought.encode()})
    await expect(page.get_by_role("status").filter(has_text=f"{name} from afar")).to_contain_text(
        "flyToTheMoon: there is no such tool here (yet)"
    )
    await expect(table.get_by_role("link", name=f"{name} from afar")).to_be_visible()
    await fits(page, "imported")
    await upload.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": brought.encode()})
    asked = page.get_by_role("alertdialog", name=f"An agent called “{name} from afar” is here already.")
    await expect(asked.get_by_role("button", name="Keep both")).to_be_visible()
    await fits(page, "imported-again")
    await asked.get_by_role("button", name="Replace").click()
    await expect(page.get_by_role("status").filter(has_text=f"“{name} from afar” was replaced.")).to_be_visible()
    await upload.set_input_files({"name": "b.json", "mimeType": "application/json", "buffer": b"no json"})
    await expect(page.get_by_role("alert")).to_contain_text("This file is no agent")
    await page.get_by_label("Search agents").fill(f"{name} from")
    await expect(table.get_by_role("link")).to_have_count(1)
    await page.get_by_role("button", name=f"Actions for {name} from afar").click()
    await page.get_by_role("menuitem", name="Delete agent").click()
    await expect(table.get_by_role("link")).to_have_count(0)
    await page.get_by_role("link", name="Trash").click()
    thrown = page.get_by_role("table", name="Trash").get_by_role("row", name=f"{name} from afar")
    await thrown.get_by_role("button", name="Restore").click()
    await expect(thrown).to_have_count(0)


@pytest.mark.requirement("G6")
async def test_instructions_are_said_kept_and_looked_back_on(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/instructions")
    mine = page.get_by_role("textbox", name="Mine")
    first, second = unique("Be brief."), unique("Be thorough.")
    form = page.locator("form").filter(has=mine)
    await mine.fill(first)
    await expect(form).to_contain_text(f"{len(first)} of 8,000 characters")
    await page.reload()
    await expect(mine).to_have_value(first)
    await form.get_by_role("button", name="Save").click()
    await expect(form.get_by_role("button", name="Save")).to_be_disabled()
    other = await (await visitors()).enter("/settings/instructions")
    await other.get_by_role("textbox", name="Mine").fill(second)
    await mine.fill(f"{first} Please.")
    await form.get_by_role("button", name="Save").click()
    await expect(form.get_by_role("button", name="Save")).to_be_disabled()
    await expect(other.get_by_role("alert")).to_contain_text("Somebody changed these instructions meanwhile")
    await other.get_by_role("button", name="Save mine instead").click()
    await expect(mine).to_have_value(second)
    await form.get_by_role("button", name="History").click()
    await expect(form.get_by_role("listitem").first.locator("ins")).to_have_text(second)
    await form.get_by_role("listitem").nth(1).get_by_role("button", name="Bring back").click()
    await expect(mine).to_have_value(f"{first} Please.")
    await expect(page.get_by_role("textbox", name="The platform")).not_to_be_editable()
    for name in ("The organisation", "For “Workspace”"):
        await expect(page.get_by_role("textbox", name=name)).to_be_editable()


@pytest.mark.requirement("P4")
@every_look
async def test_the_pages_of_agents_are_accessible_and_fit(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter("/i/workspace/agents")
    await expect(page.get_by_role("link", name=RESEARCHER)).to_be_visible()
    await fits(page, f"table-{size}-{theme}")
    await page.get_by_role("link", name="New agent").click()
    await page.get_by_label("Name", exact=True).fill(unique("Chef"))
    await page.get_by_label("Instructions in English").fill("You cook.")
    await page.get_by_label("All tools of the workspace").uncheck()
    await expect(page.get_by_role("checkbox", name="listFiles")).to_be_visible()
    await fits(page, f"new-{size}-{theme}")
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_role("button", name="What changed").click()
    await fits(page, f"editor-{size}-{theme}")
    await page.goto(page.url.split("/i/")[0] + "/settings/instructions")
    await expect(page.get_by_role("textbox", name="Mine")).to_be_visible()
    await fits(page, f"instructions-{size}-{theme}")


@pytest.mark.requirement("P4")
async def test_agents_speak_five_languages_on_a_phone(visitors: Any) -> None:
    for locale, researcher in (
        ("de-CH", "Rechercheur"),
        ("fr-CH", "Documentaliste"),
        ("pt-BR", "Pesquisador"),
        ("zh-CN", "研究员"),
    ):
        page = await (await visitors("phone", "light", locale)).enter("/i/workspace/agents")
        await page.get_by_role("link", name=researcher).click()
        await expect(page.get_by_role("heading", level=1, name=researcher)).to_be_visible()
        await expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert "agents." not in await page.locator("main").inner_text()
        await screenshot(page, f"agents-phone-{locale}")


@pytest.mark.requirement("P2")
async def test_a_whole_set_of_tools_is_told_as_one(visitors: Any) -> None:
    page = await (await visitors()).enter()
    await page.goto(page.url + "/agents/new")
    await page.get_by_role("checkbox", name="All tools of the workspace").uncheck()
    told = page.get_by_role("status").filter(has_text=re.compile("tool|set"))
    await page.get_by_role("checkbox", name="map", exact=True).check()
    await expect(told).to_have_text("All of the set “map”")
    await page.get_by_role("checkbox", name="calculate", exact=True).check()
    await expect(told).to_have_text("All of the set “map” · 1 tool chosen")
