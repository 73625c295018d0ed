"""A large shared layer is searched by an index: it finds what comparing everything finds, and nothing one may not read."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from tests.knowledge.room import Library
from workroom.core.actors import SystemActor
from workroom.db import DatabaseAddress, UnitOfWork, vector_index
from workroom.db.connection import connect
from workroom.files.access import reach
from workroom.files.types import FileChange, FileStatus
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action
from workroom.knowledge.store import layers, search_queries
from workroom.knowledge.store.layers import SharedLayer
from workroom.knowledge.store.search_queries import SearchScope
from workroom.knowledge.store.vectors import literal
from workroom.knowledge.types import ChunkHit, KnowledgeLayer
from workroom.models.embeddings.static import INFO

SIZE = 256
MOST = 100
RECALL = 0.95

FILES = """insert into files (mandate_id, file_id, instance_id, owner_id, name, version, hash, size, media_type, created_at,
    updated_at, visibility, status, scanned, indexed)
select mandate_id, gen_random_uuid(), instance_id, owner_id, n || '.generated', 1, hash, size, media_type, created_at, updated_at,
    case when n % 4 = 0 then 'MY' else 'ALL' end, 'active', 1, 1 from files, generate_series(1, $2) n where file_id = $1"""
KNOWN = """insert into knowledge_files (mandate_id, file_id, instance_id, owner_id, version, hash, media_type, state, chunks,
    embedder, dimensions, updated_at)
select mandate_id, file_id, instance_id, owner_id, 1, hash, media_type, 'indexed', 100, $1, 256, now() from files
where name like '%.generated'"""
# Around topics, as texts are; not evenly in all directions.
DIRECTIONS = """create temp table {name} as
    select n, array(select random_normal() from generate_series(1, 256) where n > 0)::real[]::halfvec as at
    from generate_series(1, {count}) n; create index on {name} (n)"""
VECTORS = """insert into vectors_256 (mandate_id, instance_id, file_id, chunk, embedder, vector)
select k.mandate_id, k.instance_id, k.file_id, i, k.embedder, l2_normalize(t.at + s.at)
from knowledge_files k join files f using (mandate_id, file_id), generate_series(0, 99) i,
    lateral (select at from topics where n = 1 + (hashtext(k.file_id::text || i) & 1048575) % $1::int) t,
    lateral (select at from spread where n = 1 + (hashtext(i || k.file_id::text) & 1048575) % 3000) s
where f.name like '%.generated'"""


async def fill(shelf: Library, address: DatabaseAddress, files: int, topics: int) -> list[Any]:
    """So many files of a hundred passages, a quarter of them Bob's own; answers questions about them."""
    first = await shelf.put("first.md", "The turbine was inspected.")
    assert address.administration is not None
    admin = await connect(address.administration)
    try:
        await admin.execute("set search_path = workroom, public; select setseed(0.5)")
        await admin.execute(FILES, first.id, files)
        await admin.execute(KNOWN, INFO.ref)
        await admin.execute(DIRECTIONS.format(name="topics", count=topics))
        await admin.execute(DIRECTIONS.format(name="spread", count=3_000))
        await admin.execute(VECTORS, topics, timeout=None)
        await admin.execute("analyze vectors_256; analyze files; analyze knowledge_files")
        rows = await admin.fetch(
            "select array(select x + 0.5 * random_normal() from unnest(at::real[]) x) as near from topics order by n limit 20"
        )
    finally:
        await admin.close(timeout=5)
    questions = [np.array(row["near"], np.float32) for row in rows]
    return [question / np.linalg.norm(question) for question in questions]


async def build(shelf: Library, address: DatabaseAddress) -> None:
    assert address.migration is not None
    await vector_index.build(address.migration, SharedLayer(shelf.world.acme.id, INFO.ref, SIZE, 0).index)


def scope(shelf: Library, person: str = "bob") -> SearchScope:
    principal, lab = shelf.world[person].principal, shelf.world.instances["lab"].id
    return SearchScope(principal.mandate_id, lab, reach(principal, Action.READ, lab))


async def recall(shelf: Library, questions: Sequence[Any], *, forced: bool) -> float:
    """Of what comparing everything finds. `forced`: sorting is dear, as it is for a layer that is really large."""
    shares = []
    for question in questions:
        async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
            exact = await search_queries.by_meaning(uow, scope(shelf), INFO.ref, question, MOST)
            if forced:
                await uow.execute("set local enable_sort = off")
            assert "hnsw" in await plan(uow, shelf, question)
            found = await layers.by_meaning(uow, scope(shelf), INFO.ref, question, MOST)
        assert [item.meaning for item in found] == sorted((item.meaning or 0 for item in found), reverse=True)
        shares.append(len(keys(exact) & keys(found)) / len(exact))
    return fmean(shares)


