"""Files with very many small things in them: they come in pages, and whatever takes long is not done on the event loop."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from tests.contents.room import Desk
from tests.world import World
from workroom.contents import store
from workroom.contents.document import MOST_OBJECTS
from workroom.contents.parts import part_finder
from workroom.core.threaded import MANY
from workroom.documents.types import ContentObject, ContentType, ContextRef, SheetInfo, SourceFile, Structure
from workroom.documents.workers.parsers import Parsers

KEYS = 3_000
PAGE = 200


class Done(Counter[str]):
    """How often something was done, in all and on the event loop."""

    def watching(self, work: Callable[..., Any], name: str) -> Callable[..., Any]:
        loop = threading.get_ident()

        def watched(*args: Any, **more: Any) -> Any:
            self[name] += 1
            self[f"{name} on the loop"] += threading.get_ident() == loop
            return work(*args, **more)

        return watched


async def test_keys_are_stored_and_shown_in_pages_off_the_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await Desk.with_file(world, "keys.json", json.dumps({f"key{n}": n for n in range(KEYS)}).encode())
    done = Done()
    monkeypatch.setattr(store, "_row", done.watching(store._row, "stored"))
    monkeypatch.setattr(store, "_object", done.watching(store._object, "shown"))
    first = await desk.told("objects", limit=PAGE)
    assert len(first["items"]) == PAGE
    assert done["stored"] == KEYS
    assert done["shown"] == PAGE + 1, "as many as fill a page, and one to know that there is more"
    assert done["stored on the loop"] < MANY
    assert done["shown on the loop"] == 0
    second = await desk.told("objects", limit=PAGE, cursor=first["nextCursor"])
    assert second["items"][0]["text"] == f'"key{PAGE}": {PAGE}'
    assert (await desk.ask("objects", limit=MOST_OBJECTS + 1)).status_code == 422


async def test_what_a_reader_process_found_is_checked_in_pages_off_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    ref = ContextRef(container_path="a.json", location="key:a")
    found = ContentObject(sequence=0, content_type=ContentType.TEXT, text="x", ref=ref)
    done, parsers = Done(), Parsers()

    async def pages(*_: object) -> AsyncIterator[list[bytes]]:
        for _number in range(3):
            yield [found.model_dump_json().encode()] * PAGE

    monkeypatch.setattr(parsers._pool, "pages", pages)
    monkeypatch.setattr(ContentObject, "model_validate_json", done.watching(ContentObject.model_validate_json, "read"))
    source = SourceFile(Path("/dev/null"), "a.json", "application/json", "a.json")
    async with aclosing(parsers.extract(source)) as objects:
        assert [object async for object in objects] == [found] * 3 * PAGE
    assert (done["read"], done["read on the loop"]) == (3 * PAGE, 0)


def test_of_two_sheets_with_one_name_the_first_is_meant() -> None:
    sheets = [SheetInfo(name=name, rows=1, columns=1) for name in ("a", "b", "b")]
    part_of = part_finder(Structure(kind="xlsx", sheets=sheets), ())

    def on(sheet: str | None) -> ContentObject:
        ref = ContextRef(container_path="x", location="x", sheet_name=sheet)
        return ContentObject(sequence=0, content_type=ContentType.TEXT, ref=ref)

    assert [part_of(on(name)) for name in ("a", "b", "c", None)] == ["sheet:0", "sheet:1", "rest", "rest"]
