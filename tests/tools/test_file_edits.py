"""Changes to texts: proposed where they fit, stored as they were accepted, merged with what happened meanwhile."""

from __future__ import annotations

import codecs
from typing import Any

import pytest

from tests.files.sending import content, make, store
from tests.tools.room import Room
from tests.world import World
from workroom.core.errors import Forbidden, InvalidInput, NotFound, TooLarge
from workroom.core.pauses import Proposal, Reviewed
from workroom.core.results import ResultStatus, ToolResult
from workroom.files.types import File, NewFile, OnConflict
from workroom.identity.sharing import Visibility
from workroom.tools.file_edits import DELETED, apply_file_edit

TEXT = b"# Roof\n\nTiles: 1200\nWood: 800\n\nOffer by Acme\n"


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


async def propose(room: Room, file: File | str, *edits: tuple[str, str]) -> Any:
    given = [{"find": find, "replace": replace} for find, replace in edits]
    return await room.call(apply_file_edit, fileId=str(file.id) if isinstance(file, File) else file, edits=given)


async def review(room: Room, proposal: Proposal, text: str | None = None, *, accepted: bool = True) -> ToolResult:
    assert apply_file_edit.answered is not None
    result = await apply_file_edit.answered(room, proposal, Reviewed(accepted=accepted, text=text))
    assert isinstance(result, ToolResult)
    return result


async def stored(room: Room, file: File, name: str = "bob") -> tuple[int, bytes]:
    found = await room.world.services.files.get(room.world[name].principal, file.id)
    return found.version, (await content(room.world, name, file.id)).content


async def write(world: World, file: File, data: bytes) -> None:
    """Bob's own change, meanwhile."""
    await store(world, "bob", data, NewFile(file.name, on_conflict=OnConflict.VERSION, media_type=file.media_type))


@pytest.mark.requirement("J3")
async def test_a_change_is_proposed_and_stored_only_when_accepted(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT, media_type="text/markdown")
    proposal = await propose(room, "offer.md", ("1200", "1300"), ("Acme", "Acme AG"))
    assert isinstance(proposal, Proposal)
    assert (proposal.name, proposal.before) == ("offer.md", TEXT.decode())
    assert proposal.after == "# Roof\n\nTiles: 1300\nWood: 800\n\nOffer by Acme AG\n"
    assert proposal.file is not None
    assert (proposal.file.file_id, proposal.file.version) == (file.id, 1)
    assert await stored(room, file) == (1, TEXT)
    rejected = await review(room, proposal, accepted=False)
    assert rejected.data == {"declined": True}
    assert await stored(room, file) == (1, TEXT)
    result = await review(room, proposal)
    assert [(made.file_id, made.version) for made in result.files] == [(file.id, 2)]
    assert result.message == "“offer.md” has version 2 now. The user accepted all of it."
    assert not result.untrusted
    assert await stored(room, file) == (2, proposal.after.encode())


