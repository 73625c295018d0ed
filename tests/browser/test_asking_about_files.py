"""Files in the conversation, in a real browser: named with `@`, attached, pasted, dropped, read, made and opened."""

from __future__ import annotations

import asyncio
import io
import re
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import drawn
from tests.browser.stage import Stage, bubble, said, say
from tests.browser.uploads import MAKE_ROOM, Hand, held, tray
from tests.contents.room import numbered_pdf
from tests.faults.process import Workroom

REPORT = "report.pdf"
PASTE = """([name, type]) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['not really a picture'], name, {type}))
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
}"""

COMPOSING_ENTER = """field => field.dispatchEvent(new KeyboardEvent('keydown', {
    key: 'Enter', isComposing: true, bubbles: true, cancelable: true
}))"""


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own, with a visitor in it."""

    visitor: Any
    page: Page
    id: str
    slug: str
    server: Workroom

    def put(self, name: str, content: bytes, folder: str | None = None) -> str:
        with self.server.signed_in() as client:
            begin = {"name": name, "size": len(content), "folderId": folder}
            upload = client.post(f"/api/workspace/{self.id}/uploads", json=begin).raise_for_status().json()["uploadId"]
            client.patch(f"/api/uploads/{upload}", content=content, headers={"Upload-Offset": "0"}).raise_for_status()
            return str(client.post(f"/api/uploads/{upload}/finish", json={}).raise_for_status().json()["id"])

    def folder(self, name: str) -> str:
        with self.server.signed_in() as client:
            made = client.post(f"/api/workspace/{self.id}/folders", json={"name": name})
            return str(made.raise_for_status().json()["id"])

    @property
    def field(self) -> Locator:
        return self.page.get_by_label("Message", exact=True)

    @property
    def list(self) -> Locator:
        return self.page.get_by_role("listbox", name="Files and folders")

    @property
    def attached(self) -> Locator:
        """The chips of the message being written."""
        return self.page.locator("form").get_by_role("list", name="Files of this message")

    @property
    def chips(self) -> Locator:
        """The chips of messages that were sent."""
        return self.page.get_by_role("main").locator("ol").get_by_role("list", name="Files of this message")

    async def begin(self, text: str) -> None:
        await say(self.page, text)
        await self.page.wait_for_url("**/c/*")


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@pytest.fixture
def enter(visitors: Any, server: Workroom) -> Any:
    async def entered(*how: str) -> Room:
        visitor = await visitors(*how)
        page = await visitor.enter()
        made = await page.evaluate(MAKE_ROOM, f"Asking {uuid.uuid4().hex[:6]}")
        await page.goto(f"{server.base_url}/i/{made['slug']}")
        await expect(page.get_by_label("Message", exact=True)).to_be_visible()
        return Room(visitor, page, made["id"], made["slug"], server)

    return entered


def report() -> bytes:
    return numbered_pdf(60)


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("docs/inner report.pdf", report())
        file.writestr("docs/notes.md", "# Notes\n")
    return packed.getvalue()


async def fits(page: Page, name: str) -> None:
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, name)


async def test_a_file_is_asked_about_or_summarised_from_its_menu_and_its_preview(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    room.put("notes.md", b"# Reptiles\n\nThey are many.")
    await page.goto(f"{room.server.base_url}/i/{room.slug}/files")
    await page.get_by_role("button", name="Actions for notes.md").click(force=True)
    await page.get_by_role("menuitem", name="Ask about it").click()
    await expect(room.attached.get_by_text("notes.md")).to_be_visible()
    await expect(page).to_have_url(re.compile(rf"/i/{room.slug}$"))
    await page.goto(f"{room.server.base_url}/i/{room.slug}/files")
    await page.get_by_role("link", name="notes.md").first.click()
    await page.get_by_role("button", name="Summarise").click()
    await page.wait_for_url("**/c/*")
    await expect(bubble(page, "Summarise “notes.md”")).to_be_visible()
    await expect(room.chips.get_by_role("link", name="notes.md")).to_be_visible()


@pytest.mark.requirement("J4")
async def test_at_completes_a_file_by_keyboard_and_the_page_asked_for_opens_by_a_click(enter: Any) -> None:
    room: Room = await enter()
    page, field = room.page, room.field
    room.put(REPORT, report())
    room.put("reptiles.md", b"# Reptiles")
    await field.focus()
    await page.keyboard.type("what is on page 47 of @rep please")
    for _ in " please":
        await page.keyboard.press("ArrowLeft")
    await expect(room.list.get_by_role("option")).to_have_count(2)
    chosen = room.list.get_by_role("option", selected=True)
    first = await chosen.inner_text()
    await page.keyboard.press("ArrowDown")
    await expect(chosen).not_to_have_text(first)
    await expect(field).to_have_attribute("aria-activedescendant", re.compile(await chosen.get_attribute("id") or "-"))
    await page.keyboard.press("Escape")
    await expect(room.list).to_be_hidden()
    await page.keyboard.type("o")
    await expect(room.list).to_be_hidden()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("@repo")
    await expect(chosen).to_contain_text(REPORT)
    await page.keyboard.press("Enter")
    await expect(field).to_have_value("what is on page 47 of @report.pdf please")
    await page.keyboard.press("Control+z")
    await expect(field).to_have_value("what is on page 47 of @repo please")
    await page.keyboard.press("Control+Shift+z")
    await expect(field).to_have_value("what is on page 47 of @report.pdf please")
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    chip = room.chips.get_by_role("link", name=re.compile(rf"{REPORT}\s+page 47"))
    await expect(chip).to_be_visible()
    await expect(said(page, "This is page number 47")).to_be_visible()
    await chip.click()
    await drawn(page, 47)
    await page.reload()
    await expect(chip).to_be_visible()
    await drawn(page, 47)


@pytest.mark.requirement("J4")
async def test_at_looks_into_folders_and_archives(enter: Any) -> None:
    room: Room = await enter()
    page, field = room.page, room.field
    room.put("project files.zip", archive())
    room.put("plan.md", b"# Plan", room.folder("Paper work"))
    await field.focus()
    await page.keyboard.type("see @pro")
    await expect(room.list.get_by_role("option", selected=True)).to_contain_text("project files.zip")
    await page.keyboard.press("Tab")
    await expect(field).to_have_value('see @"project files.zip/"')
    inner = room.list.get_by_role("option", name="inner report.pdf")
    await expect(inner).to_be_visible()
    await page.keyboard.type("inner")
    await expect(room.list.get_by_role("option")).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(field).to_have_value('see @"project files.zip/docs/inner report.pdf" ')
    await page.keyboard.type("and @Pap")
    await expect(room.list.get_by_title("look inside")).to_have_count(1)  # those of the letters before are gone
    await room.list.get_by_title("look inside").click()
    await room.list.get_by_role("option", name="plan.md").click()
    await expect(field).to_have_value('see @"project files.zip/docs/inner report.pdf" and @plan.md ')
    await expect(field).to_be_focused()
    await page.keyboard.type("page 3")
    await page.keyboard.press("Enter")
    await expect(room.chips.get_by_role("link")).to_have_count(2)
    await room.chips.get_by_role("link", name="inner report.pdf").click()
    await drawn(page, 3)


@pytest.mark.requirement("J4")
async def test_a_whole_name_is_sent_by_enter_and_what_is_no_mention_opens_nothing(enter: Any) -> None:
    room: Room = await enter()
    page, field = room.page, room.field
    room.put(REPORT, report())
    await field.focus()
    await page.keyboard.type("@report.pdf")
    await expect(room.list.get_by_role("option")).to_have_count(1)
    await expect(room.list.get_by_role("option", selected=True)).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(bubble(page, "@report.pdf")).to_be_visible()
    await field.focus()
    await page.keyboard.type("me@rep")
    await expect(room.list).to_be_hidden()


@pytest.mark.requirement("P4")
async def test_what_an_input_method_is_composing_is_left_alone(enter: Any) -> None:
    room: Room = await enter()
    page, field = room.page, room.field
    room.put("报告.pdf", report())
    room.put("plan.md", b"# Plan")
    await field.focus()
    await page.keyboard.type("@")
    await expect(room.list.get_by_role("option")).to_have_count(2)
    keys = await page.context.new_cdp_session(page)
    await keys.send("Input.imeSetComposition", {"text": "bao", "selectionStart": 3, "selectionEnd": 3})
    await field.evaluate(COMPOSING_ENTER)
    await expect(field).to_have_value("@bao")
    await expect(room.list.get_by_role("option")).to_have_count(2)
    await keys.send("Input.insertText", {"text": "报"})
    await expect(field).to_have_value("@报")
    await expect(room.list.get_by_role("option")).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(field).to_have_value("@报告.pdf ")


@pytest.mark.requirement("J4")
async def test_a_pasted_picture_is_attached_kept_with_the_draft_and_sent(enter: Any) -> None:
    room: Room = await enter()
    page, field = room.page, room.field
    await field.fill("what is on this picture?")
    await page.evaluate(PASTE, ["image.png", "image/png"])
    named = re.compile(r"20\d\d-\d\d-\d\d \d\d\.\d\d\.\d\d\.png")
    await expect(room.attached.get_by_role("listitem")).to_contain_text(named)
    await expect(room.attached.get_by_role("button", name=re.compile("Take 20.* off this message"))).to_be_visible()
    await expect(tray(page)).to_have_count(0)
    await page.reload()
    await expect(room.attached.get_by_role("listitem")).to_contain_text(named)
    await expect(field).to_have_value("what is on this picture?")
    await page.keyboard.press("Enter")
    await expect(room.chips.get_by_role("link", name=named)).to_be_visible()
    await expect(room.attached).to_have_count(0)
    await page.goto(f"{room.server.base_url}/i/{room.slug}")
    await expect(field).to_have_value("")
    await expect(room.attached).to_have_count(0)


@pytest.mark.requirement("J4")
async def test_what_is_dropped_on_a_conversation_is_put_to_the_question(enter: Any, tmp_path: Path) -> None:
    room: Room = await enter()
    page = room.page
    await room.begin("good morning")
    (tmp_path / "dropped.txt").write_text("from the desktop")
    hand = Hand(page, tmp_path / "dropped.txt")
    await hand.over(page.get_by_role("heading", level=1))
    await expect(page.get_by_text("Drop to add it to this question")).to_be_visible()
    await fits(page, "asking-drop")
    await hand.drop()
    await expect(room.attached.get_by_role("listitem")).to_contain_text("dropped.txt")
    await expect(tray(page)).to_have_count(0)
    await expect(room.attached.get_by_role("button", name="Take dropped.txt off this message")).to_be_visible()
    await say(page, "what does it say?")
    await expect(said(page, "from the desktop")).to_be_visible()
    await expect(room.chips.get_by_role("link", name="dropped.txt")).to_be_visible()


@pytest.mark.requirement("J4")
async def test_before_a_conversation_only_what_is_dropped_on_the_text_is_put_to_it(enter: Any, tmp_path: Path) -> None:
    room: Room = await enter()
    page = room.page
    (tmp_path / "dropped.txt").write_text("from the desktop")
    hand = Hand(page, tmp_path / "dropped.txt")
    await hand.over(room.field)
    await expect(page.get_by_text("Drop to add it to this question")).to_be_visible()
    await hand.drop()
    await expect(room.attached.get_by_role("listitem")).to_contain_text("dropped.txt")
    await hand.over(page.get_by_role("heading", level=1))
    await expect(page.get_by_text("Drop to put it into the files of")).to_be_visible()
    await hand.drop()
    await expect(tray(page)).to_contain_text("1 file uploaded")
    await expect(room.attached.get_by_role("listitem")).to_have_count(1)


@pytest.mark.requirement("J4")
async def test_a_refused_file_says_why_and_is_sent_after_another_try(enter: Any, tmp_path: Path) -> None:
    room: Room = await enter()
    page = room.page
    (tmp_path / "big.txt").write_text("large")
    full = {"code": "quotaExceeded", "message": "no room", "traceId": "", "details": {}}

    async def refuse(route: Route) -> None:
        await route.fulfill(status=413, json=full)

    await page.route("**/uploads", refuse)
    await room.field.fill("what does it say?")
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Attach files").click()
    await (await chooser.value).set_files(tmp_path / "big.txt")
    await expect(room.attached).to_contain_text("There is not enough room for this")
    send = page.get_by_role("button", name="Send")
    await expect(send).to_be_disabled()
    await expect(send).to_have_accessible_name(re.compile("not uploaded"))
    await fits(page, "asking-refused")
    await page.unroute("**/uploads")
    await room.attached.get_by_role("button", name="Try big.txt again").click()
    await expect(room.attached.get_by_role("button", name="Take big.txt off this message")).to_be_visible()
    await send.click()
    await expect(room.chips.get_by_role("link", name="big.txt")).to_be_visible()
    room.visitor.expect("status of 413")


@pytest.mark.requirement("J4")
async def test_a_message_waits_for_its_files_unless_somebody_thinks_better_of_it(enter: Any, tmp_path: Path) -> None:
    room: Room = await enter()
    page = room.page
    await room.begin("good morning")
    (tmp_path / "slow.txt").write_text("slowly")
    (tmp_path / "never.txt").write_text("never")
    go_on = asyncio.Event()
    await page.route("**/api/uploads/*", lambda route: held(route, go_on))
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Attach files").click()
    await (await chooser.value).set_files([tmp_path / "slow.txt", tmp_path / "never.txt"])
    await room.attached.get_by_role("button", name="Cancel never.txt").click()
    await expect(room.attached.get_by_role("listitem")).to_have_count(1)
    await say(page, "what does it say?")
    waiting = page.locator("form").get_by_text("Sends as soon as the files are there.").first
    await expect(waiting).to_be_visible()
    await expect(page.locator(".send .spin")).to_be_visible()  # pressed, and not forgotten
    await fits(page, "asking-waiting")
    await page.get_by_role("button", name="Do not send yet").click()
    await expect(waiting).to_be_hidden()
    await room.field.press("Enter")
    await expect(waiting).to_be_visible()
    await room.field.press("Escape")
    await expect(waiting).to_be_hidden()
    await room.field.press("Enter")
    go_on.set()
    await expect(room.chips.get_by_role("link", name="slow.txt")).to_be_visible()
    await expect(room.field).to_have_value("")


@pytest.mark.requirement("P1")
async def test_what_an_agent_makes_and_shows_is_there_and_opens_once(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    room.put(REPORT, report())
    await room.begin(
        'writeFile {"name": "summary.md", "text": "# Summary"}\nreadFile {"fileId": "report.pdf", "page": 12, "show": true}'
    )
    await expect(page.get_by_role("main").get_by_text("Read page 12 of")).to_be_visible()
    await drawn(page, 12)
    await expect(said(page, "Done, with 2 results")).to_be_visible()
    await page.get_by_role("button", name="Close").first.click()
    await expect(page).not_to_have_url(re.compile("file="))
    await page.reload()
    line = page.get_by_role("main").locator(".call", has_text="Read page 12 of")
    await expect(line).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    await expect(page).not_to_have_url(re.compile("file="))
    await line.get_by_role("link", name=REPORT).click()
    await drawn(page, 12)
    await page.locator(".made").get_by_role("link", name="summary.md").click()
    await expect(page.locator(".viewer")).to_contain_text("Summary")


@pytest.mark.requirement("J4")
async def test_a_message_said_differently_keeps_its_files_or_loses_those_taken_off(enter: Any, tmp_path: Path) -> None:
    room: Room = await enter()
    page = room.page
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(f"words of {name}")
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Attach files").click()
    await (await chooser.value).set_files([tmp_path / "one.txt", tmp_path / "two.txt"])
    await room.begin("first")
    await expect(room.chips.get_by_role("link")).to_have_count(2)
    await expect(said(page, "words of one.txt")).to_be_visible()
    await bubble(page, "first").hover()
    await page.get_by_role("button", name="Edit message").click()
    editor = page.get_by_label("Edit message")
    await page.get_by_role("button", name="Take one.txt off this message").click()
    await expect(editor).to_be_focused()
    await editor.fill("second")
    await editor.press("Enter")
    await expect(bubble(page, "second")).to_be_visible()
    await expect(room.chips.get_by_role("link")).to_have_text(["two.txt"])
    await page.get_by_role("button", name="Previous version").first.click()
    await expect(bubble(page, "first")).to_be_visible()
    await bubble(page, "first").hover()
    await page.get_by_role("button", name="Edit message").click()
    await expect(page.get_by_role("button", name="Take one.txt off this message")).to_be_visible()


@pytest.mark.requirement("P4")
@every_look
async def test_every_state_is_accessible_and_fits(enter: Any, tmp_path: Path, size: str, theme: str) -> None:
    room: Room = await enter(size, theme)
    page, field = room.page, room.field
    room.put("Quarterly report with a rather long name that has to be cut somewhere.pdf", report())
    room.put("report.zip", archive())
    room.put(REPORT, report(), room.folder("Reports of the year"))
    await field.focus()
    await page.keyboard.type("What is on page 47 of @rep")
    await expect(room.list.get_by_role("option").nth(3)).to_be_visible()
    await fits(page, f"asking-list-{size}-{theme}")
    await page.keyboard.press("Escape")
    (tmp_path / "photo of the desk.jpg").write_bytes(b"no real picture")
    await page.locator("input[type=file]").set_input_files(tmp_path / "photo of the desk.jpg")
    await expect(room.attached.get_by_role("button", name=re.compile("Take .* off"))).to_be_visible()
    await fits(page, f"asking-attached-{size}-{theme}")
    calls = 'readFile {"fileId": "report.pdf", "page": 12}\nwriteFile {"name": "summary.md", "text": "# Summary"}'
    await field.fill(f"page 47 of @report.pdf, and @nothing.pdf\n{calls}")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Send").click()
    await expect(said(page, "Done, with 2 results")).to_be_visible()
    await expect(room.chips.get_by_role("link")).to_have_count(2)
    await fits(page, f"asking-{size}-{theme}")
    await field.focus()
    await page.keyboard.type("and what is in @rep")
    await expect(room.list.get_by_role("option").nth(3)).to_be_visible()
    await fits(page, f"asking-again-{size}-{theme}")
