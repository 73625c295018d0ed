"""Choosing another embedding model is enough: what has to be made anew is noticed, by the bell and by looking around."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest

from tests.knowledge.room import Library
from workroom.core.clock_jumps import ClockJumps
from workroom.knowledge.outdated import Outdated
from workroom.models.connecting import ProviderInput
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.store import MODELS_JOB
from workroom.models.testing import ScriptedProvider, Vectors
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.worker import HOUSEKEEPING, handlers
from workroom.workshop import Workshop

REF = "own/bge-m3"


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=lambda asked: Vectors(384)) as started:
        yield started


@pytest.fixture
async def outdated(shelf: Library, provider: ScriptedProvider) -> Outdated:
    """As a worker has it, with a server of the mandate's own."""
    services = shelf.world.services
    entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("bge-m3")])
    await services.models.providers.add(shelf.world["alice"].principal, ProviderKind.ENDPOINT, "own", entered)
    return Outdated(services.db, services.models.embedders, services.sign_in)


async def wanted(shelf: Library) -> list[str | None]:
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        return [row["wanted"] for row in await uow.fetch("select wanted from knowledge_files")]


async def choose(shelf: Library, *refs: str) -> None:
    choices = shelf.world.services.models.choices
    await choices.choose(shelf.world["alice"].principal, Operation.EMBEDDING, refs or None)


async def rung(shelf: Library, handler: Any) -> int:
    """What the bell brings to the worker, once."""
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        rows = await uow.fetch("delete from pgqueuer where entrypoint = $1 returning payload", MODELS_JOB)
    for row in rows:
        await handler(row["payload"])
    return len(rows)


@pytest.mark.requirement("H7")
async def test_the_choice_rings_and_the_worker_notices(shelf: Library, outdated: Outdated) -> None:
    await shelf.put("turbines.md", "The turbine was inspected.")
    rest = SimpleNamespace(rung=None)
    workshop = cast(
        Workshop, SimpleNamespace(crew=rest, looker=rest, indexer=rest, outdated=outdated, evaluator=rest, blobs=None)
    )
    done_by = handlers(shelf.world.services.db, workshop)
    await rung(shelf, done_by[MODELS_JOB])
    assert await wanted(shelf) == [None], "nothing was chosen yet"
    await choose(shelf, REF)
    assert await rung(shelf, done_by[MODELS_JOB])
    assert await wanted(shelf) == [REF]
    await choose(shelf)
    await rung(shelf, done_by[MODELS_JOB])
    assert await wanted(shelf) == [None]


async def test_housekeeping_notices_what_no_bell_told(
    shelf: Library, outdated: Outdated, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shelf.put("turbines.md", "The turbine was inspected.")
    await choose(shelf, REF)
    rest = SimpleNamespace(rung=None)
    workshop = cast(
        Workshop, SimpleNamespace(crew=rest, looker=rest, indexer=rest, outdated=outdated, evaluator=rest, blobs=None)
    )
    monkeypatch.setattr(ClockJumps, "is_steady", lambda self: False)  # the rest is not about this
    await handlers(shelf.world.services.db, workshop)[HOUSEKEEPING](b"")
    assert await wanted(shelf) == [REF]


async def test_a_provider_that_is_switched_off_makes_the_next_one_count(shelf: Library, outdated: Outdated) -> None:
    services, alice = shelf.world.services, shelf.world["alice"].principal
    await choose(shelf, REF)
    shelf.embedders.made = await services.models.embedders.embedder(shelf.world["bob"].principal, lab(shelf))
    await shelf.put("turbines.md", "The turbine was inspected.")
    assert await outdated.notice() == 0
    snapshot = await services.models.gateway.snapshot(alice)
    own = next(one.provider for one in snapshot.configuration.connections if one.provider.name == "own")
    assert own.id is not None
    await services.models.providers.change(alice, own.id, ProviderInput(enabled=False))
    assert await rung(shelf, outdated.rung)
    assert await wanted(shelf) == [STATIC.ref]


async def test_a_model_that_counted_before_can_be_asked_while_it_is_set_up(shelf: Library, outdated: Outdated) -> None:
    embedders, bob = shelf.world.services.models.embedders, shelf.world["bob"].principal
    await choose(shelf, REF)
    await choose(shelf)
    assert (await embedders.embedder(bob, lab(shelf))).info == STATIC
    named = await embedders.named(bob, lab(shelf), REF)
    assert named is not None
    assert (named.info.ref, named.info.dimensions) == (REF, 384)
    assert await embedders.named(bob, lab(shelf), "own/nothing") is None
    static = await embedders.named(bob, lab(shelf), STATIC.ref)
    assert static is not None


def lab(shelf: Library) -> UUID:
    return shelf.world.instances["lab"].id
