"""Files with passages nobody wrote: words as often as in real texts, vectors in any direction. The file's rows are put there
directly, everything about them that is searched goes through the stores of the product."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from tests.world import World

from bench.room import Room
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.tokens import estimate
from workroom.documents.types import ContextRef
from workroom.identity.mandates import operator
from workroom.identity.sharing import Visibility
from workroom.knowledge.store import passages, states, vectors
from workroom.knowledge.types import Chunk, ChunkKey
from workroom.models.embeddings.static import INFO

WORDS = 120  # of a passage
LONG = 100  # passages of one file
_WORD = re.compile(r"[a-z]{2,}")
_FILES = ("mandate_id", "file_id", "instance_id", "owner_id", "name", "status", "visibility", "version", "hash", "size",
          "media_type", "created_at", "updated_at", "scanned", "indexed")  # fmt: skip
_KNOWN = ("mandate_id", "file_id", "instance_id", "owner_id", "version", "hash", "media_type", "state", "not_before",
          "tries", "updated_at")  # fmt: skip


@dataclass(frozen=True)
class Shelf:
    """Where files are put, and whose they are."""

    mandate_id: UUID
    instance_id: UUID
    owner_id: UUID
    visibility: Visibility = Visibility.MY


class Writer:
    """Draws words by how often they are in `texts` (that is Zipf's law, as it happens), and directions."""

    def __init__(self, texts: Sequence[str], words: int = WORDS, seed: int = 1) -> None:
        self._length = words
        counted = Counter(word for text in texts for word in _WORD.findall(text.lower()))
        self._words = list(counted)
        shares = np.fromiter(counted.values(), float)
        self._shares = shares / shares.sum()
        self._dice = np.random.default_rng(seed)

    def text(self) -> str:
        return " ".join(self._words[at] for at in self._dice.choice(len(self._words), self._length, p=self._shares))

    def directions(self, count: int) -> NDArray[np.float32]:
        drawn = self._dice.standard_normal((count, INFO.dimensions))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


async def put_files(room: Room, shelf: Shelf, count: int, *, indexed: bool) -> list[UUID]:
    """Rows of files that were looked into; their contents are nowhere."""
    moment, ids = now(), [new_id() for _ in range(count)]
    whose, what = (shelf.instance_id, shelf.owner_id), ("active", shelf.visibility.value, 1)
    told = (1, "text/plain", moment, moment, 1, int(indexed))
    rows: list[tuple[Any, ...]] = [
        (shelf.mandate_id, file_id, *whose, f"{file_id}.txt", *what, file_id.hex, *told) for file_id in ids
    ]
    await room.admin.copy_records_to_table("files", records=rows, columns=_FILES, schema_name="workroom")
    if indexed:
        known = [
            (shelf.mandate_id, file_id, *whose, 1, file_id.hex, "text/plain", "pending", None, 1, moment)
            for file_id in ids
        ]
        await room.admin.copy_records_to_table("knowledge_files", records=known, columns=_KNOWN, schema_name="workroom")
    return ids


async def fill(
    room: Room, shelf: Shelf, writer: Writer, chunks: int, per_file: int = LONG
) -> tuple[list[ChunkKey], NDArray[np.float32]]:
    """So many passages; answers with them and their vectors."""
    ids = await put_files(room, shelf, -(-chunks // per_file), indexed=True)
    keys, drawn = [], []
    for number, file_id in enumerate(ids):
        size = min(per_file, chunks - number * per_file)
        made = writer.directions(size)
        await _one(room, shelf, file_id, [_chunk(writer.text(), at) for at in range(size)], made)
        keys += [ChunkKey(file_id, at) for at in range(size)]
        drawn.append(made)
    return keys, np.concatenate(drawn)


async def _one(room: Room, shelf: Shelf, file_id: UUID, chunks: Sequence[Chunk], made: NDArray[np.float32]) -> None:
    where = (shelf.mandate_id, shelf.instance_id, file_id)
    async with room.shelf.world.services.db.unit_of_work(UserActor(shelf.mandate_id)) as uow:
        await passages.append(uow, *where, 0, chunks, "english")
        await vectors.add(uow, *where, INFO.ref, list(enumerate(made)))
        await states.finish(uow, shelf.mandate_id, file_id, 1, INFO, now())


def _chunk(text: str, at: int) -> Chunk:
    return Chunk(text, ContextRef(container_path="", location=f"section:{at + 1}", section_id=str(at)), estimate(text))


def own(world: World) -> Shelf:
    """Bob's, in the laboratory: what is searched."""
    return Shelf(world.acme.id, world.instances["lab"].id, world["bob"].user.id)


async def around(room: Room) -> list[Shelf]:
    """What is not Bob's to find: somebody else's files beside his, another workspace, another mandate."""
    world = room.shelf.world
    office = await world.services.instances.create(operator(world.acme.id), "Office", "office")
    return [
        Shelf(world.acme.id, world.instances["lab"].id, world["alice"].user.id),
        Shelf(world.acme.id, office.id, world["alice"].user.id),
        Shelf(world.zeta.id, world.instances["den"].id, world["zoe"].user.id),
    ]
