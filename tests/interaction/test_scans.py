"""A scan on its whole way: stored, recognised by the worker if it may, found by a question, and cited as what it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.documents.pdf.making import Page, PdfMaker
from tests.files.sending import upload
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.db.work_scheduler import Load
from workroom.documents import ocr
from workroom.documents.workers.parsers import Parsers
from workroom.knowledge.indexer import FILES, IndexWork
from workroom.knowledge.tasks import IndexTask

DEED = PdfMaker([Page().text(60, 60, "This is the cover"), Page().picture(0, 0, 595, 842)]).data()


@dataclass
class Recogniser:
    """`pages`: which were recognised. It waits while `free` is not set."""

    pages: list[int | None] = field(default_factory=list)
    free: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
async def recogniser(monkeypatch: pytest.MonkeyPatch) -> Recogniser:
    made = Recogniser()

    async def read(self: Parsers, source: object, *, page_index: int | None = None, **_: object) -> str:
        await made.free.wait()
        made.pages.append(page_index)
        return "The caretaker of the lighthouse is called Wagner."

    monkeypatch.setattr(ocr, "_program", lambda: "tesseract")
    monkeypatch.setattr(Parsers, "ocr", read)
    return made


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Any]:
    """Waits until a worker has cut files into passages so many times, and finds nothing more to do."""
    idle, claim, times = asyncio.Event(), IndexWork.claim, 0

    async def watched(self: IndexWork, load: Load) -> IndexTask | None:
        nonlocal times
        found = await claim(self, load)
        if found is None and not load.owners and self._claims is FILES:
            times = self._indexing.counts["read"]
            idle.set()
        return found

    async def wait(wanted: int) -> None:
        while times < wanted:
            idle.clear()
            await asyncio.wait_for(idle.wait(), 120)

    monkeypatch.setattr(IndexWork, "claim", watched)
    return wait


@pytest.mark.requirement("H2", "I2", "J4")
async def test_a_scan_is_recognised_found_and_cited(
    world: World,
    address: DatabaseAddress,
    recogniser: Recogniser,
    done: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKROOM_RECOGNISE", "auto")
    recogniser.free.set()
    async with worker(world, address, None):
        await upload(world, "bob", DEED, name="deed.pdf")
        await done(2)
        assert recogniser.pages == [1]
        said = await finished(world, (await ask(world, "Was ist der Name: caretaker of the lighthouse?"))["runId"])
    told = str(said)
    assert "Wagner" in told
    assert "Seite 2 von deed.pdf (aus einem Bild erkannt)" in told


async def test_where_it_is_only_done_when_asked_it_waits(
    world: World,
    address: DatabaseAddress,
    recogniser: Recogniser,
    done: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKROOM_RECOGNISE", "asked")
    async with worker(world, address, None):
        file = await upload(world, "bob", DEED, name="deed.pdf")
        await done(1)
        assert recogniser.pages == []
        begun = await world.call("bob", "POST", f"/api/files/{file['id']}/knowledge/recognition")
        assert (begun.status_code, begun.json()["pagesWanted"]) == (202, 1)
        recogniser.free.set()
        await done(2)
        assert recogniser.pages == [1]
