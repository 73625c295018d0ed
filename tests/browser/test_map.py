"""The map of a conversation on the embedded sample: it follows what is said, and is the same after a reload."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import PATIENCE, every_look, screenshot, violations
from tests.browser.map_pages import ASK, HERE, LAYER, PARCELS, SEED, asked, at_the_address, begin, chart, layer, tool

SEE = "View on the map"


FAR = "Gehe zur Koordinate 2700000, 1100000 und lade den Gewässerschutzlayer"


async def say(page: Page, text: str) -> None:
    answers = await page.locator(".answer:not([aria-busy])").count()
    await page.get_by_role("main").get_by_label("Message", exact=True).fill(text)
    await page.keyboard.press("Enter")
    await expect(page.locator(".answer:not([aria-busy])")).to_have_count(answers + 1)


def steps(page: Page) -> Locator:
    return page.get_by_role("list", name="Plan").get_by_role("listitem")


@asynccontextmanager
async def kept(page: Page, kind: str) -> AsyncIterator[None]:
    """Until the server has taken a change of this kind."""
    async with page.expect_response(
        lambda told: told.url.endswith("/map/edits") and kind in (told.request.post_data or "")
    ) as taken:
        yield
    assert (await taken.value).ok


async def fits(page: Page, name: str) -> None:
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await screenshot(page, f"map-{name}")


@pytest.mark.requirement("E8")
@pytest.mark.requirement("E3")
async def test_the_map_opens_follows_and_is_the_same_after_a_reload(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await expect(layer(page)).to_have_attribute("data-visible", "true")
    await expect(chart(page).locator("[data-told]")).to_contain_text("Langendorfstrasse 19b, 4500 Solothurn")
    await expect(steps(page)).to_have_count(2)
    for place in range(2):
        await expect(steps(page).nth(place)).to_have_attribute("data-state", "ok")
    await page.reload()
    await at_the_address(page)
    await expect(layer(page)).to_have_count(1)
    await expect(steps(page).first).to_have_attribute("data-state", "ok")
    await say(page, "Entferne den Gewässerschutzlayer")
    await expect(layer(page)).to_have_count(0)
    await at_the_address(page)


@pytest.mark.requirement("E8")
async def test_another_conversation_has_its_own_map(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    first = page.url
    await page.get_by_role("link", name="New conversation").click()
    await expect(chart(page)).to_have_count(0)
    await page.goto(first.split("/i/")[0] + await page.evaluate(ASK, ["Gehe nach Bern", "navigator"]))
    await expect(chart(page).locator("[data-marker]")).to_contain_text("Bern")
    await expect(layer(page)).to_have_count(0)
    await page.go_back()
    await page.goto(first)
    await at_the_address(page)


@pytest.mark.requirement("E8")
async def test_layers_are_faded_hidden_and_removed_and_stay_so(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await tool(page, "Layers").click()
    side = chart(page).get_by_role("region", name="Layers")
    await expect(side.get_by_text("Sample", exact=True)).to_be_visible()
    fade = side.get_by_role("slider")
    await fade.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowRight")
    await expect(layer(page)).to_contain_text(re.compile(r"\b5\s?% opaque"))
    await side.get_by_role("button", name=re.compile("^Legend")).click()
    legend = side.get_by_role("img")
    await expect(legend).to_be_visible()
    assert await legend.evaluate("async one => (await one.decode(), one.naturalWidth)") > 0
    async with kept(page, "showLayer"):
        await side.get_by_role("button", name=re.compile("^Show ")).click()
        await expect(layer(page)).to_have_attribute("data-visible", "false")
    await page.reload()
    await expect(layer(page)).to_have_attribute("data-visible", "false")
    await expect(layer(page)).to_contain_text("hidden")
    await tool(page, "Layers").click()
    await side.get_by_role("list", name="Layers").get_by_role("button", name=re.compile("^Remove ")).click()
    await expect(layer(page)).to_have_count(0)
    await say(page, "Lade den Gewässerschutzlayer")
    await expect(layer(page)).to_have_attribute("data-visible", "true")


@pytest.mark.requirement("E8")
async def test_a_marker_is_taken_off_the_map_and_put_back(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await tool(page, "Layers").click()
    listed = chart(page).get_by_role("region", name="Layers").get_by_role("list", name="Markers")
    pin, marker = listed.get_by_role("button", name=re.compile("^Remove ")), chart(page).locator("[data-marker]")
    async with kept(page, "showMarker"):
        await pin.click()
        await expect(marker).to_have_count(0)
    async with kept(page, "showMarker"):
        await page.get_by_role("button", name="Undo").click()
        await expect(marker).to_have_count(1)
    async with kept(page, "showMarker"):
        await pin.click()
    await fits(page, "marker-removed")
    await page.reload()
    await expect(chart(page).locator("[data-told]")).to_contain_text("No marker on the map.")
    await say(page, "Gehe zur Langendorfstrasse 19b in Solothurn")
    await expect(marker).to_have_count(1)


@pytest.mark.requirement("E8")
@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_layer_that_shows_nothing_here_says_so(visitors: Any, size: str) -> None:
    page = await begin(visitors, SEED, size)
    if size == "phone":
        await page.get_by_role("button", name="View on the map").first.click()
    await at_the_address(page)
    nothing = chart(page).get_by_text("nothing here in this view")
    await expect(nothing).to_have_count(0)
    await page.goto(page.url.split("/i/")[0] + await page.evaluate(ASK, [FAR, "navigator"]))
    if size == "phone":
        await page.get_by_role("button", name="View on the map").first.click()
    await expect(nothing).to_be_visible()
    await tool(page, "Layers").click()
    await expect(
        chart(page).get_by_role("region", name="Layers").get_by_text("Nothing here in this view")
    ).to_be_visible()
    await fits(page, f"bare-{size}")


@pytest.mark.requirement("E8")
async def test_what_is_changed_by_hand_is_so_on_every_device_and_the_agent_knows(visitors: Any) -> None:
    page = await begin(visitors, "Gehe nach Bern und lade Gewässerschutz und Wald")
    lying = chart(page).locator("[data-layer]")
    await expect(lying).to_have_count(2)
    other: Page = await (await visitors()).enter(page.url.removeprefix(page.url.split("/i/")[0]))
    theirs = chart(other).locator("[data-layer]")
    await expect(theirs).to_have_count(2)
    await tool(page, "Layers").click()
    side = chart(page).get_by_role("region", name="Layers")
    await side.get_by_role("button", name=re.compile("^Show ")).first.click()  # the highest first: the forest
    await expect(theirs.last).to_have_attribute("data-visible", "false")  # it hears of it while it is open
    async with kept(page, "removeLayer"):
        await side.get_by_role("list", name="Layers").get_by_role("button", name=re.compile("^Remove ")).last.click()
    await expect(layer(page)).to_have_count(0)
    await expect(layer(other)).to_have_count(0)
    await other.reload()
    await expect(theirs).to_have_count(1)
    await expect(theirs).to_have_attribute("data-visible", "false")
    await say(other, "Entferne den Gewässerschutzlayer")
    await expect(other.locator("[data-state]").last).to_have_attribute("data-state", "needs_clarification")
    await say(other, "Leere die Karte")
    await expect(theirs).to_have_count(0)
    await expect(lying).to_have_count(0)


@pytest.mark.requirement("E8")
async def test_a_change_that_the_server_refuses_is_taken_back_and_cannot_be_tried_again(visitors: Any) -> None:
    """Somebody whose right to write is taken away while they look at the map."""
    visitor = await visitors()
    page = await asked(visitor, SEED)
    await at_the_address(page)
    await tool(page, "Layers").click()
    side = chart(page).get_by_role("region", name="Layers")
    refusal = {"code": "forbidden", "message": "No.", "traceId": "t", "details": {}}

    async def refuse(route: Route) -> None:
        if route.request.method == "POST":
            await route.fulfill(status=403, json=refusal)
        else:
            await route.fulfill(json={"edits": [], "mayEdit": False})

    await page.route("**/map/edits", refuse)
    await side.get_by_role("list", name="Layers").get_by_role("button", name=re.compile("^Remove ")).click()
    told = page.get_by_role("region", name="Notifications")
    await expect(told).to_contain_text("The map was not changed. Your role does not allow this.")
    await expect(layer(page)).to_have_count(1)
    await expect(side.get_by_role("list", name="Layers").get_by_role("listitem")).to_have_count(1)
    await expect(side.get_by_role("button", name=re.compile("^(Show|Move|Remove) "))).to_have_count(0)
    await expect(side.get_by_role("slider")).to_have_count(0)
    visitor.expect("status of 403")


@pytest.mark.requirement("E8")
async def test_layers_are_sorted_by_keyboard_and_coordinates_copied(visitors: Any) -> None:
    page = await begin(visitors, "Gehe nach Bern und lade Gewässerschutz und Wald")
    lying = chart(page).locator("[data-layer]")
    await expect(lying.first).to_have_attribute("data-layer", LAYER)  # the lowest first
    await expect(lying).to_have_count(2)
    await tool(page, "Layers").click()
    down = chart(page).get_by_role("region", name="Layers").get_by_role("button", name=re.compile("^Move .* down"))
    await down.first.focus()
    async with kept(page, "sortLayers"):
        await page.keyboard.press("Alt+ArrowDown")
        await expect(lying.last).to_have_attribute("data-layer", LAYER)
    await page.keyboard.press("Escape")
    await page.reload()
    await expect(lying.last).to_have_attribute("data-layer", LAYER)
    await expect(chart(page)).to_have_attribute("data-center", re.compile(r"\d"))
    centre = await chart(page).get_attribute("data-center")
    await tool(page, re.compile("^Copy the coordinates")).click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text(f"Copied: {centre}")
    assert await page.evaluate("navigator.clipboard.readText()") == centre
    await chart(page).get_by_role("application").click(position={"x": 60, "y": 300})
    await tool(page, re.compile("^Copy the coordinates")).click()
    elsewhere = re.compile(f"Copied: (?!{re.escape(centre or '')})")
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text(elsewhere)
    assert await page.evaluate("navigator.clipboard.readText()") != centre


@pytest.mark.requirement("E8")
async def test_what_can_be_chosen_is_on_the_map_and_can_be_chosen_there(visitors: Any) -> None:
    page = await begin(visitors, PARCELS)
    first = page.get_by_role("button", name=re.compile("Parcel A"))
    await expect(first).to_be_visible()
    await expect(chart(page).locator("[data-told]")).to_contain_text("2 answers lie on the map")
    await expect(chart(page)).to_have_attribute("data-center", "2600516.5, 1215522")
    await chart(page).evaluate("one => { one.isTheSame = true }")
    box = await chart(page).locator("canvas").first.bounding_box()
    assert box is not None
    await expect(chart(page)).to_have_attribute("data-resolution", re.compile(r"\d"))
    scale = float(await chart(page).get_attribute("data-resolution") or 0)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # Parcel A lies 3.5 m west and 3 m south of the middle of both.
    await page.mouse.click(middle[0] - 3.5 / scale, middle[1] + 3 / scale)
    await expect(page.locator(".settled")).to_contain_text("Parcel A")
    extract = chart(page).get_by_role("region", name="ÖREB extract")
    await expect(extract).to_contain_text("CH1234567891011")
    await expect(extract.get_by_role("link", name="The whole extract as PDF")).to_be_visible()
    await expect(chart(page).locator("[data-marker]")).to_have_attribute("data-marker", "oereb-CH1234567891011")
    await expect(chart(page)).to_have_attribute("data-center", "2600513, 1215519")
    assert await chart(page).evaluate("one => one.isTheSame"), "the map was there all the time"
    await extract.get_by_role("button", name="Close the extract").click()
    await expect(extract).to_have_count(0)


@pytest.mark.requirement("E8")
async def test_the_card_previews_by_pointer_and_by_keyboard(visitors: Any) -> None:
    page = await begin(visitors, PARCELS)
    option = page.get_by_role("button", name=re.compile("Parcel B"))
    await expect(chart(page)).to_have_attribute("data-center", "2600516.5, 1215522")
    before = await chart(page).locator("canvas").first.screenshot()
    await option.hover()
    await expect(chart(page)).to_have_attribute("data-looked", "p2")
    async with asyncio.timeout(PATIENCE / 1000):
        while await chart(page).locator("canvas").first.screenshot() == before:
            pass
    await page.get_by_role("heading", level=1).hover()
    await expect(chart(page)).not_to_have_attribute("data-looked", "p2")
    await option.focus()
    await expect(chart(page)).to_have_attribute("data-looked", "p2")
    await page.keyboard.press("Enter")
    await expect(page.locator(".settled")).to_contain_text("Parcel B")


@pytest.mark.requirement("P1")
async def test_it_is_large_or_beside_closed_and_open_and_moved_by_keyboard(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await tool(page, re.compile("^Large map")).click()
    await expect(tool(page, "Map beside the chat")).to_be_visible()
    await page.reload()
    await expect(tool(page, "Map beside the chat")).to_be_visible()
    await at_the_address(page)
    await fits(page, "large")
    await tool(page, "Map beside the chat").click()
    canvas = chart(page).get_by_role("application")
    await canvas.focus()
    await page.keyboard.press("+")
    await expect(chart(page)).to_have_attribute("data-resolution", "0.5")
    await page.keyboard.press("ArrowUp")
    await expect(chart(page)).not_to_have_attribute("data-center", HERE)
    await tool(page, "Close the map").click()
    await expect(chart(page)).to_have_count(0)
    button = page.get_by_role("main").get_by_role("button", name="Map", exact=True)
    await expect(button).to_be_focused()
    await page.reload()
    await expect(button).to_have_attribute("aria-expanded", "false")
    await expect(chart(page)).to_have_count(0)
    await button.click()
    await at_the_address(page)


@pytest.mark.requirement("E8", "P4")
@every_look
async def test_everybody_can_use_the_map(visitors: Any, size: str, theme: str) -> None:
    page = await begin(visitors, SEED, size, theme)
    if size == "phone":
        await expect(steps(page)).to_have_count(2)
        await expect(chart(page)).to_have_count(0)  # it does not hide the conversation by itself
        await page.get_by_role("main").get_by_role("button", name="Map", exact=True).click()
    await at_the_address(page)
    await tool(page, "Layers").click()
    await fits(page, f"layers-{size}-{theme}")


async def control_heights(page: Page) -> list[float]:
    """How high what can be done with a layer stands: the eye, the slider, the way up."""
    layer = chart(page).get_by_role("region", name="Layers").get_by_role("listitem").first
    found = [layer.get_by_role("button", name=re.compile("^Show ")), layer.get_by_role("slider"),
             layer.get_by_role("button", name=re.compile("^Move .* up"))]  # fmt: skip
    boxes = [await one.bounding_box() for one in found]
    return [round(box["y"] + box["height"] / 2) for box in boxes if box]


@pytest.mark.requirement("E8", "P4")
async def test_on_a_phone_an_answer_leads_to_the_map(visitors: Any) -> None:
    page = await begin(visitors, SEED, "phone", "light")
    await page.get_by_role("button", name=SEE).click()
    await at_the_address(page)
    await tool(page, "Layers").click()
    heights = await control_heights(page)
    assert max(heights) - min(heights) <= 2, "they share a line"
    assert await violations(page) == []
    await screenshot(page, "map-phone-seen")
    address = page.url
    await page.go_back()
    await expect(chart(page)).to_have_count(0)
    await expect(page).to_have_url(address)  # it closed the map, and the conversation is there


@pytest.mark.requirement("E8")
async def test_beside_an_open_map_nothing_leads_to_it(visitors: Any) -> None:
    page = await begin(visitors, SEED)
    await at_the_address(page)
    await expect(page.get_by_role("button", name=SEE)).to_have_count(0)


@pytest.mark.requirement("E4", "A15")
async def test_a_choice_says_how_sure_it_is_and_can_be_set_aside(visitors: Any) -> None:
    page = await begin(visitors, PARCELS)
    await expect(page.get_by_role("button", name=re.compile("CH1234567891011"))).to_contain_text("91 % sure")
    await page.get_by_role("button", name="Set this aside").click()
    await expect(page.locator(".settled")).to_contain_text("Set aside without an answer")
