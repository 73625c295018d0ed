"""Files looked into in a real browser: real documents, archives opened in place, pages, sheets, sections, search, refusals."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import re
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import LOOKING, drawn, sheet
from tests.browser.stage import Stage, begin, said
from tests.documents.corpus import ROOT
from tests.documents.pdf.making import Page as Paper
from tests.documents.pdf.making import PdfMaker
from tests.faults.process import Workroom

SIZES = ["desktop", "phone"]
LONG_PDF = "unstructured/pdf/DA-619p.pdf"
MEMO = "unstructured/pdf/fake-memo.pdf"
CHUNK = 4_000_000
DROP = """([name, content]) => {
    const bytes = Uint8Array.from(atob(content), sign => sign.charCodeAt(0))
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([bytes], name, {type: 'application/zip'}))
    for (const type of ['dragenter', 'dragover', 'drop']) {
        document.querySelector('#page').dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}))
    }
}"""

PUT_INTO_A_FOLDER = """async ([file, name]) => {
    const ask = (method, path, body) => fetch(path, body && {
        method, headers: {'content-type': 'application/json'}, body: JSON.stringify(body)
    }).then(answer => answer.json())
    const {instanceId} = await ask('GET', `/api/files/${file}`)
    const {id} = await ask('POST', `/api/workspace/${instanceId}/folders`, {name})
    await ask('PATCH', `/api/files/${file}`, {folderId: id})
}"""
# Buttons of the bar whose middle is another element's.
COVERED = """[...document.querySelectorAll('.bar .tool')].filter((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((button) => button.ariaLabel)"""


class Shelf:
    """Puts real documents, each once, into a workspace that holds nothing else, and knows where they are shown. Elsewhere
    answers would find them, and ask before they write what they read there."""

    def __init__(self, server: Workroom) -> None:
        self._server = server
        self._known: dict[str, str] = {}
        with server.signed_in() as client:
            made = client.post("/api/instances", json={"name": "Shelf"}).raise_for_status().json()
        self._instance, self.home = made["id"], f"/i/{made['slug']}"

    def at(self, file: str, query: str = "") -> str:
        return f"{self.home}/files/{file}{query}"

    def path(self, document: str, query: str = "") -> str:
        return self.at(self.id(document), query)

    def id(self, document: str) -> str:
        if document not in self._known:
            self._known[document] = self.put(Path(document).name, (ROOT / document).read_bytes())
        return self._known[document]

    def put(self, name: str, content: bytes) -> str:
        with self._server.signed_in() as client:
            begun = client.post(f"/api/workspace/{self._instance}/uploads", json={"name": name, "size": len(content)})
            upload = begun.raise_for_status().json()["uploadId"]
            for start in range(0, len(content), CHUNK):
                part, at = content[start : start + CHUNK], {"Upload-Offset": str(start)}
                client.patch(f"/api/uploads/{upload}", content=part, headers=at).raise_for_status()
            return str(client.post(f"/api/uploads/{upload}/finish", json={}).raise_for_status().json()["id"])

    def ask(self, path: str) -> Any:
        with self._server.signed_in() as client:
            return client.get(path).raise_for_status().json()


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@pytest.fixture(scope="module")
def shelf(whole_stage: Stage) -> Shelf:
    if not ROOT.is_dir():
        missing = "No real documents here: set WORKROOM_TEST_DATA to the folder that holds `corpus`."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return Shelf(whole_stage.server)


def archive(*members: tuple[str, str]) -> bytes:
    """A ZIP of real documents: paths in it, and where they come from."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for path, document in members:
            file.write(ROOT / document, path)
    return packed.getvalue()


async def settled(page: Page) -> None:
    """What was asked for is drawn; the first look into a long document takes a while."""
    await expect(page.locator("h1[tabindex], .viewer h2").first).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=LOOKING)


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await settled(page)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"preview-{name}")


async def wider(page: Page, number: int, width: int) -> None:
    """Wait until this page is."""
    await page.wait_for_function(
        "([number, width]) => document.querySelector(`[data-page='${number}']`).clientWidth > width",
        arg=[number, width],
    )


