"""What files contain: ranges, tags, what a browser may show, links that end (S13, S20)."""

from __future__ import annotations

import asyncio
import base64
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.sending import content, make, pieces
from tests.world import World
from workroom.api.frame.ranges import Unsatisfiable, asked_range
from workroom.core.clock import now
from workroom.files.disk import PIECE
from workroom.files.types import FileChange, NewFile
from workroom.identity.sharing import Visibility
from workroom.identity.types import Status
from workroom.identity.users import UserChange

DIGITS = b"0123456789"


@pytest.mark.parametrize(
    ("asked", "part", "told"),
    [
        ("bytes=0-3", b"0123", "bytes 0-3/10"),
        ("bytes=7-", b"789", "bytes 7-9/10"),
        ("bytes=-2", b"89", "bytes 8-9/10"),
        ("bytes=-99", DIGITS, "bytes 0-9/10"),
        ("bytes=8-99", b"89", "bytes 8-9/10"),
    ],
)
async def test_ranges(world: World, asked: str, part: bytes, told: str) -> None:
    file = await make(world, "bob", "digits.txt", DIGITS)
    answer = await content(world, "bob", file.id, Range=asked)
    assert (answer.status_code, answer.content, answer.headers["content-range"]) == (206, part, told)
    assert answer.headers["content-length"] == str(len(part))


async def test_what_is_no_range_is_all_of_it(world: World) -> None:
    file = await make(world, "bob", "digits.txt", DIGITS)
    for asked in ("bytes=", "bytes=a-b", "lines=1-2", "bytes=5-2", "bytes=0-1,4-5", "bytes=-"):
        answer = await content(world, "bob", file.id, Range=asked)
        assert (answer.status_code, answer.content) == (200, DIGITS), asked
    for asked in ("bytes=10-", "bytes=99-100", "bytes=-0"):
        answer = await content(world, "bob", file.id, Range=asked)
        assert (answer.status_code, answer.headers["content-range"]) == (416, "bytes */10")
        assert answer.json()["code"] == "invalidInput"


@given(st.integers(0, 50), st.integers(0, 60), st.integers(0, 60))
def test_a_range_is_always_inside(size: int, first: int, last: int) -> None:
    for header in (f"bytes={first}-{last}", f"bytes={first}-", f"bytes=-{last}"):
        try:
            span = asked_range(header, size)
        except Unsatisfiable:
            continue
        if span is not None:
            assert 0 <= span[0] < span[1] <= size


async def test_what_the_client_has_is_not_sent_again(world: World) -> None:
    file = await make(world, "bob", "digits.txt", DIGITS)
    first = await content(world, "bob", file.id)
    tag = first.headers["etag"]
    assert tag == f'"{file.hash}"'
    assert first.headers["cache-control"] == "private, no-cache"
    again = await content(world, "bob", file.id, **{"If-None-Match": f'"x", W/{tag}'})
    assert (again.status_code, again.content) == (304, b"")
    old = await content(world, "bob", file.id, Range="bytes=0-3", **{"If-Range": '"another"'})
    assert (old.status_code, old.content) == (200, DIGITS), "a part of something else would be worse than all of it"


@pytest.mark.parametrize(
    "kind", ["text/html", "image/svg+xml", "application/javascript", "application/xhtml+xml", "text/css"]
)
@pytest.mark.parametrize("query", ["", "?inline=true"])
async def test_nothing_that_runs_is_ever_shown(world: World, kind: str, query: str) -> None:
    file = await make(world, "bob", "x.html", b"<script>alert(1)</script>", media_type=kind)
    headers = (await content(world, "bob", file.id, query)).headers
    assert headers["content-type"] == "application/octet-stream"
    assert headers["content-disposition"].startswith("attachment;")
    assert headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in headers["content-security-policy"]


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "text/plain", "video/mp4"])
async def test_a_few_kinds_are_shown_in_a_sandbox(world: World, kind: str) -> None:
    file = await make(world, "bob", "x.bin", media_type=kind)
    shown = (await content(world, "bob", file.id, "?inline=true")).headers
    assert shown["content-type"].split(";")[0] == kind
    assert shown["content-disposition"].startswith("inline;")
    assert shown["content-security-policy"] == "default-src 'none'; sandbox"
    assert shown["x-content-type-options"] == "nosniff"
    assert (await content(world, "bob", file.id)).headers["content-disposition"].startswith("attachment;")


@pytest.mark.parametrize(
    ("name", "plain", "encoded"),
    [
        ("Überblick 📈.pdf", "_berblick _.pdf", "%C3%9Cberblick%20%F0%9F%93%88.pdf"),
        ('a"b;c.txt', "a_b;c.txt", "a_b%3Bc.txt"),
        ("con.txt", "_con.txt", "_con.txt"),
    ],
)
async def test_names_in_headers_are_safe(world: World, name: str, plain: str, encoded: str) -> None:
    file = await make(world, "bob", name)
    told = (await content(world, "bob", file.id)).headers["content-disposition"]
    assert told == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


