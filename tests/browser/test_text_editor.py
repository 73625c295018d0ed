"""Text files edited in a real browser: nothing that was typed is lost, by another tab, another device, a reload or a slip."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look
from tests.browser.looks import fits
from tests.browser.pages import INVITE_READER, settled, unique
from tests.browser.stage import Stage, begin
from tests.faults.process import Workroom

pytestmark = pytest.mark.requirement("J3", "P1")

# Where the keyboard is, through shadow trees.
FOCUSED = """() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.className ?? ''
}"""


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


class Papers:
    """Text files of a workspace of their own, made and read past the page."""

    def __init__(self, server: Workroom) -> None:
        self._server = server
        with server.signed_in() as client:
            made = client.post("/api/instances", json={"name": unique("Papers")}).raise_for_status().json()
        self.instance, self.slug = made["id"], made["slug"]

    def put(self, name: str, content: bytes) -> str:
        with self._server.signed_in() as client:
            begun = client.post(f"/api/workspace/{self.instance}/uploads", json={"name": name, "size": len(content)})
            upload = begun.raise_for_status().json()["uploadId"]
            client.patch(f"/api/uploads/{upload}", content=content, headers={"Upload-Offset": "0"}).raise_for_status()
            return str(client.post(f"/api/uploads/{upload}/finish", json={}).raise_for_status().json()["id"])

    def content(self, file: str, version: int | None = None) -> bytes:
        with self._server.signed_in() as client:
            query = {} if version is None else {"version": version}
            return client.get(f"/api/files/{file}/content", params=query).raise_for_status().content

    def save(self, file: str, version: int, text: str) -> None:
        with self._server.signed_in() as client:
            body = {"version": version, "text": text}
            client.put(f"/api/files/{file}/text", json=body).raise_for_status()

    def delete(self, file: str) -> None:
        with self._server.signed_in() as client:
            client.delete(f"/api/files/{file}").raise_for_status()

    def at(self, file: str, query: str = "?edit=true") -> str:
        return f"/i/{self.slug}/files/{file}{query}"


@pytest.fixture
def papers(server: Workroom) -> Papers:
    return Papers(server)


def text(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text of")


async def type_at_the_end(page: Page, words: str) -> None:
    await text(page).click()
    await page.keyboard.press("Control+End")
    await page.keyboard.type(words)


async def says(page: Page, words: str) -> None:
    await expect(page.get_by_role("region", name="Editor").get_by_text(words)).to_be_visible()


async def notice(page: Page, words: str) -> None:
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text(words)


@every_look
async def test_a_text_is_edited_and_saved(visitors: Any, papers: Papers, size: str, theme: str) -> None:
    file = papers.put("notes.md", "# Zürich\r\n\r\nA *quiet* day.\r\n".encode())
    page = await (await visitors(size, theme)).enter(papers.at(file, ""))
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.wait_for_url("**edit=true")
    await type_at_the_end(page, "- rain")
    await says(page, "Not saved yet; kept on this device.")
    if size == "desktop":
        await expect(page.get_by_role("region", name="Preview").get_by_role("listitem")).to_have_text("rain")
    await fits(page, f"editor-{size}-{theme}")

    await page.keyboard.press("Enter")  # a list goes on
    await page.keyboard.type("sun")
    await page.keyboard.press("Control+f")
    await expect(page.get_by_role("textbox", name="Find")).to_be_focused()
    await fits(page, f"editor-search-{size}-{theme}")
    await page.keyboard.press("Escape")

    await page.keyboard.press("Control+s")
    await says(page, "Version 2, saved.")
    assert papers.content(file) == "# Zürich\r\n\r\nA *quiet* day.\r\n- rain\r\n- sun".encode()
    await page.get_by_role("radio", name="Preview").check()
    await expect(page.get_by_role("region", name="Preview").get_by_role("listitem")).to_have_text(["rain", "sun"])
    await fits(page, f"editor-preview-{size}-{theme}")

    await page.get_by_role("button", name="Close editor").click()
    await expect(page.get_by_role("listitem").filter(has_text="sun")).to_be_visible()
    await expect(page).to_have_url(f"**/files/{file}".replace("**", page.url.split("/files/")[0]))


async def test_the_keyboard_gets_in_and_out(visitors: Any, papers: Papers) -> None:
    file = papers.put("code.py", b"def one():\n")
    page = await (await visitors()).enter(papers.at(file))
    await type_at_the_end(page, "\treturn '?/'\n")  # neither help nor search opens
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(text(page)).to_contain_text("  return '?/'")
    await expect(text(page)).to_have_accessible_description(
        "Tab indents. To leave the text with the keyboard, press Escape, then Tab."
    )
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Shift+Tab")
    assert "cm-content" in await page.evaluate(FOCUSED)


async def test_two_tabs_are_one_draft_and_hear_of_a_new_version(visitors: Any, papers: Papers) -> None:
    file = papers.put("notes.txt", b"one\n")
    visitor = await visitors()
    first = await visitor.enter(papers.at(file))
    second = await visitor.open(papers.at(file))
    await expect(text(second)).to_contain_text("one")
    await type_at_the_end(first, "two")
    await expect(text(second)).to_contain_text("two")
    await type_at_the_end(second, " three")
    await expect(text(first)).to_contain_text("two three")
    await first.keyboard.press("Control+s")
    for page in (first, second):
        await says(page, "Version 2, saved.")
    assert papers.content(file) == b"one\ntwo three"

    papers.save(file, 2, "by an agent\n")
    for page in (first, second):
        await expect(text(page)).to_contain_text("by an agent")
        await notice(page, "Version 3 by")


@every_look
async def test_what_two_devices_write_is_not_lost(visitors: Any, papers: Papers, size: str, theme: str) -> None:
    file = papers.put("notes.txt", b"one\n")
    page = await (await visitors(size, theme)).enter(papers.at(file))
    other = await (await visitors()).enter(papers.at(file))
    await type_at_the_end(page, "mine")
    await type_at_the_end(other, "theirs")
    await other.keyboard.press("Control+s")
    await says(other, "Version 2, saved.")
    await says(page, "You saved version 2 elsewhere")
    await type_at_the_end(page, " and more")
    await page.keyboard.press("Control+s")  # saves nothing over what was not seen
    await page.get_by_role("button", name="Show the difference").click()
    difference = page.get_by_role("group", name="From the stored version to yours")
    await expect(difference).to_contain_text("theirs")
    await expect(difference).to_contain_text("mine and more")
    await fits(page, f"editor-conflict-{size}-{theme}")
    assert papers.content(file) == b"one\ntheirs"

    await page.get_by_role("button", name="Discard mine, take theirs").click()
    await expect(text(page)).to_contain_text("theirs")
    await page.get_by_role("button", name="Undo").click()
    await expect(text(page)).to_contain_text("mine and more")
    await page.get_by_role("button", name="Save mine instead").click()
    await says(page, "Version 3, saved.")
    assert [papers.content(file, version) for version in (2, 3)] == [b"one\ntheirs", b"one\nmine and more"]
    await expect(text(other)).to_contain_text("mine and more")


async def test_a_draft_survives_a_reload_a_crash_and_a_slip(visitors: Any, papers: Papers) -> None:
    file = papers.put("notes.txt", b"one\n")
    visitor = await visitors()
    page = await visitor.enter(papers.at(file))
    await type_at_the_end(page, "two")
    await page.reload()
    await expect(text(page)).to_contain_text("two")
    await says(page, "Not saved yet; kept on this device.")
    await type_at_the_end(page, " three")
    async with page.expect_event("dialog") as asked:
        await page.close(run_before_unload=True)
    dialog = await asked.value
    assert dialog.type == "beforeunload"
    await dialog.dismiss()
    await expect(text(page)).to_contain_text("two three")
    await page.close()  # no page hears of that: as in a crash

    page = await visitor.open(papers.at(file, ""))
    await page.get_by_role("button", name="Continue editing").click()
    await expect(text(page)).to_contain_text("two three")
    await page.get_by_role("button", name="Close editor").click()
    dialog = page.get_by_role("dialog", name="Save your changes?")
    await dialog.get_by_role("button", name="Keep editing").click()
    await expect(text(page)).to_contain_text("two")
    await page.get_by_role("button", name="Close editor").click()
    await dialog.get_by_role("button", name="Save and close").click()
    await expect(page.get_by_role("region", name="Editor")).to_have_count(0)
    assert papers.content(file) == b"one\ntwo three"
    await settled(page)
    await expect(page.get_by_text("Continue editing")).to_have_count(0)


async def test_the_way_back_asks_first(visitors: Any, papers: Papers) -> None:
    file = papers.put("notes.txt", b"one\n")
    page = await (await visitors()).enter(f"/i/{papers.slug}/files")
    await page.get_by_role("link", name="notes.txt").click()
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.wait_for_url("**edit=true")
    await type_at_the_end(page, "two")
    await page.evaluate("history.back()")
    await page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    await expect(page.get_by_role("region", name="Editor")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(text(page)).to_contain_text("two")
    assert papers.content(file) == b"one\n"


async def test_a_version_is_compared_and_brought_back(visitors: Any, papers: Papers) -> None:
    file = papers.put("notes.txt", b"one\n")
    papers.save(file, 1, "two\n")
    papers.save(file, 2, "three\n")
    page = await (await visitors()).enter(papers.at(file))
    await page.get_by_role("button", name="Versions").click()
    dialog = page.get_by_role("dialog", name="Versions of")
    await dialog.get_by_role("button", name="Difference to the newest").last.click()
    difference = dialog.get_by_role("group", name="From version 1 to version 3")
    await expect(difference).to_contain_text("one")
    await expect(difference).to_contain_text("three")
    await fits(page, "editor-versions")
    await dialog.get_by_role("button", name="Bring back").last.click()
    await expect(dialog.get_by_text("brought back from version 1")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(text(page)).to_have_text("one")
    await says(page, "Version 4, saved.")
    assert papers.content(file) == b"one\n"


async def test_a_new_text_opens_in_the_editor(visitors: Any, papers: Papers) -> None:
    visitor = await visitors()
    visitor.expect("422")
    page = await visitor.enter(f"/i/{papers.slug}/files")
    await page.get_by_role("button", name="Add", exact=True).click()
    await page.get_by_role("menuitem", name="New text file").click()
    dialog = page.get_by_role("dialog", name="New text file")
    await dialog.get_by_label("Name").fill("Ideas.docx")
    await dialog.get_by_role("button", name="Create").click()
    await expect(dialog.get_by_text("That would be no text file.")).to_be_visible()
    await dialog.get_by_label("Name").fill("Ideas")
    await dialog.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", name="Ideas.md")).to_be_visible()
    await type_at_the_end(page, "# One")
    await page.keyboard.press("Control+s")
    await says(page, "Version 2, saved.")


async def test_the_text_of_a_file_that_was_deleted_becomes_a_new_file(visitors: Any, papers: Papers) -> None:
    visitor = await visitors()
    visitor.expect("404")  # the browser reports what the editor is told
    file = papers.put("notes.txt", b"one\n")
    page = await visitor.enter(papers.at(file))
    await type_at_the_end(page, "two")
    papers.delete(file)
    await page.get_by_role("button", name="Save as a new file").click()
    await says(page, "Version 1, saved.")
    assert papers.content(page.url.split("/files/")[1].split("?")[0]) == b"one\ntwo"


async def test_what_cannot_be_edited_says_so(visitors: Any, papers: Papers) -> None:
    visitor = await visitors()
    visitor.expect("413")
    page = await visitor.enter(papers.at(papers.put("long.log", b"a line of a log\n" * 70_000), ""))
    await page.get_by_role("button", name="Edit", exact=True).click()
    await says(page, "Texts of up to 1 MB can be edited here.")
    await page.get_by_role("button", name="View it instead").click()
    await expect(page.get_by_role("region", name="Text")).to_contain_text("a line of a log")

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.txt", "inside\n")
    await page.goto(
        page.url.split("/i/")[0] + papers.at(papers.put("papers.zip", packed.getvalue()), "?inside=inner.txt")
    )
    await page.get_by_role("button", name="Edit", exact=True).click()
    await notice(page, "Take the file out first.")
    await page.get_by_role("button", name="Open the archive").click()
    await expect(page.get_by_role("treeitem", name="inner.txt")).to_be_visible()


async def test_readers_only_look(visitors: Any, papers: Papers) -> None:
    file = papers.put("notes.txt", b"one\n")
    admin = await (await visitors()).enter(papers.at(file, ""))
    share = "id => fetch('/api/files/share', {method: 'POST', headers: {'content-type': 'application/json'}, body: id})"
    await admin.evaluate(share, json.dumps({"fileIds": [file], "visibility": "GROUP"}))
    link = await admin.evaluate(INVITE_READER, [unique("reader").replace(" ", "-"), papers.instance])
    page = await (await visitors()).open("/" + link.split("/", 3)[3])
    await page.wait_for_url("**/i/*")
    await page.goto(page.url.split("/i/")[0] + papers.at(file))
    await expect(page.get_by_text("one", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name="Download")).to_be_visible()
    await expect(page.get_by_role("region", name="Editor")).to_have_count(0)
    await expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)


async def test_beside_a_conversation_escape_leaves_only_the_text(visitors: Any, papers: Papers, stage: Stage) -> None:
    stage.gate.set()
    file = papers.put("notes.txt", b"one\n")
    _, page = await begin(visitors, "Hello", at=f"/i/{papers.slug}")
    await page.goto(page.url.split("?")[0] + f"?file={file}&edit=true")
    await type_at_the_end(page, "two")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()
    await page.keyboard.press("Control+s")
    await says(page, "Version 2, saved.")
    await fits(page, "editor-panel")
    assert papers.content(file) == b"one\ntwo"
