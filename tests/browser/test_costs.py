"""Money in a real browser: what an answer cost, how it came about, how much may be spent, and who sees what of it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.stage import Stage, begin, said, say
from tests.faults.process import Workroom

TWO_ROUNDS = 'writeNote {"title": "Ledger", "text": "Two litres."}'
INVITE = """async name => {
    const ask = (method, path, body) => fetch(path, body && {
        method, headers: {'content-type': 'application/json'}, body: JSON.stringify(body)
    }).then(answer => answer.json())
    const roleId = (await ask('GET', '/api/roles?limit=200')).items.find(role => role.key === 'member').id
    const room = (await ask('GET', '/api/session')).defaultInstanceId
    const {user, link} = await ask('POST', '/api/users', {login: name, displayName: name, roleId})
    await ask('PUT', `/api/instances/${room}/members/${user.id}`, {roleId: null})
    return link.url
}"""


@pytest.fixture(scope="module")
def priced(whole_stage: Stage) -> Iterator[None]:
    """What runs on one's own machine is free; here it has a price."""
    with whole_stage.server.signed_in() as client:
        models = client.get("/api/models").raise_for_status().json()["items"]
        name = next(model["model"] for model in models if model["model"].endswith("scripted"))
        prices = [{"input": "3", "output": "15", "cached": "0.3"}, None]
        for price in prices:
            client.put("/api/model-prices", json={"model": name, "price": price}).raise_for_status()
            if price:
                yield


@pytest.fixture
def server(stage: Stage, priced: None) -> Workroom:
    return stage.server


@pytest.fixture
def shipped_budgets(server: Workroom) -> Iterator[None]:
    """Other tests share the server: what is set here is gone afterwards."""
    yield
    with server.signed_in() as client:
        client.put("/api/budgets/mandate", json={"limits": []}).raise_for_status()
        for role in client.get("/api/roles").raise_for_status().json()["items"]:
            client.delete(f"/api/budgets/roles/{role['id']}").raise_for_status()


async def settled(page: Page) -> None:
    await expect(page.locator("h1[tabindex]")).to_be_visible()
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)


async def fits(page: Page, name: str) -> None:
    """Nobody is kept out, nothing scrolls sideways; a picture for those who want to look."""
    await settled(page)
    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, name)


def line(page: Page, label: str) -> Locator:
    """One of my limits, with what is left of it."""
    return page.get_by_role("listitem").filter(has_text=label)


@pytest.mark.requirement("M1")
@pytest.mark.requirement("M2")
@every_look
async def test_the_cost_of_an_answer_leads_to_its_calls_and_to_how_it_came_about(
    visitors: Any, server: Workroom, size: str, theme: str
) -> None:
    _, page = await begin(visitors, TWO_ROUNDS, size, theme)
    await expect(said(page, "Done, with 1 results")).to_be_visible()
    talk = page.url
    await page.locator(".facts a").first.click()
    await page.wait_for_url("**/costs?runId=*")
    calls = page.get_by_role("table", name="Calls")
    await expect(calls.get_by_role("row")).to_have_count(3)  # the head, and a call for each round
    await expect(calls.get_by_text(re.compile(r"CHF\s0\.0*[1-9]"))).to_have_count(2)
    await fits(page, f"costs-{size}-{theme}")
    await calls.get_by_role("link", name="scripted").first.click()
    await page.wait_for_url("**/runs/*")
    await expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    made_of = page.get_by_text(
        re.compile(r"^What the request was made of \(estimated\): instructions [\d,]+ · tools [\d,]+ · ")
    )
    await expect(made_of).to_have_count(2)
    await page.get_by_text("Writes a note", exact=True).click()
    await expect(page.get_by_role("group", name="Arguments")).to_contain_text("Two litres.")
    await fits(page, f"trace-{size}-{theme}")
    await page.get_by_role("main").get_by_role("link").first.click()
    await page.wait_for_url(talk)


@pytest.mark.requirement("M1")
async def test_a_run_that_failed_shows_what_was_tried_and_why_it_ended(visitors: Any, server: Workroom) -> None:
    _, page = await begin(visitors, "refuse")
    await page.get_by_role("link", name="Details").click()
    await settled(page)
    await expect(page.get_by_role("main").get_by_text("Failed", exact=True)).to_be_visible()
    await expect(page.get_by_role("main").get_by_text("failed", exact=True).first).to_be_visible()
    await expect(page.locator(".reason")).to_contain_text(re.compile(r"\w+ \w+"))
    await fits(page, "trace-failed")


