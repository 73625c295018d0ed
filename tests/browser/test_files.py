"""Files in a real browser: dropped, pasted, on their way, found, selected, changed, thrown away and brought back."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import INVITE_READER
from tests.browser.uploads import MAKE_ROOM, PUT, Hand, held, tray

SIZES = ["desktop", "phone"]
ASK = """([method, path, body]) => fetch(path, {
    method, headers: {'content-type': 'application/json'}, body: body && JSON.stringify(body)
}).then(answer => answer.json())"""
PASTE = """() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['not really a picture'], 'image.png', {type: 'image/png'}))
    document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
}"""
MIB = 1024 * 1024


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own, open at its files."""

    page: Page
    id: str
    slug: str

    async def put(self, name: str, text: str = "words", folder: str | None = None) -> dict[str, Any]:
        done: dict[str, Any] = await self.page.evaluate(PUT, [self.id, name, text, folder])
        assert "id" in done, done
        return done

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        return await self.page.evaluate(ASK, [method, path, body])

    async def folder(self, name: str, **more: Any) -> str:
        made = await self.ask("POST", f"/api/workspace/{self.id}/folders", {"name": name, **more})
        return str(made["id"])

    async def open(self, query: str = "") -> None:
        await self.page.goto(self.page.url.split("/i/")[0] + f"/i/{self.slug}/files{query}")
        await settled(self.page)

    def row(self, name: str) -> Locator:
        return self.page.get_by_role("row").filter(has=self.page.get_by_role("link", name=name, exact=True))

    async def lists(self, *names: str) -> None:
        """Exactly these, in this order."""
        await expect(self.page.locator("table.files tbody .line a")).to_have_text(names)


async def enter(visitors: Any, *how: str) -> Room:
    page = await (await visitors(*how)).enter()
    made = await page.evaluate(MAKE_ROOM, f"Files {uuid.uuid4().hex[:6]}")
    room = Room(page, made["id"], made["slug"])
    await room.open()
    return room


async def settled(page: Page) -> None:
    await expect(page.locator("h1[tabindex]")).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, name)


async def notice(page: Page, text: str) -> None:
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text(text)


async def filled(room: Room) -> None:
    """A workspace as somebody has it after a week."""
    clients = await room.folder("Clients")
    await room.folder("Invoices", autoRule="tag:financial and type:pdf")
    await room.folder("2026", parentId=clients)
    for name in ("Budget 2026.xlsx", "Minutes of the meeting.docx", "holiday.jpg", "talk.mp3", "archive.zip"):
        await room.put(name, "x" * 4321)
    report = await room.put("Quarterly report with a rather long name that has to be cut somewhere.pdf", "x" * 98_765)
    await room.ask("PATCH", f"/api/files/{report['id']}", {"tags": ["draft", "finance"], "visibility": "GROUP"})
    readme = await room.put("README.md", "# Hello")
    await room.put("README.md", "# Hello again")
    await room.ask("PATCH", f"/api/files/{readme['id']}", {"status": "archived", "tags": ["docs"]})


