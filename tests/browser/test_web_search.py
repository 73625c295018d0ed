"""Web search in a real browser: a SearXNG instance is set up and tried, and a search in the chat cites its results."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import settled
from tests.browser.stage import say
from tests.faults.process import Workroom
from tests.websearch.searxng_double import SearxngDouble, searxng


@pytest.fixture(scope="module")
async def double() -> AsyncIterator[SearxngDouble]:
    async with searxng() as running:
        yield running


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workroom]:
    with Workroom(tmp_path_factory.mktemp("web") / "data") as workroom:
        yield workroom


@pytest.fixture
def server(running: Workroom) -> Workroom:
    """Nothing is set up; the workspace has the tools of the web."""
    with running.signed_in() as client:
        client.delete("/api/web-search").raise_for_status()
        [instance] = client.get("/api/instances").json()["items"]
        client.patch(f"/api/instances/{instance['id']}", json={"toolSet": "chatbotWeb"}).raise_for_status()
    return running


@pytest.mark.requirement("B9", "D6")
@every_look
async def test_a_service_is_set_up_tried_and_asked_in_the_chat(
    visitors: Any, double: SearxngDouble, size: str, theme: str
) -> None:
    visitor = await visitors(size, theme)
    visitor.expect("409 (Conflict)")  # the address is inside the network, and nobody has said yes
    page = await visitor.enter()
    workspace = page.url
    await page.goto(f"{workspace.split('/i/')[0]}/settings/webSearch")
    await settled(page)
    await expect(page.get_by_text("No web search yet")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"web-search-none-{size}-{theme}")
    await page.get_by_role("button", name="Set up web search").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Address", exact=True).fill(double.url)
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("inside your own network. Confirm")).to_be_visible()
    await dialog.get_by_label("This address may be inside our own network").check()
    assert await violations(page) == []
    await screenshot(page, f"web-search-dialog-{size}-{theme}")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_be_hidden()
    await page.get_by_role("button", name="Test connection").click()
    await expect(page.get_by_text(re.compile(r"It answers: 2 results in \d+ ms"))).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"web-search-{size}-{theme}")
    await page.goto(workspace)
    await say(page, "/webSearch query=hours")
    source = page.get_by_role("link", name="Library (Bern) library.example")
    await expect(source).to_have_attribute("href", "https://library.example/hours")
    await expect(source).to_have_attribute("rel", "noopener noreferrer")
    assert await violations(page) == []
    await screenshot(page, f"web-search-answer-{size}-{theme}")
