"""The application shell in a real browser: every screen, keyboard, languages, themes, tabs that follow each other."""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import METRICS_TOKEN, every_look, screenshot, violations
from tests.browser.pages import settled, unique
from tests.faults.process import Workroom

SETTINGS = [
    "profile",
    "privacy",
    "users",
    "roles",
    "instances",
    "models",
    "budgets",
    "tokens",
    "sessions",
    "audit",
    "about",
]
SCREENS = ["/i/workspace", *(f"/settings/{name}" for name in SETTINGS), "/nothing/here"]
SIZES = ["desktop", "phone"]
LANGUAGES = [
    ("de", "Deutsch", "Profil"),
    ("fr", "Français", "Profil"),
    ("pt", "Português", "Perfil"),
    ("zh", "中文", "个人资料"),
    ("en", "English", "Profile"),
]
MAKE_ROOM = """name => fetch('/api/instances', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({name})
})"""


@pytest.mark.requirement("P4")
@every_look
async def test_every_screen_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    """axe finds nothing; nothing scrolls sideways; the console stays silent (and with it the content policy)."""
    visitor = await visitors(size, theme)
    page = await visitor.enter()
    for path in SCREENS:
        await page.goto(visitor.server.base_url + path)
        await settled(page)
        assert await violations(page) == [], path
        wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{path} is {wider} px too wide"
        await screenshot(page, f"{path.strip('/').replace('/', '-')}-{size}-{theme}")


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("size", SIZES)
async def test_signed_out_screens_are_accessible(visitors: Any, size: str) -> None:
    visitor = await visitors(size, "light")
    page = await visitor.open("/settings/users")
    await expect(page.get_by_text("users link")).to_be_visible()
    assert await violations(page) == []
    visitor.expect("status of 401")


@pytest.mark.requirement("P4")
async def test_everything_is_reachable_by_keyboard(visitors: Any) -> None:
    page = await (await visitors()).enter()
    await settled(page)
    await page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog")
    await expect(palette).to_be_visible()
    await page.keyboard.type("audit")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/settings/audit")
    await page.keyboard.press("Control+k")
    await expect(palette).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(palette).not_to_be_visible()
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement !== document.body")


@pytest.mark.requirement("P4")
async def test_what_is_typed_before_the_palette_is_there_counts_with_its_enter(visitors: Any) -> None:
    page = await (await visitors()).enter()
    await settled(page)
    typed = asyncio.Event()

    async def after_typing(route: Any) -> None:
        await typed.wait()
        await route.continue_()

    await page.route("**/assets/Palette*.js", after_typing)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("audit")
    await page.keyboard.press("Enter")
    typed.set()
    await page.wait_for_url("**/settings/audit")
    await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("size", SIZES)
async def test_dialogs_and_menus_are_accessible(visitors: Any, size: str) -> None:
    page = await (await visitors(size)).enter("/settings/users")
    await settled(page)
    await page.get_by_role("button", name="Invite someone").click()
    # By its name: on a busy machine another one stands there until its part is loaded.
    dialog = page.get_by_role("dialog", name="Invite someone")
    await expect(dialog).to_be_visible()
    await expect(dialog.get_by_role("banner")).to_have_count(0)
    await expect(dialog.get_by_role("contentinfo")).to_have_count(0)
    assert await violations(page) == []
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await violations(page) == []
    await page.keyboard.type("prices")
    await expect(page.get_by_role("option", name="Models: Prices")).to_be_visible()
    if size == "desktop":  # a mouse cannot push them aside
        await page.set_viewport_size({"width": 560, "height": 800})
        group = page.get_by_role("group", name="Search in")
        assert await group.evaluate("one => one.scrollWidth <= one.clientWidth"), "every filter is seen"


@pytest.mark.requirement("P4")
async def test_a_menu_with_entries_as_high_as_a_finger_shows_all_of_them_on_a_phone(visitors: Any) -> None:
    visitor = await visitors("phone")
    page = await visitor.enter("/i/workspace")
    client = await visitor.context.new_cdp_session(page)
    await client.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    await page.get_by_role("button", name="Your account").click()
    last = page.get_by_role("menuitem", name="Sign out")
    await expect(last).to_be_in_viewport(ratio=1)
    assert await last.evaluate("one => one.getBoundingClientRect().height") >= 44


@pytest.mark.requirement("P4", "D6")
async def test_five_languages_without_reload_and_kept(visitors: Any) -> None:
    visitor = await visitors()
    page = await visitor.enter("/settings/profile")
    await settled(page)
    await page.evaluate("window.stillTheSamePage = true")
    for code, name, title in LANGUAGES:
        visitor.language = code  # put back afterwards, wherever this ends
        radio = page.get_by_role("radio", name=name)
        await radio.click()  # not `check`, which wants it done at once: the words of a language are fetched first
        await expect(radio).to_be_checked()
        await expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{code}"))
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert await page.evaluate("window.stillTheSamePage")
    await page.wait_for_function(
        "code => fetch('/api/session').then((answer) => answer.json()).then(({user}) => user.language === code)",
        arg=code,
    )


@pytest.mark.requirement("P4")
async def test_a_theme_is_chosen_and_kept(visitors: Any) -> None:
    page = await (await visitors("desktop", "light")).enter()
    await settled(page)
    before = await page.evaluate("getComputedStyle(document.body).color")
    await choose(page, "Theme: Dark")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.reload()
    await settled(page)
    assert await page.evaluate("getComputedStyle(document.body).color") != before
    await choose(page, "Theme: System")
    await expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