@pytest.mark.requirement("P1")
@pytest.mark.parametrize("size", SIZES)
async def test_links_of_a_page_can_be_followed(visitors: Any, shelf: Shelf, size: str) -> None:
    first = Paper().text(60, 100, "our report").text(60, 130, "see the end").text(60, 160, "run this")
    first.link(58, 100, 60, "https://example.org/report").jump(58, 130, 60, 2).link(58, 160, 60, "javascript:alert(1)")
    made = shelf.put("links.pdf", PdfMaker([first, Paper(), Paper().text(60, 100, "The end")]).data())
    page = await (await visitors(size)).enter(shelf.at(made))
    await drawn(page, 1)
    out = sheet(page, 1).get_by_role("link", name="https://example.org/report")
    await expect(sheet(page, 1).get_by_role("link")).to_have_count(1)
    for name, value in (("href", "https://example.org/report"), ("target", "_blank"), ("rel", "noopener noreferrer")):
        await expect(out).to_have_attribute(name, value)
    tip = sheet(page, 1).get_by_text("https://example.org/report")
    await expect(tip).to_be_hidden()
    await out.focus()
    await expect(tip).to_be_visible()
    await fits(page, f"links-{size}")
    await page.keyboard.press("Tab")
    await expect(sheet(page, 1).get_by_role("button", name="To page 3")).to_be_focused()
    await page.keyboard.press("Enter")
    await drawn(page, 3)


@pytest.mark.requirement("P4")
async def test_no_button_lies_under_another_for_a_finger(visitors: Any, shelf: Shelf) -> None:
    made = shelf.put("report.md", b"# Report\n\n## Turnover\n\nMuch.\n\n## Outlook\n\nMore.\n")
    page = await (await visitors("phone", touch=True)).enter(shelf.at(made))
    await expect(page.get_by_role("button", name="Contents")).to_be_visible()
    covered = await page.evaluate(COVERED)
    assert covered == [], covered


@pytest.mark.requirement("I4")
@pytest.mark.requirement("P1")
async def test_a_dropped_archive_opens_a_pdf_inside_it_at_a_page(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(f"{shelf.home}/files")
    await settled(page)
    name = f"project {uuid.uuid4().hex[:6]}.zip"
    packed = archive(("docs/codex.pdf", LONG_PDF), ("numbers/cups.xlsx", "unstructured/stanley-cups.xlsx"))
    await page.evaluate(DROP, [name, base64.b64encode(packed).decode()])
    await page.get_by_role("main").get_by_role("link", name=name, exact=True).click()
    await page.wait_for_url("**/files/*-*")
    await settled(page)
    tree = page.get_by_role("tree")
    await expect(tree.get_by_role("treeitem")).to_have_count(4)
    await fits(page, "archive-desktop")
    await tree.focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**inside=docs/codex.pdf**")
    await settled(page)
    field = page.get_by_label("Go to page")
    await expect(field).to_have_value("1")
    await field.fill("400")
    await field.press("Enter")
    await drawn(page, 400)
    await page.wait_for_url("**page=400")
    await page.wait_for_function(
        "() => document.querySelectorAll('[data-page]').length <= 6"
    )  # only what is near is drawn
    words = shelf.ask(f"/api/files/{shelf.id(LONG_PDF)}/pages/400/text")["lines"][0]["text"]
    await expect(sheet(page, 400).locator(".line").first).to_have_text(words)
    await fits(page, "pdf-in-archive-desktop")
    await page.reload()
    await drawn(page, 400)
    await page.get_by_role("navigation", name="Where this file is").get_by_role("button", name=name).click()
    await expect(tree.get_by_role("treeitem", name="codex.pdf")).to_be_visible()


@pytest.mark.requirement("P1")
async def test_a_text_layer_lies_where_the_words_are(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path(LONG_PDF, "?page=47"))
    await drawn(page, 47)
    told = shelf.ask(f"/api/files/{shelf.id(LONG_PDF)}/pages/47/text")
    line = max(told["lines"], key=lambda one: one["width"])
    words = sheet(page, 47).get_by_text(line["text"], exact=True).first
    on_page = await words.evaluate(
        "line => [line.getBoundingClientRect(), line.closest('.paper').getBoundingClientRect()].map(box => box.toJSON())"
    )
    box, paper = on_page
    scale = paper["width"] / told["width"]
    assert abs(box["width"] - line["width"] * scale) < 2
    assert abs(box["left"] - paper["left"] - line["x"] * scale) < 2
    assert abs(box["top"] - paper["top"] - line["y"] * scale) < 4


@pytest.mark.requirement("P1")
async def test_what_is_copied_from_a_page_keeps_its_words_apart(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path(LONG_PDF, "?page=47"))
    await drawn(page, 47)
    lines = [line["text"] for line in shelf.ask(f"/api/files/{shelf.id(LONG_PDF)}/pages/47/text")["lines"][:3]]
    await expect(sheet(page, 47).locator(".line").nth(2)).to_have_text(lines[2])
    await sheet(page, 47).evaluate(
        """page => {
            const [first, , third] = page.querySelectorAll('.line')
            getSelection().setBaseAndExtent(first, 0, third, third.childNodes.length)
        }"""
    )
    await page.keyboard.press("Control+c")
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert [line for line in copied.splitlines() if line] == lines


@pytest.mark.requirement("P1")
async def test_the_way_back_from_a_file_is_the_folder_it_lies_in(visitors: Any, shelf: Shelf) -> None:
    visitor = await visitors("phone")
    page = await visitor.enter(shelf.path(MEMO))
    await settled(page)
    box, name = f"Box {uuid.uuid4().hex[:6]}", Path(MEMO).name
    await page.evaluate(PUT_INTO_A_FOLDER, [shelf.id(MEMO), box])
    await page.reload()
    await settled(page)
    way = page.get_by_role("navigation", name="Where this file is")
    await expect(way.get_by_role("heading", name=name)).to_be_visible()
    await way.get_by_role("link", name=box).click()
    await expect(page.get_by_role("heading", level=1, name=box)).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name=name, exact=True).click()
    await page.set_viewport_size({"width": 1440, "height": 900})
    await expect(way.get_by_role("link")).to_have_text(["Files", box])


