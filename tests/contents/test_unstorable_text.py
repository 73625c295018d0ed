"""NUL and other characters that PostgreSQL does not store, in files and in requests."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from tests.contents.room import Desk
from tests.documents.containers.hostile import zipped
from tests.world import World


async def test_a_picture_whose_camera_has_an_odd_name_is_read(world: World) -> None:
    picture, made = Image.new("RGB", (4, 4)), io.BytesIO()
    exif = picture.getexif()
    exif[0x010F] = "Maker\x00of cameras"
    picture.save(made, "JPEG", exif=exif)
    desk = await Desk.with_file(world, "photo.jpg", made.getvalue())
    assert (await desk.told("reading"))["problem"] is None
    assert (await desk.told("objects"))["items"]


async def test_json_with_odd_keys_is_read(world: World) -> None:
    desk = await Desk.with_file(world, "odd.json", json.dumps({"k\x00ey": "value", "other": [{"\x00": 1}]}).encode())
    assert (await desk.told("reading"))["problem"] is None
    assert "value" in "".join(await desk.texts())


@pytest.mark.parametrize("what", ["members", "find", "reading", "objects", "element"])
async def test_a_question_with_a_character_that_is_none_is_no_error_of_ours(world: World, what: str) -> None:
    desk = await Desk.with_file(world, "a.zip", zipped({"a.txt": b"hello"}))
    for query in ({"q": "\x00"}, {"inside": "a\x00"}, {"part": "sheet:\x00"}, {"location": "\x00"}):
        assert (await desk.ask(what, **query)).status_code < 500
