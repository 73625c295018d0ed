"""Readers in processes of their own: what a document may do to them, and that nobody else notices (S11)."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.documents.containers.hostile import nested, zipped
from tests.documents.workers.misbehaving import KIND
from workroom.core.errors import ConfigurationError, Conflict, NotFound
from workroom.documents.errors import (
    ContainerLimitError,
    DamagedDocument,
    DocumentTooLarge,
    EncryptedDocument,
    UnsupportedDocument,
)
from workroom.documents.types import ExtractionScope, SourceFile
from workroom.documents.workers import frames
from workroom.documents.workers.environment import command, environment
from workroom.documents.workers.parsers import Parsers

MODULES = ["tests.documents.workers.misbehaving"]


def doing(what: str) -> SourceFile:
    return SourceFile(path=Path("/dev/null"), name=what, media_type=KIND, container_path=what)


def is_gone(pid: int) -> bool:
    """Waits until the process has ended, also where nobody collects it."""
    if not hasattr(os, "pidfd_open"):  # not Linux
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).wait(20)
        return True
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 20)[0])
    finally:
        os.close(descriptor)


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1, memory_mb=300, seconds=30, modules=MODULES) as made:
        yield made


@pytest.fixture
async def hasty() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1, seconds=2, modules=MODULES) as made:
        yield made


async def pid(parsers: Parsers) -> int:
    return int((await parsers.scan(doing("nothing"))).properties["pid"])


async def test_a_child_is_warm_and_apart(parsers: Parsers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKROOM_SECRET_KEY", "secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    first, second = await parsers.scan(doing("a")), await parsers.scan(doing("b"))
    assert first.properties["pid"] == second.properties["pid"] != str(os.getpid())
    names = first.properties["environment"].split(",")
    assert not [name for name in names if name.startswith("WORKROOM") or "KEY" in name]
    assert first.counts["session"] == int(first.properties["pid"])
    assert first.counts["niceness"] > os.nice(0) or os.nice(0) >= 15
    assert len(first.properties["files"].split(",")) <= 6  # three standard ones, two pipes, the listing itself
    assert first.properties["cwd"] == "/"


async def test_objects_arrive_as_they_are_wanted(parsers: Parsers) -> None:
    assert [found.text async for found in parsers.extract(doing("x"))] == ["page 0", "page 1", "page 2"]
    wanted = ExtractionScope(pages=frozenset({7, 5}))
    assert [found.text async for found in parsers.extract(doing("x"), wanted)] == ["page 5", "page 7"]


async def test_elements_and_pages_arrive_as_bytes(parsers: Parsers) -> None:
    element = await parsers.element(doing("x"), "page:1/image:2")
    assert (len(element.data), element.name, element.metadata) == (3_072_000, "page:1/image:2", {"width": 7})
    assert element.data[:256] == bytes(range(256))
    page = await parsers.page_image(doing("x"), 3, 800)
    assert page.metadata == {"page": 3, "width": 800}


async def test_refusals_travel_with_their_words(parsers: Parsers) -> None:
    with pytest.raises(EncryptedDocument, match="It wants a password") as caught:
        await parsers.scan(doing("locked"))
    assert caught.value.details == {"hint": "ask its owner"}
    assert caught.value.code == "documentEncrypted"


@pytest.mark.parametrize(
    ("media_type", "error", "words"),
    [
        ("application/msword", UnsupportedDocument, "DOCX"),
        ("application/vnd.ms-powerpoint", UnsupportedDocument, "PPTX"),
        ("application/x-encrypted-office", EncryptedDocument, "password"),
        ("application/x-elf", UnsupportedDocument, "program"),
        ("application/zip", UnsupportedDocument, "archive"),
        ("application/x-whatever", UnsupportedDocument, "cannot be read here"),
    ],
)
async def test_what_nobody_reads_is_said(parsers: Parsers, media_type: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        await parsers.scan(SourceFile(Path("/dev/null"), "x", media_type, "x"))


@pytest.mark.parametrize("what", ["segfault", "exit", "recurse", "stumble"])
async def test_a_crash_is_an_error_on_one_document(parsers: Parsers, what: str) -> None:
    await pid(parsers)
    with pytest.raises(DamagedDocument):
        await parsers.scan(doing(what))
    assert await pid(parsers)


async def test_a_mistake_of_an_extractor_is_logged_without_content(
    parsers: Parsers, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(DamagedDocument) as caught:
        await parsers.scan(doing("stumble"))
    assert "ValueError in misbehaving.py" in caplog.text
    assert "secret content" not in caplog.text + caught.value.message


async def test_a_missing_library_is_not_the_fault_of_the_document(parsers: Parsers) -> None:
    with pytest.raises(ConfigurationError, match="a_library_that_is_missing"):
        await parsers.scan(doing("lack"))


@pytest.mark.parametrize("what", ["eat", "killed", "abort"])
async def test_too_much_memory(parsers: Parsers, what: str) -> None:
    before = await pid(parsers)
    with pytest.raises(DocumentTooLarge, match="memory"):
        await parsers.scan(doing(what))
    assert await pid(parsers) != before
    assert is_gone(before)


@pytest.mark.parametrize("what", ["hang", "spin"])
async def test_too_much_time(hasty: Parsers, what: str) -> None:
    before = await pid(hasty)
    with pytest.raises(DocumentTooLarge, match="longer than is allowed"):
        await hasty.scan(doing(what))
    assert is_gone(before)
    assert await pid(hasty) != before


async def test_a_reader_who_takes_his_time_costs_the_document_nothing(hasty: Parsers) -> None:
    found = []
    async for item in hasty.extract(doing("x")):
        found.append(item)
        await asyncio.sleep(0.8)  # busy elsewhere, in all for longer than the document may take
    assert len(found) == 3


async def test_a_break_in_the_middle_keeps_what_came_before(parsers: Parsers) -> None:
    found: list[str] = []
    with pytest.raises(DamagedDocument):
        async for item in parsers.extract(doing("breaks")):
            found += [item.text]
    assert found == ["page 0", "page 1"]


async def test_a_flood_waits_for_its_reader_and_ends_at_the_limit() -> None:
    async with Parsers(processes=1, output_mb=4, modules=MODULES) as parsers:
        count = 0
        with pytest.raises(DocumentTooLarge, match="More comes out"):
            async for _ in parsers.extract(doing("flood")):
                count += 1
        assert 300 < count < 420
        assert await pid(parsers)


async def test_one_piece_that_is_too_large(parsers: Parsers) -> None:
    with pytest.raises(DocumentTooLarge):
        async for _ in parsers.extract(doing("boulder")):
            pass
    assert await pid(parsers)


async def test_leaving_early_ends_the_child(parsers: Parsers) -> None:
    before = await pid(parsers)
    async with aclosing(parsers.extract(doing("flood"))) as found:
        async for _ in found:
            break
    assert is_gone(before)
    assert await pid(parsers) != before


async def test_cancelling_ends_the_child(parsers: Parsers) -> None:
    before = await pid(parsers)
    task = asyncio.create_task(parsers.scan(doing("hang")))
    await asyncio.sleep(0)  # it has begun to wait
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert is_gone(before)
    assert await pid(parsers) != before


async def test_what_a_child_started_ends_with_it(parsers: Parsers) -> None:
    async with aclosing(parsers.extract(doing("another"))) as found:
        another = int((await anext(found)).text)
    assert is_gone(another)


async def test_a_child_that_died_while_idle_costs_nobody_anything(parsers: Parsers) -> None:
    before = await pid(parsers)
    os.kill(before, 9)
    assert is_gone(before)
    assert await pid(parsers) != before


async def test_what_libraries_print_does_not_disturb(parsers: Parsers) -> None:
    assert (await parsers.scan(doing("print"))).kind == "test"


async def test_a_child_has_no_network(parsers: Parsers) -> None:
    with pytest.raises(DamagedDocument):
        await parsers.scan(doing("callhome"))


async def test_closing_ends_everything() -> None:
    parsers = Parsers(processes=1, modules=MODULES)
    child = await pid(parsers)
    working = asyncio.create_task(parsers.scan(doing("hang")))
    waiting = asyncio.create_task(parsers.scan(doing("x")))
    await asyncio.sleep(0)
    await parsers.close()
    assert is_gone(child)
    for task in (working, waiting, asyncio.create_task(parsers.scan(doing("x")))):
        with pytest.raises(Conflict):
            await task


async def test_temporary_folders_go_with_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with Parsers(processes=1, seconds=2, modules=MODULES) as parsers:
        with pytest.raises(DocumentTooLarge):
            await parsers.scan(doing("litter"))
        assert await pid(parsers)
    assert os.listdir(tmp_path) == []


async def test_children_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from tests.documents.workers.test_parsers import MODULES, Parsers, doing, pid\n"
        "async def main():\n"
        "    parsers = Parsers(processes=1, modules=MODULES)\n"
        "    print(await pid(parsers), flush=True)\n"
        "    await parsers.scan(doing('hang'))\n"
        "asyncio.run(main())\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()
    assert is_gone(child)
    assert os.listdir(tmp_path) == []


async def test_a_child_whose_answer_nobody_hears_tidies_up(tmp_path: Path) -> None:
    """The parent is gone between its request and the answer: the child still leaves no folder behind."""
    scratch = tmp_path / "reader"
    scratch.mkdir()
    hearing, answering = os.pipe()
    child = await asyncio.create_subprocess_exec(
        *command(300, 30, scratch, MODULES),
        stdin=asyncio.subprocess.PIPE,
        stdout=answering,
        env=environment(scratch),
        start_new_session=True,
    )
    os.close(answering)
    await asyncio.to_thread(os.read, hearing, 1)  # it is ready
    os.close(hearing)
    assert child.stdin is not None
    child.stdin.write(frames.pack_frame(frames.FrameType.JOB, b"{}"))
    await child.stdin.drain()
    with pytest.raises(TimeoutError):  # it does not end by itself, with its folder left
        await asyncio.wait_for(child.wait(), 1)
    child.stdin.close()
    await asyncio.wait_for(child.wait(), 60)
    assert os.listdir(tmp_path) == []


async def test_members_of_containers_and_files_out_of_them(parsers: Parsers, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"inner.zip": zipped({"deep.txt": b"deep"}), "b.txt": b"1"}))
    kind = await parsers.kind(path, "a.docx")
    assert (kind.media_type, kind.lie is None) == ("application/zip", False)
    archive = SourceFile(path, "a.zip", kind.media_type, "a.zip")
    assert [member.path async for member in parsers.members(archive)] == ["inner.zip", "b.txt"]
    assert [member.path async for member in parsers.members(archive, "inner.zip")] == ["deep.txt"]
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(NotFound):
        await parsers.take(archive, "inner.zip/none.txt", into)
    assert list(into.iterdir()) == []
    assert (await parsers.take(archive, "inner.zip/deep.txt", into)).read_bytes() == b"deep"


async def test_a_whole_archive_in_one_pass(parsers: Parsers, tmp_path: Path) -> None:
    path, into = tmp_path / "a.zip", tmp_path / "into"
    into.mkdir()
    path.write_bytes(zipped({"inner.zip": zipped({"deep.txt": b"deep"}), "broken.zip": b"PK\3\4", "b.txt": b"1"}))
    archive = SourceFile(path, "a.zip", "application/zip", "a.zip")
    listed = [found.container_path async for found in parsers.walk(archive)]
    assert listed == [
        "a.zip/inner.zip",
        "a.zip/inner.zip/deep.txt",
        "a.zip/broken.zip",
        "a.zip/broken.zip",
        "a.zip/b.txt",
    ]
    found = {item.container_path: item async for item in parsers.walk(archive, into)}
    deep = found["a.zip/inner.zip/deep.txt"]
    assert deep.path is not None
    assert (deep.path.read_bytes(), deep.depth, deep.path.is_relative_to(into)) == (b"deep", 2, True)
    assert found["a.zip/broken.zip"].problem is not None


async def test_past_a_limit_nothing_is_half_stored(parsers: Parsers, tmp_path: Path) -> None:
    path, into = tmp_path / "a.zip", tmp_path / "into"
    into.mkdir()
    path.write_bytes(zipped({"fine.txt": b"1", "deep.zip": nested(6, b"core")}))
    archive = SourceFile(path, "a.zip", "application/zip", "a.zip")
    unpacked = []
    with pytest.raises(ContainerLimitError):
        async for item in parsers.walk(archive, into):
            unpacked += [item.path]
    assert len(unpacked) > 1
    assert os.listdir(into) == []
    async with aclosing(parsers.walk(archive, into)) as found:
        assert (await anext(found)).path is not None
    assert os.listdir(into) == []


async def test_many_files_of_one_do_not_stand_before_the_one_of_another(parsers: Parsers) -> None:
    done: list[str] = []

    async def read(name: str, lane: str) -> None:
        await parsers.scan(doing(name), lane=lane)
        done.append(name)

    await asyncio.gather(*(read(f"bulk {number}", "one") for number in range(20)), read("single", "other"))
    assert done.index("single") <= 2
    assert done[:1] == ["bulk 0"]
    assert [name for name in done if name != "single"] == [f"bulk {number}" for number in range(20)]


def test_the_child_is_no_program_for_people(tmp_path: Path) -> None:
    import subprocess

    arguments = ["--memory-mb", "1", "--seconds", "1", "--scratch", str(tmp_path)]
    with closing(open(os.devnull)) as nothing:
        ran = subprocess.run(
            [sys.executable, "-m", "workroom.documents.workers.child", *arguments],
            stdin=nothing,
            capture_output=True,
            check=False,
        )
    assert b"started by Workroom" in ran.stderr
