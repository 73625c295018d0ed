"""A server with a scripted model behind it, and what visitors do in a chat. Shared by the tests of the chat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page

from tests.faults.process import Workroom
from tests.interaction.briefing import of_the_team, specialists
from tests.studio.judging import judge, of_the_judge
from workroom.models.testing import Call, Drip, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider, Status, writer

SLOW = "This answer takes its time, and then it is all here."
HOSTILE = (
    "<img src=x onerror=window.pwned=1> <script>window.pwned=2</script> "
    "[click](javascript:window.pwned=3) ![pixel](http://example.org/p.png) **bold** "
    "$\\href{javascript:window.pwned=4}{x}$ $\\raisebox{20em}{Approved}$\n\n" + "> " * 5_000 + "deep"
)
BEFORE = "Shopping\n\nMilk\nBread\n\n\n\n\nFor the party\n\nLemonade"
AFTER = "Shopping\n\nOat milk\nBread\n\n\n\n\nFor the party\n\nLemonade\nIce"
RICH = """The roof costs $5 and $6 a tile; its area is $\\pi r^2$, and over the years

$$
\\sum_{k=0}^{n} \\frac{a_k}{(1 + i)^k}
+ \\sqrt{x}
$$

| What | Where | CHF |
|:-----|:-----:|----:|
| Tiles | Bern | 1200.50 |
| Wood | Basel | 80.00 |

3. third

```python
def cost(area: float) -> float:
    # without tax
    return area * 1200.50 + len("wood")
```
"""
CHARTED = """The year in figures:

| Month | Revenue | Share | Date |
|:------|--------:|------:|------|
| January | CHF 1'200.50 | 12 % | 31.01.2026 |
| February | CHF 80.00 | 7,5 % | 28.02.2026 |
| March | CHF 10'000.– | 80.5 % | 01.12.2025 |

```chart
{"kind": "line", "title": "Visitors", "categories": ["2026-01", "2026-02", "2026-03"], "series": [
  {"name": "Bern", "values": [120, 90, 140]}, {"name": "Basel", "values": [80, null, 95]}]}
```

And what is no chart:

```chart
{"kind": "line", "categories": []}
```

| Alone |
|-------|
| 1 |
"""
LONG = "\n\n".join(f"Paragraph {number}. " + "Words and more words. " * 12 for number in range(60))
LONG_BEGINS = 40  # pieces of 200 characters: more than a screen
WRITTEN = "# Intent\n\nCommuters should **try it** for a week."
HAND_OVER = "hand this over"
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Stage:
    """The provider behind the server, and the gate that holds slow answers back."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.server: Workroom
        self._tries = count(1)
        self._once = False

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        if of_the_team(asked):
            return specialists(asked)
        if of_the_judge(asked):
            return judge(asked)
        match asked.question:
            case "slowly":
                return Drip(Reply(SLOW, chunk=5), self.gate, after=6)
            case "hostile":
                return Reply(HOSTILE)
            case "keep me waiting":
                return Drip(Reply(SLOW), self.gate, after=0)
            case "think first":
                return Reply("It is four.", reasoning="Two and two, that is easy.")
            case "at length":
                return Drip(Reply(LONG, chunk=200), self.gate, after=LONG_BEGINS)
            case "figures":
                return Reply(RICH)
            case "chart it":
                return Reply(CHARTED)
            case "chart it slowly":
                return Drip(Reply(CHARTED, chunk=5), self.gate, after=CHARTED.index("| March") // 5)
            case "refuse":
                return Status(401)
            case "surprise me":
                return Reply(f"Surprise number {next(self._tries)}")
            case "only once":
                self._once = not self._once
                return Reply("This once.") if self._once else Status(401)
            case "change my note":
                return self._with_note(asked, "editNote", text=AFTER)
            case "delete my note":
                return self._with_note(asked, "deleteNote")
            case "write the intent":
                return self._write_block(asked, "Intent analysis", WRITTEN)
            case question if question.endswith(HAND_OVER):
                return self._hand_over(asked)
            case _:
                return writer(asked)

    def _hand_over(self, asked: ReceivedRequest) -> ScriptedAnswer:
        """To the analyst, by whoever can."""
        if "handOff" in asked.tools:
            return Reply(calls=[Call("handOff", {"agent": "analyst", "reason": "These are figures"})])
        return Reply("Now I go on with it.")

    def _write_block(self, asked: ReceivedRequest, name: str, text: str) -> ScriptedAnswer:
        if asked.results:
            return Reply("It is in the editor.")
        return Reply(calls=[Call("update_field", {"field_name": name, "content": text})])

    def _with_note(self, asked: ReceivedRequest, tool: str, **arguments: str) -> ScriptedAnswer:
        """Write a note, do something with it, say what came of it."""
        match asked.results:
            case []:
                return Reply(calls=[Call("writeNote", {"title": "List", "text": BEFORE})])
            case [written]:
                found = _ID.search(written)
                assert found, written
                return Reply(calls=[Call(tool, {"noteId": found[0], **arguments})])
            case results:
                return Reply(f"It came to this: {results[-1]}")


@asynccontextmanager
async def open_stage(data: Path) -> AsyncIterator[Stage]:
    stage = Stage()
    async with ScriptedProvider(behaviour=stage.answer) as provider:
        with Workroom(data, MODEL_URL=provider.base_url, MODEL="scripted", SUMMARISE_ABOVE="0") as server:
            stage.server = server
            yield stage
            stage.gate.set()


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Message", exact=True).fill(text)
    await page.keyboard.press("Enter")


async def begin(visitors: Any, text: str, *how: str, at: str = "/i/workspace") -> tuple[Any, Page]:
    """A new conversation, where no test puts documents; answers when it has its own address."""
    visitor = await visitors(*how)
    page = await visitor.enter(at)
    await say(page, text)
    await page.wait_for_url("**/c/*")
    return visitor, page


def bubble(page: Page, text: str) -> Locator:
    """What the user said."""
    return page.locator(".bubble", has_text=text)


def said(page: Page, text: str) -> Locator:
    """Words of an answer."""
    return page.locator(".prose", has_text=text)
