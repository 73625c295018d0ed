"""Companies in a real browser: a briefing written and finalised, two who write at once, files to take along, the trash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look
from tests.browser.looks import fits
from tests.browser.pages import unique
from tests.companies.making import complete
from tests.documents.docx.making import MEDIA_TYPE, said
from tests.documents.making import stored
from workroom.documents.extractors.docx import EXTRACTOR

MARKUP = "<b>Alpenblick</b>"


async def create(page: Page, name: str) -> None:
    """In English, from the list."""
    await page.get_by_role("button", name="New company").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill(name)
    await dialog.get_by_label("Website").fill("alpenblick.example")
    await dialog.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("link", name=name, exact=True))


async def download(page: Page, button: str, folder: Path) -> Path:
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name=button).click()
    found = await waiting.value
    path = folder / found.suggested_filename
    await found.save_as(path)
    return path


async def test_a_briefing_is_written_and_finalised_and_taken_along(visitors: Any, tmp_path: Path) -> None:
    page = await (await visitors()).enter("/i/workspace/companies")
    name = unique(MARKUP)
    await create(page, name)
    await expect(page.get_by_role("link", name="https://alpenblick.example")).to_be_visible()
    await expect(card(page, "SWOT analysis")).to_contain_text("Not final yet: Briefing")
    await card(page, "Briefing").get_by_role("link").click()
    await expect(page.get_by_role("button", name="Mark as final")).to_be_disabled()
    text = page.get_by_label("Text", exact=True)
    await page.get_by_role("button", name="Insert missing headings").click()
    await expect(text).to_have_value(page_of_headings())
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("8 headings without text")).to_be_visible()
    await text.fill(complete("briefing", "en"))
    await page.get_by_role("radio", name="Preview").check()
    await expect(page.get_by_role("heading", name="Company and history")).to_be_visible()
    await page.get_by_role("button", name="Mark as final").click()
    await expect(page.get_by_text("headings without text")).to_have_count(0)
    await expect(page.get_by_role("button", name="Back to draft")).to_be_visible()
    await page.get_by_role("link", name=name).click()
    await expect(card(page, "SWOT analysis")).not_to_contain_text("Not final yet")
    await expect(card(page, "Briefing")).to_contain_text("Nothing is missing")
    await expect(card(page, "Target audiences")).to_contain_text("Not final yet: SWOT analysis")
    await fits(page, "companies-dna")
    word = stored(tmp_path, (await download(page, "As Word", tmp_path)).read_bytes(), MEDIA_TYPE, "dna.docx")
    assert (2, "Company and history") in [(entry.level, entry.title) for entry in EXTRACTOR.scan(word).toc]
    assert name in said(word)
    with pypdfium2.PdfDocument(await download(page, "As PDF", tmp_path)) as document:
        assert len(document) == 2
        assert name in document[0].get_textpage().get_text_range()


def page_of_headings() -> str:
    return "\n\n".join(line for line in complete("briefing", "en").split("\n\n") if line.startswith("##")) + "\n"


async def test_what_one_types_stays_when_another_saves_and_an_earlier_version_comes_back(visitors: Any) -> None:
    visitor = await visitors()
    visitor.expect("409 (Conflict)")
    page = await visitor.enter("/i/workspace/companies")
    await create(page, unique("Alpenblick"))
    await card(page, "Briefing").get_by_role("link").click()
    await page.wait_for_url("**/briefing")
    text = page.get_by_label("Text", exact=True)
    await text.fill("First words.")
    other = await visitor.open(page.url.removeprefix(visitor.server.base_url))
    theirs = other.get_by_label("Text", exact=True)
    await theirs.fill("Words of the other one.")
    await page.get_by_role("button", name="Save", exact=True).click()
    conflict = other.get_by_role("alert").filter(has_text="Version 1 is by")
    await expect(conflict).to_be_visible()
    await expect(theirs).to_have_value("Words of the other one.")
    await theirs.press_sequentially(" And more.")
    await other.reload()
    await expect(theirs).to_have_value("Words of the other one. And more.")  # also over a reload
    await other.get_by_role("button", name="Show the difference").click()
    await expect(other.get_by_role("group", name="From the stored version to yours").locator("ins")).to_contain_text(
        "And more."
    )
    await fits(other, "companies-conflict")
    await other.get_by_role("button", name="Save mine instead").click()
    await expect(conflict).to_have_count(0)
    await expect(text).to_have_value("Words of the other one. And more.")  # who has changed nothing sees it at once
    await text.fill("Half a sentence")
    await theirs.fill("Theirs again.")
    await other.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_role("button", name="Discard mine, take theirs").click()
    await expect(text).to_have_value("Theirs again.")
    versions = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="What changed"))
    await expect(versions).to_have_count(3)
    await versions.nth(1).get_by_role("button", name="What changed").click()
    await expect(versions.nth(1).locator("ins")).to_contain_text("And more.")
    await versions.nth(2).get_by_role("button", name="Bring back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Bring back").click()
    await expect(text).to_have_value("First words.")
    await expect(versions).to_have_count(4)


async def test_the_list_finds_and_the_trash_gives_back(visitors: Any) -> None:
    page = await (await visitors()).enter("/i/workspace/companies")
    name = unique("Searchable")
    await create(page, name)
    await page.get_by_role("link", name="Companies", exact=True).first.click()
    await page.get_by_label("Search companies").fill(name)
    table = page.get_by_role("table", name="Companies")
    await expect(table.get_by_role("link")).to_have_text([name])
    await page.get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name="Delete company").click()
    await expect(page.get_by_text(f"Nothing found for “{name}”")).to_be_visible()
    await page.get_by_role("link", name="Trash").click()
    row = page.get_by_role("row").filter(has_text=name)
    await row.get_by_role("button", name="Restore").click()
    await expect(row).to_have_count(0)
    await page.get_by_role("link", name="Companies", exact=True).first.click()
    await page.get_by_role("link", name=name).click()
    await page.get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name="Edit company").click()
    await page.get_by_role("dialog").get_by_label("Name", exact=True).fill(f"{name} AG")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", level=1, name=f"{name} AG")).to_be_visible()


@pytest.mark.requirement("P4")
@every_look
async def test_the_pages_of_companies_are_accessible_and_fit(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter("/i/workspace/companies")
    await fits(page, f"companies-list-{size}-{theme}")
    await create(page, unique("Alpenblick"))
    await fits(page, f"companies-dna-{size}-{theme}")
    await card(page, "Messages").get_by_role("link").click()
    await page.get_by_label("Text", exact=True).fill("## Core message\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_role("button", name="What changed").click()
    await fits(page, f"companies-editor-{size}-{theme}")
    await page.get_by_role("radio", name="Preview").check()
    await expect(page.get_by_role("table")).to_be_visible()
    await fits(page, f"companies-preview-{size}-{theme}")
