"""Files by tool: found by any name, read in pages, written as versions; never somebody else's."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.documents.making import package, png, pptx, shape, slide
from tests.documents.pdf.making import Page, PdfMaker
from tests.files.sending import content, make
from tests.runs.bench import RunBench
from tests.tools.room import Room
from tests.world import World
from workroom.agent.testing import call, say
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.results import ResultStatus, ToolResult
from workroom.files.types import File
from workroom.identity.sharing import Visibility
from workroom.tools.files import list_files, move_file, read_file, tag_file, write_file


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


def pdf(pages: int, lines: int = 1) -> bytes:
    return PdfMaker([Page().lines(50, 80, [f"This is page {n}."] * lines) for n in range(1, pages + 1)]).data()


def names(result: ToolResult) -> list[str]:
    return [item["name"] for item in result.items]


async def current(room: Room, file: File) -> File:
    return await room.world.services.files.get(room.principal, file.id)


@pytest.mark.requirement("J2")
async def test_files_are_listed_by_folder_tag_type_and_pattern(room: Room) -> None:
    folders = room.world.services.folders
    reports = await folders.create(room.principal, room.instance_id, "Reports")
    year = await folders.create(room.principal, room.instance_id, "2026", reports.id)
    await make(room.world, "bob", "a.md", tags=("money",))
    await make(room.world, "bob", "b.csv", folder_id=year.id)
    await make(room.world, "alice", "private.md")
    everything = await room.call(list_files)
    assert names(everything) == ["b.csv", "a.md"]
    assert everything.message == "2 files."
    assert everything.items[0]["path"] == "Reports/2026/b.csv"
    assert names(await room.call(list_files, folder="Reports/2026")) == ["b.csv"]
    assert names(await room.call(list_files, folder="2026")) == ["b.csv"], "the end of a path is enough"
    top = await room.call(list_files, folder="/")
    assert (names(top), top.data) == (["a.md"], {"folders": ["Reports"]})
    assert names(await room.call(list_files, tags=["Money"])) == ["a.md"]
    assert names(await room.call(list_files, type="csv")) == ["b.csv"]
    assert names(await room.call(list_files, pattern="?.md")) == ["a.md"]
    assert names(await room.call(list_files, query="b")) == ["b.csv"]
    limited = await room.call(list_files, limit=1)
    assert limited.message == "2 files, the first 1 of them here."
    with pytest.raises(NotFound, match="no folder “Nowhere”"):
        await room.call(list_files, folder="Nowhere")


@pytest.mark.requirement("J2")
@pytest.mark.parametrize(
    "name", ["{id}", "a.md", "A.MD", "@a.md", '"a.md"', "@“a.md”", "Reports/a.md", "/Reports/a.md", " reports/a.md "]
)
async def test_a_file_is_found_by_whatever_it_is_called(room: Room, name: str) -> None:
    folder = await room.world.services.folders.create(room.principal, room.instance_id, "Reports")
    file = await make(room.world, "bob", "a.md", b"Found me.", folder_id=folder.id)
    result = await room.call(read_file, fileId=name.format(id=file.id))
    assert "Found me." in result.message


@pytest.mark.parametrize("name", ["b.md", "/a.md", "Other/a.md", "Reports", "x" * 4_000, "a\x00b", "../a.md", "//"])
async def test_what_is_not_there_is_not_found(room: Room, name: str) -> None:
    folder = await room.world.services.folders.create(room.principal, room.instance_id, "Reports")
    await make(room.world, "bob", "a.md", b"Found me.", folder_id=folder.id)
    with pytest.raises((NotFound, InvalidInput)) as caught:
        await room.call(read_file, fileId=name)
    assert "Found me" not in caught.value.message


async def test_several_of_a_name_are_listed_and_a_misspelled_one_is_guessed(room: Room) -> None:
    folder = await room.world.services.folders.create(room.principal, room.instance_id, "Old")
    new = await make(room.world, "bob", "report.md", b"new")
    old = await make(room.world, "bob", "report.md", b"old", folder_id=folder.id)
    with pytest.raises(InvalidInput) as caught:
        await room.call(read_file, fileId="report.md")
    for file, path in ((new, "/report.md"), (old, "/Old/report.md")):
        assert f"{path} (fileId {file.id})" in caught.value.message
    assert "old" in (await room.call(read_file, fileId="Old/report.md")).message
    assert "new" in (await room.call(read_file, fileId="/report.md")).message
    with pytest.raises(NotFound, match=r"There is “report\.md”"):
        await room.call(read_file, fileId="raport.md")


@pytest.mark.requirement("J2")
async def test_a_long_text_is_read_in_pages_that_make_up_the_whole(room: Room) -> None:
    lines = [f"line {number} of many, and some more words" for number in range(2_000)]
    await make(room.world, "bob", "long.txt", "\n\n".join(lines).encode())
    seen, page, more = "", 1, True
    while more:
        text = (await room.call(read_file, fileId="long.txt", page=page)).message
        assert len(text) < 20_400, "one page of what a model is shown"
        more = f"call readFile with page {page + 1}]" in text
        seen, page = seen + text, page + 1
    assert page > 3
    assert all(line in seen for line in lines)
    with pytest.raises(InvalidInput, match="There is no page 99"):
        await room.call(read_file, fileId="long.txt", page=99)


@pytest.mark.requirement("J2")
async def test_a_document_is_read_from_a_page_on(room: Room) -> None:
    await make(room.world, "bob", "report.pdf", pdf(30))
    first = await room.call(read_file, fileId="report.pdf")
    assert first.message.startswith(f"[page 1 of report.pdf] [[{first.sources[0].mark}]]\n")
    assert "This is page 10." in first.message
    assert first.message.endswith("[page 11 of 30 is next: call readFile with page 11]")
    last = await room.call(read_file, fileId="report.pdf", page=30, show=True)
    assert last.message == f"[page 30 of report.pdf] [[{last.sources[0].mark}]]\nThis is page 30."
    [action] = last.actions
    assert (action.type, action.payload["page"]) == ("openFile", 30)
    with pytest.raises(InvalidInput, match="has 30 pages"):
        await room.call(read_file, fileId="report.pdf", page=31)


async def test_a_page_that_does_not_fit_comes_whole_with_the_next_call(room: Room) -> None:
    await make(room.world, "bob", "dense.pdf", pdf(6, lines=60))
    whole, page = "", 1
    while True:
        text = (await room.call(read_file, fileId="dense.pdf", page=page)).message
        whole += text
        if "is next: call readFile with page" not in text:
            break
        page = int(text.rsplit("page ", 1)[1].rstrip("]"))
    assert [whole.count(f"This is page {n}.") for n in range(1, 7)] == [60] * 6


async def test_slides_pictures_and_archives_are_read_as_what_they_are(room: Room) -> None:
    await make(room.world, "bob", "talk.pptx", pptx([slide(shape("First")), slide(shape("Second"))]))
    assert "[slide 2 of talk.pptx] [[" in (await room.call(read_file, fileId="talk.pptx", page=2)).message
    await make(room.world, "bob", "dot.png", png())
    assert "[image, " in (await room.call(read_file, fileId="dot.png")).message
    await make(room.world, "bob", "pack.zip", package({"docs/a.txt": "Inside."}))
    assert "docs/a.txt (7 bytes)" in (await room.call(read_file, fileId="pack.zip")).message
    assert "Inside." in (await room.call(read_file, fileId="pack.zip/docs/a.txt")).message
    assert "Inside." in (await room.call(read_file, fileId="pack.zip", inside="docs/a.txt")).message


@pytest.mark.requirement("J2")
async def test_what_is_written_is_a_file_and_then_a_version(room: Room) -> None:
    result = await room.call(write_file, name="plan.md", text="# Plan", tags=["Work"], description="The plan")
    [made] = result.files
    file = await room.world.services.files.get(room.principal, made.file_id)
    assert (file.name, file.tags, file.description, file.media_type) == (
        "plan.md",
        ["Work"],
        "The plan",
        "text/markdown",
    )
    again = await room.call(write_file, name="plan.md", text="# Plan B", tags=["new"])
    assert (again.files[0].file_id, again.files[0].version) == (file.id, 2)
    assert (await current(room, file)).tags == ["new"]
    assert (await content(room.world, "bob", file.id)).text == "# Plan B"
    assert (await content(room.world, "bob", file.id, "?version=1")).text == "# Plan"


async def test_folders_are_made_where_they_are_missing(room: Room) -> None:
    await room.call(write_file, name="a.md", text="x", folder="Reports/2026")
    await room.call(write_file, name="reports/2026/b.md", text="x")
    listed = await room.call(list_files, folder="Reports/2026")
    assert sorted(names(listed)) == ["a.md", "b.md"]
    folders = await room.world.services.finder.tree(room.principal, room.instance_id)
    assert sorted(folders.path(folder.id) for folder in folders.folders) == ["Reports", "Reports/2026"]


async def test_somebody_elses_file_is_never_replaced(room: Room) -> None:
    theirs = await make(room.world, "alice", "plan.md", b"Hers.", visibility=Visibility.GROUP)
    result = await room.call(write_file, name="plan.md", text="Mine.")
    assert result.files[0].name == "plan (2).md"
    assert (await content(room.world, "alice", theirs.id)).text == "Hers."


@pytest.mark.parametrize("name", ["report.pdf", "table.xlsx", "photo.png", "..", "a\\b.md"])
async def test_what_would_be_no_text_or_no_name_is_refused(room: Room, name: str) -> None:
    with pytest.raises(InvalidInput):
        await room.call(write_file, name=name, text="x")
    assert names(await room.call(list_files)) == []


@pytest.mark.requirement("J2")
async def test_a_file_is_moved_and_tagged(room: Room) -> None:
    file = await make(room.world, "bob", "a.md", tags=("old",))
    await room.call(move_file, fileId="a.md", folder="Reports/2026")
    assert names(await room.call(list_files, folder="Reports/2026")) == ["a.md"]
    await room.call(move_file, fileId=str(file.id), folder="/")
    assert (await current(room, file)).folder_id is None
    result = await room.call(tag_file, fileId="a.md", add=["New", "more"], remove=["OLD"])
    assert result.message == "“a.md” has the tags: more, New."
    other = await make(room.world, "bob", "a.md", folder_id=await folder_id(room, "Reports"))
    with pytest.raises(Conflict):
        await room.call(move_file, fileId=str(other.id), folder="/")
    assert (await current(room, other)).folder_id is not None


async def folder_id(room: Room, path: str) -> UUID:
    folder = await room.world.services.finder.folder(room.principal, room.instance_id, path)
    assert folder is not None
    return folder.id


async def test_a_folder_is_not_made_for_a_file_that_may_not_be_moved(room: Room) -> None:
    await make(room.world, "alice", "plan.md", visibility=Visibility.GROUP)
    with pytest.raises(Forbidden):
        await room.call(move_file, fileId="plan.md", folder="New")
    assert list((await room.world.services.finder.tree(room.principal, room.instance_id)).folders) == []


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("name", ["{id}", "secret.md", "/secret.md", "@secret.md", "SECRET.MD"])
async def test_somebody_elses_private_file_is_not_there(room: Room, name: str) -> None:
    file = await make(room.world, "alice", "secret.md", b"the canary sings")
    asked = name.format(id=file.id)
    with pytest.raises(NotFound) as there:
        await room.call(read_file, fileId=asked)
    await room.world.services.files.delete(room.world["alice"].principal, file.id)
    with pytest.raises(NotFound) as gone:
        await room.call(read_file, fileId=asked)
    assert there.value.message == gone.value.message


async def test_a_file_of_another_workspace_is_not_there(room: Room) -> None:
    services = room.world.services
    other = await services.instances.create(room.world["alice"].principal, "Other", "other")
    room.world.instances["other"] = other
    alice = room.as_("alice")
    await alice.call(write_file, name="a.md", text="x")
    file_id = (await alice.call(list_files)).items[0]["id"]
    elsewhere = room.as_("alice", "other")
    with pytest.raises(NotFound):
        await elsewhere.call(read_file, fileId=file_id)


@pytest.mark.requirement("O3")
async def test_a_new_file_is_told_with_the_result_of_its_call(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("write it down")
    asked = call("writeFile", name="plan.md", text="# Plan")
    await bench.advance(accepted, [asked], say("done"))
    events = [item.event for item in await bench.events(accepted.run_id)]
    kinds = [event.type for event in events]
    at = kinds.index("fileCreated")
    assert kinds[at + 1] == "toolResult"
    created = events[at].model_dump(mode="json")
    [file] = (await bench.runs.result(bench.principal, accepted.conversation_id, asked.call_id)).files
    expected = {"fileId": str(file.file_id), "name": "plan.md", "version": 1, "callId": str(asked.call_id)}
    assert created == {"type": "fileCreated", **expected}


async def test_what_is_wrong_with_a_file_is_a_result_and_not_the_end(world: World) -> None:
    bench = RunBench(world)
    await make(world, "bob", "odd.pdf", b"%PDF-1.7 broken")
    accepted = await bench.ask("read it")
    asked = call("readFile", fileId="odd.pdf")
    await bench.advance(accepted, [asked], say("I cannot read it."))
    result = await bench.runs.result(bench.principal, accepted.conversation_id, asked.call_id)
    assert result.status is ResultStatus.ERROR
    assert result.data["code"].startswith("document")
