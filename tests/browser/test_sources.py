"""Where an answer comes from, in a real browser: chips in its text, the list below it, and the page with the passage marked."""

from __future__ import annotations

import base64
import os
import re
import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.knowledge_pages import PUT
from tests.browser.pages import drawn
from tests.browser.stage import say
from tests.browser.uploads import MAKE_ROOM
from tests.documents.corpus import ROOT

LOOKING = 60_000  # milliseconds
PAPER = "docling/pdf/sources/multi_page.pdf"
COLUMNS = "unstructured/pdf/multi-column.pdf"
NAME = "The word processor.pdf"
QUESTION = "Which tools do academics and scientists use for complex mathematical equations?"
FORGET = "id => fetch(`/api/files/${id}`, {method: 'DELETE'}).then(answer => answer.status)"
COPIED = "navigator.clipboard.readText()"
SELECTED = """prose => {
    getSelection().selectAllChildren(prose)
    return getSelection().toString()
}"""
# What is marked without elements, and whether it can be seen.
MARKED = """() => {
    const [range] = CSS.highlights.get('preview-quote') ?? []
    const box = range?.getBoundingClientRect()
    const view = document.querySelector('.viewer')?.getBoundingClientRect()
    return box && box.top >= view.top && box.bottom <= view.bottom ? range.toString() : ''
}"""


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own."""

    visitor: Any
    page: Page
    id: str
    slug: str

    async def put(self, name: str, content: bytes) -> str:
        done = await self.page.evaluate(PUT, [self.id, name, base64.b64encode(content).decode()])
        assert "id" in done, done
        return str(done["id"])

    async def shelve(self, name: str, content: bytes) -> str:
        """Puts it there and waits until it can be found."""
        file = await self.put(name, content)
        with self.visitor.server.signed_in() as client:

            def is_indexed() -> bool:
                asked = client.post(f"/api/workspace/{self.id}/knowledge/status", json={"fileIds": [file]})
                return [one["state"] for one in asked.raise_for_status().json()["items"]] == ["indexed"]

            self.visitor.server.wait_until(is_indexed, f"{name} was not indexed")
        return file

    async def open(self, path: str = "") -> None:
        await self.page.goto(f"{self.page.url.split('/i/')[0]}/i/{self.slug}{path}")

    async def look(self, file: str, **at: Any) -> None:
        await self.open(f"/files/{file}?{urlencode(at)}")

    async def ask(self, question: str) -> None:
        await self.open()
        await say(self.page, question)
        await self.page.wait_for_url("**/c/*")
        await expect(self.answer.get_by_role("button", name="Copy answer")).to_be_visible(timeout=LOOKING)

    @property
    def answer(self) -> Locator:
        return self.page.locator("section.answer").last

    @property
    def sources(self) -> Locator:
        return self.answer.get_by_role("list", name="Sources")

    @property
    def quoted(self) -> Locator:
        """Marked words of a page."""
        return self.page.locator("[data-page] mark")


@pytest.fixture
def enter(visitors: Any) -> Any:
    if not ROOT.is_dir():
        missing = "No real documents here: set WORKROOM_TEST_DATA to the folder that holds `corpus`."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)

    async def entered(*how: str) -> Room:
        visitor = await visitors(*how)
        page = await visitor.enter()
        made = await page.evaluate(MAKE_ROOM, f"Sources {uuid.uuid4().hex[:6]}")
        return Room(visitor, page, made["id"], made["slug"])

    return entered


def document(path: str) -> bytes:
    return (ROOT / path).read_bytes()


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=LOOKING)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"sources-{name}")


async def marked(page: Page, words: str) -> None:
    """These words are marked in a text, and on the screen."""
    there = f"words => ({MARKED})().replace(/\\s+/g, ' ').includes(words)"
    await page.wait_for_function(there, arg=words, timeout=LOOKING)


@pytest.mark.requirement("H5")
@every_look
async def test_a_source_opens_the_page_with_its_passage_marked(enter: Any, size: str, theme: str) -> None:
    room: Room = await enter(size, theme)
    page = room.page
    await room.shelve(NAME, document(PAPER))
    await room.ask(QUESTION)
    chip = room.answer.get_by_role("link", name=f"Source 1: {NAME}, page 3")
    await expect(chip.first).to_have_text("1")
    await expect(room.sources.get_by_role("link").first).to_have_text(re.compile(rf"1\s+{NAME}\s+page 3"))
    assert "[[" not in await room.answer.inner_text()
    await expect(page.get_by_role("list", name="Files of this message")).to_have_count(0)
    await room.sources.scroll_into_view_if_needed()
    await fits(page, f"answer-{size}-{theme}")
    await chip.first.focus()
    await page.keyboard.press("Enter")
    await drawn(page, 3)
    await expect(room.quoted.first).to_be_in_viewport(timeout=LOOKING)
    assert "complex mathematical equations" in " ".join(await room.quoted.all_inner_texts())
    await fits(page, f"opened-{size}-{theme}")
    await page.reload()
    await drawn(page, 3)
    await expect(room.quoted.first).to_be_in_viewport(timeout=LOOKING)


@pytest.mark.requirement("H5")
async def test_what_else_was_found_is_one_click_away_and_copies_name_the_pages(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await room.shelve("columns.pdf", document(COLUMNS))
    await room.ask("How many questions per second does DPR process?")
    first = room.sources.get_by_role("link").first
    await expect(first).to_contain_text("page 7")
    await first.click()
    await drawn(page, 7)
    await expect(room.quoted.first).to_be_in_viewport(timeout=LOOKING)
    said = " ".join(await room.quoted.all_inner_texts())
    assert "995.0 questions per second" in said
    assert await room.quoted.count() > 1, "a rectangle on every line"
    await expect(page.get_by_label("Go to page")).to_have_value("7")
    await page.locator(".scroller").first.evaluate("element => element.scrollTo(0, 0)")
    await expect(room.quoted.first).not_to_be_in_viewport()
    await first.click()
    await expect(room.quoted.first).to_be_in_viewport(timeout=LOOKING)
    more = room.answer.locator("details")
    await more.get_by_text(re.compile(r"\d+ more passages? w")).click()
    others = more.get_by_role("link")
    place = re.search(r"page (\d+)", await others.first.inner_text())
    assert place
    await fits(page, "more-desktop")
    await others.first.click()
    await drawn(page, int(place[1]))
    await expect(page.locator(f'[data-page="{place[1]}"] mark').first).to_be_in_viewport(timeout=LOOKING)
    await room.answer.get_by_role("button", name="Copy answer").click()
    copied = await page.evaluate(COPIED)
    assert "(columns.pdf, page 7)" in copied
    assert "[[" not in copied
    selected = await room.answer.locator(".prose").first.evaluate(SELECTED)
    assert "page 7 of columns.pdf\n" in selected, "no numbers of chips, no signs of marks"


async def test_what_was_found_is_shown_with_an_answer_that_cites_nothing(enter: Any) -> None:
    room: Room = await enter("phone")
    page = room.page
    await room.shelve("columns.pdf", document(COLUMNS))
    await room.ask("How many questions per second does DPR process?")

    async def without_marks(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=re.sub(r"\[\[[a-z2-7]{5}\]\]", "", await answer.text()))

    await page.route("**/api/workspace/*/conversations/*", without_marks)
    await page.reload()
    found = room.answer.get_by_role("list", name="Found for this question").get_by_role("link")
    await expect(found.first).to_contain_text("page 7")
    assert 1 < await found.count() <= 5, "the best of them; the others are one click away"
    await expect(room.sources).to_have_count(0)
    await expect(page.get_by_role("list", name="Files of this message")).to_have_count(0)
    await found.first.scroll_into_view_if_needed()
    await fits(page, "found-phone")
    await page.unroute_all()


async def test_a_source_that_is_gone_says_so(enter: Any) -> None:
    room: Room = await enter("phone")
    page = room.page
    file = await room.shelve(NAME, document(PAPER))
    await room.ask(QUESTION)
    assert await page.evaluate(FORGET, file) < 300
    await room.sources.get_by_role("link").first.click()
    await expect(page.get_by_role("alert")).to_contain_text("This file is not here")
    await fits(page, "gone-phone")
    room.visitor.expect("status of 404")


@pytest.mark.requirement("H5", "P2")
async def test_a_hit_of_the_search_opens_with_its_sentence_marked(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await room.shelve("columns.pdf", document(COLUMNS))
    await room.open("/knowledge?q=questions+per+second+DPR+process")
    await page.locator("[data-hit]").first.click()
    await drawn(page, 7)
    await expect(room.quoted.first).to_be_in_viewport(timeout=LOOKING)
    assert "995.0 questions per second" in " ".join(await room.quoted.all_inner_texts())


@pytest.mark.requirement("H5")
async def test_a_passage_is_marked_in_every_kind_of_text(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    lines = "\n\n".join(f"Paragraph number {n} says **nothing** of interest." for n in range(400))
    notes = await room.put("notes.md", f"# Notes\n\n{lines}\n\nThe *heron* waits by the\nriver until dusk.".encode())
    await room.look(notes, quote="The heron waits by the river until dusk.")
    await marked(page, "The heron waits by the river until dusk")
    await fits(page, "text-desktop")
    mail = await room.put("mail.eml", document("unstructured/fake-email.eml"))
    await room.look(mail, quote="This is a test email to use for unit tests.")
    await marked(page, "This is a test email to use for unit tests")
    data = b"[\n" + b'  {"bird": "sparrow"},\n' * 3000 + b'  {"bird": "heron", "waits": "by the river until dusk"}\n]\n'
    code = await room.put("birds.json", data)
    await room.look(code, quote='"bird": "heron", "waits": "by the river')
    await marked(page, '"heron", "waits": "by the river')
    rows = "".join(f"{n},sparrow,hops\n" for n in range(900))
    table = await room.put("birds.csv", f"number,bird,does\n{rows}900,heron,waits by the river\n".encode())
    await room.look(table, quote="| 900 | heron | waits by the river |")
    cell = page.get_by_role("gridcell", name="waits by the river")
    await expect(cell).to_be_in_viewport(timeout=LOOKING)
    await expect(cell).to_have_class(re.compile(r"\bfound\b"))
    await expect(page.locator(".cells .found")).to_have_count(3)
    await fits(page, "cells-desktop")
    slides = await room.put("talk.pptx", document("unstructured/fake-power-point.pptx"))
    await room.look(slides, slide=1, quote="Adding a Bullet Slide")
    await expect(page.get_by_role("img", name="Adding a Bullet Slide")).to_be_visible(timeout=LOOKING)
    await marked(page, "Adding a Bullet Slide")


@pytest.mark.requirement("H5")
async def test_a_passage_that_cannot_be_marked_is_still_named(enter: Any) -> None:
    room: Room = await enter("phone")
    page = room.page
    file = await room.put(NAME, document(PAPER))
    await room.look(file, page=2, quote="Words that stand nowhere in this document at all")
    await drawn(page, 2)
    note = page.get_by_role("status").filter(has_text="The passage is on this page.")
    await expect(note).to_be_visible(timeout=LOOKING)
    await expect(room.quoted).to_have_count(0)
    await fits(page, "missed-phone")
    await page.get_by_label("Go to page").fill("5")
    await page.keyboard.press("Enter")
    await expect(note).to_have_count(0)


async def test_marks_of_nothing_vanish_and_code_keeps_them(enter: Any) -> None:
    room: Room = await enter()
    await room.ask("/writeNote title=Marks text='Seen [[k7qda]], said `[[b2c3d]]`.'")
    await expect(room.answer.locator(".prose").last).to_contain_text("[[b2c3d]]")
    await expect(room.answer.locator(".prose").last).not_to_contain_text("k7qda")
    await expect(room.answer.get_by_role("link", name="Source")).to_have_count(0)