async def plan(uow: UnitOfWork, shelf: Library, question: Any) -> str:
    await uow.execute(layers.SETTINGS)
    args = (*scope(shelf).args, literal(question), INFO.ref, MOST)
    return "\n".join(row[0] for row in await uow.fetch("explain " + layers.NEAREST.format(table="vectors_256"), *args))


def keys(found: Sequence[ChunkHit]) -> set[object]:
    return {item.key for item in found}


@pytest.mark.requirement("H7")
async def test_the_index_finds_what_comparing_everything_finds(shelf: Library, address: DatabaseAddress) -> None:
    questions = await fill(shelf, address, files=40, topics=100)
    await build(shelf, address)
    assert await recall(shelf, questions[:10], forced=True) >= RECALL


async def test_what_is_compared_exactly_does_not_use_the_index(shelf: Library, address: DatabaseAddress) -> None:
    """It gives up after forty neighbours, whoever may read them."""
    (question, *_) = await fill(shelf, address, files=20, topics=20)

    async def exact() -> list[ChunkHit]:
        async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
            await uow.execute("set local enable_sort = off; set local plan_cache_mode = force_custom_plan")
            return await search_queries.by_meaning(uow, scope(shelf), INFO.ref, question, MOST)

    before = await exact()
    assert len(before) == MOST
    await build(shelf, address)
    assert await exact() == before


@pytest.mark.drill
@pytest.mark.requirement("H7")
async def test_a_layer_that_is_really_large_is_searched_by_its_index(shelf: Library, address: DatabaseAddress) -> None:
    questions = await fill(shelf, address, files=1_400, topics=1_000)
    await build(shelf, address)
    assert await recall(shelf, questions, forced=False) >= RECALL


@pytest.mark.requirement("H6")
async def test_with_an_index_rights_are_what_they_were(shelf: Library, address: DatabaseAddress) -> None:
    """In the statement that searches: taken back at once, and nobody's but theirs."""
    text = "The turbine was inspected in spring"
    mine = await shelf.put("mine.md", f"{text} by me.")
    hers = await shelf.put("hers.md", f"{text} by her.", person="alice")
    shared = await shelf.put("shared.md", f"{text} by all.", person="alice", visibility=Visibility.ALL)
    await build(shelf, address)

    async def found(person: str = "bob", **more: Any) -> dict[str, KnowledgeLayer]:
        return {hit.file_name: hit.layer for hit in await shelf.find(text, person, **more)}

    assert await found() == {"mine.md": KnowledgeLayer.INSTANCE, "shared.md": KnowledgeLayer.SHARED}
    assert await found("rita") == {"shared.md": KnowledgeLayer.SHARED}
    assert await found("zoe", slug="den") == {}
    assert await found(file_ids=(mine.id, hers.id)) == {"mine.md": KnowledgeLayer.INSTANCE}
    files, alice = shelf.world.services.files, shelf.world["alice"].principal
    await files.change(alice, shared.id, FileChange(status=FileStatus.ARCHIVED))
    assert set(await found()) == {"mine.md"}
    await files.change(alice, shared.id, FileChange(status=FileStatus.ACTIVE))
    assert set(await found()) == {"mine.md", "shared.md"}
    await files.change(alice, shared.id, FileChange(visibility=Visibility.MY))
    assert set(await found()) == {"mine.md"}


async def test_without_an_index_nothing_is_asked_of_one(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    await shelf.put("mine.md", "The turbine was inspected.")
    monkeypatch.setattr(layers, "NEAREST", "this is no SQL")
    assert await shelf.names("turbine inspected") == ["mine.md"]


async def test_what_is_shared_is_counted_by_model(shelf: Library) -> None:
    await shelf.put("mine.md", "The turbine was inspected.")
    await shelf.put("all.md", "The windmill was inspected.", person="alice", visibility=Visibility.ALL)
    async with shelf.world.services.db.unit_of_work(SystemActor.SWEEP) as uow:
        found = await layers.survey(uow)
    assert [(layer.mandate_id, layer.embedder, layer.dimensions, layer.chunks) for layer in found] == [
        (shelf.world.acme.id, INFO.ref, SIZE, 1)
    ]
