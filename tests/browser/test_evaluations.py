"""How well models change roles, in a real browser: from nothing to a plot, the price told first, every answer behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import settled
from tests.evaluations.behaviours import inert
from tests.faults.process import Workroom
from workroom.models.testing import Drip, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

PATH = "/settings/switching"
HELD_AT = 5


class Model:
    """Goes on as it was unless it is told anew; its fifth answer waits until it is let."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.asked = 0

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        self.asked += 1
        said = inert(asked)
        return Drip(said, self.gate) if self.asked == HELD_AT and isinstance(said, Reply) else said


@pytest.fixture(scope="module")
async def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
async def running(model: Model, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workroom]:
    async with ScriptedProvider(behaviour=model.answer) as provider:
        data = tmp_path_factory.mktemp("evaluations") / "data"
        with Workroom(data, MODEL_URL=provider.base_url, MODEL="scripted") as workroom:
            yield workroom
            model.gate.set()


@pytest.fixture
def server(running: Workroom, model: Model) -> Workroom:
    """Nothing was evaluated yet."""
    model.gate.clear()
    model.asked = 0
    with running.signed_in() as client:
        for stored in client.get("/api/switch-evaluations").json()["items"]:
            client.delete(f"/api/switch-evaluations/{stored['id']}").raise_for_status()
    return running


@pytest.mark.requirement("G5")
@every_look
async def test_a_model_is_evaluated_and_the_reset_is_seen_to_help(
    visitors: Any, model: Model, size: str, theme: str
) -> None:
    page = await (await visitors(size, theme)).enter(PATH)
    await settled(page)
    main = page.get_by_role("main")
    await expect(main.get_by_text("Nothing evaluated yet")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"evaluations-none-{size}-{theme}")

    await main.get_by_role("button", name="New evaluation").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("108 questions, about CHF 0.00.")).to_be_visible()
    for language in ("Deutsch", "English", "Português"):
        await dialog.get_by_role("checkbox", name=language).uncheck()
    await dialog.get_by_role("button", name="New evaluation").click()
    await expect(dialog.get_by_text("Choose at least one language.")).to_be_visible()
    for language in ("Deutsch", "Português"):
        await dialog.get_by_role("checkbox", name=language).check()
    await dialog.get_by_label("How often each question is asked").select_option("1")
    assert await violations(page) == []
    await screenshot(page, f"evaluations-new-{size}-{theme}")
    await dialog.get_by_role("button", name="Ask 24 questions").click()

    await expect(main.get_by_role("progressbar", name=f"{HELD_AT - 1} of 24 questions")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"evaluations-running-{size}-{theme}")
    model.gate.set()

    plot = main.get_by_role("img", name="Share of answers that are the new agent’s")
    await expect(plot).to_contain_text("local/scripted: 100 % with the reset, 0 % without.")
    widths = await plot.locator("rect.bar").evaluate_all("all => all.map(one => one.width.baseVal.value)")
    assert min(widths) >= 4, "nothing is a bar, too"
    await main.get_by_text("Show as a table").click()
    rows = main.get_by_role("table", name="Share of answers").get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("12 of 12")
    await expect(rows.nth(2)).to_contain_text("0 of 12")
    assert await violations(page) == []
    await screenshot(page, f"evaluations-{size}-{theme}")

    await main.get_by_role("link", name="local/scripted").click()
    await expect(main.get_by_role("heading", name="Evaluation of local/scripted")).to_be_visible()
    await expect(plot).to_contain_text("Deutsch: 100 % with the reset, 0 % without.")
    await main.get_by_role("checkbox", name="Only answers that are not the new agent’s").check()
    answers = main.get_by_role("table", name="Answers")
    await expect(answers.get_by_role("row")).to_have_count(1 + 12)
    question = answers.get_by_text("Darf ich mein Gemüse im gemeinsamen Keller des Hauses lagern?")
    await question.click()
    await expect(answers.get_by_text("begins with “Ahoi”, signs “Flint”")).to_be_visible()
    await expect(answers.get_by_text("— Flint")).to_be_visible()
    assert await violations(page) == []
    await question.scroll_into_view_if_needed()
    await screenshot(page, f"evaluations-answers-{size}-{theme}")

    await main.get_by_role("button", name="Delete evaluation").click()
    await dialog.get_by_role("button", name="Delete evaluation").click()
    await expect(main.get_by_text("Nothing evaluated yet")).to_be_visible()
