"""Choosing another embedding model is enough: what has to be made anew is noticed, by wake-ups and by looking around."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import cast
from uuid import UUID

import pytest

from tests.knowledge.room import Library
from workroom.bootstrap.worker import WorkerServices
from workroom.core.clock_jumps import ClockJumps
from workroom.db import DatabaseAddress
from workroom.db.listener import Listener
from workroom.db.wakeups import Wakeups
from workroom.knowledge.outdated_vectors import OutdatedVectors
from workroom.models.embeddings.multilingual import INFO as MULTILINGUAL
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.model_providers import ProviderInput
from workroom.models.store import MODELS_JOB
from workroom.models.testing import ScriptedProvider, Vectors
from workroom.models.types import Operation, OwnModel, ProviderKind
from workroom.worker import housekeeping

REF = "own/bge-m3"


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=lambda asked: Vectors(384)) as started:
        yield started


@pytest.fixture
async def outdated(shelf: Library, provider: ScriptedProvider) -> OutdatedVectors:
    """As a worker has it, with a server of the mandate's own."""
    services = shelf.world.services
    entered = ProviderInput(base_url=provider.base_url, allow_private=True, models=[OwnModel("bge-m3")])
    await services.models.providers.add(shelf.world["alice"].principal, ProviderKind.ENDPOINT, "own", entered)
    return OutdatedVectors(services.db, services.models.embedders, services.sign_in)


async def wanted(shelf: Library) -> list[str | None]:
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        return [row["wanted"] for row in await uow.fetch("select wanted from knowledge_files")]


async def choose(shelf: Library, *refs: str) -> None:
    choices = shelf.world.services.models.choices
    await choices.choose(shelf.world["alice"].principal, Operation.EMBEDDING, refs or None)


@pytest.fixture
async def woken(address: DatabaseAddress) -> AsyncIterator[asyncio.Queue[str]]:
    """What workers are told about models that changed."""
    heard: asyncio.Queue[str] = asyncio.Queue()
    listener = Listener(address.application)
    Wakeups(listener).on(MODELS_JOB, heard.put_nowait)
    running = asyncio.create_task(listener.run())
    assert await asyncio.wait_for(heard.get(), 60) == ""
    yield heard
    listener.stop()
    await running


async def notices(outdated: OutdatedVectors, woken: asyncio.Queue[str]) -> None:
    """What the next wake-up makes the worker do."""
    await outdated.notice(UUID(await asyncio.wait_for(woken.get(), 60)))


@pytest.mark.requirement("H7")
async def test_the_choice_wakes_the_worker_and_it_notices(
    shelf: Library, outdated: OutdatedVectors, woken: asyncio.Queue[str]
) -> None:
    await shelf.put("turbines.md", "The turbine was inspected.")
    assert woken.empty(), "nothing was chosen yet"
    await choose(shelf, REF)
    await notices(outdated, woken)
    assert await wanted(shelf) == [REF]
    await choose(shelf)
    await notices(outdated, woken)
    assert await wanted(shelf) == [MULTILINGUAL.ref], "what was indexed with static vectors is embedded anew"


async def test_a_worker_that_is_woken_notices_by_itself(shelf: Library, outdated: OutdatedVectors) -> None:
    await shelf.put("turbines.md", "The turbine was inspected.")
    await choose(shelf, REF)
    running = asyncio.create_task(outdated.run())
    outdated.wake("")
    outdated.wake(str(shelf.world.acme.id))
    async with asyncio.timeout(60):
        while await wanted(shelf) != [REF]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert not running.done(), "it waits for the next one"
    outdated.stop()
    await running


async def test_housekeeping_notices_what_no_wake_up_told(
    shelf: Library, outdated: OutdatedVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shelf.put("turbines.md", "The turbine was inspected.")
    await choose(shelf, REF)
    worker_services = cast(WorkerServices, SimpleNamespace(outdated=outdated))
    monkeypatch.setattr(ClockJumps, "is_steady", lambda self: False)  # the rest is not about this
    await housekeeping(shelf.world.services.db, worker_services, ClockJumps())
    assert await wanted(shelf) == [REF]


async def test_a_provider_that_is_switched_off_makes_the_next_one_count(
    shelf: Library, outdated: OutdatedVectors, woken: asyncio.Queue[str]
) -> None:
    services, alice = shelf.world.services, shelf.world["alice"].principal
    await choose(shelf, REF)
    shelf.embedders.made = await services.models.embedders.embedder(shelf.world["bob"].principal, lab(shelf))
    await shelf.put("turbines.md", "The turbine was inspected.")
    assert await outdated.notice() == 0
    snapshot = await services.models.gateway.snapshot(alice)
    own = next(one.provider for one in snapshot.configuration.connections if one.provider.name == "own")
    assert own.id is not None
    await services.models.providers.change(alice, own.id, ProviderInput(enabled=False))
    await notices(outdated, woken)
    assert await wanted(shelf) == [MULTILINGUAL.ref]


async def test_a_model_that_counted_before_can_be_asked_while_it_is_set_up(
    shelf: Library, outdated: OutdatedVectors
) -> None:
    embedders, bob = shelf.world.services.models.embedders, shelf.world["bob"].principal
    await choose(shelf, REF)
    await choose(shelf)
    assert (await embedders.embedder(bob, lab(shelf))).info == MULTILINGUAL
    named = await embedders.named(bob, lab(shelf), REF)
    assert named is not None
    assert (named.info.ref, named.info.dimensions) == (REF, 384)
    assert await embedders.named(bob, lab(shelf), "own/nothing") is None
    static = await embedders.named(bob, lab(shelf), STATIC.ref)
    assert static is not None


def lab(shelf: Library) -> UUID:
    return shelf.world.instances["lab"].id
