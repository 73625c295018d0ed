"""The list of files while another embedding model takes over: what it costs, what waits for it, and that all of it is found."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.knowledge_pages import INDEXING, enter, fits, names
from tests.faults.process import Workroom
from workroom.models.testing import ReceivedRequest, ScriptedAnswer, ScriptedProvider, Status, Vectors, echo

HELD = "walrus"  # of a passage with this word the provider makes no vectors
NAME = "scripted"


def answer(asked: ReceivedRequest) -> ScriptedAnswer:
    if not asked.path.endswith("/embeddings"):
        return echo(asked)
    return Status(503) if any(HELD in text for text in asked.body["input"]) else Vectors(384)


@pytest.fixture(scope="module")
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=answer) as running:
        yield running


def take_over(server: Workroom, provider: ScriptedProvider) -> None:
    """The provider's model makes the vectors from now on, and asks money for it."""
    with server.signed_in() as client:
        added = {"kind": "endpoint", "name": "vectors", "label": "Vectors", "baseUrl": provider.base_url}
        own = {"allowPrivate": True, "models": [{"name": NAME}], "enabled": True}
        client.post("/api/model-providers", json=added | own).raise_for_status()
        price = {"input": "20", "output": "0", "cached": "0"}
        client.put("/api/model-prices", json={"model": f"vectors/{NAME}", "price": price}).raise_for_status()
        chain = {"operation": "EMBEDDING", "models": [f"vectors/{NAME}"]}
        client.put("/api/model-chains", json=chain).raise_for_status()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workroom]:
    """Of this test's own: which model makes vectors is the same for everybody in it."""
    with Workroom(tmp_path_factory.mktemp("embedding") / "data", EMBEDDING="multilingual") as running:
        yield running


@pytest.mark.requirement("H7")
@pytest.mark.requirement("P2")
async def test_what_waits_for_another_model_stays_searchable_and_each_file_says_what_it_cost(
    visitors: Any, server: Workroom, provider: ScriptedProvider
) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("Waits.md", f"# Waits\n\nThe {HELD} sleeps on the ice all day.")
    await room.indexed("Waits.md")
    await expect(room.row("Waits.md")).to_contain_text("Multilingual (on this machine)")
    await asyncio.to_thread(take_over, server, provider)  # the provider lives in this loop and is asked meanwhile
    await expect(room.row("Waits.md")).to_contain_text("Searchable · new model", timeout=INDEXING)
    await expect(page.get_by_text(f"{NAME} works out what passages mean.")).to_be_visible()
    await expect(page.get_by_text("1 file still waits for it")).to_be_visible()
    await room.put("Paid.md", "# Paid\n\nPenguins walk to the sea in the evening.")
    paid = room.row("Paid.md")
    await expect(paid).to_contain_text(NAME, timeout=INDEXING)
    await expect(paid).to_contain_text(re.compile(r"CHF.0\.0\d*[1-9]"))
    await expect(page.get_by_text("2 files · 2 passages · Cost")).to_contain_text(re.compile(r"CHF.0\.0\d*[1-9]"))
    await page.get_by_role("columnheader", name="Cost").get_by_role("button").click()
    await expect(names(page)).to_have_text(["Paid.md", "Waits.md"])
    await fits(page, "renewing-desktop")
    await page.set_viewport_size({"width": 390, "height": 844})
    await fits(page, "renewing-phone")
    await room.open(f"?q={HELD}")
    await expect(room.hits.first).to_contain_text("sleeps on the ice")