async def choose(page: Page, command: str) -> None:
    """Through the palette, by keyboard; answers when the server has it."""
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox")).to_be_focused()
    await page.keyboard.type(command)
    await expect(page.get_by_role("option", name=command, selected=True)).to_be_visible()
    async with page.expect_response("**/api/me"):
        await page.keyboard.press("Enter")


@pytest.mark.requirement("P1")
async def test_another_tab_follows_by_itself_and_all_tabs_share_one_stream(server: Workroom, visitors: Any) -> None:
    visitor = await visitors()
    first = await visitor.enter()
    others = [await visitor.open("/i/workspace") for _ in range(5)]
    await expect(others[-1].get_by_role("heading", name="Workspace", exact=True)).to_be_visible()
    name = unique("Shared room")
    await first.evaluate(MAKE_ROOM, name)
    for page in (first, *others):
        await expect(page.get_by_text(name).first).to_be_attached()
    # Browsers of earlier tests may still be leaving; what stays is ours.
    async with asyncio.timeout(60):
        while open_streams(server) != 1:  # noqa: ASYNC110 -- the server cannot tell us
            await asyncio.sleep(0.1)


def open_streams(server: Workroom) -> int:
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    with httpx2.Client(base_url=server.base_url, headers=headers, trust_env=False) as client:
        found = re.search(r"^workroom_event_streams (\d+)", client.get("/metrics").text, re.MULTILINE)
    assert found
    return int(found[1])


async def test_names_are_text_whatever_they_contain(visitors: Any) -> None:
    """S13: a name that is markup is shown, not run."""
    page = await (await visitors()).enter()
    await settled(page)
    name = f"<img src=x onerror=window.pwned=1><b>{uuid.uuid4().hex[:6]}</b>"
    await page.evaluate(MAKE_ROOM, name)
    for path in ("/settings/instances", "/settings/audit", "/i/workspace"):
        await page.goto(page.url.split("/i/")[0].split("/settings")[0] + path)
        await settled(page)
        await expect(page.get_by_text(name).first).to_be_attached()
    assert await page.evaluate("window.pwned") is None


@pytest.mark.requirement("P4")
async def test_the_first_page_is_light(visitors: Any) -> None:
    """At most 65 kB of JavaScript, as it travels, until the workspace is drawn."""
    visitor = await visitors()
    page = await visitor.enter()
    await settled(page)
    sizes: dict[str, int] = {}  # of scripts as they travel, without headers
    fresh = await visitor.context.new_page()
    client = await visitor.context.new_cdp_session(fresh)
    await client.send("Network.enable")
    await client.send("Network.setCacheDisabled", {"cacheDisabled": True})
    heads: dict[str, tuple[str, int]] = {}  # address and bytes of headers, by request

    def received(event: dict[str, Any]) -> None:
        if event["type"] == "Script":
            name = event["response"]["url"].rpartition("/")[2]
            heads[event["requestId"]] = (name, event["response"]["encodedDataLength"])

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in heads:
            name, head = heads[event["requestId"]]
            sizes[name] = event["encodedDataLength"] - head

    client.on("Network.responseReceived", received)
    client.on("Network.loadingFinished", finished)
    await fresh.goto(visitor.server.base_url + "/i/workspace")
    await settled(fresh)
    assert sizes
    assert 45_000 < sum(sizes.values()) <= 65_000, sizes


@pytest.mark.requirement("P4")
async def test_a_page_that_could_not_be_fetched_has_its_styles_after_another_try(visitors: Any) -> None:
    visitor = await visitors("phone")
    page = await visitor.enter("/i/workspace")
    await settled(page)
    visitor.expect("Failed to load resource")
    await page.route("**/assets/*.css", lambda route: route.abort())
    await page.get_by_role("button", name="Show or hide the left pane").click()
    await page.get_by_role("link", name="Agents", exact=True).click()
    await expect(page.get_by_text("The server did not answer.")).to_be_visible()
    await page.unroute("**/assets/*.css")
    await page.get_by_role("button", name="Try again").click()
    await settled(page)
    await expect(page.locator("main > .page")).to_have_css("padding-top", "16px")


@pytest.mark.requirement("P4", "E8")
@pytest.mark.parametrize("size", SIZES)
async def test_the_first_page_leads_to_the_map(visitors: Any, size: str) -> None:
    """Ways to begin stand before everything else; the Assistant hands over to the map, and says so."""
    page = await (await visitors(size)).enter("/i/workspace")
    starts = page.get_by_role("list", name="Where to begin").get_by_role("button")
    await expect(starts).to_have_count(4)
    await expect(starts.first).to_contain_text("Upload files")
    await screenshot(page, f"home-{size}")
    await starts.filter(has_text="Ask a question").click()
    await expect(page.get_by_label("Message", exact=True)).to_be_focused()
    await starts.filter(has_text="See it on the map").click()
    await page.wait_for_url("**/c/*")
    await expect(page.locator("[data-switch]")).to_contain_text("Map")
    if size == "desktop":
        await expect(page.locator(".map")).to_be_visible()
    await expect(page.get_by_role("list", name="Plan").get_by_role("listitem").first).to_contain_text("Bern")
    await screenshot(page, f"home-to-map-{size}")
