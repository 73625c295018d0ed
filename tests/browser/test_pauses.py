"""Runs that wait for a person: a card for each kind of question, answered once, and still there afterwards."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import Stage, begin, bubble, said, say
from tests.faults.process import Workroom

CHOOSE = 'askUser {"question": "Which colour?", "options": ["Red", "Green", "Blue"]}'
ASK = 'askUser {"question": "What is your name?"}'
# Each is set aside by the next; a question comes last, because a message would answer it.
CARDS = {
    "confirmation": ("", "Delete the note"),
    "choice": (CHOOSE, "Which colour?"),
    "proposal": ("change my note", "Change the note"),
    "question": (ASK, "What is your name?"),
}


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Your answer is needed")


def quiet(page: Page) -> Locator:
    return page.locator(".settled")


async def settled_for_good(page: Page, answer: str) -> None:
    """The card is a note of what was answered, now and after a reload."""
    await expect(quiet(page)).to_contain_text(answer)
    await page.reload()
    await expect(quiet(page)).to_contain_text(answer)
    await expect(card(page)).to_have_count(0)


@pytest.mark.requirement("A15")
@pytest.mark.parametrize(
    ("button", "note", "came"), [("Yes", "Allowed", "in the trash"), ("No", "Not allowed", "does not want")]
)
async def test_a_confirmation_says_what_would_be_done_and_does_it_only_after_a_yes(
    visitors: Any, button: str, note: str, came: str
) -> None:
    _, page = await begin(visitors, "delete my note")
    await expect(card(page)).to_contain_text("Delete the note “List”?")
    await expect(card(page)).to_be_focused()
    await card(page).get_by_text(re.compile("^Deletes a note")).click()
    await expect(card(page).get_by_label("Arguments", exact=True)).to_contain_text("noteId")
    await page.reload()
    await card(page).get_by_role("button", name=re.compile(f"^{button}")).click()
    await expect(said(page, came)).to_be_visible()
    await settled_for_good(page, note)


@pytest.mark.requirement("A15")
async def test_a_question_is_answered_in_its_field_or_by_a_message(visitors: Any) -> None:
    _, page = await begin(visitors, ASK)
    field = card(page).get_by_label("Your answer")
    await expect(field).to_be_focused()
    await page.keyboard.type("Ann")
    await page.keyboard.press("Enter")
    await expect(said(page, "The user answered: Ann")).to_be_visible()
    await settled_for_good(page, "Ann")
    await say(page, ASK.replace("name", "age"))
    await expect(page.get_by_text("Your message answers the question above.")).to_be_visible()
    await say(page, "thirty")
    await expect(said(page, "The user answered: thirty")).to_be_visible()
    await expect(quiet(page).last).to_contain_text("thirty")
    await expect(bubble(page, "thirty")).to_have_count(0)


@pytest.mark.requirement("A15")
@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (["2"], "Green"),
        (["ArrowDown", "ArrowDown", "ArrowDown", "Enter"], "Blue"),
        (["ArrowUp", "ArrowUp", "Enter"], "Green"),
    ],
)
async def test_a_choice_is_made_by_keyboard(visitors: Any, keys: list[str], chosen: str) -> None:
    _, page = await begin(visitors, CHOOSE)
    await expect(card(page).get_by_role("button", name="Red")).to_be_visible()
    await expect(card(page).get_by_role("group", name="Which colour?")).to_be_focused()
    for key in keys:
        await page.keyboard.press(key)
    await expect(said(page, f"The user chose: {chosen}")).to_be_visible()
    await settled_for_good(page, chosen)


@pytest.mark.requirement("A15")
async def test_a_proposal_is_accepted_in_part(visitors: Any) -> None:
    _, page = await begin(visitors, "change my note")
    changes = card(page).get_by_role("group", name="Proposed changes to List")
    await expect(changes.locator("del")).to_have_text(["Milk"])
    await expect(changes.locator("ins")).to_have_text(["Oat milk", "Ice"])
    await changes.get_by_label("Take change 2 of 2").uncheck()
    await screenshot(page, "chat-proposal-part")
    await card(page).get_by_role("button", name="Accept 1 of 2").click()
    stored = said(page, "It came to this")
    await expect(stored).to_contain_text("Oat milk")
    await expect(stored).not_to_contain_text("Ice")
    await settled_for_good(page, "Accepted in part")
    await page.get_by_text("Show the changes").click()
    await expect(quiet(page).locator("ins")).to_have_text(["Oat milk", "Ice"])


@pytest.mark.parametrize(
    ("button", "note", "came"), [("Accept", "Accepted", "Ice"), ("Reject", "Rejected", "does not want")]
)
async def test_a_proposal_is_accepted_or_rejected_as_a_whole(visitors: Any, button: str, note: str, came: str) -> None:
    _, page = await begin(visitors, "change my note")
    await card(page).get_by_role("button", name=button, exact=True).click()
    await expect(said(page, "It came to this")).to_contain_text(came)
    await settled_for_good(page, note)


@pytest.mark.requirement("A15")
async def test_a_second_tab_that_answers_too_late_shows_what_counts(visitors: Any) -> None:
    visitor, page = await begin(visitors, CHOOSE)
    await expect(card(page)).to_be_visible()
    late = await visitor.open(page.url.removeprefix(visitor.server.base_url))
    await expect(card(late)).to_be_visible()
    await visitor.context.route("**/api/runs/*/answer", answer_first)
    async with late.expect_console_message(lambda message: "409" in message.text):  # the browser notes it
        await card(late).get_by_role("button", name="Red").click()
    await expect(quiet(late)).to_contain_text("Blue")
    await expect(quiet(page)).to_contain_text("Blue")
    visitor.expect("status of 409")


async def answer_first(route: Route) -> None:
    """Somebody else is quicker with another answer; then the request goes on."""
    body = json.loads(route.request.post_data or "{}")
    body["answer"]["choiceId"] = "3"
    assert (await route.fetch(post_data=json.dumps(body))).status == 200
    await route.continue_()


async def test_a_message_sets_a_confirmation_aside(visitors: Any) -> None:
    _, page = await begin(visitors, "delete my note")
    await expect(card(page)).to_be_visible()
    await expect(page.get_by_text("A message sets the question above aside")).to_be_visible()
    await say(page, "something else")
    await expect(said(page, "You said: something else")).to_be_visible()
    await settled_for_good(page, "Set aside without an answer")


async def test_a_card_leaves_somebody_who_types_alone(visitors: Any, stage: Stage) -> None:
    _, page = await begin(visitors, "slowly")
    await expect(said(page, "This answer takes")).to_be_visible()
    await say(page, CHOOSE)
    await page.keyboard.type("1 thought")
    stage.gate.set()
    await expect(card(page)).to_be_visible()
    await expect(page.get_by_label("Message", exact=True)).to_be_focused()
    await expect(page.get_by_label("Message", exact=True)).to_have_value("1 thought")


@pytest.mark.requirement("P4")
@every_look
async def test_every_card_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    """Also with what only other tools say: content from outside, descriptions, how sure they are."""
    _, page = await begin(visitors, "delete my note", size, theme)
    await page.route("**/api/runs/*/log*", embellish)
    for name, (prompt, asked) in CARDS.items():
        if prompt:
            await say(page, prompt)
        await expect(card(page)).to_contain_text(asked)
        await page.reload()
        await expect(card(page)).to_be_visible()
        await expect(page.locator("[aria-busy=true]")).to_have_count(0)
        if name == "confirmation":
            await expect(card(page)).to_contain_text("content that can come from others")
        if name == "choice":
            await expect(card(page).get_by_role("button", name=re.compile("Red.*As of a rose.*83"))).to_be_visible()
        assert await violations(page) == [], name
        wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, name
        await screenshot(page, f"chat-pause-{name}-{size}-{theme}")


async def embellish(route: Route) -> None:
    response = await route.fetch()
    body = await response.json()
    for said_ in body["items"]:
        pause = said_["event"].get("pause") or {}
        if pause.get("kind") == "confirmation":
            pause["untrusted"] = True
        for option in pause.get("options", []):
            option |= {"description": f"As of a {'rose' if option['id'] == '1' else 'frog'}", "confidence": 0.834}
    await route.fulfill(response=response, json=body)
