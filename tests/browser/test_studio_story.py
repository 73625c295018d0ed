"""A project from its intent to its judgement, in German, with everything killed in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import screenshot, violations
from tests.browser.pages import settled
from tests.browser.stage import said
from tests.faults.leftovers import end_all
from tests.faults.process import Workroom
from tests.studio.tool_calls import TASKS, judgement
from workroom.models.testing import Call, Drip, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

INTENT = (
    "## Was\n\nEin Ratgeber fürs Velofahren im Winter.\n\n## Für wen\n\nWer neu pendelt.\n\n"
    "## Danach\n\nEine Woche ausprobieren."
)
OPENING = "Der erste Frost kommt im Oktober. Dein Velo kann bleiben."
OUTLINE = {
    "parts": [
        {"name": "Ratgeber", "phase": "produce_inner", "kind": "group"},
        {"name": "Einleitung", "phase": "produce_inner", "group": "Ratgeber", "dependsOn": ["Absichtsanalyse"]},
    ]
}
ANNA = {
    "name": "Anna",
    "summary": "Pendelt seit dem Sommer.",
    "goals": ["Trocken ankommen"],
    "basis": "Sagt die Redaktion.",
}
Said = tuple[Sequence[Call], str]
# What the person says, what the agent does then, and what it says to that.
STORY: dict[str, Said] = {
    "Fangen wir an": ((), "Was soll entstehen?"),
    "Ein Ratgeber fürs Velofahren im Winter": ((), "Für wen ist er?"),
    "Für Leute, die neu pendeln": ((), "Was sollen sie danach tun?"),
    "Es eine Woche ausprobieren": (
        [Call("update_field", {"field_name": "Absichtsanalyse", "content": INTENT})],
        "Die Absicht steht. Weiter zur Recherche?",
    ),
    "Ja, weiter": ([Call("advance_to_phase", {})], "Wir sind in der Recherche."),
    "Leg die Persona Anna an": ([Call("manage_persona", {"action": "create", "persona_data": ANNA})], "Anna ist da."),
    "Entwirf den Aufbau": ([Call("generate_outline", {"style": "kurz"})], "Der Aufbau steht."),
    "Schreib die Einleitung": (
        [Call("generate_field_content", {"field_name": "@Einleitung", "style_hint": "freundlich"})],
        "Die Einleitung steht.",
    ),
    "Bewerte sie": ([Call("run_evaluation", {"target_fields": ["Einleitung"]})], "Das Urteil steht oben."),
}
WRITTEN = {
    "generate_outline": json.dumps(OUTLINE),
    "generate_field_content": OPENING,
    "run_evaluation": judgement(),
}


class Author:
    """The model: it does what the story says, and waits with the outline until it is let."""

    url: str

    def __init__(self) -> None:
        self.may_draft, self.was_asked = asyncio.Event(), asyncio.Event()

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        if asked.tools:
            calls, text = STORY[asked.question]
            return Reply(calls=list(calls)) if len(asked.results) < len(calls) else Reply(text)
        whole = json.dumps(asked.body, ensure_ascii=False)
        tool = next((tool for task, tool in TASKS.items() if task in whole), "")
        if tool != "generate_outline":
            return Reply(WRITTEN.get(tool, "Kurz gesagt."))
        self.was_asked.set()
        return Drip(Reply(WRITTEN[tool]), self.may_draft, after=1)


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Nachricht", exact=True).fill(text)
    await page.keyboard.press("Enter")


async def ask(page: Page, question: str) -> None:
    await say(page, question)
    await expect(said(page, STORY[question][1])).to_be_visible()


@pytest.fixture
async def author() -> AsyncIterator[Author]:
    author = Author()
    async with ScriptedProvider(behaviour=author.answer) as provider:
        author.url = provider.base_url
        yield author


@pytest.fixture
def server(quick_disk: Path, author: Author) -> Iterator[Workroom]:
    with Workroom(quick_disk / "studio" / "data", MODEL_URL=author.url, MODEL="scripted") as server:
        yield server


@pytest.mark.requirement("F1", "F3", "F4", "F6", "F9", "P1", "A12")
async def test_from_the_intent_to_the_judgement_with_a_kill_in_between(
    server: Workroom, author: Author, visitors: Any
) -> None:
    visitor = await visitors("desktop", "light", "de-CH")
    page = await visitor.enter("/i/workspace/studio")
    await page.get_by_role("button", name="Neues Projekt").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Velo im Winter")
    await dialog.get_by_role("button", name="Erstellen").click()
    await expect(page.get_by_role("heading", level=1, name="Velo im Winter")).to_be_visible()

    await page.get_by_role("treeitem", name="Absichtsanalyse").get_by_role("link").click()
    for question in list(STORY)[:4]:
        await ask(page, question)
    await expect(text_of(page)).to_have_value(INTENT)
    for question in ("Ja, weiter", "Leg die Persona Anna an"):
        await ask(page, question)
    await expect(page.get_by_role("button", name="Weiter: Kern entwerfen")).to_be_visible()

    await say(page, "Entwirf den Aufbau")
    await author.was_asked.wait()
    visitor.expect("ERR_")
    server.kill()
    end_all(server.data)
    author.may_draft.set()
    server.start()
    server.wait_ready()
    await expect(said(page, "Der Aufbau steht.")).to_be_visible()
    await expect(page.get_by_role("treeitem", name="Einleitung")).to_have_count(1)

    await page.get_by_role("treeitem", name="Einleitung").get_by_role("link").click()
    await ask(page, "Schreib die Einleitung")
    await expect(text_of(page)).to_have_value(OPENING)
    await settled(page)
    phases = page.get_by_role("region", name="Phasen").get_by_role("list")
    assert await phases.evaluate("list => list.scrollWidth <= list.clientWidth"), "all of them are in sight"
    await screenshot(page, "studio-story-editor")
    await ask(page, "Bewerte sie")
    await page.get_by_role("link", name="Bewertungen").click()
    await page.get_by_role("row").nth(1).get_by_role("link").click()
    await expect(page.get_by_role("main").get_by_role("img", name="7.5 von 10")).to_be_visible()
    await expect(page.get_by_text("Say who it is for.").first).to_be_visible()
    await settled(page)
    assert await violations(page) == []
    await screenshot(page, "studio-story-judgement")
    assert stored(server) == {"Absichtsanalyse": 1, "Ratgeber": 0, "Einleitung": 1}, "each was made and written once"


def text_of(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("textbox", name="Text", exact=True)


def stored(server: Workroom) -> dict[str, int]:
    """The version of each block."""
    with server.signed_in() as client:
        (instance,) = client.get("/api/instances").json()["items"]
        at = f"/api/workspace/{instance['id']}/studio/projects"
        (project,) = client.get(at).json()["items"]
        blocks = client.get(f"{at}/{project['id']}/blocks").json()
    assert len(blocks) == len({block["name"] for block in blocks})
    return {block["name"]: block["version"] for block in blocks}
