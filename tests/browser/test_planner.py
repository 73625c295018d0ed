"""The worked examples in a browser, in German: said, planned, chosen, shown on the map; the server is killed in between. By the
rules that need no model, and with a model that plans."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.faults.process import Workroom
from workroom.agents.shipped import NAVIGATOR_ID
from workroom.models.testing import ScriptedProvider
from workroom.models.testing.behaviours import planner

GOTO_AND_LAYER = "Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer"
EXTRACT = "Lade den ÖREB-Auszug an der Koordinate 2600513, 1215519"
EGRID = "CH1234567891011"


@pytest.fixture(scope="module", params=["rules", "model"])
async def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workroom]:
    async with ScriptedProvider(behaviour=planner) as provider:
        model = {"MODEL_URL": provider.base_url, "MODEL": "scripted"} if request.param == "model" else {}
        with Workroom(tmp_path_factory.mktemp("planner") / "data", **model) as running:
            with running.signed_in() as client:
                (workspace,) = client.get("/api/instances").raise_for_status().json()["items"]
                path = f"/api/workspace/{workspace['id']}/agentConfig"
                config = client.get(path).raise_for_status().json()
                client.put(path, json={**config, "defaultAgentId": str(NAVIGATOR_ID)}).raise_for_status()
            yield running


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Nachricht", exact=True).fill(text)
    await page.keyboard.press("Enter")


async def told(page: Page, text: str) -> None:
    """What became of a step."""
    await expect(page.get_by_role("list", name="Plan").get_by_role("listitem").filter(has_text=text)).to_be_visible()


async def shows(page: Page, marker: str, center: str | None = None) -> None:
    """`center` when nothing is to be chosen: then the map shows what there is to choose from."""
    await expect(page.locator(f'.map[data-center="{center}"]' if center else ".map")).to_be_visible()
    await expect(page.locator(f'[data-marker="{marker}"]')).to_be_attached()
    await expect(page.locator('[data-layer="ch.so.gws"][data-visible="true"]')).to_be_attached()


@pytest.mark.requirement("E1", "E5", "E8", "A15")
async def test_said_planned_chosen_and_shown_while_the_server_dies(visitors: Any, server: Workroom) -> None:
    visitor = await visitors("desktop", "light", "de-CH")
    page = await visitor.enter()
    await say(page, GOTO_AND_LAYER)
    await page.wait_for_url("**/c/*")
    await told(page, "Adresse Langendorfstrasse 19b zentriert.")
    await shows(page, "addr-7568", "2609767.1, 1228437.4")
    await say(page, EXTRACT)
    card = page.get_by_role("region", name="Deine Antwort wird gebraucht")
    await expect(card).to_contain_text("Bitte wähle das betroffene Grundstück.")
    await expect(card.get_by_text(EGRID)).to_be_visible()

    server.kill()
    server.start()
    server.wait_ready()
    await page.reload()
    await expect(card.get_by_text(EGRID)).to_be_visible()
    await shows(page, "addr-7568")
    visitor.expect("ERR_")  # nobody was there for a moment

    await card.get_by_text(EGRID).click()
    await told(page, f"ÖREB-Auszug für {EGRID} bereit.")
    await expect(page.get_by_label("Nachricht", exact=True)).to_be_focused()
    await shows(page, f"oereb-{EGRID}", "2600513, 1215519")
    await expect(page.get_by_role("region", name="ÖREB-Auszug")).to_be_visible()
    await page.reload()
    await shows(page, f"oereb-{EGRID}", "2600513, 1215519")
    await page.goto(server.base_url + page.url.removeprefix(server.base_url).split("/c/")[0])
    await expect(page.get_by_label("Nachricht", exact=True)).to_be_visible()
    await expect(page.locator(".map")).to_have_count(0)  # what is new begins empty
