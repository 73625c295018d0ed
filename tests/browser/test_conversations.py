"""The list of conversations in a real browser: pin, archive, delete and take back, narrow down."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import unique
from tests.browser.stage import Stage, begin, said, say
from tests.faults.process import Workroom


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


def in_list(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name="Conversations").get_by_role("listitem").filter(has_text=title)


async def choose(page: Page, title: str, action: str) -> None:
    """From the menu of its row."""
    await in_list(page, title).hover()
    await in_list(page, title).get_by_role("button", name=f"Actions for {title}").click()
    await page.get_by_role("menuitem", name=action, exact=True).click()


async def only(page: Page, status: str) -> None:
    await page.get_by_role("combobox", name="Show", exact=True).select_option(label=status)


@every_look
async def test_conversations_are_pinned_archived_deleted_and_taken_back(visitors: Any, size: str, theme: str) -> None:
    first, second = unique("tax return"), unique("holiday plan")
    _, page = await begin(visitors, first, size, theme)
    await expect(said(page, f"You said: {first}")).to_be_visible()
    await page.goto(page.url.split("/c/")[0])
    await say(page, second)
    await expect(said(page, f"You said: {second}")).to_be_visible()
    if size == "phone":
        await page.get_by_role("button", name="Show or hide the left pane").click()
    await choose(page, first, "Pin")
    pinned = page.get_by_role("region", name="Conversations").locator("h3", has_text="Pinned")
    await expect(pinned.locator("xpath=following-sibling::ul[1]").get_by_text(first)).to_be_visible()
    await choose(page, first, "Archive")
    await expect(in_list(page, first)).to_have_count(0)
    above = """([toast, form]) => {
        const box = one => document.querySelector(one).getBoundingClientRect()
        return box(toast).bottom <= box(form).top
    }"""
    assert await page.evaluate(above, [".toast", ".dock form"]), "what is said does not cover where one writes"
    await page.get_by_role("button", name="Filter conversations").click()
    await only(page, "Archived")
    await expect(in_list(page, first)).to_be_visible()
    await expect(in_list(page, second)).to_have_count(0)
    assert await violations(page) == []
    await screenshot(page, f"conversations-{size}-{theme}")
    await choose(page, first, "Delete")
    await expect(in_list(page, first)).to_have_count(0)
    await page.get_by_role("button", name="Undo").last.click()  # the first one is of the archive
    await expect(in_list(page, first)).to_be_visible()
    await choose(page, first, "Delete")
    await only(page, "Trash")
    await choose(page, first, "Delete for good")
    await page.get_by_role("dialog").last.get_by_role("button", name="Delete for good").click()
    await expect(in_list(page, first)).to_have_count(0)
    await page.get_by_role("button", name="Filter conversations").click()
    await expect(in_list(page, second)).to_be_visible()


async def test_the_page_of_a_deleted_conversation_is_left_and_undo_comes_back_to_it(visitors: Any) -> None:
    title = unique("secret plan")
    _, page = await begin(visitors, title)
    await expect(said(page, f"You said: {title}")).to_be_visible()
    address = page.url
    await page.get_by_role("main").get_by_role("button", name=f"Actions for {title}").click()
    await page.get_by_role("menuitem", name="Delete", exact=True).click()
    await expect(page).not_to_have_url(address)
    await page.get_by_role("button", name="Undo").click()
    await expect(page).to_have_url(address)
    await expect(said(page, f"You said: {title}")).to_be_visible()


@pytest.mark.parametrize(("item", "ending", "begins"), [("Markdown", "md", b"# "), ("PDF", "pdf", b"%PDF")])
async def test_a_conversation_is_taken_along_as_a_file(visitors: Any, item: str, ending: str, begins: bytes) -> None:
    title = unique("roof")
    _, page = await begin(visitors, title)
    await expect(said(page, f"You said: {title}")).to_be_visible()
    await page.get_by_role("main").get_by_role("button", name=f"Actions for {title}").click()
    async with page.expect_download() as saving:
        await page.get_by_role("menuitem", name=f"Export as {item}").click()
    saved = await saving.value
    assert saved.suggested_filename == f"{title}.{ending}"
    assert (await saved.path()).read_bytes().startswith(begins)


async def test_back_on_a_phone_closes_what_lies_over_the_page_and_stays(visitors: Any) -> None:
    title = unique("question")
    _, page = await begin(visitors, title, "phone")
    await expect(said(page, f"You said: {title}")).to_be_visible()
    address, drawer = page.url, page.get_by_role("dialog", name="Navigation")
    await page.get_by_role("button", name="Show or hide the left pane").click()
    await expect(drawer).to_be_visible()
    await page.go_back()
    await expect(drawer).to_be_hidden()
    assert page.url == address
    await page.get_by_role("button", name="Show or hide the left pane").click()
    await drawer.get_by_role("link", name="Files", exact=True).click()
    await page.wait_for_url("**/files")
    await page.go_back()
    await expect(page).to_have_url(address)
    await expect(drawer).to_be_hidden()
    await page.get_by_role("button", name="Show or hide the left pane").click()
    await drawer.get_by_role("button", name="Close").click()
    await expect(drawer).to_be_hidden()
    await page.wait_for_function("() => !history.state?.layer")
    await page.get_by_role("button", name="Search or jump to").click()
    await expect(page.get_by_role("dialog", name="Search")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.get_by_role("button", name="Show or hide the left pane").click()
    await drawer.get_by_role("button", name=f"Actions for {title}").click()
    await page.get_by_role("menuitem", name="Rename").click()
    dialog = page.get_by_role("dialog", name="Rename")
    await expect(dialog).to_be_visible()
    await page.go_back()
    await expect(dialog).to_have_count(0)
    await expect(drawer).to_be_visible()
    await page.go_back()
    await expect(drawer).to_be_hidden()
    await expect(page).to_have_url(address)


async def test_the_list_is_narrowed_down_to_one_agent(visitors: Any) -> None:
    title = unique("question")
    _, page = await begin(visitors, title)
    await expect(in_list(page, title)).to_be_visible()
    await page.get_by_role("button", name="Filter conversations").click()
    await page.get_by_role("combobox", name="Agent", exact=True).select_option(label="Translator")
    await expect(in_list(page, title)).to_have_count(0)
    await page.get_by_role("combobox", name="Agent", exact=True).select_option(label="Any agent")
    await expect(in_list(page, title)).to_be_visible()
    await page.get_by_label("To", exact=True).fill("2020-01-31")
    await expect(in_list(page, title)).to_have_count(0)
