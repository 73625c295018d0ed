"""Who gets the slots of the workers, who keeps them, and what those are told who wait."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from tests.lapsing import DEAD, stop_worker, wake_worker
from tests.runs.bench import BenchRunner, RunBench, Waiting
from tests.world import World
from workroom.agent.ports import LeaseLost
from workroom.agent.testing import SCRIPTED, say
from workroom.core.messages import TextPart
from workroom.core.run_events import RunState, StatusChanged
from workroom.core.tokens import Usage
from workroom.db import Database
from workroom.db.work_scheduler import WorkScheduler
from workroom.identity.mandates import operator
from workroom.identity.signin import SignIn
from workroom.identity.types import Presence, Principal
from workroom.models.ports import Answer, ModelRequest, TextDelta
from workroom.runs import event_store, fenced_store, rights, scheduling, store
from workroom.runs.places import Places
from workroom.runs.scheduling import run_scheduler
from workroom.runs.service import Accepted, Input
from workroom.runs.session import _end
from workroom.runs.types import AttemptEvents, Claim

SECONDS = 60.0


class Gated:
    """Answers whoever has been let through; remembers in which order it was asked."""

    info = SCRIPTED

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._open: set[str] = set()
        self._changed = asyncio.Condition()

    async def stream(self, request: ModelRequest) -> Any:
        question = request.messages[-1].text
        async with self._changed:
            self.asked.append(question)
            self._changed.notify_all()
            await self._changed.wait_for(lambda: question in self._open)
        yield TextDelta("done")
        yield Answer([TextPart(text="done")], Usage(1, 1), self.info.id)

    async def let(self, *questions: str) -> None:
        async with self._changed:
            self._open |= set(questions)
            self._changed.notify_all()

    async def until_asked(self, times: int) -> list[str]:
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(lambda: len(self.asked) >= times)
            return list(self.asked)


@asynccontextmanager
async def scheduled(
    bench: RunBench, runner: BenchRunner, at_once: int, per_person: int
) -> AsyncIterator[WorkScheduler[Claim]]:
    made = run_scheduler(bench.db, runner, per_person, at_once)
    running = asyncio.create_task(made.run())
    try:
        yield made
    finally:
        await made.close()
        await asyncio.wait_for(running, SECONDS)


async def ask(world: World, name: str, prompt: str) -> Accepted:
    place = world.instances["lab" if world[name].principal.mandate_id == world.acme.id else "den"]
    return await RunBench(world).runs.input(world[name].principal, place.id, Input(prompt))


async def until(condition: Callable[[], Any]) -> None:
    """There is no event for what another transaction sees."""
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def everything(world: World, sql: str) -> list[Any]:
    """Of both organisations."""
    found: list[Any] = []
    for mandate in (world.acme, world.zeta):
        async with world.services.db.unit_of_work(operator(mandate.id).actor) as uow:
            found += await uow.fetch(sql)
    return found


async def test_a_model_is_asked_once_however_slowly_rights_are_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many runs of several people on two workers. While rights are not answered, every lease would lapse several times."""
    monkeypatch.setattr(store, "CLAIM", store.CLAIM.replace("10 seconds", "2 seconds"))
    world.services.db.heartbeat.seconds = 0.3
    monkeypatch.setattr(rights, "ASK_SECONDS", 0.1)
    monkeypatch.setattr(scheduling, "POLL_SECONDS", 0.2)
    answers, asked = asyncio.Event(), SignIn.in_workspaces

    async def slow(self: SignIn, wanted: Iterable[Presence]) -> dict[Presence, Principal]:
        if asyncio.current_task() in watching:
            await answers.wait()
        return await asked(self, wanted)

    monkeypatch.setattr(SignIn, "in_workspaces", slow)
    bench, model = RunBench(world), Gated()
    prompts = [f"{name} {number}" for name in ("alice", "bob", "zoe", "yann") for number in range(6)]
    for prompt in prompts:
        await ask(world, prompt.split()[0], prompt)
    async with bench.worker(model) as one, bench.worker(model) as two:
        watching = {task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == "run"}
        async with scheduled(bench, one, 16, 8), scheduled(bench, two, 16, 8):
            await model.until_asked(len(prompts))
            late = "select from runs where started_at > clock_timestamp() - interval '6 seconds'"

            async def waited_long_enough() -> bool:
                return not await everything(world, late)

            await until(waited_long_enough)
            await model.let(*prompts)

            async def all_done() -> bool:
                return not await everything(world, "select from runs where state <> 'completed'")

            answers.set()
            await until(all_done)
    assert Counter(model.asked) == Counter(prompts)