@pytest.mark.requirement("P4")
@every_look
async def test_every_state_of_the_page_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    room = await enter(visitors, size, theme)
    page = room.page
    await expect(page.get_by_text("Drop anything here")).to_be_visible()
    await fits(page, f"files-empty-{size}-{theme}")
    await filled(room)
    await room.open()
    await expect(room.row("README.md")).to_be_visible()
    await expect(page.get_by_role("grid").get_by_text("Being looked at")).to_have_count(0)
    await fits(page, f"files-{size}-{theme}")
    for count, name in enumerate(("holiday.jpg", "talk.mp3"), start=1):
        # Not by a place on the screen: rows move while files are looked at, and the toolbar comes up over the last ones.
        await page.get_by_role("checkbox", name=f"Select {name}").dispatch_event("click")
        await expect(page.get_by_role("toolbar")).to_contain_text(f"{count} selected")
    await fits(page, f"files-selected-{size}-{theme}")
    await page.get_by_role("toolbar").get_by_role("button", name="Tags").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await fits(page, f"files-tags-{size}-{theme}")
    await page.keyboard.press("Escape")
    await page.wait_for_function(
        "() => !history.state?.layer"
    )  # on a phone a dialog goes back in the history as it closes
    await room.open("?q=a")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Found files")
    await fits(page, f"files-found-{size}-{theme}")
    await room.open("?trash=1")
    await expect(page.get_by_text("The trash is empty")).to_be_visible()
    await fits(page, f"files-trash-{size}-{theme}")


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("size", SIZES)
async def test_dialogs_of_files_are_accessible(visitors: Any, size: str) -> None:
    room = await enter(visitors, size)
    page = room.page
    await filled(room)
    await room.open()
    for entry in ("Details", "Versions", "Move"):
        await page.get_by_role("button", name="Actions for README.md").click(force=True)
        await page.get_by_role("menuitem", name=entry, exact=True).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await fits(page, f"files-{entry.lower()}-{size}")
        await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Actions for Invoices").click(force=True)
    assert await violations(page) == []
    await screenshot(page, f"files-menu-{size}")
    await page.get_by_role("menuitem", name="Name, rule and sharing").click()
    await expect(page.get_by_role("dialog").get_by_label("Filing rule")).to_have_value("tag:financial and type:pdf")
    await fits(page, f"files-rule-{size}")


@pytest.mark.requirement("J4")
async def test_a_file_dropped_on_any_page_is_kept_and_its_upload_outlives_the_page(
    visitors: Any, tmp_path: Path
) -> None:
    room = await enter(visitors)
    page = room.page
    (tmp_path / "dropped.txt").write_text("from the desktop")
    go_on = asyncio.Event()
    await page.route("**/api/uploads/*", lambda route: held(route, go_on))
    await page.goto(page.url.removesuffix("/files"))
    await settled(page)
    hand = Hand(page, tmp_path / "dropped.txt")
    await hand.over(page.get_by_role("heading", level=1))
    await expect(page.get_by_text("Drop to put it into the files of")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "files-drop")
    await hand.drop()
    await expect(page.get_by_text("Drop to put it into the files of")).to_have_count(0)
    await expect(tray(page)).to_contain_text("Uploading 1 file")
    await page.get_by_role("link", name="Files", exact=True).click()
    await expect(page.get_by_role("heading", level=1, name="Files")).to_be_visible()
    await expect(tray(page)).to_contain_text("dropped.txt")
    assert await violations(page) == []
    await screenshot(page, "files-uploading")
    go_on.set()
    await expect(tray(page)).to_contain_text("1 file uploaded")
    await expect(room.row("dropped.txt")).to_be_visible()


async def test_the_list_of_uploads_covers_nothing_on_a_phone_and_leaves_by_itself(
    visitors: Any, tmp_path: Path
) -> None:
    room = await enter(visitors, "phone")
    page = room.page
    (tmp_path / "dropped.txt").write_text("from the desktop")
    go_on = asyncio.Event()
    await page.route("**/api/uploads/*", lambda route: held(route, go_on))
    await page.goto(page.url.removesuffix("/files"))
    await settled(page)
    hand = Hand(page, tmp_path / "dropped.txt")
    await hand.over(page.get_by_role("heading", level=1))
    await hand.drop()
    await expect(tray(page)).to_contain_text("Uploading 1 file")
    below = """() => {
        const main = document.querySelector('main').getBoundingClientRect()
        return document.querySelector('.tray').getBoundingClientRect().top >= main.bottom
    }"""
    await page.wait_for_function(below)
    ground = "one => getComputedStyle(document.querySelector(one)).backgroundColor"
    assert await page.evaluate(ground, "html") == await page.evaluate(ground, ".shell"), "no strip of another colour"
    await screenshot(page, "uploads-phone")
    go_on.set()
    await expect(tray(page)).to_have_count(0)


