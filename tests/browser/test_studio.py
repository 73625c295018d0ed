"""The studio in a real browser: a project from the example, its phases, the tree of blocks, an agent and people who write the
same block."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look
from tests.browser.looks import fits
from tests.browser.pages import unique
from tests.browser.stage import WRITTEN, Stage, say
from tests.faults.process import Workroom


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def create(page: Page, name: str) -> None:
    """In English, from the list."""
    await page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill(name)
    await dialog.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


async def open_block(page: Page, name: str) -> Locator:
    """Its text."""
    await row(page, name).get_by_role("link").click()
    await expect(page.get_by_role("heading", level=2, name=name)).to_be_visible()
    return page.get_by_label("Text", exact=True)


async def add(page: Page, where: str, what: str, name: str) -> None:
    await page.get_by_role("treeitem").filter(has=page.get_by_role("button", name=where)).hover()
    await page.get_by_role("button", name=where).click()
    await page.get_by_role("menuitem", name=what, exact=True).click()
    await page.get_by_role("dialog").get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("dialog").get_by_role("button", name="Create").click()
    await expect(row(page, name)).to_be_visible()


async def act(page: Page, name: str, what: str) -> None:
    """From the menu of a block in the tree."""
    await row(page, name).hover()
    await row(page, name).get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name=what, exact=True).click()


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("tree").get_by_role("treeitem", name=name)


def step(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Phases").get_by_role("listitem").filter(has_text=name)


@pytest.mark.requirement("F1", "F7", "F9")
async def test_a_project_from_the_example_goes_on_when_asked_twice_and_comes_back_from_the_trash(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)")
    empty = {"items": [], "total": 0, "nextCursor": None}  # other tests have made some
    lists = "**/studio/projects?*"
    await visitor.context.route(lists, lambda route: route.fulfill(json=empty))
    page = await visitor.enter("/i/workspace/studio")
    await page.get_by_role("button", name="Try it with").click()
    await visitor.context.unroute(lists)
    await page.get_by_role("dialog").get_by_role("button", name="Create").click()
    name = "Example: bike guide"
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await expect(step(page, "Intent")).to_have_attribute("aria-current", "step")
    await page.get_by_role("button", name="Next: Audience research").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Without a text: Intent analysis")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(step(page, "Intent")).to_have_attribute("aria-current", "step")
    await page.get_by_role("button", name="Next: Audience research").click()
    await dialog.get_by_role("button", name="Go on anyway").click()
    await expect(step(page, "Audience research")).to_have_attribute("aria-current", "step")
    await expect(step(page, "Intent")).to_contain_text("done")
    await step(page, "Intent").get_by_role("button").click()  # back asks nothing
    await expect(step(page, "Intent")).to_have_attribute("aria-current", "step")
    await step(page, "Evaluation").get_by_role("button").click()
    await dialog.get_by_role("button", name="Go on anyway").click()
    await page.get_by_role("button", name="Complete the last phase").click()
    await expect(page.get_by_text("The last phase is done")).to_be_visible()  # others were left out
    await page.get_by_role("main").get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name="Delete project").click()
    listed = page.get_by_role("main").get_by_role("link", name=name)
    await expect(page.get_by_label("Search projects")).to_be_visible()
    await expect(listed).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(listed).to_be_visible()


@pytest.mark.requirement("F2")
async def test_the_tree_is_worked_by_keyboard_and_what_is_deleted_comes_back(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)", "422 (Unprocessable")
    page = await visitor.enter("/i/workspace/studio")
    await create(page, unique("Tree"))
    await add(page, "Add to Core design", "Add group", "Chapters")
    await add(page, "Actions for Chapters", "Add block", "Opening")
    await add(page, "Actions for Chapters", "Add block", "Ending")
    await expect(page.get_by_role("heading", level=2, name="Ending")).to_be_focused()
    await row(page, "Ending").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await expect(row(page, "Ending")).to_have_attribute("aria-posinset", "1")
    await expect(row(page, "Ending")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(row(page, "Chapters")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(row(page, "Opening")).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowDown")
    await expect(row(page, "Opening")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=2, name="Opening")).to_be_focused()
    dialog = page.get_by_role("dialog")
    for one, other in (("Opening", "Ending"), ("Ending", "Opening")):
        await act(page, one, "Builds on")
        await dialog.get_by_label(other).check()
        await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("in a circle: Ending, Opening, Ending")
    await dialog.get_by_label("Opening").uncheck()
    await dialog.get_by_role("button", name="Cancel").click()
    await act(page, "Ending", "Delete")
    await expect(dialog).to_contain_text("These need it: Opening")
    await dialog.get_by_role("button", name="Delete anyway").click()
    await expect(row(page, "Ending")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(row(page, "Ending")).to_be_visible()
    await row(page, "Ending").focus()
    await page.keyboard.press("F2")
    await dialog.get_by_label("Name", exact=True).fill("Epilogue")
    await page.keyboard.press("Enter")
    await expect(row(page, "Epilogue")).to_be_focused()
    await page.keyboard.press("Delete")
    await dialog.get_by_role("button", name="Delete anyway").click()
    await expect(row(page, "Opening")).to_be_focused()
    await page.get_by_role("button", name="Undo").click()
    await act(page, "Chapters", "Move …")
    await dialog.get_by_label("Where to").select_option("Evaluation")
    await dialog.get_by_role("button", name="Move", exact=True).click()
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("treeitem")).to_contain_text(
        ["Intent", "Intent analysis", "Audience research", "Core design", "Core production", "Outreach design",
         "Outreach production", "Evaluation", "Chapters", "Epilogue", "Opening"]
    )  # fmt: skip
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("treeitem")).to_contain_text(
        ["Intent", "Intent analysis", "Audience research", "Core design", "Chapters", "Epilogue", "Opening",
         "Core production", "Outreach design", "Outreach production", "Evaluation"]
    )  # fmt: skip


@pytest.mark.requirement("F6", "J3")
async def test_what_one_types_stays_when_another_saves_and_an_earlier_version_comes_back(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)")
    page = await visitor.enter("/i/workspace/studio")
    await create(page, unique("Two tabs"))
    text = await open_block(page, "Intent analysis")
    await text.fill("First words.")
    other = await visitor.open(page.url.removeprefix(visitor.server.base_url))
    theirs = other.get_by_label("Text", exact=True)
    await theirs.fill("Words of the other one.")
    await page.keyboard.press("Control+s")
    conflict = other.get_by_role("alert").filter(has_text="Version 1 is by")
    await expect(conflict).to_be_visible()
    await other.reload()
    await expect(theirs).to_have_value("Words of the other one.")
    await fits(other, "studio-conflict")
    await other.get_by_role("button", name="Discard mine, take theirs").click()
    await expect(theirs).to_have_value("First words.")
    await other.get_by_role("button", name="Undo").click()
    await expect(theirs).to_have_value("Words of the other one.")
    await other.get_by_role("button", name="Save mine instead").click()
    await expect(text).to_have_value("Words of the other one.")  # a page without changes shows it at once
    await page.get_by_role("button", name="Status: Draft").click()
    await page.get_by_role("menuitemradio", name="Final").click()
    await expect(row(page, "Intent analysis, Final")).to_be_visible()
    versions = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="What changed"))
    await expect(versions).to_have_count(3)
    await versions.nth(2).get_by_role("button", name="Bring back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Bring back").click()
    await expect(text).to_have_value("First words.")
    await text.fill("ä" * 150_001)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("at most 300 kB")


@pytest.mark.requirement("F6", "P1")
@every_look
async def test_an_agent_writes_beside_the_editor(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter("/i/workspace/studio")
    await fits(page, f"studio-list-{size}-{theme}")
    name = unique("Bike guide")
    await create(page, name)
    await fits(page, f"studio-project-{size}-{theme}")
    text = await open_block(page, "Intent analysis")
    if size == "phone":
        await page.get_by_role("button", name="Chat", exact=True).click()
    await say(page, "write the intent")
    card = page.get_by_role("group", name="Intent analysis")
    await expect(card).to_contain_text("Needs review")
    if size == "phone":
        await card.get_by_role("link", name="Open").click()
    await expect(text).to_have_value(WRITTEN)
    await fits(page, f"studio-editor-{size}-{theme}")
    if size == "desktop":
        await page.get_by_role("link", name="Open as page").click()
        await page.get_by_role("link", name=f"Project: {name}").click()
        await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
