"""Skills that people make, in a real browser: written, tried, changed by two at once, taken along and brought in, read."""

from __future__ import annotations

import uuid
import zipfile
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import Size, Theme, Visitor, every_look, screenshot, violations
from tests.browser.pages import INVITE_READER, settled, unique
from tests.browser.stage import Stage, said
from tests.browser.uploads import MAKE_ROOM
from tests.custom_skills.making import packed, skill_md
from tests.faults.process import Workroom

MAKE_SKILL = """([room, skill]) => fetch(`/api/workspace/${room}/skills`, {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(skill)
}).then(answer => answer.json())"""
LETTER = {"name": "letter", "description": "Writes letters.", "instructions": "Write a letter to {{recipient}}."}


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own, open at its skills."""

    visitor: Visitor
    page: Page
    id: str
    slug: str

    async def make(self, **fields: Any) -> dict[str, Any]:
        """From another window, as it were."""
        made: dict[str, Any] = await self.page.evaluate(MAKE_SKILL, [self.id, {**LETTER, **fields}])
        return made

    async def open(self, path: str = "", page: Page | None = None) -> None:
        await (page or self.page).goto(f"{self.visitor.server.base_url}/i/{self.slug}/skills{path}")

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("table").get_by_role("link", name=name, exact=True)

    async def act(self, name: str, action: str) -> None:
        await self.page.get_by_role("button", name=f"Actions for {name}", exact=True).click()
        await self.page.get_by_role("menuitem", name=action).click()

    async def take(self, name: str, data: bytes) -> None:
        upload = self.page.get_by_label("Import", exact=True).and_(self.page.locator("input"))
        await upload.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})


async def enter(visitors: Any, *look: str) -> Room:
    visitor = await visitors(*look)
    page = await visitor.enter()
    room = await page.evaluate(MAKE_ROOM, unique("Office"))
    found = Room(visitor, page, room["id"], room["slug"])
    await found.open()
    return found


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await settled(page)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"own-skills-{name}")


def save(page: Page) -> Locator:
    return page.get_by_role("button", name="Save", exact=True)


def summary(page: Page, name: str) -> Locator:
    return page.locator("summary").filter(has_text=name)


def parameter(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


@pytest.mark.requirement("P2", "B8")
async def test_the_example_becomes_a_skill_that_is_changed_tried_and_brought_back(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await fits(page, "none")
    await page.get_by_role("link", name="Start with “/minutes”").click()
    await expect(page.get_by_label("Name", exact=True).first).to_have_value("minutes")
    instructions = page.get_by_label("What the agent should do")
    await instructions.fill("Write minutes of {{notes}} for {{audience}}.")
    await expect(page.get_by_text("There is no parameter for {{audience}}.")).to_be_visible()
    await page.get_by_role("button", name="Add parameter “audience”").click()
    await expect(page.get_by_text("There is no parameter for")).to_have_count(0)
    await expect(parameter(page, "audience").get_by_label("Required")).to_be_checked()
    await parameter(page, "audience").get_by_label("Default value").fill("the team")
    await page.reload()  # nothing typed is lost
    await expect(parameter(page, "audience").get_by_label("Default value")).to_have_value("the team")
    await page.get_by_role("button", name="Add example").click()
    await expect(page.get_by_label("Request")).to_be_focused()
    await save(page).click()
    await expect(page.get_by_label("Request")).to_be_focused()  # it was empty
    await page.get_by_role("button", name="Remove “Example 1”").click()
    await page.get_by_label("All tools of the agent").uncheck()
    await page.get_by_label("Search tools").fill("calc")
    await page.get_by_role("checkbox", name="calculate").check()
    await save(page).click()
    await expect(page.get_by_role("heading", level=1, name="/minutes")).to_be_visible()
    await expect(save(page)).to_be_disabled()
    await instructions.fill("Write minutes of {{notes}}.")
    await page.get_by_label("Name", exact=True).first.fill("Meeting minutes")
    await expect(page.get_by_text("Called with /meeting-minutes")).to_be_visible()
    await save(page).click()
    await expect(page.get_by_role("heading", level=1, name="/meeting-minutes")).to_be_visible()
    versions = page.get_by_role("complementary", name="Try it").get_by_role("listitem")
    await expect(versions).to_have_count(2)
    await versions.first.get_by_role("button", name="What changed").click()
    shown = versions.first.get_by_role("group", name="Version 2")
    await expect(shown.locator("ins").first).to_contain_text("meeting-")
    await versions.last.get_by_role("button", name="Bring back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Bring back").click()
    await expect(page.get_by_role("heading", level=1, name="/minutes")).to_be_visible()
    await expect(instructions).to_have_value("Write minutes of {{notes}} for {{audience}}.")
    await page.get_by_role("link", name="Skills", exact=True).first.click()
    row = page.get_by_role("row").filter(has_text="/minutes")
    await expect(row).to_contain_text("Turns the notes of a meeting into minutes.")
    await expect(row).to_contain_text("Only me")
    await room.link("/minutes").click()
    message = page.get_by_role("complementary", name="Try it").get_by_label("Message", exact=True)
    await expect(message).to_have_value("/minutes ")
    await message.press_sequentially("Ada was there.")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/c/*")
    await expect(said(page, "/minutes Ada was there.").first).to_be_visible()


@pytest.mark.requirement("P2", "B8")
async def test_two_who_change_a_skill_at_once_lose_nothing(visitors: Any) -> None:
    room = await enter(visitors)
    skill = await room.make(files=[{"path": "form.md", "text": "Dear …"}])
    page, other = room.page, await room.visitor.open(f"/i/{room.slug}/skills/{skill['id']}")
    await room.link("/letter").click()  # it came by itself
    await other.get_by_label("Description", exact=True).first.fill("Writes letters and cards.")
    await page.get_by_label("What the agent should do").fill("Write a short letter to {{recipient}}.")
    await summary(page, "form.md").click()
    await page.get_by_label("Text", exact=True).fill("Hello …")
    await save(page).click()
    conflict = other.get_by_role("alert").filter(has_text="Somebody saved version 2 meanwhile")
    await expect(conflict).to_be_visible()
    await expect(other.get_by_role("group", name="Your changes").locator("ins")).to_contain_text("and cards")
    await save(other).click()  # leads to what happened, and saves nothing
    await expect(conflict).to_be_in_viewport()
    await fits(other, "conflict")
    await other.get_by_role("button", name="Save my changes on top").click()
    await expect(conflict).to_have_count(0)
    await expect(other.get_by_label("What the agent should do")).to_have_value("Write a short letter to {{recipient}}.")
    await expect(page.get_by_label("Description", exact=True).first).to_have_value("Writes letters and cards.")


@pytest.mark.requirement("P2", "B8")
async def test_a_skill_is_copied_shared_taken_along_thrown_away_and_brought_in_again(visitors: Any) -> None:
    room = await enter(visitors)
    room.visitor.expect("409 (Conflict)", "422 (Unprocessable")  # what is here already, and what is no skill
    page = room.page
    await room.make()
    await room.act("/letter", "Duplicate")
    await expect(page.get_by_role("heading", level=1, name="/letter-2")).to_be_visible()
    await page.get_by_label("Name", exact=True).first.fill("letter")
    await save(page).click()
    await expect(page.get_by_role("alert")).to_contain_text("There is a skill called /letter here already.")
    await page.get_by_role("button", name="Discard changes").click()
    await page.get_by_role("radio", name="This workspace").check()
    notices = page.get_by_role("region", name="Notifications")
    await expect(notices).to_contain_text("/letter-2 is there for: This workspace")
    await room.open()
    async with page.expect_download() as leaving:
        await room.act("/letter-2", "Export as a file")
    download = await leaving.value
    assert download.suggested_filename == "letter-2.zip"
    archive = await download.path()
    with zipfile.ZipFile(archive) as folder:
        assert folder.namelist() == ["letter-2/SKILL.md"]
    await room.act("/letter-2", "Delete skill")
    await expect(room.link("/letter-2")).to_have_count(0)
    await notices.get_by_role("button", name="Undo").last.click()
    await expect(room.link("/letter-2")).to_be_visible()
    await page.keyboard.press("Control+k")  # the palette knows the way, too
    await page.get_by_role("dialog").get_by_role("combobox").fill("companies")
    await page.get_by_role("option", name="Companies", exact=True).click()
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("skills")
    await page.get_by_role("option", name="Skills", exact=True).click()
    await room.take("letter-2.zip", archive.read_bytes())
    asked = page.get_by_role("alertdialog", name="You already have a skill called /letter-2.")
    await fits(page, "taken")
    await asked.get_by_role("button", name="Keep both").click()
    await expect(room.link("/letter-2-2")).to_be_visible()
    with_code = {"SKILL.md": skill_md("letter"), "form.md": "Dear …", "run.py": "print()"}
    await room.take("letter.zip", packed(with_code))
    await page.get_by_role("alertdialog").get_by_role("button", name="Replace").click()
    report = page.get_by_role("status").filter(has_text="/letter was replaced.")
    await expect(report).to_contain_text("letter/run.py")
    await fits(page, "imported")
    await room.take("no.zip", b"nothing")
    await expect(page.get_by_role("alert")).to_contain_text("This cannot be read as a skill.")
    await page.get_by_label("Search skills").fill("letter-2-2")
    await expect(page.get_by_role("table").get_by_role("link")).to_have_text(["/letter-2-2"])
    await room.act("/letter-2-2", "Delete skill")
    await page.get_by_role("link", name="Trash").click()
    row = page.get_by_role("row").filter(has_text="/letter-2-2")
    await fits(page, "trash")
    await row.get_by_role("button", name="Restore").click()
    await expect(row).to_have_count(0)


@pytest.mark.requirement("P2", "B8", "N1")
async def test_a_reader_sees_what_is_shared_and_is_offered_nothing_else(visitors: Any) -> None:
    room = await enter(visitors)
    form = {"path": "form.md", "text": "Dear …"}
    parameters = [{"name": "recipient", "required": True}]
    await room.make(visibility="GROUP", automatic=False, parameters=parameters, files=[form], tools=["calculate"])
    await room.make(name="secret")
    link = await room.page.evaluate(INVITE_READER, [f"reader-{uuid.uuid4().hex[:6]}", room.id])
    page = await (await visitors()).open("/" + link.split("/", 3)[3])
    await page.wait_for_url("**/i/*")
    await room.open(page=page)
    rows = page.get_by_role("table", name="Skills").get_by_role("link")
    await expect(rows).to_have_text(["/letter"])
    await expect(page.get_by_role("row").last).to_contain_text("Only when called")
    for name in ("Import", "New skill"):
        await expect(page.get_by_text(name, exact=True)).to_have_count(0)
    await page.get_by_role("button", name="Actions for /letter").click()
    await expect(page.get_by_role("menuitem")).to_have_text(["Export as a file"])
    await page.keyboard.press("Escape")
    await rows.click()
    await expect(page.get_by_label("Name", exact=True).first).to_be_disabled()
    await expect(page.get_by_label("What the agent should do")).not_to_be_editable()
    await summary(page, "form.md").click()
    await expect(page.get_by_text("Dear …")).to_be_visible()
    await expect(page.get_by_role("checkbox", name="calculate")).to_be_disabled()
    await fits(page, "reader")
    for name in ("Save", "Add parameter", "Add example", "New file", "Bring back", "Remove “recipient”"):
        await expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    await expect(page.get_by_role("radio")).to_have_count(0)


@pytest.mark.requirement("P4")
@every_look
async def test_the_pages_of_skills_are_accessible_and_fit(visitors: Any, size: Size, theme: Theme) -> None:
    room = await enter(visitors, size, theme)
    page = room.page
    await page.get_by_role("link", name="Start with “/minutes”").click()
    await page.get_by_label("What the agent should do").fill("Write minutes of {{notes}} for {{audience}}.")
    await expect(page.get_by_text("There is no parameter for {{audience}}.")).to_be_visible()
    await fits(page, f"new-{size}-{theme}")
    files = page.get_by_label("Upload text files").and_(page.locator("input"))
    text = FilePayload(name="form.md", mimeType="text/markdown", buffer=b"# Minutes")
    await files.set_input_files([text, FilePayload(name="form.docx", mimeType="application/zip", buffer=b"PK\x03\x04")])
    await expect(page.get_by_role("alert")).to_contain_text("“form.docx” was left out")
    await summary(page, "form.md").click()
    await page.get_by_role("button", name="Add example").click()
    await page.get_by_role("button", name="New file").click()
    await save(page).click()  # three things are missing
    await expect(page.get_by_text("Write what is asked for.")).to_be_visible()
    await fits(page, f"wrong-{size}-{theme}")
    await page.get_by_role("button", name="Remove “Example 1”").click()
    await page.get_by_role("button", name="Remove “File 2”").click()
    await save(page).click()
    await expect(page.get_by_role("heading", level=1, name="/minutes")).to_be_visible()
    await page.get_by_role("button", name="What changed").click()
    await fits(page, f"editor-{size}-{theme}")
    await room.make(visibility="GROUP", automatic=False)
    await room.open()
    await expect(room.link("/letter")).to_be_visible()
    await fits(page, f"table-{size}-{theme}")