async def test_whether_runs_are_still_ours_is_known_although_a_row_is_locked(world: World) -> None:
    bench = RunBench(world)
    asked = [await bench.ask("one"), await bench.ask("two")]
    claims = {claim.key.run_id: claim for claim in await store.claim(bench.db, 9, 9)}
    locked, free = (claims[one.run_id] for one in asked)
    async with bench.db.unit_of_work(bench.principal.actor) as uow:
        await store.lock(uow, locked.key)
        await store.request_stop(uow, locked.key)
        leased = [(claim.key, claim.epoch) for claim in (locked, free)]
        held = await asyncio.wait_for(store.still_held(bench.db, leased), SECONDS)
    assert held == {locked.key.run_id: False, free.key.run_id: False}, "neither is lost, and nobody waits"
    assert (await store.still_held(bench.db, leased))[locked.key.run_id], "asked to stop"
    assert await store.still_held(bench.db, [(free.key, free.epoch - 1)]) == {}, "another worker has it"


async def test_a_stopped_worker_loses_its_runs_and_its_later_writes_are_refused(
    world: World, other_worker: Database
) -> None:
    bench = RunBench(world)
    accepted = await bench.ask()
    [stale] = await store.claim(other_worker, 1, 9)
    assert await store.claim(bench.db, 1, 9) == [], "a live worker keeps what it has"
    await stop_worker(other_worker)
    await bench.sql("update runs set not_before = not_before - interval '1 minute'")
    [taken] = await store.claim(bench.db, 1, 9)
    assert (taken.key, taken.epoch) == (stale.key, stale.epoch + 1)
    await wake_worker(other_worker)
    events: AttemptEvents = [(0, StatusChanged(state=RunState.RUNNING))]
    assert await event_store.append_many(other_worker, [(stale.fence, events)]) == set()
    with pytest.raises(LeaseLost):
        async with other_worker.unit_of_work(bench.principal.actor) as uow:
            await fenced_store.append_events(uow, stale.fence, events)
    async with other_worker.unit_of_work(bench.principal.actor) as uow:
        assert not await store.release(uow, stale.key, stale.epoch)
        await store.release_failed(uow, stale.key, stale.epoch)
    assert await store.still_held(other_worker, [(stale.key, stale.epoch)]) == {}
    assert await store.still_held(bench.db, [(taken.key, taken.epoch)]) == {accepted.run_id: False}


async def test_taking_over_backs_off(world: World) -> None:
    """A run whose workers die one soon after the other."""
    bench = RunBench(world)
    accepted, pauses = await bench.ask(), []
    for _ in range(5):
        assert len(await store.claim(bench.db, 1, 9)) == 1
        pause = await bench.sql("select not_before - clock_timestamp() from runs where run_id = $1", accepted.run_id)
        pauses.append(round(pause.total_seconds()))
        await bench.sql("update runs set lease_holder = $1", DEAD)
        assert await store.claim(bench.db, 1, 9) == [], "not before"
        await bench.sql("update runs set not_before = clock_timestamp()")
    assert pauses == [pytest.approx(expected, abs=2) for expected in (10, 20, 40, 60, 60)]
    await bench.sql("update runs set not_before = clock_timestamp() - interval '1 hour'")
    assert len(await store.claim(bench.db, 1, 9)) == 1
    assert await bench.sql("select takeovers from runs") == 1, "what was long ago does not count"


async def test_a_run_that_was_given_back_is_taken_at_once_and_one_that_failed_is_not(world: World) -> None:
    bench = RunBench(world)
    await bench.ask()
    [claim] = await store.claim(bench.db, 1, 9)
    async with bench.db.unit_of_work(bench.principal.actor) as uow:
        assert await store.release(uow, claim.key, claim.epoch)
    [claim] = await store.claim(bench.db, 1, 9)
    async with bench.db.unit_of_work(bench.principal.actor) as uow:
        await store.release_failed(uow, claim.key, claim.epoch)
    assert await store.claim(bench.db, 1, 9) == []


@pytest.mark.parametrize("removed_from", ["the first", "the second"])
async def test_only_the_run_in_the_workspace_somebody_lost_ends(
    world: World, monkeypatch: pytest.MonkeyPatch, removed_from: str
) -> None:
    monkeypatch.setattr(rights, "ASK_SECONDS", 0.1)
    alice, bench, model = world["alice"].principal, RunBench(world), Gated()
    other = (await world.services.instances.create(alice, "Other")).id
    await world.services.instances.put_member(alice, other, world["bob"].user.id, None)
    bob = await world.services.sign_in.as_user(world.acme.id, world["bob"].user.id)
    assert bob is not None
    runs = {place: await bench.runs.input(bob, place, Input(f"in {place}")) for place in (bench.lab, other)}
    lost, kept = (bench.lab, other) if removed_from == "the first" else (other, bench.lab)
    async with bench.worker(model) as runner:
        work = {place: asyncio.create_task(runner.advance(bench.key(run))) for place, run in runs.items()}
        await model.until_asked(2)
        await world.services.instances.remove_member(alice, lost, world["bob"].user.id)
        await asyncio.wait_for(work[lost], SECONDS)
        await runner.rights._check()
        await model.let(f"in {kept}")
        await asyncio.wait_for(work[kept], SECONDS)
    assert await state(bench, runs[lost].run_id) == "error"
    assert await state(bench, runs[kept].run_id) == "completed"


async def state(bench: RunBench, run_id: UUID) -> str:
    return str(await bench.sql("select state from runs where run_id = $1", run_id))


