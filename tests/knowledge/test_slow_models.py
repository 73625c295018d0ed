"""A model of this process that takes its time: a file's words do not wait for its vectors, and it counts as much as was
measured for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.contents.room import numbered_pdf
from tests.files.sending import make
from tests.knowledge.room import Library, count
from workroom.knowledge import search
from workroom.knowledge.score_fusion import Scale
from workroom.models.embeddings.minilm import INFO as MINILM
from workroom.models.embeddings.multilingual import INFO as MULTILINGUAL
from workroom.models.embeddings.ports import EmbedderInfo, Embeddings
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.testing import FixedEmbedder

PAGES = 120  # more than are stored before the end is read


class Watching(FixedEmbedder):
    """Looks how many passages can be found by their words when it is asked for the first time."""

    def __init__(self, shelf: Library, info: EmbedderInfo) -> None:
        super().__init__(info.dimensions, batch=info.batch)
        self.info = info
        self.shelf, self.found_before = shelf, list[int]()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if not self.calls:
            self.found_before.append(await count(self.shelf.world, "chunks"))
        return await super().embed(texts, query=query)


@pytest.mark.requirement("H2")
async def test_words_do_not_wait_for_its_vectors(shelf: Library) -> None:
    shelf.embedders.made = watching = Watching(shelf, MINILM)
    await shelf.put("long.pdf", numbered_pdf(PAGES))
    assert watching.found_before == [PAGES], "it is asked when everything is found by its words"
    assert await count(shelf.world, "vectors_384") == PAGES
    assert max(map(len, watching.calls)) == MINILM.batch


async def test_a_quick_one_is_asked_while_the_rest_is_being_read(shelf: Library) -> None:
    shelf.embedders.made = watching = Watching(shelf, replace(MINILM, quick=True))
    await shelf.put("long.pdf", numbered_pdf(PAGES))
    assert 0 < watching.found_before[0] < PAGES


def test_each_model_counts_as_was_measured_for_it() -> None:
    elsewhere = replace(MINILM, provider="gpu", embedded=False)
    assert search._scale(STATIC) == Scale(STATIC.floors.instance, 0.35, 2.0)
    assert search._scale(MINILM) == Scale(MINILM.floors.instance, 0.5, 2.0)
    assert search._scale(MULTILINGUAL) == Scale(MULTILINGUAL.floors.instance, 0.5, 2.0, multilingual=True)
    assert search._scale(elsewhere) == Scale(MINILM.floors.instance, 0.5, 0.0)


class Interrupted(FixedEmbedder):
    """Somebody stores another file while it makes its first vectors; looks then, at each call, whose words are found."""

    def __init__(self, shelf: Library) -> None:
        super().__init__(MINILM.dimensions, batch=MINILM.batch)
        self.info = MINILM
        self.shelf, self.found = shelf, list[list[str]]()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if not self.calls:
            await make(self.shelf.world, "alice", "letter.md", b"# A letter about quaggas")
            while (look := await self.shelf.scanner.claim()) is not None:
                await self.shelf.scanner.work(look)
        self.found.append(await self.shelf.names("quaggas", "alice", meaning=False))
        return await super().embed(texts, query=query)


@pytest.mark.requirement("H2")
async def test_words_do_not_wait_for_the_vectors_of_another_file(shelf: Library) -> None:
    shelf.embedders.made = slow = Interrupted(shelf)
    await shelf.put("long.pdf", numbered_pdf(PAGES))
    assert slow.found == [[], *[["letter.md"]] * (len(slow.calls) - 1)], "after one batch of the first"
    assert await count(shelf.world, "vectors_384") == await count(shelf.world, "chunks") == PAGES + 1
    assert sum(map(len, slow.calls)) == PAGES + 1, "nothing is embedded twice"
    assert shelf.indexing.counts["read"] == 2, "nor read"
