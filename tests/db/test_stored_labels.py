"""Rows from before places were values: their English labels are read once, by migration 33."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, ResultPart, StoredParts
from workroom.core.places import (
    DocumentPlace,
    file_place,
    named_place,
    numbered_place,
    section_place,
    sheet_place,
    titled_place,
)
from workroom.core.results import ToolResult
from workroom.core.run_events import RUN_EVENT, ToolFinished
from workroom.db import migrator
from workroom.db.connection import connect
from workroom.db.testing import TestPostgres
from workroom.knowledge.digests.types import Digest, PartDigest

PLACES = 34
FILE = str(new_id())
TABLES = ("messages", "tool_calls", "run_events", "digests")


@pytest.fixture(scope="module")
async def owner(postgres: TestPostgres) -> AsyncIterator[asyncpg.Connection[Any]]:
    """A connection of the owner to a database that is as it was before; its tables refer to no others, and hide no rows."""
    address = await postgres.empty()
    assert address.migration is not None
    shipped = migrator.shipped()
    await migrator.migrate(address.migration, [step for step in shipped if step.number < PLACES])
    connection = await connect(address.migration)
    await connection.execute("set role workroom_owner; set search_path = workroom, public")
    for table in TABLES:
        await connection.execute(f"alter table {table} disable row level security")
        for row in await connection.fetch(
            "select conname from pg_constraint where conrelid = $1::regclass and contype = 'f'", table
        ):
            await connection.execute(f'alter table {table} drop constraint "{row["conname"]}"')
    yield connection
    await connection.close()
    await postgres.drop(address)


@pytest.fixture
async def before(owner: asyncpg.Connection[Any]) -> AsyncIterator[asyncpg.Connection[Any]]:
    transaction = owner.transaction()
    await transaction.start()
    yield owner
    await transaction.rollback()


async def upgrade(connection: asyncpg.Connection[Any]) -> None:
    (step,) = (step for step in migrator.shipped() if step.number == PLACES)
    await connection.execute(step.sql)


async def stored(connection: asyncpg.Connection[Any], *parts: dict[str, Any]) -> list[Any]:
    """What a message with these parts is read as, after the upgrade."""
    message_id = new_id()
    await connection.execute(
        "insert into messages (mandate_id, message_id, conversation_id, role, content, created_at)"
        " values ($1, $2, $1, 'user', $3, now())",
        new_id(),
        message_id,
        json.dumps({"version": 1, "parts": parts}),
    )
    await upgrade(connection)
    content = await connection.fetchval("select content::text from messages where message_id = $1", message_id)
    return list(StoredParts.model_validate_json(content).parts)


def material(label: str, opens: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    at = None if opens is None else {"fileId": FILE, **opens}
    return {"type": "material", "kind": "text", "label": label, "text": "words", "readFor": FILE, "opens": at, **more}


def source(label: str, **opens: Any) -> dict[str, Any]:
    return {"mark": "k7qda", "label": label, "opens": {"fileId": FILE, **opens}}


PAGES = numbered_place("page", [3, 4, 5, 9], "A/Minutes of May.pdf")


@pytest.mark.parametrize(
    ("label", "opens", "place"),
    [
        ("report.pdf", {}, file_place("report.pdf")),
        ("page 47 of report.pdf", {"page": 47}, numbered_place("page", [47], "report.pdf")),
        ("pages 3-5, 9 of A/Minutes of May.pdf", {"page": 3}, PAGES),
        ("slides 2-3 of talk.pptx", {"slide": 2}, numbered_place("slide", [2, 3], "talk.pptx")),
        ("sheet Q4 of all of of.xlsx", {"sheet": "Q4 of all"}, sheet_place("Q4 of all", "of.xlsx")),
        ("section s2.1 of book.epub", {"section": "s2.1"}, section_place("s2.1", path="book.epub")),
        ("section s2.1 “Of “mice”” of b.epub", {"section": "s2.1"}, section_place("s2.1", "Of “mice”", "b.epub")),
        ("“Windows” of offer.eml", {}, titled_place("Windows", "offer.eml")),
        ("“Windows” of a.md", {"section": "s1"}, titled_place("Windows", "a.md")),
        ("“cut off in the mid", {"section": "s1"}, titled_place("cut off in the mid")),
        ("sign.png (recognised from a picture)", {}, file_place("sign.png", recognised=True)),
        (
            "page 2 of deed.pdf (recognised from a picture)",
            {"page": 2},
            numbered_place("page", [2], "deed.pdf").model_copy(update={"recognised": True}),
        ),
        ("sheet metal of 2024.pdf", {}, file_place("sheet metal of 2024.pdf")),
        ("pages 1-999999 of bomb.pdf", {"page": 1}, file_place("pages 1-999999 of bomb.pdf")),
        ("page 3 of a file that is called so.txt", {}, file_place("page 3 of a file that is called so.txt")),
        ("nothing.pdf", None, file_place("nothing.pdf")),
    ],
)
async def test_labels_of_materials(
    before: asyncpg.Connection[Any], label: str, opens: dict[str, Any] | None, place: DocumentPlace
) -> None:
    (part,) = await stored(before, material(label, opens))
    assert isinstance(part, MaterialPart)
    assert part.place == place
    assert (part.text, str(part.read_for)) == ("words", FILE)


async def test_a_note_that_nothing_could_be_searched_keeps_its_name(before: asyncpg.Connection[Any]) -> None:
    text, note = await stored(before, {"type": "text", "text": "hello"}, {**material("degraded", None), "kind": "note"})
    assert (text.text, note.place, note.label) == ("hello", named_place("degraded"), "degraded")


async def test_sources_of_materials_and_results(before: asyncpg.Connection[Any]) -> None:
    sources = [source("page 3 of a.pdf", page=3), source("Chapter 2, pages 4-6 of a.pdf", page=4)]
    result = {"status": "ok", "message": "hello", "sources": sources}
    parts = await stored(
        before,
        material("a.pdf", {}, sources=sources),
        {"type": "toolResult", "callId": FILE, "tool": "readFile", "result": result},
    )
    assert isinstance(parts[0], MaterialPart)
    assert isinstance(parts[1], ResultPart)
    for found in (parts[0].sources, parts[1].result.sources):
        assert found[0].place == numbered_place("page", [3], "a.pdf")
        assert found[1].place == DocumentPlace(kind="page", numbers=(4, 5, 6), title="Chapter 2", path="a.pdf")


async def test_results_of_calls_and_their_events(before: asyncpg.Connection[Any]) -> None:
    elements = [
        source("page:5/region:top/image:1 of a.pdf", page=5),
        source("Loss, part 2 of 3 of a.docx", section="s1"),
    ]
    result = {"status": "ok", "message": "hello", "sources": elements}
    event = {"type": "toolResult", "callId": FILE, "tool": "analyzeContent", "result": result, "durationMs": 3}
    id_ = new_id()
    await before.execute(
        "insert into tool_calls (mandate_id, call_id, run_id, message_id, position, tool, state, result)"
        " values ($1, $1, $1, $1, 0, 'analyzeContent', 'finished', $2)",
        id_,
        json.dumps(result),
    )
    await before.execute(
        "insert into run_events (mandate_id, run_id, seq, attempt, event) values ($1, $1, 1, 1, $2)",
        id_,
        json.dumps(event),
    )
    await upgrade(before)
    kept = ToolResult.model_validate_json(await before.fetchval("select result::text from tool_calls"))
    told = RUN_EVENT.validate_json(await before.fetchval("select event::text from run_events"))
    assert isinstance(told, ToolFinished)
    assert [found.place for found in kept.sources] == [
        numbered_place("page", [5], "a.pdf"),
        DocumentPlace(kind="title", title="Loss", piece=2, pieces=3, path="a.docx"),
    ]
    assert told.result.sources == kept.sources


async def test_summaries_that_are_kept(before: asyncpg.Connection[Any]) -> None:
    parts = [
        {"title": "Chapter 2", "where": "pages 4-6", "opens": {"page": 4}, "text": "One."},
        {"title": "“Loss” of it", "where": "part 2 of 3", "opens": {}, "text": "Two."},
        {"title": "Q4", "where": "", "opens": {"sheet": "Q4"}, "text": "Three."},
        {"title": "", "where": "", "opens": {}, "text": "Four."},
    ]
    rows = {
        "part:1": parts[0],
        "whole": {"text": "All.", "parts": parts, "notes": []},
        "seen:1": {"text": "", "how": ""},
    }
    for part, digest in rows.items():
        await before.execute(
            "insert into digests (mandate_id, content_id, part, asked, digest, model, created_at)"
            " values ($1, $1, $2, 'x', $3, 'm', now())",
            new_id(),
            part,
            json.dumps(digest),
        )
    await upgrade(before)
    kept = {row["part"]: row["text"] for row in await before.fetch("select part, digest::text as text from digests")}
    whole = Digest.model_validate_json(kept["whole"])
    assert [part.place for part in whole.parts] == [
        DocumentPlace(kind="page", numbers=(4, 5, 6), title="Chapter 2"),
        DocumentPlace(kind="title", title="“Loss” of it", piece=2, pieces=3),
        titled_place("Q4"),
        DocumentPlace(),
    ]
    assert [part.label for part in whole.parts] == ["Chapter 2, pages 4-6", "“Loss” of it, part 2 of 3", "Q4", ""]
    assert PartDigest.model_validate_json(kept["part:1"]) == whole.parts[0]
    assert json.loads(kept["seen:1"]) == {"text": "", "how": ""}
