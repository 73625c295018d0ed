"""What questions about a document of 619 pages cost, over the whole way: pages that are read, and calls of a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.files.sending import upload
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.contents.content_cache import ContentCache
from workroom.db import DatabaseAddress
from workroom.db.work_scheduler import Load
from workroom.knowledge.digests.service import AT_ONCE
from workroom.knowledge.indexer import IndexWork
from workroom.models.testing import Nothing, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider, writer

LONG = "unstructured/pdf/DA-619p.pdf"
SECONDS = 120.0


def summing_up(asked: ReceivedRequest) -> ScriptedAnswer:
    """A model that calls tools as it is told, and sums up what it is given to sum up."""
    if is_summary(asked):
        return Reply("The whole." if "summaries of all parts" in asked.last_user_text else "A part.")
    return writer(asked)


def is_summary(asked: ReceivedRequest) -> bool:
    return not asked.tools and "You sum up" in str(asked.messages[0])


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which were read, in whatever process of this test."""
    read: list[str] = []
    store = ContentCache._store

    async def counted(self: ContentCache, place: Any, content: Any, parts: Any) -> None:
        read.extend(parts)
        await store(self, place, content, parts)

    monkeypatch.setattr(ContentCache, "_store", counted)
    return read


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=summing_up) as scripted:
        yield scripted


@pytest.fixture
async def asking(
    world: World, address: DatabaseAddress, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    """Nobody but the questions reads documents: they are not indexed meanwhile."""
    monkeypatch.setattr("tests.interaction.talking.SECONDS", SECONDS)

    async def nothing(_: IndexWork, load: Load) -> None:
        return None

    monkeypatch.setattr(IndexWork, "claim", nothing)
    async with worker(world, address, provider) as working:
        yield working


@pytest.fixture
async def long(asking: World, test_data: Path) -> World:
    await upload(asking, "bob", (test_data / LONG).read_bytes(), name="DA.pdf")
    return asking


async def answered(world: World, prompt: str) -> list[dict[str, Any]]:
    accepted = await ask(world, prompt)
    said = await finished(world, accepted["runId"])
    assert said[-1]["state"] == "completed", said[-1]
    return said


@pytest.mark.requirement("I3")
async def test_one_page_costs_one_page_and_one_call_and_the_second_time_no_page(
    long: World, provider: ScriptedProvider, pages: list[str]
) -> None:
    await answered(long, "What is on page 47 of @DA.pdf?")
    assert (pages, len(provider.requests)) == (["page:47"], 1)
    await answered(long, "And who is named on page 47 of @DA.pdf?")
    assert (pages, len(provider.requests)) == (["page:47"], 2)


@pytest.mark.requirement("I3")
async def test_a_chapter_costs_its_pages_and_one_call(
    long: World, provider: ScriptedProvider, pages: list[str]
) -> None:
    await answered(long, "What does chapter 3 of @DA.pdf say?")
    numbers = [int(page.removeprefix("page:")) for page in pages]
    assert numbers
    assert all(310 <= number <= 619 for number in numbers)
    assert len(provider.requests) == 1
    read = len(pages)
    await answered(long, "What else does chapter 3 of @DA.pdf say?")
    assert len(pages) == read


@pytest.mark.requirement("I3", "I7")
async def test_the_whole_document_costs_about_21_calls_and_again_none(
    long: World, provider: ScriptedProvider, pages: list[str]
) -> None:
    said = await answered(long, 'summarizeContent {"fileId": "DA.pdf"}')
    summaries = [request for request in provider.requests if is_summary(request)]
    assert 10 <= len(summaries) <= 21
    assert len(provider.requests) == len(summaries) + 2 <= 25
    assert sorted(pages) == sorted(f"page:{number}" for number in range(1, 620))
    [result] = [event["result"] for event in said if event["type"] == "toolResult"]
    assert result["untrusted"]
    assert "The whole." in result["message"]
    assert "### Codex DAO: MAIN GAME, pages " in result["message"]
    assert result["sources"][0]["opens"]["page"] == 1
    told = [event["text"] for event in said if event["type"] == "status"]
    assert any(text.startswith(f"Summing up 3 of {len(summaries) - 1}: ") for text in told)
    costs = [event for event in said if event["type"] == "cost"]
    assert [cost["purpose"] for cost in costs].count("summary") == len(summaries)
    await answered(long, 'summarizeContent {"fileId": "DA.pdf"}')
    assert [request for request in provider.requests if is_summary(request)] == summaries
    assert len(pages) == 619


@pytest.mark.requirement("I3")
async def test_stopped_half_way_the_next_question_only_pays_the_rest(asking: World, provider: ScriptedProvider) -> None:
    text = "\n\n".join(f"# Chapter {n}\n\n{'A sentence with some words in it. ' * 300}" for n in range(40))
    await upload(asking, "bob", text.encode(), name="notes.md")
    given, hanging = 0, asyncio.Event()

    def half(asked: ReceivedRequest) -> ScriptedAnswer:
        nonlocal given
        if not is_summary(asked):
            return writer(asked)
        given += 1
        if given == 6 + AT_ONCE:  # nobody asks for more before the answer to what they asked is kept
            hanging.set()
        if given > 6:
            return Nothing()
        return Reply("A part.")

    provider.behaviour = half
    accepted = await ask(asking, 'summarizeContent {"fileId": "notes.md"}')
    async with asyncio.timeout(SECONDS):
        await hanging.wait()
    await asking.call("bob", "POST", f"/api/runs/{accepted['runId']}/stop")
    said = await finished(asking, accepted["runId"])
    assert said[-1]["type"] == "stopped"
    provider.behaviour = summing_up
    before = len(provider.requests)
    said = await answered(asking, 'summarizeContent {"fileId": "notes.md"}')
    [result] = [event["result"] for event in said if event["type"] == "toolResult"]
    again = [request for request in provider.requests[before:] if is_summary(request)]
    assert len(again) == len(result["sources"]) - 6 + 1
