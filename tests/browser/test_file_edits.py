"""Changes to a file in a real browser: taken one by one, seen as a version, taken back."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import Stage, said, say
from tests.browser.uploads import MAKE_ROOM, PUT
from tests.faults.process import Workroom

LINES = ["# Roof", "", "Tiles: 1200", "Wood: 800", "", "", "", "", "Offer by Acme"]
TEXT = "\r\n".join(LINES) + "\r\n"
EDITS = [{"find": "1200", "replace": "1300"}, {"find": "Acme", "replace": "Acme AG"}]
ASK = f"applyFileEdit {json.dumps({'fileId': 'offer.md', 'edits': EDITS})}"


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@dataclass(frozen=True)
class Room:
    """A workspace of this test's own with a file in it, and a visitor whom an agent asks about it."""

    visitor: Any
    page: Page
    server: Workroom
    id: str
    slug: str
    file_id: str

    def text(self) -> str:
        with self.server.signed_in() as client:
            return client.get(f"/api/files/{self.file_id}/content").raise_for_status().text

    async def write(self, text: str) -> None:
        await self.page.evaluate(PUT, [self.id, "offer.md", text, None])


@pytest.fixture
def enter(visitors: Any, server: Workroom) -> Any:
    async def entered(*how: str) -> Room:
        visitor = await visitors(*how)
        page = await visitor.enter()
        made = await page.evaluate(MAKE_ROOM, f"Edits {uuid.uuid4().hex[:6]}")
        file = (await page.evaluate(PUT, [made["id"], "offer.md", TEXT, None]))["id"]
        await page.goto(f"{server.base_url}/i/{made['slug']}")
        await say(page, ASK)
        await page.wait_for_url("**/c/*")
        return Room(visitor, page, server, made["id"], made["slug"], file)

    return entered


GOES_ON = """async ([room, prompt]) => {
    const ask = (path, body) => fetch(path, {
        method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)
    }).then(answer => answer.json())
    const about = {name: 'Busy', instructions: {en: 'Edit.'}, fileEdits: 'continue'}
    const agent = await ask(`/api/instances/${room}/agents`, about)
    return (await ask(`/api/workspace/${room}/input`, {prompt, agentId: agent.id})).workflowId
}"""


async def goes_on(room: Room) -> str:
    """The address of a conversation with an agent that does not wait; its proposal is on the page."""
    conversation = await room.page.evaluate(GOES_ON, [room.id, ASK])
    address = f"{room.server.base_url}/i/{room.slug}/c/{conversation}"
    await room.page.goto(address)
    await expect(said(room.page, "is proposed")).to_be_visible()
    return address


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Your answer is needed")


def changes(page: Page) -> Locator:
    return card(page).get_by_role("group", name="Proposed changes to offer.md")