async def test_a_name_of_255_umlauts_goes_all_the_way(world: World) -> None:
    file = await make(world, "bob", "ü" * 251 + ".pdf", DIGITS)
    answer = await content(world, "bob", file.id)
    assert (answer.content, len(file.name)) == (DIGITS, 255)


async def test_deleted_while_it_is_read_it_is_read_to_its_end(world: World) -> None:
    services, bob, data = world.services, world["bob"].principal, DIGITS * PIECE
    file = await services.files.store(bob, world.instances["lab"].id, NewFile("big.bin"), pieces(data))
    reading = await services.files.open(await services.files.read(bob, file.id))
    first = await anext(reading)
    await services.files.delete(bob, file.id)
    await services.files.delete(bob, file.id, forever=True)
    for path in services.settings.blobs.rglob(file.hash):
        await asyncio.to_thread(path.unlink)
    assert first + b"".join([piece async for piece in reading]) == data


async def test_content_that_is_not_there_is_told_as_such(world: World) -> None:
    file = await make(world, "bob", "a.txt")
    for path in world.services.settings.blobs.rglob(file.hash):
        await asyncio.to_thread(path.unlink)
    answer = await content(world, "bob", file.id)
    assert (answer.status_code, answer.json()["code"]) == (410, "contentMissing")
    again = await make(world, "alice", "b.txt")
    assert again.hash == file.hash
    assert (await content(world, "bob", file.id)).content == b"content", "stored again, it is back for everybody"


class TestLinks:
    async def _link(self, world: World, person: str, file_id: object, **body: Any) -> str:
        answer = await world.call(person, "POST", f"/api/files/{file_id}/link", body)
        assert answer.status_code == 200, answer.text
        url: str = answer.json()["url"]
        return url

    async def test_opens_without_a_session_exactly_that_version(self, world: World) -> None:
        file = await make(world, "bob", "a.txt", b"one", media_type="text/plain")
        url = await self._link(world, "bob", file.id, inline=True)
        await make(world, "bob", "a.txt", b"two")
        answer = await world.call(None, "GET", url)
        assert (answer.status_code, answer.content) == (200, b"one")
        assert answer.headers["content-disposition"].startswith("inline;")
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
        part = await world.call(None, "GET", url, headers={"Range": "bytes=1-1"})
        assert (part.status_code, part.content) == (206, b"n")

    async def test_ends_after_ten_minutes(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        file = await make(world, "bob", "a.txt")
        url, real = await self._link(world, "bob", file.id), now
        monkeypatch.setattr("workroom.files.links.now", lambda: real() + timedelta(minutes=9))
        assert (await world.call(None, "GET", url)).status_code == 200
        monkeypatch.setattr("workroom.files.links.now", lambda: real() + timedelta(minutes=11))
        answer = await world.call(None, "GET", url)
        assert (answer.status_code, answer.json()["code"]) == (404, "fileLinkInvalid")

    @pytest.mark.parametrize("ending", ["suspended", "removed", "unshared", "deleted", "nobody"])
    async def test_ends_with_the_right_to_the_file(self, world: World, ending: str) -> None:
        services, alice, rita = world.services, world["alice"].principal, world["rita"].user.id
        file = await make(world, "bob", "a.txt", visibility=Visibility.GROUP)
        url = await self._link(world, "rita", file.id)
        assert (await world.call(None, "GET", url)).status_code == 200
        if ending == "suspended":
            await services.users.change(alice, rita, UserChange(status=Status.SUSPENDED))
        elif ending == "removed":
            await services.instances.remove_member(alice, world.instances["lab"].id, rita)
        elif ending == "unshared":
            await services.files.change(world["bob"].principal, file.id, FileChange(visibility=Visibility.MY))
        elif ending == "deleted":
            await services.files.delete(world["bob"].principal, file.id)
        else:
            await services.users.delete(alice, rita)
        assert (await world.call(None, "GET", url)).status_code == 404

    async def test_no_bit_of_it_can_be_changed(self, world: World) -> None:
        file = await make(world, "bob", "a.txt")
        token = (await self._link(world, "bob", file.id)).split("=", 1)[1]
        signed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        for at in range(0, len(signed), 3):
            forged = bytearray(signed)
            forged[at] ^= 1
            text = base64.urlsafe_b64encode(forged).decode().rstrip("=")
            assert (await world.call(None, "GET", f"/api/files/linked?token={text}")).status_code == 404
        for text in ("", "x", "!!", token[:-4], token + "AAAA", token * 2, "%00", "ü"):
            assert (await world.call(None, "GET", f"/api/files/linked?token={text}")).status_code == 404

    async def test_a_link_of_another_installation_is_none(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        file = await make(world, "bob", "a.txt")
        url = await self._link(world, "bob", file.id)
        monkeypatch.setattr(world.services.file_links, "_keys", [b"another secret" * 3])
        assert (await world.call(None, "GET", url)).status_code == 404

    async def test_nobody_makes_one_for_what_they_cannot_read(self, world: World) -> None:
        file = await make(world, "bob", "a.txt")
        assert (await world.call("rita", "POST", f"/api/files/{file.id}/link", {})).status_code == 404
        assert (await world.call("bob", "POST", f"/api/files/{file.id}/link", {"version": 5})).status_code == 404
