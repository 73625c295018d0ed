"""Looks for tests that pass only at a certain pace: `pytest -p tests.shaking --shake database,threads,loop --seed 3 tests/…`.

Queries and work in threads of some tasks are held up, of others not, so that what usually comes first comes last; turns of the
loop take longer now and then. Which ones is drawn for each test from the seed. What fails here and not without it waits for the
wrong thing, or found a race in the product. Tests of any value try other values than usual. `--shake pages` holds up answers on
their way to a browser, so that people press buttons before a page has heard all it asked for."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary

import asyncpg
import pytest
from playwright.async_api import Browser, BrowserContext, Error, Route

PLACES: Final = ("database", "threads", "loop", "pages")
QUERIES: Final = ("execute", "executemany", "_execute", "_copy_in", "_copy_out")
SLOW: Final = 0.3  # of the tasks
LONGEST: Final = 0.03  # seconds
TURNS: Final = 0.005  # of the loop's turns
LATEST: Final = 3.0  # seconds an answer to a browser may be late


class Shaking:
    def __init__(self, places: list[str], seed: int) -> None:
        self.places, self.seed = places, seed
        self.chance = random.Random(seed)
        self._slow: WeakKeyDictionary[asyncio.Task[Any], bool] = WeakKeyDictionary()

    def is_slow(self, task: asyncio.Task[Any]) -> bool:
        if task not in self._slow:
            self._slow[task] = self.chance.random() < SLOW
        return self._slow[task]

    async def pause(self) -> None:
        task = asyncio.current_task()
        if task is not None and self.is_slow(task):
            await asyncio.sleep(self.chance.random() * LONGEST)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        if "database" in self.places:
            for name in QUERIES:
                patch.setattr(asyncpg.Connection, name, self._late(getattr(asyncpg.Connection, name)))
        if "threads" in self.places:
            patch.setattr(asyncio, "to_thread", self._late(asyncio.to_thread))
        if "loop" in self.places:
            run = asyncio.Handle._run

            def slowly(handle: asyncio.Handle) -> None:
                if self.chance.random() < TURNS:
                    time.sleep(self.chance.random() * LONGEST)
                run(handle)

            patch.setattr(asyncio.Handle, "_run", slowly)
        if "pages" in self.places:
            new_context = Browser.new_context

            async def far_away(browser: Browser, **named: Any) -> BrowserContext:
                context = await new_context(browser, **named)
                await context.route("**/api/**", self._late_answer)
                return context

            patch.setattr(Browser, "new_context", far_away)

    async def _late_answer(self, route: Route) -> None:
        if self.chance.random() < SLOW:
            await asyncio.sleep(self.chance.random() * LATEST)
        with contextlib.suppress(Error):  # the page is gone
            await route.continue_()

    def _late(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def later(*args: Any, **named: Any) -> Any:
            await self.pause()
            return await call(*args, **named)

        return later


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shake", default="", help=f"what is held up at random: {', '.join(PLACES)}")
    parser.addoption("--seed", type=int, default=1, help="of the pauses")


@pytest.fixture(scope="session")
def shaking(pytestconfig: pytest.Config) -> Iterator[Shaking]:
    places = [place for place in pytestconfig.getoption("--shake").split(",") if place]
    if unknown := set(places) - set(PLACES):
        raise pytest.UsageError(f"--shake takes {', '.join(PLACES)}; not {', '.join(unknown)}.")
    made = Shaking(places, pytestconfig.getoption("--seed"))
    with pytest.MonkeyPatch.context() as patch:
        made.install(patch)
        yield made


@pytest.fixture(autouse=True)
def _own_pauses(shaking: Shaking, request: pytest.FixtureRequest) -> None:
    shaking.chance.seed(f"{shaking.seed} {request.node.nodeid}")