@pytest.mark.requirement("J3", "A15")
async def test_one_change_is_accepted_and_another_rejected_after_a_reload(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await expect(card(page)).to_contain_text("Change the file “offer.md”?")
    await page.reload()
    await expect(changes(page).locator("del")).to_have_text(["Tiles: 1200", "Offer by Acme"])
    await expect(changes(page).locator("ins")).to_have_text(["Tiles: 1300", "Offer by Acme AG"])
    await changes(page).get_by_label("Take change 2 of 2").uncheck()
    await card(page).get_by_role("button", name="Accept 1 of 2").click()
    await expect(said(page, "has version 2 now")).to_be_visible()
    assert room.text() == TEXT.replace("1200", "1300"), "and its line ends are what they were"
    await expect(page.locator(".settled")).to_contain_text("Accepted in part")
    await page.reload()
    await expect(page.get_by_role("link", name="offer.md Version 2")).to_be_visible()
    await page.get_by_role("button", name="See what changed").click()
    diff = page.get_by_role("group", name="What version 2 of offer.md changed")
    await expect(diff.locator("del")).to_have_text(["Tiles: 1200"])
    await expect(diff.locator("ins")).to_have_text(["Tiles: 1300"])
    await screenshot(page, "chat-file-version")
    await page.get_by_role("button", name="Restore version 1").click()
    await expect(page.get_by_text("Version 1 is the newest again.")).to_be_visible()
    assert room.text() == TEXT


@pytest.mark.requirement("J3")
async def test_what_is_in_the_way_is_said_where_it_was_accepted(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await expect(card(page)).to_be_visible()
    newer = TEXT.replace("1200", "1250")
    await room.write(newer)
    await card(page).get_by_role("button", name="Accept", exact=True).click()
    settled = page.locator(".settled")
    await expect(settled).to_contain_text("Nothing was stored: the same lines were changed in the meantime (3).")
    assert room.text() == newer
    await page.reload()
    await expect(settled).to_contain_text("in the meantime (3)")


@pytest.mark.requirement("J3")
async def test_who_wrote_a_version_is_said_in_the_list_of_versions(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await card(page).get_by_role("button", name="Accept", exact=True).click()
    await expect(said(page, "The user accepted all of it")).to_be_visible()
    await page.goto(f"{room.server.base_url}/i/{room.slug}/files")
    await page.get_by_role("button", name="Actions for offer.md").click(force=True)
    await page.get_by_role("menuitem", name="Versions").click()
    versions = page.get_by_role("dialog").get_by_role("listitem")
    await expect(versions.first).to_contain_text("Assistant for ")
    await expect(versions.last).not_to_contain_text("Assistant")


@pytest.mark.requirement("P4")
@every_look
async def test_a_version_and_what_is_in_the_way_are_accessible_and_fit(enter: Any, size: str, theme: str) -> None:
    room: Room = await enter(size, theme)
    page = room.page
    await expect(changes(page)).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"chat-file-proposal-{size}-{theme}")
    await room.write(TEXT.replace("1200", "1250"))
    await card(page).get_by_role("button", name="Accept", exact=True).click()
    await expect(page.locator(".settled")).to_contain_text("Nothing was stored")
    await say(page, ASK.replace("1200", "1250"))
    await card(page).get_by_role("button", name="Accept", exact=True).click()
    await page.get_by_role("button", name="See what changed").click()
    await expect(page.get_by_role("group", name="What version 3 of offer.md changed")).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"chat-file-version-{size}-{theme}")


@pytest.mark.requirement("J3")
async def test_a_proposal_stays_open_in_the_conversation_and_at_the_file(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    address = await goes_on(room)
    proposed = page.get_by_role("group", name="Proposed change", exact=True)
    await expect(proposed.locator("ins")).to_have_text(["Tiles: 1300", "Offer by Acme AG"])
    await screenshot(page, "chat-file-proposal-open")
    await page.goto(f"{room.server.base_url}/i/{room.slug}/files/{room.file_id}")
    banner = page.get_by_role("region", name="Proposed change")
    await expect(banner).to_contain_text("A change is proposed")
    await banner.get_by_role("button", name="Look at it").click()
    await expect(banner).to_contain_text("Busy for ")
    await banner.get_by_label("Take change 1 of 2").uncheck()
    await screenshot(page, "file-proposal-banner")
    await banner.get_by_role("button", name="Accept 1 of 2").click()
    await expect(banner).to_have_count(0)
    await expect(page.get_by_text("Offer by Acme AG")).to_be_visible()
    assert room.text() == TEXT.replace("Acme", "Acme AG")
    await page.goto(address)
    await expect(proposed).to_contain_text("Accepted: version 2")


@pytest.mark.requirement("J3")
async def test_an_open_proposal_says_what_is_in_its_way_and_can_be_rejected(enter: Any) -> None:
    room: Room = await enter()
    page = room.page
    await goes_on(room)
    await room.write(TEXT.replace("1200", "1250"))
    proposed = page.get_by_role("group", name="Proposed change", exact=True)
    async with page.expect_console_message(lambda message: "409" in message.text):  # the browser notes it
        await proposed.get_by_role("button", name="Accept", exact=True).click()
    await expect(proposed.get_by_role("alert")).to_contain_text("changed in the meantime (3)")
    room.visitor.expect("status of 409")
    await proposed.get_by_role("button", name="Reject").click()
    await expect(proposed).to_contain_text("Rejected")
    assert room.text() == TEXT.replace("1200", "1250")


@pytest.mark.requirement("P4")
@every_look
async def test_open_proposals_are_accessible_and_fit(enter: Any, size: str, theme: str) -> None:
    room: Room = await enter(size, theme)
    page = room.page
    await goes_on(room)
    await expect(page.get_by_role("group", name="Proposed changes to offer.md").last).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"chat-file-proposal-open-{size}-{theme}")
    await page.goto(f"{room.server.base_url}/i/{room.slug}/files/{room.file_id}")
    banner = page.get_by_role("region", name="Proposed change")
    await banner.get_by_role("button", name="Look at it").click()
    await expect(banner.get_by_role("button", name="Accept", exact=True)).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"file-proposal-banner-{size}-{theme}")