@pytest.mark.requirement("P4")
async def test_keys_lead_through_a_document(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path(LONG_PDF))
    await drawn(page, 1)
    for key, number in (("End", 619), ("PageUp", 618), ("ArrowRight", 619), ("Home", 1), ("PageDown", 2)):
        await page.keyboard.press(key)
        await expect(page.get_by_label("Go to page")).to_have_value(str(number))
    await drawn(page, 2)
    width = await sheet(page, 2).evaluate("page => page.clientWidth")
    await page.keyboard.press("+")
    await wider(page, 2, width)
    await expect(page.get_by_label("Go to page")).to_have_value("2")


@pytest.mark.requirement("P1")
async def test_searching_a_pdf_leads_to_the_place(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path(LONG_PDF))
    await drawn(page, 1)
    await page.get_by_label("Go to page").focus()
    await page.keyboard.press("Control+f")
    field = page.get_by_label("Search in this file")
    await expect(field).to_be_focused()
    await field.fill("the Colossus of Orlais")
    hits = page.get_by_role("region", name="Search").get_by_role("listitem")
    await expect(hits.first).to_be_visible(timeout=LOOKING)
    last = hits.last
    number = int(re.sub(r"\D", "", await last.locator(".where").inner_text()))
    assert number > 100, "the words must lie far from the beginning, or nothing is proved"
    await last.get_by_role("button").click()
    await drawn(page, number)
    mark = sheet(page, number).locator(".hit.chosen").first
    await expect(mark).to_be_in_viewport()
    await fits(page, "pdf-search-desktop")
    await field.press("Enter")
    await expect(hits.first.get_by_role("button")).to_have_attribute("aria-current", "true")
    await page.reload()
    await expect(hits.first).to_be_visible(timeout=LOOKING)


