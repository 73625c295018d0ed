"""A real Chromium on a real server: one of each per test session, a fresh browser profile per page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, TimeoutError, async_playwright, expect

from tests.browser.chromium import find
from tests.browser.stage import Stage, open_stage
from tests.faults.process import Workroom, one_time_link

HERE = Path(__file__).parent
SCREENS = HERE / "screens"
AXE = HERE.parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
Theme = Literal["light", "dark"]
Size = Literal["desktop", "phone"]
# Both sizes and both themes; what is left of their combinations is for the drills.
every_look = pytest.mark.parametrize(
    ("size", "theme"),
    [
        ("desktop", "light"),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.drill),
        pytest.param("phone", "light", marks=pytest.mark.drill),
    ],
)
METRICS_TOKEN = "metrics-for-tests"
HOME = "en"
PATIENCE = 60_000  # milliseconds: how long a busy machine may take, never how fast a page has to be

# Chromium starts processes for pages nobody sees: two of its address bar per window, and one in case another is wanted.
UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
# The last list counts, so what Playwright itself turns off is said again.
PLAYWRIGHTS = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "AimEnabled",
    "ThirdPartyStoragePartitioning",
)

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(quick_disk: Path) -> Iterator[Workroom]:
    with Workroom(quick_disk / "browser" / "data", LOGIN="local", METRICS_TOKEN=METRICS_TOKEN) as running:
        yield running


@pytest.fixture(scope="session")
async def whole_stage(quick_disk: Path) -> AsyncIterator[Stage]:
    async with open_stage(quick_disk / "chat" / "data") as stage:
        yield stage


@pytest.fixture
def stage(whole_stage: Stage) -> Stage:
    """A server that has a model, with its gate closed. Tests that take it make it their `server`."""
    whole_stage.gate.clear()
    return whole_stage


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    program = find()
    assert program, "no Chromium here: `make browser` installs it or says how"
    quiet = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--disable-features={','.join((*UNSEEN, *PLAYWRIGHTS))}",
    ]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=quiet)
        yield browser
        await browser.close()


def speak(server: Workroom, language: str) -> None:
    """Tests share a server and a person: what one of them chose counts for the others, more than what a browser prefers."""
    with server.signed_in() as client:
        client.patch("/api/me", json={"language": language}).raise_for_status()


@dataclass
class Visitor:
    """Somebody at a browser. What the page complains about is collected and fails the test in the end; what a test provokes
    is in `expected`, whenever the browser gets round to saying it."""

    server: Workroom
    context: BrowserContext
    language: str = HOME
    complaints: list[str] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)

    async def open(self, path: str = "/") -> Page:
        page = await self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(self.server.base_url + path)
        return page

    async def enter(self, path: str = "/") -> Page:
        """With a one-time link's session, straight to the page: that a page opens the link, the tests of signing in show."""
        if self.language != HOME:
            speak(self.server, self.language)
        token = one_time_link(self.server.command("users", "link").fine()).partition("#")[2]
        answer = await self.context.request.post(f"{self.server.base_url}/api/auth/link", data={"token": token})
        assert answer.ok, await answer.text()
        page = await self.open(path)
        if path == "/":
            await page.wait_for_url("**/i/*")
        return page

    def expect(self, *texts: str) -> None:
        """Complaints that contain one of these are part of the test."""
        self.expected.update(texts)

    async def check_height(self) -> None:
        """Of every page that is still open: the document fits the window, whatever was done in it."""
        for page in self.context.pages:
            if not page.is_closed() and page.url.startswith(self.server.base_url):
                with suppress(TimeoutError):  # a window that was resized a moment ago is drawn first
                    await page.wait_for_function(f"() => {TALLER} <= 0", timeout=2_000)
                taller = await page.evaluate(TALLER)
                if taller > 0:
                    self.complaints.append(f"{page.url}: the document is {taller} px taller than the window")

    @property
    def unexpected(self) -> list[str]:
        return [said for said in self.complaints if not any(text in said for text in self.expected)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url')})")


@pytest.fixture
async def visitors(server: Workroom, chromium: Browser) -> AsyncIterator[Any]:
    """`await visitors(size, theme, locale)` is somebody with a browser of their own."""
    made: list[Visitor] = []
    async with AsyncExitStack() as stack:

        async def arrive(
            size: Size = "desktop", theme: Theme = "light", locale: str = "en-GB", *, touch: bool = False
        ) -> Visitor:
            width, height = SIZES[size]
            context = await chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme=theme,
                locale=locale,
                reduced_motion="reduce",
                has_touch=touch,
                permissions=["clipboard-read", "clipboard-write"],
            )
            context.set_default_timeout(PATIENCE)
            stack.push_async_callback(context.close)
            made.append(Visitor(server, context, locale[:2]))
            return made[-1]

        yield arrive
        for visitor in made:
            await visitor.check_height()
    if any(visitor.language != HOME for visitor in made):
        speak(server, HOME)
    complaints = [text for visitor in made for text in visitor.unexpected]
    assert complaints == [], complaints


# What fades in has other contrasts while it does; spinners never end.
STILL = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
    .map((one) => one.finished.catch(() => null))).then(() => null)"""


TALLER = "document.scrollingElement.scrollHeight - innerHeight"


async def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is now; and a document that is taller than the window: only parts of a page
    scroll."""
    await page.evaluate(AXE.read_text())
    await page.evaluate(STILL)
    found = await page.evaluate("async () => (await axe.run(document)).violations")
    taller = await page.evaluate(TALLER)
    wrong = [f"the document is {taller} px taller than the window"] if taller > 0 else []
    return wrong + [f"{v['id']}: {v['help']} ({v['nodes'][0]['html'][:120]})" for v in found]


async def search(page: Page, label: str, words: str) -> None:
    """Narrow a list down, and wait until it is: a button that moves between press and release is not clicked."""
    rows = page.get_by_role("main").get_by_role("row")
    await expect(rows.nth(1)).to_be_visible()
    before = await rows.count()
    await page.get_by_label(label).fill(words)
    await expect(rows).not_to_have_count(before)


async def screenshot(page: Page, name: str) -> None:
    SCREENS.mkdir(exist_ok=True)
    await page.screenshot(path=SCREENS / f"{name}.png")
