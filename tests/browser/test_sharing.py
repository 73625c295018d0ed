"""Two people in one conversation, files shared by name, and private content looked into: each side sees what the other does."""

from __future__ import annotations

import uuid
from typing import Any

import httpx2
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, search, violations
from tests.browser.stage import Stage, bubble, said, say
from tests.browser.uploads import PUT
from tests.faults.process import Workroom

MEANS = "Everything said so far can be read by them. From now on answers use only what all of them may see."
REASON = "She has left, and a customer waits for the offer"


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


class Room:
    """A workspace of this test's own, and people who are invited into it."""

    def __init__(self, server: Workroom, visitors: Any) -> None:
        self._visitors = visitors
        self._server = server
        self._mark = uuid.uuid4().hex[:6]
        with server.signed_in() as client:
            made = client.post("/api/instances", json={"name": f"Shared {self._mark}"})
            self.id, self.slug = made.json()["id"], made.json()["slug"]

    def name(self, first: str) -> str:
        return f"{first} {self._mark}"

    def _invited(self, client: httpx2.Client, first: str, *extra: str) -> str:
        """The way in for a member, with these rights beside a member's."""
        role = next(role for role in client.get("/api/roles").json()["items"] if role["key"] == "member")
        if extra:
            given = [{"objectKey": key, "action": "read", "level": "ALL"} for key in extra]
            kept = [
                rule
                for rule in role["rules"]
                if (rule["objectKey"], rule["action"]) not in {(key, "read") for key in extra}
            ]
            role = client.post("/api/roles", json={"name": self.name("Auditor"), "rules": kept + given}).json()
        body = {"displayName": self.name(first), "login": f"{first}-{self._mark}@example.org", "roleId": role["id"]}
        invited = client.post("/api/users", json=body).json()
        member = f"/api/instances/{self.id}/members/{invited['user']['id']}"
        client.put(member, json={"roleId": None}).raise_for_status()
        return "/" + str(invited["link"]["url"]).split("/", 3)[3]

    async def enter(self, first: str, *how: str, rights: tuple[str, ...] = ()) -> Page:
        """Somebody new, at a browser of their own, in the workspace."""
        with self._server.signed_in() as client:
            way = self._invited(client, first, *rights)
        self.visitor = await self._visitors(*how)
        page: Page = await self.visitor.open(way)
        await page.wait_for_url(f"**/i/{self.slug}")
        return page

    async def go(self, page: Page, path: str) -> None:
        # On a phone a dialog goes back in the history as it closes, which would end the way to another page.
        await page.wait_for_function("() => !history.state?.layer")
        await page.goto(self._server.base_url + path)


@pytest.fixture
def room(server: Workroom, visitors: Any) -> Room:
    return Room(server, visitors)


async def ask(page: Page, text: str) -> None:
    await say(page, text)
    await page.wait_for_url("**/c/*")
    await expect(said(page, f"You said: {text}")).to_be_visible()


async def share_with(page: Page, person: str) -> Locator:
    """Open the dialog from the header and choose somebody; it is not saved yet."""
    await page.get_by_role("button", name="Share…").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("Only you can read this conversation.")).to_be_visible()
    await dialog.get_by_label("Find someone in this workspace").fill(person)
    await dialog.get_by_role("button", name=person).click()
    await expect(dialog.get_by_label("Find someone in this workspace")).to_be_focused()  # for the next one
    await expect(dialog.get_by_text(MEANS)).to_be_visible()
    return dialog


async def save(dialog: Locator) -> None:
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)


async def fits(page: Page, name: str) -> None:
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, f"{name} is too wide"
    await screenshot(page, f"sharing-{name}")


@pytest.mark.requirement("N1")
async def test_two_people_write_in_one_conversation_and_each_sees_who_said_what(stage: Stage, room: Room) -> None:
    annas = await room.enter("Anna")
    bobs = await room.enter("Bob")
    await ask(annas, "the first word")
    dialog = await share_with(annas, room.name("Bob"))
    await dialog.get_by_label(f"Access: {room.name('Bob')}").select_option("Can read and write")
    await fits(annas, "dialog")
    await save(dialog)
    await expect(annas.get_by_role("navigation").get_by_role("link", name="the first word Shared")).to_be_visible()

    # Bob's list learns of it by itself, and says whose it is.
    await bobs.get_by_role("link", name=f"the first word {room.name('Anna')}").click()
    await expect(bobs.locator(".turn", has_text="the first word").locator(".author")).to_have_text(room.name("Anna"))
    await expect(bobs.get_by_role("button", name="Edit message")).to_have_count(0)  # what she said stays hers
    await ask(bobs, "my own word")
    await expect(bobs.locator(".author")).to_have_count(1)
    theirs = annas.locator(".turn", has_text="my own word")
    await expect(theirs.locator(".author")).to_have_text(room.name("Bob"))
    await expect(said(annas, "You said: my own word")).to_be_visible()
    await fits(annas, "two-authors")

    await say(bobs, "slowly")
    await expect(annas.get_by_text(f"Answering {room.name('Bob')}…")).to_be_visible()
    stage.gate.set()
    await expect(said(annas, "and then it is all here")).to_be_visible()
    await expect(annas.get_by_text(f"Answering {room.name('Bob')}…")).to_have_count(0)


