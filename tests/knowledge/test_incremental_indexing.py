"""Files whose first passages are stored while the rest is still being read: interrupted, overtaken, cut off."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.contents.room import numbered_pdf
from tests.documents.containers.messages import message, saved, sharing
from tests.documents.pdf.making import Page, PdfMaker
from tests.files.sending import make
from tests.knowledge.embedders import Interrupting
from tests.knowledge.room import Library, count, library, status
from tests.lapsing import time_passes
from tests.world import World
from workroom.contents import part_buffer
from workroom.files.types import OnConflict
from workroom.knowledge import passage_writer
from workroom.models.embeddings.ports import Embeddings
from workroom.models.embeddings.static import StaticEmbedder


def pages_saying(*texts: str) -> bytes:
    return PdfMaker([Page().text(60, 60, text) for text in texts]).data()


class Dying(StaticEmbedder):
    """Once, when it is asked for the second time."""

    asked = 0

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        self.asked += 1
        if self.asked == 2:
            raise RuntimeError("killed")
        return await super().embed(texts, query=query)


async def test_who_stalled_past_its_hold_writes_nothing_when_the_next_one_has_given_it_back(world: World) -> None:
    """A stalls; B takes the file, begins anew and is stopped; A goes on, and must not add to what B has left."""
    async with library(world, StaticEmbedder()) as one, library(world, StaticEmbedder()) as two:

        async def stalled() -> None:
            await time_passes(world, "knowledge_files", minutes=1)
            task = await two.job.claim()
            assert task is not None
            two.embedders.made = Interrupting(_killed)
            with pytest.raises(RuntimeError, match="killed"):
                await two.indexing.index(task)
            await two.job.release(task)

        one.embedders.made = Interrupting(stalled)
        file = await make(world, "bob", "long.pdf", numbered_pdf(400))
        await one.settle()
        found = await status(one, file.id)
        assert found.chunks == await count(world, "chunks") == await count(world, "vectors_256") == 400
        assert await one.names("page number 300", meaning=False)


async def _killed() -> None:
    raise RuntimeError("killed")


async def test_an_older_version_does_not_hide_other_files_while_the_new_one_is_read(shelf: Library) -> None:
    animals = [f"Marsupials, Australian marsupials, sheet {number}" for number in range(400)]
    taxes = [f"Bookkeeping of taxes and invoices, sheet {number}" for number in range(400)]
    await shelf.put("big.pdf", pages_saying(*animals))
    await shelf.put("other.md", "Kangaroos, koalas, wombats and wallabies.")
    meanwhile = list[str]()

    async def look() -> None:
        meanwhile.extend(passage.file_name for passage in await shelf.find("marsupials"))

    shelf.embedders.made = Interrupting(look)
    await make(shelf.world, "bob", "big.pdf", pages_saying(*taxes), on_conflict=OnConflict.VERSION)
    await shelf.settle()
    assert meanwhile == ["other.md"] == await shelf.names("marsupials")


async def test_what_was_kept_before_a_reading_broke_off_does_not_count_twice(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_buffer, "LEAST_IN_ALL", 80_000)  # 240 pages need 53,000
    monkeypatch.setattr(part_buffer, "TIMES_ITS_SIZE", 0)
    shelf.embedders.made = Dying()
    file = await make(shelf.world, "bob", "long.pdf", numbered_pdf(240))
    with pytest.raises(RuntimeError, match="killed"):
        await shelf.settle()
    await time_passes(shelf.world, "knowledge_files", minutes=5)
    await shelf.settle()
    assert (await status(shelf, file.id)).chunks == 240


async def test_a_document_has_the_language_of_most_of_it(shelf: Library) -> None:
    front = [f"This is the summary of the report and its findings for the reader, page {n}" for n in range(110)]
    body = [f"Die Häuser und Grundstücke der Gemeinde sind in der Beilage {n} beschrieben" for n in range(600)]
    file = await shelf.put("report.pdf", pages_saying(*front, *body))
    assert (await status(shelf, file.id)).language == "german"
    assert await shelf.names("Haus", meaning=False)
    assert await shelf.names("findings", meaning=False), "and the rest is still found"


async def test_only_what_is_cut_is_told_that_it_was(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_writer, "MOST_CHUNKS", 120)
    whole = await shelf.put("whole.pdf", numbered_pdf(120))
    longer = await shelf.put("longer.pdf", numbered_pdf(121))
    assert (await status(shelf, whole.id)).notes == []
    found = await status(shelf, longer.id)
    assert (found.chunks, len(found.notes)) == (120, 1)


@pytest.mark.parametrize(
    "mail",
    [
        lambda: saved(message("Offer", [(f"{n}.txt", b"x") for n in range(1001)], body="The shared kumquat clause.")),
        lambda: sharing(20, 9000),
    ],
    ids=["too many", "bytes in common"],
)
async def test_a_mail_whose_attachments_are_refused_still_says_what_it_says(shelf: Library, mail: object) -> None:
    assert callable(mail)
    await shelf.put("offer.msg", mail())
    assert await shelf.names("shared", meaning=False) == ["offer.msg"]