async def test_a_stranger_does_not_wait_for_somebody_elses_backlog(world: World) -> None:
    bench, model = RunBench(world), Gated()
    backlog = [f"bob {number}" for number in range(10)]
    for prompt in backlog:
        await ask(world, "bob", prompt)
    async with bench.worker(model) as runner, scheduled(bench, runner, 3, 100) as made:
        assert set(await model.until_asked(3)) == set(backlog[:3]), "all slots are his, for his oldest"
        await ask(world, "zoe", "zoe")
        await ask(world, "alice", "alice")
        made.wake()
        await model.let(backlog[0])
        assert (await model.until_asked(4))[3] == "zoe", "the other organisation has none"
        await model.let(backlog[1])
        assert (await model.until_asked(5))[4] == "alice", "nor has she"
        await model.let(*backlog)
        await model.until_asked(12)
        await model.let("zoe", "alice")


async def test_nobody_has_more_answers_made_at_once_than_the_limit(world: World) -> None:
    """On two workers that look at the same moment."""
    bench, model = RunBench(world), Gated()
    prompts = [f"bob {number}" for number in range(7)]
    for prompt in prompts:
        await ask(world, "bob", prompt)
    async with bench.worker(model) as one, bench.worker(model) as two:
        claims = await asyncio.gather(*[store.claim(bench.db, 10, 3) for _ in range(6)])
        assert sum(map(len, claims)) == 3
        await bench.sql("update runs set lease_holder = null, not_before = null where state = 'running'")
        async with scheduled(bench, one, 10, 3), scheduled(bench, two, 10, 3):
            for number in range(len(prompts)):
                asked = await model.until_asked(min(number + 3, len(prompts)))
                assert len(asked) <= number + 3
                await model.let(asked[number])
    assert Counter(model.asked) == Counter(prompts)


@pytest.mark.requirement("A14")
async def test_those_who_wait_are_told_their_place_until_they_begin(world: World) -> None:
    bench, model, places = RunBench(world), Gated(), Places(RunBench(world).db)
    accepted = [await bench.ask(f"number {number}") for number in range(4)]
    await ask(world, "yann", "somewhere else")
    await places.tell()
    assert await place_of(world, accepted[3]) is None, "a moment is not worth a number"
    await bench.sql("update runs set created_at = created_at - interval '1 minute'")
    async with bench.worker(model) as runner:
        first = asyncio.create_task(runner.advance(bench.key(accepted[0])))
        await model.until_asked(1)
        await asyncio.gather(places.tell(), Places(bench.db).tell())
        assert [await place_of(world, one) for one in accepted] == [None, 1, 2, 3]
        await bench.runs.stop(bench.principal, accepted[1].run_id)
        await places.tell()
        await places.tell()
        assert [await place_of(world, one) for one in accepted] == [None, None, 1, 2]
        second = asyncio.create_task(runner.advance(bench.key(accepted[2])))
        await model.until_asked(2)
        assert await place_of(world, accepted[2]) is None
        await model.let("number 0", "number 2")
        await asyncio.wait_for(asyncio.gather(first, second), SECONDS)
    told = [event.event for event in await bench.events(accepted[2].run_id)]
    assert [one.place for one in told if isinstance(one, StatusChanged)][:3] == [2, 1, None], "each once"
    assert [event.seq for event in await bench.events(accepted[2].run_id)] == list(range(1, len(told) + 1))
    assert (await bench.runs.get(bench.principal, accepted[2].run_id)).state is RunState.COMPLETED


async def place_of(world: World, accepted: Accepted) -> int | None:
    answer = await world.call("bob", "GET", f"/api/runs/{accepted.run_id}")
    place: int | None = answer.json()["place"]
    return place


async def test_whoever_ends_a_runs_work_waits_for_it_although_cancelled() -> None:
    """It may be settling what it used; the next worker must not meet it there."""
    cancelled, settled = asyncio.Event(), asyncio.Event()

    async def settling() -> RunState:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
            await settled.wait()
        return RunState.STOPPED

    work = asyncio.create_task(settling())
    await asyncio.sleep(0)
    ending = asyncio.create_task(_end(work))
    await cancelled.wait()
    ending.cancel()
    await asyncio.wait([ending], timeout=0.05)
    assert not ending.done()
    settled.set()
    await asyncio.wait([ending])
    assert work.done()


async def test_woken_twice_while_all_slots_are_taken_a_run_is_begun_once(world: World) -> None:
    bench = RunBench(world)
    for prompt in ("one", "two"):
        await bench.ask(prompt)
    model = Waiting(say("one"), say("two"))
    async with bench.worker(model) as runner:
        scheduler = run_scheduler(bench.db, runner, per_person=8, at_once=1)
        scheduling = asyncio.create_task(scheduler.run())
        scheduler.wake()
        await model.asked.wait()
        for _ in range(3):
            scheduler.wake()
        model.let.set()
        async with asyncio.timeout(60):
            while await bench.sql("select count(*) from runs where state <> 'completed'"):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await scheduler.close()
        await asyncio.wait_for(scheduling, 60)
    assert len(model.requests) == 2