@pytest.mark.requirement("N1")
async def test_who_may_only_read_has_no_place_to_write_until_it_is_taken_back(room: Room) -> None:
    annas = await room.enter("Anna")
    bobs = await room.enter("Bob")
    visitor = room.visitor
    await ask(annas, "for your eyes")
    await annas.get_by_role("button", name="Share…").click()
    dialog = annas.get_by_role("dialog")
    await dialog.get_by_role("radio", name="Can read", exact=True).check()
    await save(dialog)
    await bobs.get_by_role("link", name="for your eyes").click()
    await expect(bobs.get_by_text(f"{room.name('Anna')} shared this conversation with you to read.")).to_be_visible()
    await expect(said(bobs, "You said: for your eyes")).to_be_visible()
    for control in ("Message", "Edit message", "Try again"):
        await expect(bobs.get_by_label(control, exact=True)).to_have_count(0)
    await bobs.get_by_role("main").get_by_role("button", name=room.name("Anna")).click()
    told = bobs.get_by_role("dialog", name="Who can read it")
    await expect(told.get_by_text("Everybody in this workspace: Can read")).to_be_visible()
    await expect(told.get_by_role("button", name="Save")).to_have_count(0)
    await fits(bobs, "read-only-dialog")
    await told.get_by_role("button", name="Close").last.click()
    await fits(bobs, "read-only")

    await annas.get_by_role("main").get_by_role("button", name="Shared").click()
    await dialog.get_by_role("radio", name="No access").check()
    await save(dialog)
    await expect(bubble(bobs, "for your eyes")).to_have_count(0)
    await expect(bobs.get_by_role("link", name="for your eyes")).to_have_count(0)
    visitor.expect("status of 404")


@pytest.mark.requirement("N1")
async def test_a_file_is_shared_with_one_person_by_name(room: Room) -> None:
    annas = await room.enter("Anna")
    bobs = await room.enter("Bob")
    await room.go(annas, f"/i/{room.slug}/files")
    await room.go(bobs, f"/i/{room.slug}/files")
    await annas.evaluate(PUT, [room.id, "offer.txt", "Twelve chairs", None])
    await annas.get_by_role("button", name="Actions for offer.txt").click()
    await annas.get_by_role("menuitem", name="Share with people…").click()
    dialog = annas.get_by_role("dialog", name="Share “offer.txt”")
    await dialog.get_by_label("Find someone in this workspace").fill(room.name("Bob"))
    await dialog.get_by_role("button", name=room.name("Bob")).click()
    await fits(annas, "file-dialog")
    await save(dialog)
    row = bobs.get_by_role("row", name="offer.txt")
    await expect(row.get_by_title("Shared with you")).to_contain_text(room.name("Anna"))
    await row.get_by_role("button", name="Actions for offer.txt").click()
    await expect(bobs.get_by_role("menuitem", name="Delete")).to_have_count(0)
    await bobs.get_by_role("menuitem", name="Details").click()
    await expect(bobs.get_by_role("dialog").get_by_text(room.name("Anna"))).to_be_visible()
    await fits(bobs, "file-details")


@pytest.mark.requirement("N1")
@every_look
async def test_an_inspection_is_seen_by_both_sides_and_can_be_ended(room: Room, size: str, theme: str) -> None:
    bobs = await room.enter("Bob", size, theme)
    await ask(bobs, "my secret plan")
    dialog = await share_with(bobs, "Admin")
    await fits(bobs, f"dialog-{size}-{theme}")
    await dialog.get_by_role("button", name="Cancel").click()
    await room.go(bobs, "/settings/privacy")
    await expect(bobs.get_by_text("Nobody has looked into your private content")).to_be_visible()

    ines = await room.enter("Ines", size, theme, rights=("data.private", "data.user"))
    visitor = room.visitor
    await expect(bobs.get_by_text(room.name("Ines"))).to_be_visible()  # who could
    await room.go(ines, "/settings/users")
    await search(ines, "Search people", room.name("Bob"))
    await ines.get_by_role("button", name=f"Actions for {room.name('Bob')}").click()
    await ines.get_by_role("menuitem", name="Look into private content…").click()
    dialog = ines.get_by_role("dialog")
    start = dialog.get_by_role("button", name="Look for one hour")
    await start.click()
    await expect(dialog.get_by_label("Reason")).to_be_focused()  # nobody looks without one
    await dialog.get_by_label("Reason").fill(REASON)
    await fits(ines, f"inspect-{size}-{theme}")
    await start.click()
    await expect(ines.get_by_text(f"you can read what {room.name('Bob')} keeps private")).to_be_visible()
    await expect(bobs.get_by_text(f"“{REASON}”")).to_be_visible()
    await expect(bobs.get_by_text("Still open")).to_be_visible()
    await fits(bobs, f"privacy-{size}-{theme}")

    await room.go(ines, f"/i/{room.slug}")
    if size == "phone":
        await ines.get_by_role("button", name="Show or hide the left pane").click()
    await ines.get_by_role("link", name=f"my secret plan {room.name('Bob')}").click()
    await expect(ines.get_by_text("You can read it until your inspection ends.")).to_be_visible()
    await expect(ines.get_by_label("Message", exact=True)).to_have_count(0)
    await fits(ines, f"inspected-{size}-{theme}")
    await ines.get_by_role("button", name="End", exact=True).click()
    await expect(bubble(ines, "my secret plan")).to_have_count(0)
    await expect(ines.get_by_text("Every look is recorded.")).to_have_count(0)
    await expect(bobs.get_by_text("Still open")).to_have_count(0)
    await expect(bobs.get_by_text(f"“{REASON}”")).to_have_count(0)
    visitor.expect("status of 404")
