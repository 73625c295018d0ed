"""Charts over HTTP: a file is uploaded, an agent draws it, the conversation keeps it, and only its readers see it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.documents.making import sheet, xlsx
from tests.files.sending import upload
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.core.results import FROM_OUTSIDE
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider, writer

CSV = b'Month,Revenue\n2026-01,"1,200.50"\n2026-02,1111\n2026-03,980\n'
BOOK = xlsx({"Q1": sheet({"A1": "x"}), "Q2": sheet({"A1": "Region", "B1": "Sum", "A2": "North", "B2": "<v>12.5</v>"})})


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=writer) as scripted:
        yield scripted


@pytest.fixture
async def working(world: World, address: DatabaseAddress, provider: ScriptedProvider) -> AsyncIterator[World]:
    async with worker(world, address, provider) as working:
        yield working


async def drawn(world: World, **arguments: Any) -> tuple[dict[str, str], dict[str, Any]]:
    accepted = await ask(world, f"drawChart {json.dumps(arguments)}")
    told = await finished(world, accepted["runId"])
    [result] = [event for event in told if event["type"] == "toolResult"]
    return accepted, result


async def log(world: World, name: str, accepted: dict[str, str]) -> list[dict[str, Any]]:
    answer = await world.call(name, "GET", f"/api/runs/{accepted['runId']}/log?after=0")
    assert answer.status_code == 200, answer.text
    return [item["event"] for item in answer.json()["items"]]


def shown(result: dict[str, Any]) -> dict[str, Any]:
    [action] = result["actions"]
    assert action["type"] == "drawnChart"
    chart: dict[str, Any] = action["payload"]["chart"]
    return chart


@pytest.mark.requirement("P5")
@pytest.mark.requirement("O3")
async def test_a_chart_of_a_file_is_kept_with_the_conversation(working: World, provider: ScriptedProvider) -> None:
    await upload(working, "bob", CSV, name="sales.csv")
    accepted, result = await drawn(working, kind="line", fileId="sales.csv")
    chart = shown(result["result"])
    assert (chart["categories"], chart["series"]) == (
        ["2026-01", "2026-02", "2026-03"],
        [{"name": "Revenue", "values": [1200.5, 1111, 980]}],
    )
    [told] = provider.requests[-1].results
    assert told.startswith(FROM_OUTSIDE), "its names are words of the file"
    [kept] = [event for event in await log(working, "bob", accepted) if event["type"] == "toolResult"]
    assert kept["result"] == result["result"], "there again after a reload"


@pytest.mark.requirement("H6")
async def test_the_numbers_of_a_file_are_for_its_readers(working: World) -> None:
    await upload(working, "bob", CSV, name="sales.csv")
    accepted, _ = await drawn(working, kind="line", fileId="sales.csv")
    await shared(working, accepted["workflowId"], "alice")
    assert "1111" in json.dumps(await log(working, "bob", accepted))
    theirs = await log(working, "alice", accepted)
    assert [event["result"]["status"] for event in theirs if event["type"] == "toolResult"] == ["ok"]
    assert "1111" not in json.dumps(theirs)


@pytest.mark.requirement("P5")
async def test_a_sheet_and_what_was_said_are_drawn_too(working: World) -> None:
    await upload(working, "bob", BOOK, name="book.xlsx")
    _, of_sheet = await drawn(working, kind="bar", fileId="book.xlsx", sheet="Q2", x="Region", y=["Sum"])
    assert shown(of_sheet["result"])["series"] == [{"name": "Sum", "values": [12.5]}]
    _, of_words = await drawn(working, kind="pie", categories=["a", "b"], series=[{"values": [1, 2]}])
    assert shown(of_words["result"])["categories"] == ["a", "b"]


@pytest.mark.requirement("N2")
async def test_what_cannot_be_drawn_is_an_error_the_model_reads(working: World) -> None:
    await upload(working, "alice", CSV, name="hers.csv")
    await upload(working, "bob", b"Name,Place\nAnna,Bern\n", name="names.csv")
    _, foreign = await drawn(working, kind="bar", fileId="hers.csv")
    _, nothing = await drawn(working, kind="bar", fileId="names.csv")
    assert [result["result"]["status"] for result in (foreign, nothing)] == ["error", "error"]
    assert "Revenue" not in json.dumps(foreign)
    assert "All columns: “Name”, “Place”" in nothing["result"]["message"]
    assert not nothing["result"].get("actions")
