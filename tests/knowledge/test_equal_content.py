"""Files of equal content share their passages, and nobody learns how others call them."""

from __future__ import annotations

import gzip

import pytest

from tests.knowledge.room import Library, status, zipped
from workroom.knowledge import indexing


async def test_what_others_call_the_same_archive_is_not_told(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes are copied with the passages of equal content."""
    monkeypatch.setattr(indexing, "MOST_MEMBERS", 2)
    archive = zipped({f"{n}.txt": f"number {n}".encode() for n in range(4)})
    await shelf.put("Dismissal of Bob.zip", archive, person="alice")
    mine = await shelf.put("harmless.zip", archive)
    found = await status(shelf, mine.id)
    assert shelf.indexing.counts["copied"] == 1
    assert found.notes
    assert "Dismissal" not in " ".join(found.notes)


async def test_what_others_call_the_same_compressed_file_is_not_found(shelf: Library) -> None:
    packed = gzip.compress(b"The answer is apples.", mtime=0)
    await shelf.put("Dismissal of Bob.txt.gz", packed, person="alice")
    await shelf.put("harmless.txt.gz", packed)
    found = await shelf.find("apples", meaning=False)
    assert [passage.inside for passage in found] == ["harmless.txt"]
    assert "Dismissal" not in found[0].model_dump_json()
