"""Text files over HTTP: read for editing, saved as a version, and never overwritten unseen."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from tests.contents.room import scalar
from tests.documents.containers.hostile import zipped
from tests.files.sending import content, lab, make
from tests.world import World
from workroom.contents.text_files import LARGEST
from workroom.core.ids import new_id
from workroom.files.types import File
from workroom.identity.sharing import Visibility

pytestmark = pytest.mark.requirement("J3")

# What was refused has not been written to the disk either.
COUNT = "select count(*) from blobs"


async def read(world: World, person: str, file: File, query: str = "") -> httpx2.Response:
    return await world.call(person, "GET", f"/api/files/{file.id}/text{query}")


async def save(world: World, person: str, file: File, text: str, version: int = 1) -> httpx2.Response:
    return await world.call(person, "PUT", f"/api/files/{file.id}/text", {"version": version, "text": text})


def refused(answer: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    details: dict[str, Any] = answer.json().get("details") or {}
    return details


async def test_a_text_is_read_saved_and_every_version_stays(world: World) -> None:
    file = await make(world, "bob", "notes.md", "# Überblick\r\n".encode("cp1252"))
    found = (await read(world, "bob", file)).json()
    assert (found["text"], found["version"], found["encoding"], found["lineEnds"]) == (
        "# Überblick\n",
        1,
        "cp1252",
        "crlf",
    )
    assert found["writtenByName"]

    saved = await save(world, "bob", file, "# Überblick\n\nMehr.\n")
    assert (saved.status_code, saved.json()["version"]) == (200, 2)
    assert (await content(world, "bob", file.id)).content == "# Überblick\r\n\r\nMehr.\r\n".encode("cp1252")
    assert (await read(world, "bob", file, "?version=1")).json()["text"] == "# Überblick\n"


async def test_an_encoding_that_lacks_a_character_gives_way_and_says_so(world: World) -> None:
    file = await make(world, "bob", "notes.md", "Grüße\n".encode("cp1252"))
    assert (await save(world, "bob", file, "Grüße → alle\n")).json()["encoding"] == "utf-8"
    assert (await content(world, "bob", file.id)).content == "Grüße → alle\n".encode()


async def test_the_same_text_makes_no_version_also_when_it_is_sent_twice(world: World) -> None:
    file = await make(world, "bob", "notes.md", b"a\n")
    assert (await save(world, "bob", file, "a\n")).json()["version"] == 1
    for _ in range(2):  # the first answer may have been lost
        assert (await save(world, "bob", file, "b\n")).json()["version"] == 2


async def test_a_newer_version_is_not_overwritten(world: World) -> None:
    file = await make(world, "bob", "notes.md", b"a\n", visibility=Visibility.GROUP)
    await save(world, "bob", file, "by Bob\n")
    stored = await scalar(world, COUNT)
    details = refused(await save(world, "alice", file, "by Alice\n"), 409, "fileChanged")
    assert details == {"name": "notes.md", "version": 2}
    assert await scalar(world, COUNT) == stored
    assert (await content(world, "bob", file.id)).content == b"by Bob\n"
    assert (await save(world, "alice", file, "by both\n", version=2)).json()["version"] == 3


async def test_of_ten_who_save_at_once_one_is_first_and_the_others_hear_of_it(world: World) -> None:
    file = await make(world, "bob", "notes.md", b"a\n")
    answers = await asyncio.gather(*(save(world, "bob", file, f"number {n}\n") for n in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 9]
    assert all(answer.json()["details"]["version"] == 2 for answer in answers if answer.status_code == 409)


async def test_readers_cannot_save_and_strangers_do_not_see_it(world: World) -> None:
    shared = await make(world, "alice", "shared.md", b"a\n", visibility=Visibility.GROUP)
    assert (await read(world, "rita", shared)).status_code == 200
    stored = await scalar(world, COUNT)
    refused(await save(world, "rita", shared, "b\n"), 403, "forbidden")
    assert await scalar(world, COUNT) == stored
    private = await make(world, "alice", "private.md", b"a\n")
    refused(await read(world, "bob", private), 404, "notFound")
    refused(await save(world, "bob", private, "b\n"), 404, "notFound")
    assert (await read(world, "alice", private)).json()["version"] == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("really.txt", zipped({"a.txt": b"a"})),
        ("letter.rtf", rb"{\rtf1 Hello}"),
        ("report.pdf", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
        (
            "mail.eml",
            b"From: a@example.org\r\nTo: b@example.org\r\nSubject: Hello\r\n\r\nHello\r\n",
        ),
    ],
)
async def test_what_is_no_text_is_not_edited(world: World, name: str, data: bytes) -> None:
    file = await make(world, "bob", name, data)
    refused(await read(world, "bob", file), 422, "fileNotText")
    refused(await save(world, "bob", file, "text\n"), 422, "fileNotText")
    assert (await content(world, "bob", file.id)).content == data


async def test_long_texts_are_only_looked_at(world: World) -> None:
    file = await make(world, "bob", "long.log", b"line\n" * (LARGEST // 5) + b"x")
    assert refused(await read(world, "bob", file), 413, "textTooLong") == {"limit": LARGEST}
    small = await make(world, "bob", "small.log", b"line\n")
    refused(await save(world, "bob", small, "ä" * (LARGEST // 2 + 1)), 413, "textTooLong")
    assert (await read(world, "bob", small)).json()["version"] == 1


@pytest.mark.parametrize("text", ["a\0b", "\x01\x02\x03\x04"])
async def test_what_no_text_file_holds_is_refused(world: World, text: str) -> None:
    file = await make(world, "bob", "notes.md", b"a\n")
    refused(await save(world, "bob", file, text), 422, "invalidInput")


class TestANewTextFile:
    async def create(self, world: World, person: str, **body: Any) -> httpx2.Response:
        return await world.call(person, "POST", lab(world, "files", "text"), body)

    async def test_is_empty_and_ready_to_be_written(self, world: World) -> None:
        made = (await self.create(world, "bob", name="Ideas.md")).json()
        assert (made["name"], made["version"], made["mediaType"]) == ("Ideas.md", 1, "text/markdown")
        path = f"/api/files/{made['id']}/text"
        assert (await world.call("bob", "GET", path)).json()["text"] == ""
        assert (await world.call("bob", "PUT", path, {"version": 1, "text": "# Ideas\n"})).json()["version"] == 2

    async def test_does_not_take_the_place_of_another(self, world: World) -> None:
        await make(world, "bob", "Ideas.md", b"mine\n")
        refused(await self.create(world, "bob", name="Ideas.md"), 409, "fileExists")

    async def test_is_not_called_what_it_is_not(self, world: World) -> None:
        details = refused(await self.create(world, "bob", name="Ideas.docx"), 422, "nameNotText")
        assert details == {"field": "name"}
        assert (await self.create(world, "bob", name="Makefile")).status_code == 201

    async def test_needs_the_right_to_store_and_a_folder_that_is_there(self, world: World) -> None:
        refused(await self.create(world, "rita", name="Ideas.md"), 403, "forbidden")
        refused(await self.create(world, "bob", name="Ideas.md", folderId=str(new_id())), 422, "invalidInput")