@pytest.mark.requirement("J3")
async def test_the_model_reads_which_changes_were_taken(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    proposal = await propose(room, file, ("1200", "1300"), ("Acme", "Acme AG"))
    result = await review(room, proposal, TEXT.decode().replace("1200", "1300"))
    assert "accepted 1 of 2 changes" in result.message
    assert "-Tiles: 1200\n+Tiles: 1300\n" in result.message
    assert "Acme AG" not in result.message
    assert result.untrusted, "it quotes the file"
    assert await stored(room, file) == (2, TEXT.replace(b"1200", b"1300"))
    nothing = await review(room, proposal, TEXT.decode())
    assert nothing.data == {"declined": True}, "none of it"


@pytest.mark.requirement("J3")
async def test_what_changed_elsewhere_in_the_meantime_is_kept(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    proposal = await propose(room, file, ("1200", "1300"))
    await write(room.world, file, TEXT.replace(b"Acme", b"Bolt"))
    result = await review(room, proposal)
    assert "both changes are in it" in result.message
    assert await stored(room, file) == (3, TEXT.replace(b"Acme", b"Bolt").replace(b"1200", b"1300"))


@pytest.mark.requirement("J3")
async def test_the_same_lines_changed_differently_are_told_and_nothing_is_stored(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    proposal = await propose(room, file, ("1200", "1300"), ("Acme", "Acme AG"))
    newer = b"Title\n" + TEXT.replace(b"1200", b"1250")
    await write(room.world, file, newer)
    result = await review(room, proposal)
    assert (result.status, result.data) == (ResultStatus.ERROR, {"conflictLines": [4]})
    assert "> Tiles: 1250\nAccepted instead:\n> Tiles: 1300" in result.message
    assert "propose what is still wanted" in result.message
    assert result.untrusted
    assert await stored(room, file) == (2, newer)


async def test_what_both_did_alike_makes_no_version(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    proposal = await propose(room, file, ("1200", "1300"))
    await write(room.world, file, TEXT.replace(b"1200", b"1300"))
    result = await review(room, proposal)
    assert (result.status, result.files) == (ResultStatus.OK, [])
    assert (await stored(room, file))[0] == 2


async def test_a_change_while_it_is_stored_is_merged_as_well(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    proposal = await propose(room, file, ("1200", "1300"))
    rest = [b"Bolt", b"Cox"]

    async def overtaken(*given: Any, **more: Any) -> Any:
        if rest:
            await write(room.world, file, TEXT.replace(b"Acme", rest.pop()))
        return await commit(*given, **more)

    commit = room.commit
    monkeypatch.setattr(room, "commit", overtaken)
    result = await review(room, proposal)
    assert result.status is ResultStatus.OK
    assert await stored(room, file) == (4, TEXT.replace(b"Acme", b"Bolt").replace(b"1200", b"1300"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\r\ntwo\r\nthree\r\n", b"one\r\nTWO\r\n2a\r\nthree\r\n"),
        (codecs.BOM_UTF8 + b"one\ntwo\nthree", codecs.BOM_UTF8 + b"one\nTWO\n2a\nthree"),
        ("Zürich\ntwo\nGrüße".encode("latin-1"), "Zürich\nTWO\n2a\nGrüße".encode("latin-1")),
    ],
)
async def test_line_ends_and_encoding_stay_as_they_are(room: Room, before: bytes, after: bytes) -> None:
    file = await make(room.world, "bob", "a.txt", before, media_type="text/plain")
    proposal = await propose(room, file, ("two", "TWO\n2a"))
    assert "\r" not in proposal.before + proposal.after
    await review(room, proposal)
    assert await stored(room, file) == (2, after)


async def test_what_the_encoding_does_not_have_is_said_before_anybody_reads_it(room: Room) -> None:
    file = await make(room.world, "bob", "a.txt", "Grüße, one".encode("latin-1"), media_type="text/plain")
    with pytest.raises(InvalidInput, match=r"cp1252, which does not have the character '\\u4f60'"):
        await propose(room, file, ("one", "你"))


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([("Tiles:  1200", "x")], "Edit 1: its `find` is not in “offer.md” (0 times)"),
        ([("1200", "1"), ("e", "x")], "Edit 2: its `find` is in “offer.md” 3 times (lines 3, 6, 6)"),
        ([("nothing like that", "x")], "copy the passage word for word"),
    ],
)
async def test_an_edit_that_does_not_fit_proposes_nothing(room: Room, edits: Any, said: str) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    result = await propose(room, file, *edits)
    assert result.status is ResultStatus.ERROR
    assert said in result.message
    assert ("3: Tiles: 1200" in result.message) == result.untrusted, "marked, if it quotes the file"


async def test_edits_that_change_nothing_are_refused(room: Room) -> None:
    file = await make(room.world, "bob", "offer.md", TEXT)
    with pytest.raises(InvalidInput, match="change nothing"):
        await propose(room, file, ("1200", "1200"))
    for edits in ([], [{"find": "", "replace": "x"}], [{"find": "x"}]):
        with pytest.raises(ValueError, match="edits"):
            await room.call(apply_file_edit, fileId=str(file.id), edits=edits)


@pytest.mark.parametrize(
    ("name", "data", "media_type", "said"),
    [
        ("plan.pdf", b"%PDF-1.4 x", "application/pdf", "“plan.pdf” is no text file.*writeFile"),
        ("a.dat", b"x\0y", None, "This is no text"),
        ("a.txt", b"\x89PNG\r\n\x1a\nx\0", "text/plain", "This is no text"),
    ],
)
async def test_what_is_no_text_is_refused_with_what_to_do(
    room: Room, name: str, data: bytes, media_type: str | None, said: str
) -> None:
    file = await make(room.world, "bob", name, data, media_type=media_type)
    with pytest.raises(InvalidInput, match=said):
        await propose(room, file, ("x", "y"))


async def test_long_texts_are_refused_before_and_after(room: Room) -> None:
    long = await make(room.world, "bob", "long.txt", b"x" + b"a\n" * 500_000, media_type="text/plain")
    with pytest.raises(TooLarge, match="1,000,001 bytes; up to 1,000,000"):
        await propose(room, long, ("x", "y"))
    most = await make(room.world, "bob", "most.txt", b"x" + b"a" * 999_999, media_type="text/plain")
    with pytest.raises(TooLarge, match="would have 1,000,001 bytes"):
        await propose(room, most, ("x", "é"))


@pytest.mark.requirement("B6")
async def test_only_those_who_may_change_a_file_propose_and_accept(room: Room) -> None:
    shared = await make(room.world, "bob", "offer.md", TEXT, visibility=Visibility.GROUP)
    private = await make(room.world, "bob", "own.md", TEXT)
    with pytest.raises(Forbidden):
        await propose(room.as_("rita"), shared, ("1200", "1300"))
    with pytest.raises(NotFound):
        await propose(room.as_("alice"), private, ("1200", "1300"))
    proposal = await propose(room, private, ("1200", "1300"))
    refused = await review(room.as_("alice"), proposal)
    assert (refused.status, refused.message) == (ResultStatus.ERROR, DELETED)
    assert await stored(room, private) == (1, TEXT)
    await room.world.services.files.delete(room.principal, private.id)
    assert (await review(room, proposal)).message == DELETED