async def test_many_rows_make_the_document_no_taller(visitors: Any) -> None:
    room = await enter(visitors)
    await asyncio.gather(*(room.put(f"file {number}.txt") for number in range(40)))
    await room.open()
    await expect(room.page.get_by_role("main").get_by_role("row").filter(has_text="file 39.txt")).to_be_attached()
    assert await violations(room.page) == []


@pytest.mark.requirement("J4")
async def test_a_whole_folder_is_dropped_with_what_is_in_it(visitors: Any, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "docs" / "old").mkdir(parents=True)
    (project / "empty").mkdir()
    (project / "readme.md").write_text("# Project")
    (project / ".DS_Store").write_text("leftover")
    (project / "docs" / "plan.txt").write_text("plan")
    (project / "docs" / "old" / "plan.txt").write_text("older plan")
    room = await enter(visitors)
    page = room.page
    hand = Hand(page, project)
    await hand.over(page.get_by_text("Drop anything here"))
    await hand.drop()
    await expect(tray(page)).to_contain_text("3 files uploaded")
    await expect(page.get_by_text("Drop to put it into")).to_have_count(0)
    await room.row("project").dblclick()
    await expect(page.get_by_role("heading", level=1, name="project")).to_be_visible()
    await expect(room.row("readme.md")).to_be_visible()
    await room.lists("docs", "empty", "readme.md")
    await page.get_by_role("navigation", name="Navigation").get_by_role("link", name="docs").click()
    await expect(room.row("plan.txt")).to_be_visible()
    await room.lists("old", "plan.txt")
    await screenshot(page, "files-tree")
    await page.get_by_role("navigation", name="Folders above").get_by_role("link", name="project").click()
    await expect(page.get_by_role("heading", level=1, name="project")).to_be_visible()


@pytest.mark.requirement("J4")
async def test_an_upload_shows_its_progress_and_can_be_cancelled(visitors: Any, tmp_path: Path) -> None:
    room = await enter(visitors)
    page = room.page
    for name, size in (("large.bin", 3 * MIB), ("small.txt", 10)):
        (tmp_path / name).write_bytes(b"x" * size)
    go_on = asyncio.Event()

    async def slowly(route: Route) -> None:
        if route.request.method == "PATCH" and route.request.headers["upload-offset"] != "0":
            await go_on.wait()
        await route.continue_()

    await page.route("**/api/uploads/*", slowly)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Upload files").first.click()
    await (await chooser.value).set_files([tmp_path / "large.bin", tmp_path / "small.txt"])
    large = tray(page).get_by_role("progressbar", name="large.bin")
    await expect(large).to_have_attribute("value", re.compile(r"^(0\.3|0\.[4-9]|1)"))
    await expect(room.row("small.txt")).to_be_visible()
    async with page.expect_response(lambda answer: answer.request.method == "DELETE") as told:
        await tray(page).get_by_role("button", name="Cancel large.bin").click()
    assert (await told.value).status == 204
    await expect(tray(page)).to_contain_text("1 file uploaded")
    go_on.set()
    await page.reload()
    await settled(page)
    await room.lists("small.txt")


@pytest.mark.requirement("J4")
async def test_all_uploads_are_cancelled_only_by_who_means_it(visitors: Any, tmp_path: Path) -> None:
    room = await enter(visitors)
    page = room.page
    for name in ("one.bin", "two.bin"):
        (tmp_path / name).write_bytes(b"x" * 100)
    go_on = asyncio.Event()

    async def slowly(route: Route) -> None:
        await go_on.wait()
        await route.continue_()

    await page.route("**/api/uploads/*", slowly)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Upload files").first.click()
    await (await chooser.value).set_files([tmp_path / "one.bin", tmp_path / "two.bin"])
    await tray(page).get_by_role("button", name="Cancel all uploads").click()
    dialog = page.get_by_role("dialog", name="Cancel the uploads?")
    await expect(dialog).to_contain_text("2 files are not there yet")
    await dialog.get_by_role("button", name="Go on uploading").click()
    await expect(tray(page)).to_contain_text("Uploading 2 files")
    await tray(page).get_by_role("button", name="Cancel all uploads").click()
    await dialog.get_by_role("button", name="Cancel all uploads").click()
    await expect(tray(page)).to_have_count(0)
    go_on.set()
    await room.open()
    await room.lists()


