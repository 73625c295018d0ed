"""What is derived from a file counts for its owner: the text that was read, its passages, its vectors."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.documents.containers.hostile import zipped
from tests.knowledge.room import Library
from workroom.contents.parts import PartSelection
from workroom.core.actors import UserActor
from workroom.files.errors import QuotaExceeded, TextQuotaExceeded
from workroom.files.quotas import Quotas
from workroom.files.store import blobs
from workroom.files.types import File
from workroom.knowledge.types import IndexState, IndexStatus

WORDS = "\n\n".join(f"Paragraph {n} is about walruses and what they say to each other." for n in range(3_000))
ROOM = 100_000


@pytest.fixture
def small(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Little room for each person."""
    files = shelf.world.services.files
    for where in (files, files._contents):
        monkeypatch.setattr(where, "_quotas", Quotas(file=10**9, user=ROOM))
    return shelf


async def used(shelf: Library, owner_id: UUID | None = None) -> int:
    mandate_id = shelf.world.acme.id
    async with shelf.world.services.db.unit_of_work(UserActor(mandate_id)) as uow:
        return await blobs.used_bytes(uow, mandate_id, owner_id)


async def status(shelf: Library, file: File, person: str = "bob") -> IndexStatus:
    return await shelf.world.services.knowledge.status(shelf.world[person].principal, file.id)


async def kept(shelf: Library) -> int:
    async with shelf.world.services.db.unit_of_work(UserActor(shelf.world.acme.id)) as uow:
        return int(
            await uow.fetchval(
                "select (select coalesce(sum(length(text)), 0) from content_objects)"
                " + (select coalesce(sum(length(text)), 0) from chunks)"
            )
        )


async def test_all_that_is_kept_of_a_file_counts_and_goes_with_it(shelf: Library) -> None:
    file = await shelf.put("walruses.md", WORDS)
    assert await used(shelf) > len(WORDS) + await kept(shelf) > 3 * len(WORDS) * 0.9
    one = await used(shelf, file.owner_id)
    other = await shelf.put("copy.md", WORDS, "alice")
    assert await used(shelf, other.owner_id) == one, "a copy of what somebody else has counts as much"
    bob = shelf.world["bob"].principal
    await shelf.world.services.files.delete(bob, file.id)
    await shelf.world.services.files.delete(bob, file.id, forever=True)
    assert await used(shelf, file.owner_id) == 0


@pytest.mark.parametrize("name", ["walruses.zip", "walruses.md"])
async def test_a_file_with_more_text_than_there_is_room_for_says_so(small: Library, name: str) -> None:
    """An archive is small itself; the other file is not, and only its passages are too much."""
    text = WORDS if name.endswith("zip") else WORDS[: ROOM // 3]
    data = zipped({f"{n}.md": text.replace("walruses", f"walrus {n}").encode() for n in range(5)})
    file = await small.put(name, data if name.endswith("zip") else text)
    found = await status(small, file)
    assert (found.state, found.problem_code, found.chunks) == (IndexState.FAILED, "textQuotaExceeded", 0)
    assert await kept(small) <= ROOM
    mine = await small.put("notes.md", "The answer is apples.", "alice")
    assert (await status(small, mine, "alice")).state is IndexState.INDEXED, "somebody else has room of their own"


async def test_nobody_reads_page_by_page_what_there_is_no_room_for(small: Library) -> None:
    services, bob = small.world.services, small.world["bob"].principal
    file = await small.put("walruses.zip", zipped({"a.md": WORDS.encode(), "b.md": WORDS.upper().encode()}))
    for path in ("a.md", "b.md"):
        place = await services.reader.place(bob, file.id, path)
        with pytest.raises(TextQuotaExceeded):
            await services.reader.passages(bob, place, PartSelection())
    assert await kept(small) <= ROOM


async def test_when_there_is_room_again_it_can_be_indexed(small: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    services, bob = small.world.services, small.world["bob"].principal
    file = await small.put("walruses.zip", zipped({"a.md": WORDS.encode()}))
    monkeypatch.setattr(services.files, "_quotas", Quotas(file=10**9, user=10**7))
    await services.knowledge.again(bob, file.id)
    await small.settle()
    assert (await status(small, file)).state is IndexState.INDEXED
    monkeypatch.setattr(services.files, "_quotas", Quotas(file=10**9, user=await used(small) + 100))
    with pytest.raises(QuotaExceeded):
        await small.put("more.md", WORDS[:1_000])