@pytest.mark.requirement("I5", "P1")
async def test_a_workbook_shows_its_second_sheet(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path("unstructured/stanley-cups.xlsx"))
    grid = page.get_by_role("grid")
    await settled(page)
    await expect(grid.get_by_role("gridcell", name="Blues", exact=True)).to_be_visible()
    await page.get_by_role("tab").nth(1).click()
    await page.wait_for_url("**sheet=*")
    await expect(grid.get_by_role("gridcell", name="Maple Leafs", exact=True)).to_be_visible()
    second = await page.get_by_role("tab").nth(1).inner_text()
    await expect(grid).to_have_attribute("aria-label", second)
    await grid.focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".cells-bar")).to_contain_text("B2")
    await fits(page, "workbook-desktop")
    await page.reload()
    await expect(page.get_by_role("tab", name=second)).to_have_attribute("aria-selected", "true")
    await page.goto(page.url.split("/i/")[0] + shelf.path("calamine/tests/any_sheets.xlsx"))
    await expect(page.get_by_role("tab", name="hidden").first).to_be_visible()


@pytest.mark.requirement("I2")
async def test_a_section_of_a_long_document_opens_alone(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path("unstructured/handbook-872p.docx"))
    await settled(page)
    structure = shelf.ask(f"/api/files/{shelf.id('unstructured/handbook-872p.docx')}/reading")["structure"]
    section = [one for one in structure["sections"] if one["level"] == 1][5]
    named = f"{section['title']} {section['startPage'] + 1}"
    await page.get_by_role("tree", name="Contents").get_by_role("treeitem", name=named, exact=True).click()
    heading = page.locator(f'[data-section="{section["id"]}"]').first
    await expect(heading).to_be_in_viewport(timeout=LOOKING)
    await expect(heading).to_contain_text(section["title"].split()[-1])
    await expect(page.get_by_label("Go to page")).to_have_value(str(section["startPage"] + 1))
    await page.wait_for_function("() => document.querySelectorAll('.part').length <= 8")  # the rest is not drawn
    await fits(page, "docx-section-desktop")


@pytest.mark.requirement("P1")
async def test_a_refused_file_says_why_and_can_still_be_saved(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path("unstructured/password_protected.xlsx"))
    await settled(page)
    await expect(page.get_by_role("heading", name="This file is locked")).to_be_visible()
    await expect(page.get_by_text("protected by a password")).to_be_visible()
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="Download").last.click()
    assert (await saved.value).suggested_filename == "password_protected.xlsx"
    await fits(page, "locked-desktop")
    await page.goto(page.url.split("/i/")[0] + shelf.path("unstructured/fake.doc"))
    await expect(page.get_by_text("save it as DOCX")).to_be_visible()


@pytest.mark.requirement("I4")
async def test_members_are_taken_out_of_an_archive(visitors: Any, shelf: Shelf) -> None:
    mark = uuid.uuid4().hex[:6]
    packed = archive(
        (f"a/{mark}-1.csv", "unstructured/stanley-cups.csv"), (f"a/{mark}-2.md", "unstructured/simple-table.md")
    )
    file = shelf.put(f"{mark}.zip", packed)
    visitor = await visitors()
    is_known = asyncio.Event()

    async def late(route: Route) -> None:
        await is_known.wait()
        await route.continue_()

    await visitor.context.route(f"**/api/files/{file}", late)
    page = await visitor.enter(shelf.at(file))
    await settled(page)
    tree = page.get_by_role("tree")
    await tree.focus()
    await page.keyboard.press("End")
    await page.keyboard.press("Space")
    await page.get_by_role("button", name="Take out 1").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", name="Take 1 file out")).to_be_visible()
    assert await violations(page) == []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await dialog.get_by_role("button", name="Take out").click()
    await page.evaluate("document.title")
    assert not any("/members/extract" in url for url in asked), "before it is known which folder the archive is in"
    is_known.set()
    await expect(page.get_by_text("1 file is in the workspace now.")).to_be_visible()
    await page.get_by_role("button", name="Show", exact=True).click()
    main = page.get_by_role("main")
    await expect(main.get_by_role("link", name=f"{mark}-2.md", exact=True)).to_be_visible()
    await expect(main.get_by_role("link", name=f"{mark}-1.csv", exact=True)).to_have_count(0)