@pytest.mark.requirement("M2")
async def test_filters_are_kept_in_the_address_and_sums_lead_deeper(visitors: Any, server: Workroom) -> None:
    title = f"Tell me about {uuid.uuid4().hex[:8]}"
    _, page = await begin(visitors, title)
    await expect(said(page, "You said:")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("costs")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/costs")
    await settled(page)
    await page.get_by_label("Model", exact=True).select_option("scripted")
    await page.get_by_label("Time", exact=True).select_option("Last 7 days")
    await page.wait_for_url(re.compile(r"period=week.*model=scripted|model=scripted.*period=week"))
    await page.reload()
    await expect(page.get_by_label("Model", exact=True)).to_have_value("scripted")
    await page.get_by_text("Show as a table").click()
    days = page.get_by_role("table", name="Cost per day")
    await expect(days.get_by_role("row")).to_have_count(8)
    await expect(days.get_by_role("row").last).to_contain_text(re.compile(r"CHF\s0\.0*[1-9]"))
    await fits(page, "costs-week")
    await page.get_by_role("link", name=title).click()
    await settled(page)
    await expect(page.get_by_role("table", name="Calls").get_by_role("row")).to_have_count(2)
    await expect(page.get_by_role("link", name="Open the conversation")).to_be_visible()
    await page.get_by_label("For", exact=True).select_option("Speech")
    await expect(page.get_by_text("Nothing was spent")).to_be_visible()
    await fits(page, "costs-nothing")
    await page.get_by_role("button", name="Show everything").click()
    await expect(page.get_by_role("table", name="By model")).to_be_visible()


@pytest.mark.requirement("M2")
@every_look
async def test_a_budget_of_nearly_nothing_ends_the_next_answer(
    visitors: Any, shipped_budgets: None, size: str, theme: str
) -> None:
    page = await (await visitors(size, theme)).enter("/settings/budgets")
    await settled(page)
    field = page.get_by_label("Per answer", exact=True)
    await expect(field).to_have_value("2.00")
    await field.fill("a lot")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("Enter an amount")
    await expect(field).to_be_focused()
    await field.fill("0,0001")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("The limits are saved")).to_be_visible()
    await expect(field).to_have_value("0.0001")
    await expect(line(page, "Each answer")).to_contain_text(re.compile(r"CHF\s0\.0001"))
    await fits(page, f"budgets-{size}-{theme}")
    await page.goto(page.url.replace("/settings/budgets", "/"))
    await say(page, "good morning")
    await expect(said(page, "The budget of this answer is used up")).to_be_visible()
    await expect(page.get_by_text("Ended at the spending limit")).to_be_visible()


@pytest.mark.requirement("M2")
async def test_a_role_gets_limits_of_its_own_and_loses_them(visitors: Any, shipped_budgets: None) -> None:
    page = await (await visitors()).enter("/settings/budgets")
    await settled(page)
    await page.get_by_role("button", name="Limits for a role").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Role").select_option("Administrator")
    await dialog.get_by_label("Per person and day").select_option("A limit of its own")
    await dialog.get_by_label("CHF").fill("50")
    await dialog.get_by_label("Per answer").select_option("No limit")
    assert await violations(page) == []
    await screenshot(page, "budgets-role")
    await dialog.get_by_role("button", name="Save").click()
    own = page.get_by_role("listitem").filter(has_text="Administrator")
    await expect(own).to_contain_text(re.compile(r"Per answer: No limit · Per person and day: CHF\s50\.00"))
    await expect(line(page, "You, today")).to_contain_text(re.compile(r"of CHF\s50\.00"))
    await page.get_by_role("button", name="Actions for Administrator").click()
    await page.get_by_role("menuitem", name="Remove limits").click()
    await expect(line(page, "You, today")).to_contain_text(re.compile(r"of CHF\s20\.00"))
    await page.get_by_role("button", name="Undo").click()
    await expect(own).to_contain_text(re.compile(r"CHF\s50\.00"))


@pytest.mark.requirement("M2")
@pytest.mark.requirement("N1")
async def test_a_member_sees_nothing_of_what_others_spend(visitors: Any, server: Workroom) -> None:
    _, page = await begin(visitors, "good evening")
    await expect(said(page, "You said: good evening")).to_be_visible()
    trace = await page.get_by_role("link", name="Details").get_attribute("href")
    link = await page.evaluate(INVITE, f"frugal-{uuid.uuid4().hex[:6]}")
    await page.goto(server.base_url + "/costs")
    await expect(page.get_by_role("table", name="By person")).to_be_visible()
    guest = await visitors()
    guests = await guest.open("/" + link.split("/", 3)[3])
    await guests.wait_for_url("**/i/*")
    await guests.goto(server.base_url + "/costs")
    await expect(guests.get_by_text("Nothing was spent")).to_be_visible()
    await expect(guests.get_by_label("Person", exact=True)).to_have_count(0)
    await guests.goto(server.base_url + "/settings/budgets")
    await expect(line(guests, "You, today")).to_contain_text(re.compile(r"CHF\s0\.00 of CHF\s20\.00"))
    await expect(guests.get_by_role("heading", name="For everybody")).to_have_count(0)
    await expect(guests.get_by_text("The whole organisation")).to_have_count(0)
    await guests.goto(server.base_url + str(trace))
    await expect(guests.get_by_role("heading", name="There is nothing here")).to_be_visible()
    guest.expect("status of 404")
