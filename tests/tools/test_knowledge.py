"""searchFiles: what agents find in files, with the place to cite."""

from __future__ import annotations

import pytest

from tests.contents.room import numbered_pdf
from tests.knowledge.room import library
from tests.tools.room import Room
from tests.world import World
from workroom.core.errors import InvalidInput, NotFound
from workroom.models.embeddings.static import StaticEmbedder
from workroom.tools.knowledge import LONGEST_PASSAGE, NOTHING, _shown, search_files


@pytest.mark.requirement("J2")
async def test_passages_come_with_their_place(world: World) -> None:
    async with library(world, StaticEmbedder()) as shelf:
        file = await shelf.put("report.pdf", numbered_pdf(12))
    found = await Room(world).call(search_files, query="page number 7")
    best = found.sources[0]
    assert found.message.startswith(f"[page 7 of report.pdf] [[{best.mark}]]\nThis is page number 7")
    assert (best.label, best.opens.file_id, best.opens.page) == ("page 7 of report.pdf", file.id, 7)
    assert best.opens.quote == "This is page number 7"
    assert found.items[0]["fileId"] == str(file.id)
    assert found.items[0]["pageIndex"] == 6
    assert search_files.untrusted


async def test_only_in_the_files_that_are_named_and_readable(world: World) -> None:
    async with library(world, StaticEmbedder()) as shelf:
        await shelf.put("one.txt", "The kettle is blue.")
        await shelf.put("two.txt", "The kettle is red.")
        hers = await shelf.put("hers.txt", "The kettle is gold.", person="alice")
    room = Room(world)
    found = await room.call(search_files, query="kettle", fileIds=["two.txt"])
    assert [item["name"] for item in found.items] == ["two.txt"]
    assert "gold" not in (await room.call(search_files, query="kettle gold")).message
    with pytest.raises((NotFound, InvalidInput)):
        await room.call(search_files, query="kettle", fileIds=[str(hers.id)])


def test_of_a_long_passage_what_is_marked_in_it_is_shown() -> None:
    filler, answer = "Nothing of interest. " * 200, "The kettle is blue."
    assert len(filler) > LONGEST_PASSAGE
    assert _shown(f"{answer} {filler}", answer).startswith(answer)
    assert _shown(f"{filler}{answer} End.", answer) == f"… {answer} End."
    assert len(_shown(filler, "not there")) == LONGEST_PASSAGE


async def test_nothing_found_is_said(world: World) -> None:
    found = await Room(world).call(search_files, query="anything")
    assert (found.message, found.items) == (NOTHING, [])
