"""The whole way of a question about a file: upload, `@`, input, a worker that reads, what the provider and a page get."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.documents.making import package
from tests.documents.pdf.making import Page, PdfMaker
from tests.files.sending import lab, make, upload
from tests.interaction.talking import ask, finished, worker
from tests.world import World, some_id
from workroom.db import DatabaseAddress
from workroom.identity.sharing import Visibility
from workroom.models.testing import ScriptedProvider, writer

REPORT = PdfMaker([Page().text(50, 80, f"This is page {n}.") for n in range(1, 51)]).data()


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=writer) as scripted:
        yield scripted


@pytest.fixture
async def working(world: World, address: DatabaseAddress, provider: ScriptedProvider) -> AsyncIterator[World]:
    async with worker(world, address, provider) as working:
        yield working


async def suggested(world: World, who: str, q: str, **more: Any) -> list[dict[str, Any]]:
    async with world.client(who) as client:
        answer = await client.get(lab(world, "mentions"), params={"q": q, **more})
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@pytest.mark.requirement("I3")
@pytest.mark.requirement("J4")
@pytest.mark.requirement("O2")
async def test_from_an_upload_to_an_answer_about_one_page(working: World, provider: ScriptedProvider) -> None:
    file = await upload(working, "bob", REPORT, name="my report.pdf")
    [found] = await suggested(working, "bob", "repo")
    assert found["insert"] == '@"my report.pdf"'
    accepted = await ask(working, f"What is on page 47 of {found['insert']}?", fileIds=[file["id"]])
    said = await finished(working, accepted["runId"])
    assert said[-1]["state"] == "completed"
    assert len(provider.requests) == 1
    heard = provider.requests[0].last_user_text
    assert "This is page 47." in heard
    assert "This is page 46." not in heard
    assert heard.index("This is page 47.") < heard.index("What is on page 47"), (
        "the question stands behind its material"
    )
    thread = (await working.call("bob", "GET", lab(working, "conversations", accepted["workflowId"]))).json()
    text, attached, material = thread["messages"][0]["parts"]
    assert text["type"] == "text"
    assert (attached["type"], attached["fileId"], attached["name"]) == ("file", file["id"], "my report.pdf")
    assert (material["type"], material["label"], material["text"]) == ("material", "page 47 of my report.pdf", "")
    assert material["opens"]["page"] == 47
    again = await working.call("bob", "POST", lab(working, "conversations", accepted["workflowId"], "retry"))
    await finished(working, again.json()["runId"])
    assert provider.requests[1].last_user_text == heard


async def test_a_file_written_by_a_run_is_an_event_and_a_file(working: World) -> None:
    accepted = await ask(working, 'writeFile {"name": "plan.md", "text": "# Plan", "folder": "Work"}')
    said = await finished(working, accepted["runId"])
    [created] = [event for event in said if event["type"] == "fileCreated"]
    listed = (await working.call("bob", "GET", lab(working, "files"))).json()["items"]
    assert [(item["id"], item["name"]) for item in listed] == [(created["fileId"], "plan.md")]


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("field", ["fileIds", "uploadedFiles"])
async def test_what_one_may_not_read_cannot_be_attached(world: World, field: str) -> None:
    theirs = await make(world, "alice", "secret.txt")
    answers = [
        await world.call("bob", "POST", lab(world, "input"), {"prompt": "Read it", field: [str(file_id)]})
        for file_id in (theirs.id, some_id())
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json()["message"] == answers[1].json()["message"]
    assert (await world.call("bob", "GET", lab(world, "conversations"))).json()["total"] == 0, "nothing was stored"


@pytest.mark.requirement("J4")
async def test_what_an_at_can_mean(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    reports = await services.folders.create(bob, world.instances["lab"].id, "Reports")
    archive = package({"docs/a.pdf": REPORT, "readme.txt": "x", "inner.zip": package({"deep.txt": "y"})})
    await make(world, "bob", "archive.zip", archive)
    await make(world, "bob", "report.pdf", REPORT, folder_id=reports.id)
    await make(world, "bob", "old-report.pdf", REPORT)
    await make(world, "alice", "report-secret.pdf", REPORT)
    await make(world, "alice", "team report.md", visibility=Visibility.GROUP)
    found = await suggested(world, "bob", "repo")
    assert [item["name"] for item in found] == ["report.pdf", "team report.md", "old-report.pdf", "Reports"]
    assert [item["kind"] for item in found] == ["file", "file", "file", "folder"]
    inserts = [item["insert"] for item in found]
    assert inserts == ["@report.pdf", '@"team report.md"', "@old-report.pdf", "@Reports/"]
    assert found[0]["path"] == "Reports/report.pdf"
    loosely = [item["name"] for item in await suggested(world, "bob", "rprt")]
    assert loosely == ["team report.md", "old-report.pdf", "report.pdf"], "letters in this order are enough"
    assert [item["name"] for item in await suggested(world, "bob", "@Reports/")] == ["report.pdf", "Reports"]
    inside = await suggested(world, "bob", "archive.zip/")
    assert [item["path"] for item in inside] == [
        "archive.zip/docs/a.pdf",
        "archive.zip/readme.txt",
        "archive.zip/inner.zip",
    ]
    assert inside[0]["insert"] == "@archive.zip/docs/a.pdf"
    assert [item["path"] for item in await suggested(world, "bob", "archive.zip/do")] == ["archive.zip/docs/a.pdf"]
    [deep] = await suggested(world, "bob", "archive.zip/inner.zip/de")
    assert deep["path"] == "archive.zip/inner.zip/deep.txt"
    assert await suggested(world, "bob", "nothing.zip/") == []
    assert len(await suggested(world, "bob", "", limit=2)) == 2


async def test_what_is_inserted_means_exactly_that_file(world: World) -> None:
    services, bob = world.services, world["bob"].principal
    here = world.instances["lab"].id
    folder = await services.folders.create(bob, here, "Old stuff")
    twins = {
        str((await make(world, "bob", "report.pdf", REPORT)).id),
        str((await make(world, "bob", "report.pdf", REPORT, folder_id=folder.id)).id),
        str((await make(world, "bob", 'a "quoted" name.txt')).id),
        str((await make(world, "bob", "ends.with.dot.")).id),
        str((await make(world, "alice", "report.pdf", visibility=Visibility.GROUP)).id),
    }
    items = [item for item in await suggested(world, "bob", "", limit=50) if item["kind"] == "file"]
    assert {item["id"] for item in items} == twins
    for item in items:
        found = await services.finder.find(bob, here, item["insert"])
        assert str(found.file.id) == item["id"], item


@pytest.mark.parametrize("q", ["%", "_", "\\", "\x00", '"', "@", "/", "//", "a" * 500, "*?", "ü/ä", "../..", "😀"])
async def test_odd_letters_are_only_letters(world: World, q: str) -> None:
    await make(world, "bob", "plain.txt")
    names = {item["name"] for item in await suggested(world, "bob", q)}
    assert names <= {"plain.txt"}