@pytest.mark.requirement("P1")
async def test_a_click_on_a_name_opens_and_beside_it_selects(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("letter.txt")
    await room.open()
    await room.row("letter.txt").click()
    await expect(page.get_by_role("toolbar")).to_contain_text("1 selected")
    await room.row("letter.txt").get_by_role("link").click()
    await page.wait_for_url(re.compile(r"/files/[0-9a-f-]{36}"))
    await page.go_back()
    await expect(room.row("letter.txt")).to_be_visible()


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_long_name_shows_what_tells_it_from_others(visitors: Any, size: str) -> None:
    room = await enter(visitors, size)
    report = f"Annual report of the laboratory for applied mechanics and materials, {'signed ' * 9}"
    names = [f"{report}{number}.pdf" for number in (1, 2)]
    for name in names:
        await room.put(name, "x")
    await room.open()
    for name in names:
        link = room.row(name).get_by_role("link", name=name, exact=True)
        await expect(link).to_have_attribute("title", name)
        end = link.locator(".end")
        await expect(end).to_have_attribute("data-tail", name[-18:])
        inside = "one => one.getBoundingClientRect().right <= one.closest('td').getBoundingClientRect().right"
        assert await end.evaluate(inside)
        assert await link.evaluate("one => one.getBoundingClientRect().height") < (50 if size == "phone" else 30)
    if size == "desktop":  # where no file has tags, names have their room
        tags = await room.page.locator("th.tags").bounding_box()
        assert tags
        assert tags["width"] < 130
    await fits(room.page, f"files-long-names-{size}")


@pytest.mark.requirement("P4")
async def test_a_menu_of_a_file_shows_all_it_has_and_begins_at_its_first_entry(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("letter.txt")
    await room.open()
    await page.get_by_role("button", name="Actions for letter.txt").click(force=True)
    await expect(page.get_by_role("menuitem", name="Open")).to_be_focused()
    await expect(page.get_by_role("menuitem", name="Delete")).to_be_in_viewport(ratio=1)


@pytest.mark.requirement("J4")
async def test_an_upload_goes_on_where_it_was_after_the_connection_was_lost(visitors: Any, tmp_path: Path) -> None:
    visitor = await visitors()
    room = await enter(lambda: asyncio.sleep(0, visitor))
    page = room.page
    content = bytes(range(256)) * 4096 * 3  # 3 MiB
    (tmp_path / "long.bin").write_bytes(content)
    offsets: list[str] = []
    back = asyncio.Event()

    async def unreliable(route: Route) -> None:
        if route.request.method == "PATCH":
            offsets.append(route.request.headers["upload-offset"])
        if len(offsets) >= 2 and not back.is_set():
            await route.abort("connectionreset")
        else:
            await route.continue_()

    await page.route("**/api/uploads/*", unreliable)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Upload files").first.click()
    await (await chooser.value).set_files(tmp_path / "long.bin")
    await expect(tray(page)).to_contain_text("No connection; goes on by itself")
    assert await violations(page) == []
    back.set()
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(tray(page)).to_contain_text("1 file uploaded")
    assert offsets.count("0") == 1, offsets
    found = (await room.ask("GET", f"/api/workspace/{room.id}/files"))["items"][0]
    same = await page.evaluate(
        "id => fetch(`/api/files/${id}/content`).then(answer => answer.arrayBuffer()).then(got => got.byteLength)",
        found["id"],
    )
    assert same == len(content)
    visitor.expect("ERR_")


@pytest.mark.requirement("J4")
async def test_a_refused_upload_says_why_and_can_be_tried_again(visitors: Any, tmp_path: Path) -> None:
    visitor = await visitors()
    room = await enter(lambda: asyncio.sleep(0, visitor))
    page = room.page
    (tmp_path / "big.bin").write_bytes(b"x")
    full = {"code": "quotaExceeded", "message": "no room", "traceId": "", "details": {}}

    async def refuse(route: Route) -> None:
        await route.fulfill(status=413, json=full)

    await page.route("**/uploads", refuse)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Upload files").first.click()
    await (await chooser.value).set_files(tmp_path / "big.bin")
    await expect(tray(page)).to_contain_text("There is not enough room for this")
    assert await violations(page) == []
    await screenshot(page, "files-refused")
    await page.unroute("**/uploads")
    await tray(page).get_by_role("button", name="Try big.bin again").click()
    await expect(room.row("big.bin")).to_be_visible()
    visitor.expect("status of 413")


@pytest.mark.requirement("J4")
async def test_a_pasted_picture_becomes_a_file_of_its_own_each_time(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await page.evaluate(PASTE)
    await expect(tray(page)).to_contain_text("1 file uploaded")
    await expect(page.get_by_role("row").nth(1)).to_contain_text(re.compile(r"20\d\d-\d\d-\d\d \d\d\.\d\d\.\d\d\.png"))


@pytest.mark.requirement("P4")
async def test_the_keyboard_selects_deletes_and_takes_back(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.folder("Box")
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        await room.put(name)
    await room.open()
    await page.keyboard.press("ArrowDown")
    await expect(room.row("Box")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    await page.keyboard.press("Shift+ArrowDown")
    await page.keyboard.press("Shift+ArrowDown")
    toolbar = page.get_by_role("toolbar")
    await expect(toolbar).to_contain_text("3 selected")
    await page.keyboard.press("Shift+ArrowUp")
    await expect(toolbar).to_contain_text("2 selected")
    await expect(room.row("b.txt")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(toolbar).to_have_count(0)
    await page.keyboard.press("Control+a")
    await expect(toolbar).to_contain_text("4 selected")
    await room.row("d.txt").click(modifiers=["Control"])
    await expect(toolbar).to_contain_text("3 selected")
    await page.keyboard.press("Delete")
    await notice(page, "3 files are in the trash.")
    await expect(room.row("a.txt")).to_have_count(0)
    await expect(room.row("d.txt")).to_be_focused()
    await room.lists("Box", "d.txt")
    await page.get_by_role("button", name="Undo").click()
    await expect(room.row("c.txt")).to_be_visible()
    await room.lists("Box", "a.txt", "b.txt", "c.txt", "d.txt")
    await room.row("a.txt").click()
    await room.row("c.txt").click(modifiers=["Shift"])
    await expect(toolbar).to_contain_text("3 selected")
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(r"/files/[0-9a-f-]{36}"))


@pytest.mark.requirement("J1")
async def test_a_file_gets_another_name_in_its_row(visitors: Any) -> None:
    visitor = await visitors()
    room = await enter(lambda: asyncio.sleep(0, visitor))
    page = room.page
    await room.put("draft.txt")
    await room.put("taken.txt")
    await room.open()
    await room.row("draft.txt").click()
    await page.keyboard.press("F2")
    field = page.get_by_label("New name")
    await expect(field).to_be_focused()
    assert await page.evaluate("getSelection().toString()") == "draft"
    await page.keyboard.type("taken")
    await page.keyboard.press("Enter")
    await notice(page, "already")
    await expect(field).to_be_focused()
    await field.fill("final.txt")
    await page.keyboard.press("Enter")
    await expect(room.row("final.txt")).to_be_focused()
    await page.keyboard.press("F2")
    await page.keyboard.type("other")
    await page.keyboard.press("Escape")
    await expect(room.row("final.txt")).to_be_focused()
    await room.lists("final.txt", "taken.txt")
    visitor.expect("status of 409")


@pytest.mark.requirement("J1")
async def test_a_folder_with_a_rule_files_by_itself_and_others_take_what_is_dragged_on_them(visitors: Any) -> None:
    visitor = await visitors()
    room = await enter(lambda: asyncio.sleep(0, visitor))
    page = room.page
    await page.get_by_role("button", name="New folder").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Tables")
    await dialog.get_by_label("Filing rule").fill("everything that looks like a table")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("This rule cannot be read")
    await dialog.get_by_label("Filing rule").fill("type:csv")
    await dialog.get_by_role("button", name="Create").click()
    await expect(room.row("Tables")).to_be_visible()
    await room.put("sums.csv", "a,b\n1,2\n")
    await room.put("letter.txt")
    await expect(room.row("letter.txt")).to_be_visible()  # the server said so, nobody reloaded
    await room.lists("Tables", "letter.txt")
    await room.row("letter.txt").drag_to(room.row("Tables"))
    await notice(page, "1 file moved to “Tables”.")
    await expect(room.row("letter.txt")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(room.row("letter.txt")).to_be_visible()
    await room.row("Tables").get_by_role("link").click()
    await expect(room.row("sums.csv")).to_be_visible()
    await expect(page.get_by_text("Files that fit type:csv come here by themselves.")).to_be_visible()
    await page.get_by_role("button", name="Actions for Tables").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await notice(page, "“Tables” is in the trash")
    await expect(page.get_by_role("heading", level=1, name="Files")).to_be_visible()
    await expect(room.row("Tables")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(room.row("Tables")).to_be_visible()
    visitor.expect("status of 422")


@pytest.mark.requirement("J1")
async def test_tags_are_given_to_many_and_found_again(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    for name in ("one.txt", "two.txt", "three.txt"):
        await room.put(name)
    await room.open()
    await room.row("one.txt").click()
    await room.row("two.txt").click(modifiers=["Control"])
    await page.get_by_role("toolbar").get_by_role("button", name="Tags").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Tags", exact=True).fill("Finance")
    await page.keyboard.press("Enter")
    await dialog.get_by_role("button", name="Save").click()
    await expect(room.row("two.txt")).to_contain_text("Finance")
    await page.get_by_label("Tag", exact=True).select_option("Finance")
    await page.wait_for_url("**tag=Finance*")
    await expect(room.row("three.txt")).to_have_count(0)
    await room.lists("one.txt", "two.txt")
    await page.get_by_role("searchbox").fill("two")
    await expect(room.row("one.txt")).to_have_count(0)
    await page.get_by_role("button", name="Show all").click()
    await expect(room.row("three.txt")).to_be_visible()
    await page.get_by_role("button", name="Type", exact=True).click()
    await page.wait_for_url("**sort=type*")


@pytest.mark.requirement("J3")
async def test_an_older_version_comes_back(visitors: Any, tmp_path: Path) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("notes.txt", "first")
    file = await room.put("notes.txt", "second, longer")
    await room.open()
    await room.row("notes.txt").click(button="right", position={"x": 200, "y": 20})
    row, menu = await room.row("notes.txt").bounding_box(), await page.get_by_role("menu").bounding_box()
    assert row
    assert menu
    assert abs(menu["x"] - row["x"] - 200) < 20
    assert abs(menu["y"] - row["y"] - 20) < 20
    await page.get_by_role("menuitem", name="Versions").click()
    dialog = page.get_by_role("dialog")
    async with page.expect_download() as saved:
        await dialog.get_by_role("button", name="Download version 1").click()
    await (await saved.value).save_as(tmp_path / "saved.txt")
    assert (tmp_path / "saved.txt").read_text() == "first"
    await dialog.get_by_role("button", name="Bring back").click()
    await expect(dialog.get_by_text("brought back from version 1")).to_be_visible()
    now = await page.evaluate("id => fetch(`/api/files/${id}/content`).then(answer => answer.text())", file["id"])
    assert now == "first"


async def test_the_trash_gives_back_or_empties_for_good(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("keep.txt")
    await room.put("burn.txt")
    await room.open()
    await page.keyboard.press("Control+a")
    await page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
    await notice(page, "2 files are in the trash.")
    await page.get_by_role("link", name="Trash").click()
    await expect(room.row("burn.txt")).to_be_visible()
    await room.row("burn.txt").click(button="right")
    await page.get_by_role("menuitem", name="Delete for good").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete for good").click()
    await expect(room.row("burn.txt")).to_have_count(0)
    await room.row("keep.txt").click()
    await screenshot(page, "files-in-trash")
    await page.get_by_role("toolbar").get_by_role("button", name="Restore").click()
    await expect(page.get_by_text("The trash is empty")).to_be_visible()
    await room.open()
    await room.lists("keep.txt")


@pytest.mark.requirement("N1")
async def test_a_reader_sees_what_is_shared_and_is_offered_nothing_else(visitors: Any) -> None:
    room = await enter(visitors)
    shared = await room.put("shared.txt")
    await room.put("private.txt")
    await room.ask("PATCH", f"/api/files/{shared['id']}", {"visibility": "GROUP"})
    link = await room.page.evaluate(INVITE_READER, [f"reader-{uuid.uuid4().hex[:6]}", room.id])
    page = await (await visitors()).open("/" + link.split("/", 3)[3])
    await page.wait_for_url("**/i/*")
    theirs = Room(page, room.id, room.slug)
    await theirs.open()
    await expect(theirs.row("shared.txt")).to_contain_text("Admin")
    await theirs.lists("shared.txt")
    await expect(page.get_by_role("button", name="Upload files")).to_have_count(0)
    await expect(page.get_by_role("button", name="New folder")).to_have_count(0)
    await theirs.row("shared.txt").click(button="right")
    await expect(page.get_by_role("menuitem", name="Download")).to_be_visible()
    for name in ("Rename", "Move", "Tags", "Delete"):
        await expect(page.get_by_role("menuitem", name=name)).to_have_count(0)


@pytest.mark.requirement("P4")
async def test_a_phone_opens_by_a_tap_and_selects_by_the_picture(visitors: Any) -> None:
    room = await enter(visitors, "phone")
    page = room.page
    await room.folder("Box")
    await room.put("photo.jpg")
    await room.open()
    await page.get_by_role("checkbox", name="Select photo.jpg").check(force=True)
    await page.get_by_role("toolbar").get_by_role("button", name="Move").click()
    await page.get_by_role("dialog").get_by_label("Box").check()
    await page.get_by_role("button", name="Move here").click()
    await notice(page, "1 file moved to “Box”.")
    await room.row("Box").get_by_role("link").click()
    await expect(room.row("photo.jpg")).to_be_visible()
    await room.row("photo.jpg").get_by_role("link").dispatch_event("click")
    await page.wait_for_url(re.compile(r"/files/[0-9a-f-]{36}"))


@pytest.mark.requirement("P4")
async def test_what_arrives_after_its_page_or_dialog_was_left_disturbs_nobody(visitors: Any) -> None:
    """Whatever a page complains about fails a test, also that it reads values which are nobody's any more."""
    room = await enter(visitors)
    page = room.page
    await room.put("first.md")
    await expect(room.row("first.md")).to_be_visible()

    async def held(address: str, begin: Callable[[], Awaitable[Any]], leave: Callable[[], Awaitable[Any]]) -> None:
        asked, gate = asyncio.Event(), asyncio.Event()

        async def late(route: Route) -> None:
            asked.set()
            await gate.wait()
            await route.continue_()

        await page.route(address, late)
        await begin()
        await asked.wait()
        await leave()
        async with page.expect_response(address) as answered:
            gate.set()
        await (await answered.value).finished()
        await page.unroute(address)

    async def elsewhere() -> None:
        await page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Agents").click()
        await expect(page.get_by_role("heading", level=1, name="Agents")).to_be_visible()

    async def close() -> None:
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)

    await held(f"**/api/workspace/{room.id}/files?*", lambda: room.put("second.md"), elsewhere)
    await page.get_by_role("button", name="New workspace").first.click()
    name = f"Your next {uuid.uuid4().hex[:6]}"
    await page.get_by_role("dialog").get_by_label("Name", exact=True).fill(name)
    await held("**/api/instances", lambda: page.keyboard.press("Enter"), close)
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await room.ask("GET", "/api/instances?limit=1")  # there and back: by then everything above has been said