@pytest.mark.requirement("I4")
async def test_an_attachment_of_a_mail_opens(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors()).enter(shelf.path("unstructured/eml/fake-email-attachment.eml"))
    await settled(page)
    await expect(page.get_by_role("heading", name="Fake email with attachment")).to_be_visible()
    await expect(page.get_by_text("Here's the attachments!")).to_be_visible()
    await fits(page, "mail-desktop")
    await page.get_by_role("list", name="Attachments").get_by_role("button").click()
    await page.wait_for_url("**inside=fake-attachment.txt**")
    await settled(page)
    await expect(page.get_by_role("region", name="Text")).to_contain_text("this is a fake attachment", ignore_case=True)


@pytest.mark.requirement("I4")
async def test_a_mail_of_outlook_opens_its_attachments(visitors: Any, shelf: Shelf) -> None:
    visitor = await visitors()
    page = await visitor.enter(shelf.path("unstructured/fake-email-attachment.msg"))
    await settled(page)
    await page.get_by_role("list", name="Attachments").get_by_role("button").click()
    await page.wait_for_url("**inside=fake-attachment.txt**")
    await settled(page)
    await expect(page.get_by_role("region", name="Text")).to_contain_text("this is a fake attachment", ignore_case=True)


@pytest.mark.requirement("P1")
@pytest.mark.parametrize("size", SIZES)
async def test_a_file_lies_beside_the_conversation(visitors: Any, shelf: Shelf, size: str) -> None:
    _, page = await begin(visitors, f"good morning {uuid.uuid4().hex[:6]}", size, at=shelf.home)
    await expect(said(page, "You said:")).to_be_visible()
    talk = page.url
    await page.goto(f"{talk}?file={shelf.id(LONG_PDF)}&page=12")
    await drawn(page, 12)
    await fits(page, f"beside-{size}")
    await page.reload()
    await drawn(page, 12)
    if size == "desktop":
        width = await sheet(page, 12).evaluate("page => page.clientWidth")
        await page.get_by_role("button", name="Widen the preview").click()
        await wider(page, 12, width)
        await drawn(page, 12)
        await page.get_by_role("button", name="Narrow the preview").click()
    await page.get_by_role("button", name="Close").first.click()
    await page.wait_for_url(talk)
    await expect(sheet(page, 12)).to_have_count(0)
    await expect(said(page, "You said:")).to_be_visible()


@pytest.mark.requirement("P4")
@every_look
async def test_every_kind_of_file_is_accessible_and_fits(visitors: Any, shelf: Shelf, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter()
    for document in (
        LONG_PDF,
        "unstructured/sample-presentation.pptx",
        "unstructured/vodafone.xlsx",
        "unstructured/winter-sports.epub",
        "unstructured/factbook.xml",
        "calamine/tests/picture.png",
        "markitdown/test_files.zip",
        "unstructured/simple-table.md",
    ):
        await page.goto(page.url.split("/i/")[0] + shelf.path(document))
        await settled(page)
        await page.get_by_role("button", name="About this file").click()
        await expect(page.get_by_role("region", name="About this file").first).to_contain_text("Type")
        await fits(page, f"{Path(document).stem}-{size}-{theme}")


@pytest.mark.requirement("P4")
async def test_on_a_phone_the_contents_make_way_for_what_was_chosen(visitors: Any, shelf: Shelf) -> None:
    page = await (await visitors("phone")).enter(shelf.path(LONG_PDF))
    await drawn(page, 1)
    await page.get_by_role("button", name="Contents").click()
    contents = page.get_by_role("tree", name="Contents")
    await fits(page, "contents-phone")
    await contents.get_by_role("treeitem", name="Codex DA2").click()
    await expect(contents).to_have_count(0)
    await drawn(page, 178)


async def test_a_file_that_is_not_there_says_so(visitors: Any, shelf: Shelf) -> None:
    visitor = await visitors()
    page = await visitor.enter()
    missing = str(uuid.uuid4())
    async with page.expect_event("requestfinished", lambda request: request.url.endswith(f"/api/files/{missing}")):
        await page.goto(visitor.server.base_url + shelf.at(missing))
    await expect(page.get_by_role("alert")).to_contain_text("This file is not here")
    visitor.expect("status of 404")
