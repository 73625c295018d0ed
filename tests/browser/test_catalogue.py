"""The catalogue in a real browser: a pair of files is compared, applied and undone; one model is edited; mistakes are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import every_look, screenshot, search, violations
from tests.browser.pages import settled
from tests.faults.process import Workroom
from tests.models.catalogue_files import NEW, Files, shipped_files

PAGE = "/settings/models?show=catalogue"
MODELS = "/settings/models?show=models&q="
AGREE = "Prices and strategies agree."


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workroom]:
    with Workroom(tmp_path_factory.mktemp("catalogue") / "data", OPENAI_API_KEY="sk-0123456789abcdef") as workroom:
        yield workroom


@pytest.fixture
def server(running: Workroom) -> Workroom:
    """Everything as it was shipped."""
    with running.signed_in() as client:
        items = client.get("/api/model-catalogue?limit=200").json()["items"]
        names = [{"provider": one["provider"], "model": one["model"]} for one in items if one["state"] != "shipped"]
        revision = client.get("/api/model-catalogue/check").json()["revision"]
        body = {"revision": revision, "models": [name | {"reset": True} for name in names]}
        client.post("/api/model-catalogue", json=body).raise_for_status()
    return running


def pair(files: Files) -> list[Any]:
    """As the product ships them: both of the same name, so that only their content tells them apart."""
    texts = (json.dumps(files.strategies), json.dumps(files.prices))
    return [{"name": "openai.json", "mimeType": "application/json", "buffer": text.encode()} for text in texts]


async def chosen(page: Page, files: Files) -> Locator:
    """The dialog, with both files compared."""
    await page.get_by_role("button", name="Update from files").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Choose files").set_input_files(pair(files))
    await expect(dialog.get_by_label("Prices (JSON)")).to_have_value(json.dumps(files.prices))
    await expect(dialog.get_by_label("Strategies (JSON)")).to_have_value(json.dumps(files.strategies))
    await dialog.get_by_role("button", name="Compare").click()
    return dialog


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


@pytest.mark.requirement("C2")
async def test_a_pair_of_files_is_compared_applied_and_undone(visitors: Any) -> None:
    visitor = await visitors()
    page = await visitor.enter(PAGE)
    await expect(page.get_by_text(AGREE)).to_be_visible()
    files = shipped_files()
    files.add(NEW)
    files.entry("gpt-5")["prices"][0]["input"] = "3"
    files.strategy("o3")["assertiveness"] = "low"
    files.remove("gpt-4o")
    dialog = await chosen(page, files)
    await expect(dialog.get_by_role("heading", name="1 added")).to_be_visible()
    changed = dialog.get_by_role("listitem").filter(has_text="openai/gpt-5")
    await expect(changed).to_contain_text("USD 1.25")
    await expect(changed).to_contain_text("USD 3")
    await expect(dialog.get_by_role("listitem").filter(has_text="openai/o3")).to_contain_text("Firmness")
    await expect(dialog.get_by_role("heading", name="1 taken out")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "catalogue-diff")
    await expect(dialog.get_by_role("status").filter(has_text="1 taken out")).to_contain_text("2 changed")
    await page.keyboard.press("Escape")
    await expect(dialog.get_by_text("What you entered is not saved.")).to_be_visible()
    await dialog.get_by_role("button", name="Keep editing").click()
    await dialog.get_by_role("button", name="Apply 4 changes (1 taken out)").click()
    await expect(page.get_by_text("The catalogue is updated: 4 models.")).to_be_visible()
    await page.get_by_label("Search models").fill(NEW)
    await expect(row(page, NEW)).to_contain_text("USD 7 / 70")
    await expect(row(page, NEW)).to_contain_text("Added")

    await page.goto(visitor.server.base_url + MODELS)
    await page.get_by_label("Search models").fill(NEW)
    await expect(row(page, NEW)).to_contain_text("CHF 5.60 / CHF 56.00")

    await page.goto(visitor.server.base_url + PAGE)
    await page.get_by_role("button", name="History").click()
    history = page.get_by_role("dialog")
    newest = history.get_by_role("listitem").first
    await expect(newest).to_contain_text("1 added · 2 changed · 1 taken out")
    await newest.get_by_role("button", name="What changed").click()
    await expect(newest.get_by_text("openai/gpt-4o")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "catalogue-history")
    await newest.get_by_role("button", name="Undo").click()
    await expect(history.get_by_role("listitem").first).to_contain_text("Undoes revision")
    await page.keyboard.press("Escape")
    await page.get_by_label("Search models").fill(NEW)
    await expect(page.get_by_text(f"Nothing found for “{NEW}”")).to_be_visible()


@pytest.mark.requirement("C2")
async def test_files_that_disagree_are_told_and_change_nothing(visitors: Any) -> None:
    page = await (await visitors()).enter(PAGE)
    files = shipped_files()
    files.told.pop()
    files.entry("gpt-5")["prices"][0]["input"] = "-3"
    dialog = await chosen(page, files)
    alert = dialog.get_by_role("alert")
    await expect(alert).to_contain_text("2 problems are in the way")
    await expect(alert).to_contain_text("It has a price and no strategy")
    await expect(alert).to_contain_text("prices · gpt-5 · prices[0].input")
    await expect(dialog.get_by_role("button", name="Apply")).not_to_be_attached()
    assert await violations(page) == []
    await screenshot(page, "catalogue-problems")


@pytest.mark.requirement("C2", "G4")
async def test_one_model_is_edited_and_put_back(visitors: Any) -> None:
    page = await (await visitors()).enter(PAGE)
    await search(page, "Search models", "openai/gpt-5-mini")
    await page.get_by_role("button", name="Actions for GPT-5 mini").click()
    await page.get_by_role("menuitem", name="Edit").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("What goes in").first.fill("much")
    await dialog.get_by_label("Firmness").select_option("high")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("Enter an amount in dollars").first).to_be_visible()
    await dialog.get_by_label("What goes in").first.fill("0,9")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("GPT-5 mini is saved.")).to_be_visible()
    edited = row(page, "openai/gpt-5-mini").first
    await expect(edited).to_contain_text("USD 0.9 /")
    await expect(edited).to_contain_text("Changed")
    await page.get_by_role("button", name="Actions for GPT-5 mini").click()
    await page.get_by_role("menuitem", name="Back to what was shipped").click()
    await expect(edited).to_contain_text("As shipped")
    await page.get_by_role("button", name="Actions for GPT-5 mini").click()
    await page.get_by_role("menuitem", name="Take out of the catalogue").click()
    await expect(edited).to_contain_text("Taken out")
    await page.get_by_role("button", name="Undo").last.click()
    await expect(edited).to_contain_text("As shipped")


@every_look
async def test_it_can_be_read_and_used_in_every_look(visitors: Any, size: str, theme: str) -> None:
    page = await (await visitors(size, theme)).enter(PAGE)
    await expect(page.get_by_text(AGREE)).to_be_visible()
    await settled(page)
    assert await violations(page) == []
    await screenshot(page, f"catalogue-{size}-{theme}")
    await page.get_by_role("button", name="Add model").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Name at the provider")).to_be_focused()
    assert await violations(page) == []
    await screenshot(page, f"catalogue-add-{size}-{theme}")
    await dialog.get_by_label("Memory").scroll_into_view_if_needed()
    await screenshot(page, f"catalogue-strategy-{size}-{theme}")


@pytest.mark.requirement("C2")
async def test_what_was_undone_elsewhere_is_not_offered_any_more(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/models?show=catalogue")
    await search(page, "Search models", "openai/gpt-5-mini")
    await page.get_by_role("button", name="Actions for GPT-5 mini").click()
    await page.get_by_role("menuitem", name="Edit").click()
    await page.get_by_role("dialog").get_by_label("Firmness").select_option("high")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    told = page.get_by_text("GPT-5 mini is saved.")
    await expect(told).to_be_visible()
    await page.get_by_role("button", name="History").click()
    await page.get_by_role("dialog").get_by_role("listitem").first.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("dialog").get_by_role("listitem").first).to_contain_text("Undoes revision")
    await expect(told).to_have_count(0)
