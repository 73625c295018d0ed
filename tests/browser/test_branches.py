"""Saying it differently, having it answered again, and changing one's mind while something waits: nothing is overwritten."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import screenshot, violations
from tests.browser.stage import Stage, begin, bubble, said, say
from tests.faults.process import Workroom


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def start_editing(page: Page, text: str) -> None:
    await bubble(page, text).hover()
    await page.get_by_role("button", name="Edit message").last.click()


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_an_edited_message_is_another_branch_and_both_can_be_read(visitors: Any, size: str) -> None:
    _, page = await begin(visitors, "first words", size)
    await expect(said(page, "You said: first words")).to_be_visible()
    await start_editing(page, "first words")
    field = page.get_by_label("Edit message")
    await expect(field).to_be_focused()
    await expect(field).to_have_value("first words")
    await field.fill("other words")
    await screenshot(page, f"chat-edit-{size}")
    assert await violations(page) == []
    await page.keyboard.press("Enter")
    await expect(said(page, "You said: other words")).to_be_visible()
    await expect(said(page, "You said: first words")).to_have_count(0)
    versions = page.get_by_role("group", name="Versions of this message")
    await expect(versions).to_contain_text("2/2")
    await versions.get_by_role("button", name="Previous version").click()
    await expect(said(page, "You said: first words")).to_be_visible()
    await expect(said(page, "You said: other words")).to_have_count(0)
    await expect(versions.get_by_role("button", name="Previous version")).to_be_focused()
    await screenshot(page, f"chat-branch-{size}")
    assert await violations(page) == []
    await page.reload()
    await expect(versions).to_contain_text("1/2")
    await expect(said(page, "You said: first words")).to_be_visible()


async def test_leaving_an_edit_changes_nothing_and_keeps_what_was_written(visitors: Any) -> None:
    _, page = await begin(visitors, "as it was")
    await expect(said(page, "You said: as it was")).to_be_visible()
    await start_editing(page, "as it was")
    await page.get_by_label("Edit message").fill("half a thought")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Edit message")).to_be_focused()
    await expect(bubble(page, "as it was")).to_be_visible()
    await page.reload()
    await expect(said(page, "You said: as it was")).to_be_visible()
    await start_editing(page, "as it was")
    await expect(page.get_by_label("Edit message")).to_have_value("half a thought")


@pytest.mark.requirement("A13")
async def test_an_answer_is_made_again_and_the_earlier_one_is_kept(visitors: Any) -> None:
    _, page = await begin(visitors, "surprise me")
    await expect(said(page, "Surprise number")).to_have_text(re.compile(r"\d\s*$"))
    first = await said(page, "Surprise number").inner_text()
    await page.get_by_role("main").get_by_role("button", name="Try again").click()
    await expect(said(page, "Surprise number")).not_to_have_text(first)
    versions = page.get_by_role("group", name="Versions of this answer")
    await expect(versions).to_contain_text("2/2")
    await expect(bubble(page, "surprise me")).to_have_count(1)
    await versions.get_by_role("button", name="Previous version").click()
    await expect(said(page, "Surprise number")).to_have_text(first)
    await page.reload()
    await expect(said(page, "Surprise number")).to_have_text(first)
    await say(page, "and now")
    await expect(said(page, "You said: and now")).to_be_visible()
    await expect(said(page, "Surprise number")).to_have_text(first)


async def test_a_failed_try_leads_back_to_the_answer_before_it(visitors: Any) -> None:
    _, page = await begin(visitors, "only once")
    await page.get_by_role("main").get_by_role("button", name="Try again").click()
    await expect(page.get_by_text("No answer this time")).to_be_visible()
    await expect(said(page, "This once.")).to_have_count(0)
    versions = page.get_by_role("group", name="Versions of this answer")
    await expect(versions).to_contain_text("2/2")
    await versions.get_by_role("button", name="Previous version").click()
    await expect(said(page, "This once.")).to_be_visible()
    await expect(page.get_by_text("No answer this time")).to_have_count(0)


async def test_a_failed_answer_can_be_tried_again(visitors: Any) -> None:
    _, page = await begin(visitors, "refuse")
    card = page.get_by_text("No answer this time")
    await expect(card).to_be_visible()
    await expect(page.get_by_text("local refuses the stored key")).to_be_visible()
    await screenshot(page, "chat-failed-desktop")
    async with page.expect_response("**/retry") as answer:
        await page.get_by_role("button", name="Try again").click()
    assert (await answer.value).status == 202
    await expect(card).to_be_visible()
    await expect(bubble(page, "refuse")).to_have_count(1)


@pytest.mark.requirement("A13")
async def test_a_waiting_message_can_be_cancelled(visitors: Any, stage: Stage) -> None:
    _, page = await begin(visitors, "slowly")
    await expect(said(page, "This answer takes")).to_be_visible()
    await say(page, "never mind")
    await say(page, "but this")
    await expect(page.get_by_text("Waiting for its turn")).to_have_count(2)
    await screenshot(page, "chat-queue-desktop")
    assert await violations(page) == []
    await page.get_by_role("listitem").filter(has_text="never mind").get_by_role("button", name="Cancel").click()
    await expect(page.get_by_text("Cancelled before it began")).to_be_visible()
    await expect(page.get_by_text("Waiting for its turn")).to_have_count(1)
    stage.gate.set()
    await expect(said(page, "You said: but this")).to_be_visible()
    await expect(said(page, "You said: never mind")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_text("Cancelled before it began")).to_be_visible()


@pytest.mark.requirement("M2")
async def test_under_an_answer_are_time_cost_and_model(visitors: Any) -> None:
    _, page = await begin(visitors, "what does it cost")
    facts = page.locator(".facts")
    await expect(facts).to_contain_text(re.compile(r"\d+(\.\d)?\s?m?s.*CHF\s0\.00.*scripted", re.DOTALL))
    await page.reload()
    await expect(facts).to_contain_text(re.compile(r"CHF\s0\.00.*scripted", re.DOTALL))
