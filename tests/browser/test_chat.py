"""The chat in a real browser: nothing said is lost, whatever is reloaded, closed, stopped or killed meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import SLOW, Stage, begin, said, say
from tests.faults.process import Workroom


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@pytest.mark.requirement("P1")
@every_look
async def test_a_question_is_answered_and_still_there_after_a_reload(
    visitors: Any, server: Workroom, size: str, theme: str
) -> None:
    visitor = await visitors(size, theme)
    page = await visitor.enter()
    await say(page, "good morning")
    answer = page.locator(".prose", has_text="You said: good morning")
    await expect(answer).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"chat-{size}-{theme}")
    await page.reload()
    await expect(answer).to_be_visible()
    await expect(page.get_by_role("main").get_by_text("good morning", exact=True)).to_be_visible()
    wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider <= 0


@pytest.mark.requirement("P1")
async def test_a_tool_call_is_a_line_that_opens_and_survives_a_reload(visitors: Any, server: Workroom) -> None:
    _, page = await begin(visitors, 'writeNote {"title": "Milk for Monday", "text": "Two litres."}')
    line = page.get_by_role("main").get_by_text("Writes a note", exact=True)
    await expect(page.locator(".prose", has_text="Done, with 1 results")).to_be_visible()
    await page.reload()
    await expect(line.first).to_be_visible()
    await expect(page.get_by_role("main").get_by_text("writeNote", exact=True)).to_have_count(0)
    await line.first.click()
    await expect(page.get_by_role("main").get_by_text("Two litres.").first).to_be_visible()
    await expect(page.get_by_role("main").get_by_text("writeNote", exact=True)).to_be_visible()


@pytest.mark.requirement("A14")
async def test_reloading_and_a_second_tab_in_mid_answer_lose_nothing(
    visitors: Any, server: Workroom, stage: Stage
) -> None:
    visitor, page = await begin(visitors, "slowly")
    partial = page.locator(".prose", has_text="This answer takes")
    await expect(partial).to_be_visible()
    await page.reload()
    await expect(partial).to_be_visible()
    second = await visitor.open(page.url.removeprefix(server.base_url))
    await expect(second.locator(".prose", has_text="This answer takes")).to_be_visible()
    stage.gate.set()
    for tab in (page, second):
        await expect(tab.locator(".prose", has_text=SLOW)).to_be_visible()


@pytest.mark.requirement("A14")
async def test_eight_tabs_at_once_all_follow_and_none_keeps_the_others_waiting(
    visitors: Any, server: Workroom, stage: Stage
) -> None:
    """A browser opens six connections to a host: one stream for all tabs leaves room for everything else."""
    visitor, page = await begin(visitors, "slowly")
    await expect(page.locator(".prose", has_text="This answer takes")).to_be_visible()
    tabs = [page, *[await visitor.open(page.url.removeprefix(server.base_url)) for _ in range(7)]]
    for tab in tabs:
        await expect(tab.locator(".prose", has_text="This answer takes")).to_be_visible()
    stage.gate.set()
    for tab in tabs:
        await expect(tab.locator(".prose", has_text=SLOW)).to_be_visible()


@pytest.mark.requirement("A12")
async def test_a_killed_server_in_mid_answer_goes_on_after_a_restart(
    visitors: Any, server: Workroom, stage: Stage
) -> None:
    """kill -9 of server and worker; started again, the open page finishes the answer without a reload."""
    visitor, page = await begin(visitors, "slowly")
    await expect(page.locator(".prose", has_text="This answer takes")).to_be_visible()
    os.kill(server.worker_pid or 0, signal.SIGKILL)
    server.kill()
    stage.gate.set()
    server.start()
    await asyncio.to_thread(server.wait_ready)
    await expect(page.locator(".prose", has_text=SLOW)).to_be_visible(timeout=60_000)
    await expect(page.locator(".prose", has_text="This answer takes")).to_have_count(1)  # the half answer is gone
    visitor.expect("ERR_")


@pytest.mark.requirement("A13")
async def test_stopping_keeps_what_was_said(visitors: Any, server: Workroom) -> None:
    _, page = await begin(visitors, "slowly")
    await expect(page.locator(".prose", has_text="This answer takes")).to_be_visible()
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_role("main").get_by_text("Stopped")).to_be_visible()
    await page.reload()
    await expect(page.locator(".prose", has_text="This answer takes")).to_be_visible()
    await expect(page.get_by_role("main").get_by_text("Stopped")).to_be_visible()


async def test_the_next_message_waits_its_turn(visitors: Any, server: Workroom, stage: Stage) -> None:
    _, page = await begin(visitors, "slowly")
    await expect(page.locator(".prose", has_text="This answer takes")).to_be_visible()
    await say(page, "and then")
    await expect(page.get_by_text("Waiting for its turn")).to_be_visible()
    stage.gate.set()
    await expect(page.locator(".prose", has_text="You said: and then")).to_be_visible()


@pytest.mark.requirement("P1")
async def test_waiting_says_what_is_waited_for(visitors: Any, server: Workroom, stage: Stage) -> None:
    _, page = await begin(visitors, "keep me waiting")
    await expect(page.get_by_text("Waiting for the model…")).to_be_visible()
    await screenshot(page, "waiting-for-the-model")
    await page.reload()
    await expect(page.get_by_text("Waiting for the model…")).to_be_visible()
    stage.gate.set()
    await expect(page.locator(".prose", has_text=SLOW)).to_be_visible()
    await expect(page.get_by_text("Waiting for the model…")).to_have_count(0)


@every_look
async def test_what_a_model_thought_is_folded_and_there_after_a_reload(
    visitors: Any, server: Workroom, size: str, theme: str
) -> None:
    page = await (await visitors(size, theme)).enter()
    await say(page, "think first")
    thought = page.get_by_text("Two and two, that is easy.")
    for _ in range(2):
        await expect(page.locator(".prose", has_text="It is four.")).to_be_visible()
        await expect(thought).to_be_hidden()
        await page.get_by_text("Thoughts", exact=True).click()
        await expect(thought).to_be_visible()
        await screenshot(page, f"thoughts-{size}-{theme}")
        assert await violations(page) == []
        await page.reload()


async def test_a_refused_key_is_a_card_that_says_so(visitors: Any, server: Workroom) -> None:
    _, page = await begin(visitors, "refuse")
    await expect(page.get_by_text("No answer this time")).to_be_visible()
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()


@every_look
async def test_tables_formulas_and_code_are_drawn(visitors: Any, server: Workroom, size: str, theme: str) -> None:
    _, page = await begin(visitors, "figures", size, theme)
    answer = said(page, "The roof costs $5 and $6 a tile")
    await expect(answer.locator("math")).to_have_count(2)
    await expect(answer.locator("math msqrt")).to_be_visible()
    await expect(answer.get_by_role("cell", name="1200.50")).to_have_css("text-align", "right")
    await expect(answer.get_by_role("cell", name="Bern")).to_have_css("text-align", "center")
    await expect(answer.locator("ol")).to_have_attribute("start", "3")
    await expect(answer.locator(".hljs-keyword", has_text="def")).to_be_visible()
    await expect(answer.locator("pre")).to_contain_text('return area * 1200.50 + len("wood")')
    assert await violations(page) == []
    await answer.scroll_into_view_if_needed()
    await screenshot(page, f"figures-{size}-{theme}")


async def test_a_long_answer_stays_where_the_reader_is(visitors: Any, server: Workroom, stage: Stage) -> None:
    _, page = await begin(visitors, "at length")
    main, latest = page.get_by_role("main"), page.get_by_role("button", name="Jump to latest")
    await expect(said(page, "Paragraph 0.").get_by_text("Paragraph 20.")).to_be_attached()
    await expect(latest).to_have_count(0)  # the end is followed
    up = "(main, by) => (main.scrollBy({top: -by, behavior: 'instant'}), main.scrollTop)"
    before = await main.evaluate(up, 20)
    await expect(latest).to_be_visible()  # a little is enough
    stage.gate.set()
    await expect(said(page, "Paragraph 0.").get_by_text("Paragraph 59.")).to_be_attached()
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert await main.evaluate("main => main.scrollTop") == before
    await latest.click()
    await expect(said(page, "Paragraph 0.").get_by_text("Paragraph 59.")).to_be_in_viewport()
    await main.evaluate(up, 2_000)
    await expect(latest).to_be_visible()
    await say(page, "thanks")
    await expect(said(page, "You said: thanks")).to_be_in_viewport()


async def test_what_a_model_says_is_text_not_code(visitors: Any, server: Workroom) -> None:
    """S13: script, images that call home and javascript: links do nothing; formulas stay in their place; what is deeper than
    can be drawn is text. Markdown is drawn."""
    _, page = await begin(visitors, "hostile")
    await expect(page.get_by_role("main").locator("strong", has_text="bold")).to_be_visible()
    main = page.get_by_role("main")
    await expect(main.locator(".math", has_text="Approved")).to_have_css("overflow-y", "clip")
    await expect(main.locator(".prose p", has_text="> > > deep")).to_be_attached()
    assert await page.evaluate("window.pwned") is None
    assert await main.locator("img, script, [href^='javascript']").count() == 0


async def test_a_draft_survives_a_reload(visitors: Any, server: Workroom) -> None:
    page = await (await visitors()).enter()
    await page.get_by_label("Message", exact=True).fill("not yet sent")
    await page.reload()
    await expect(page.get_by_label("Message", exact=True)).to_have_value("not yet sent")
