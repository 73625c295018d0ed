"""An evaluation is carried out by a worker: every question once, whatever happens to the worker, and nothing for free."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.evaluations.behaviours import CASES, case_of, inert, is_reset, obedient, stubborn
from tests.evaluations.room import DEAR, MODEL, PATH, REPLY_CHF, Room, shares
from tests.models.catalogue_files import shipped_files
from tests.world import World, sign_in
from workroom.agent.model_calls import size_of
from workroom.core.actors import UserActor
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.db.work_scheduler import WorkScheduler
from workroom.evaluations import jobs, store
from workroom.evaluations.cases import LANGUAGES, read
from workroom.evaluations.evaluation_questions import questions, request
from workroom.evaluations.types import EvaluationPlan, EvaluationState, EvaluationTask
from workroom.identity.mandates import operator
from workroom.identity.types import Action, Level, Rule
from workroom.identity.users import UserChange
from workroom.models.catalogue.strategies import UNKNOWN
from workroom.models.ports import ModelInfo
from workroom.models.testing import Drip, Nothing, ReceivedRequest, Reply, ScriptedAnswer, Status
from workroom.models.testing.provider import Behaviour
from workroom.usage.limits import BudgetScope

EACH = len(read("de"))
ALL = len(CASES)


@pytest.mark.requirement("G5")
@pytest.mark.parametrize(
    ("behaviour", "without", "with_reset"),
    [(obedient, 1, 1), (inert, 0, 1), (stubborn, 0, 0)],
    ids=["obedient", "inert", "stubborn"],
)
async def test_models_are_told_apart(evaluating: Room, behaviour: Behaviour, without: int, with_reset: int) -> None:
    evaluating.provider.behaviour = behaviour
    started = await evaluating.start()
    assert (await evaluating.get(started))["state"] == "queued"
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["answered"], found["questions"]) == ("done", 2 * ALL, 2 * ALL)
    assert (found["model"], found["strategy"], found["finishedAt"] is None) == (MODEL, "gpt-standard", False)
    assert shares(found) == {
        (language, reset): (kept * count, count)
        for reset, kept in ((False, without), (True, with_reset))
        for language, count in [*((language, EACH) for language in LANGUAGES), ("all", ALL)]
    }
    of_all = next(rate for rate in found["rates"] if rate["language"] == "all" and rate["withReset"])
    assert (of_all["rate"], of_all["missing"] > 0, of_all["left"] > 0) == (with_reset, not with_reset, not with_reset)
    assert of_all["low"] < 1
    assert of_all["high"] > 0


@pytest.mark.requirement("G5")
async def test_a_killed_worker_costs_one_question(evaluating: Room) -> None:
    """What was answered is not asked again; what was under way is."""
    third = asyncio.Event()

    def hanging_at_the_third(asked: ReceivedRequest) -> ScriptedAnswer:
        if len(evaluating.provider.requests) == 3:
            third.set()
            return Nothing()
        return inert(asked)

    evaluating.provider.behaviour = hanging_at_the_third
    started = await evaluating.start(languages=["en"])
    killed = asyncio.create_task(evaluating.job.work(await evaluating.take()))
    await asyncio.wait_for(third.wait(), 60)
    assert await evaluating.job.claim() is None, "somebody is at it"
    killed.cancel()
    await asyncio.wait([killed])
    assert (await evaluating.get(started))["answered"] == 2
    await evaluating.let_time_pass(started)
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["answered"]) == ("done", 2 * EACH)
    assert sorted(evaluating.asked().values()) == [1] * (2 * EACH - 1) + [2]


async def test_a_worker_that_was_thought_dead_stores_nothing_any_more(evaluating: Room) -> None:
    gate = asyncio.Event()
    begun = asyncio.Event()

    def first_waits(asked: ReceivedRequest) -> ScriptedAnswer:
        if len(evaluating.provider.requests) == 1:
            begun.set()
            return Drip(Reply("late"), gate)
        return inert(asked)

    evaluating.provider.behaviour = first_waits
    started = await evaluating.start(languages=["de"])
    slow = asyncio.create_task(evaluating.job.work(await evaluating.take()))
    await asyncio.wait_for(begun.wait(), 60)
    await evaluating.let_time_pass(started)
    await evaluating.carry_out()
    gate.set()
    await slow
    answers = (await evaluating.answers(started))["items"]
    assert len(answers) == 2 * EACH
    assert all(answer["answer"] != "late" for answer in answers)
    assert len(evaluating.provider.requests) == 2 * EACH + 1


@pytest.mark.requirement("G5")
async def test_it_stops_when_the_budget_is_used_up(evaluating: Room) -> None:
    """The longest question must be payable before it begins, and is not when some others have been answered."""
    await evaluating.put_price()
    model = ModelInfo("local", "scripted", DEAR)
    longest = max(size_of(request(question.case, model, reset=question.reset)) for question in questions(read("pt"), 1))
    limit = (longest + jobs.LEAST_WORDS) * Decimal("0.01") + REPLY_CHF
    await evaluating.world.services.budgets.set_for_mandate(
        evaluating.world["alice"].principal, {BudgetScope.USER: limit}
    )
    started = await evaluating.start(languages=["pt"])
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert found["state"] == "stopped"
    assert found["errorCode"] == "budgetExceeded"
    assert found["error"].startswith("Your budget for today is used up.")
    assert 0 < found["answered"] < found["questions"]
    assert len(evaluating.provider.requests) == found["answered"]
    assert Decimal(found["costCHF"]) == REPLY_CHF * found["answered"]
    lines = await evaluating.ledger()
    assert len(lines) == found["answered"]
    assert {(line["purpose"], line["instanceId"], line["outcome"]) for line in lines} == {
        ("evaluation", None, "answered")
    }
    assert sum(Decimal(line["costCHF"]) for line in lines) == Decimal(found["costCHF"])
    assert sum(rate["answered"] for rate in found["rates"] if rate["language"] == "all") == found["answered"]


@pytest.mark.requirement("G5")
@pytest.mark.parametrize("how", ["stop", "delete"])
async def test_whoever_stops_it_is_heard(evaluating: Room, how: str) -> None:
    """The answer that comes too late is paid and not kept, and no other question is asked."""
    gate, begun = asyncio.Event(), asyncio.Event()

    def waiting(asked: ReceivedRequest) -> ScriptedAnswer:
        begun.set()
        return Drip(Reply("late"), gate)

    evaluating.provider.behaviour = waiting
    await evaluating.put_price()
    started = await evaluating.start()
    task = await evaluating.take()
    working = asyncio.create_task(evaluating.job.work(task))
    await asyncio.wait_for(begun.wait(), 60)
    assert await evaluating.job.is_wanted(task)
    if how == "stop":
        answer = await evaluating.world.call("alice", "POST", f"{PATH}/{started}/stop")
        assert (answer.status_code, answer.json()["state"]) == (200, "stopped")
    else:
        assert (await evaluating.world.call("alice", "DELETE", f"{PATH}/{started}")).status_code == 204
    assert not await evaluating.job.is_wanted(task)
    gate.set()
    await working
    assert len(evaluating.provider.requests) == 1
    [line] = await evaluating.ledger()
    assert (line["outcome"], line["costCHF"]) == ("answered", str(REPLY_CHF))
    assert await evaluating.job.claim() is None
    if how == "stop":
        found = await evaluating.get(started)
        assert (found["state"], found["answered"], found["error"], found["costCHF"]) == (
            "stopped",
            0,
            None,
            str(REPLY_CHF),
        )
        again = await evaluating.world.call("alice", "POST", f"{PATH}/{started}/stop")
        assert again.json() == found, "stopping what is over changes nothing"
    else:
        assert (await evaluating.world.call("alice", "GET", f"{PATH}/{started}")).status_code == 404


async def test_a_stop_ends_the_question_under_way(evaluating: Room) -> None:
    begun = asyncio.Event()

    def hanging(_: ReceivedRequest) -> ScriptedAnswer:
        begun.set()
        return Nothing()

    evaluating.provider.behaviour = hanging
    started = await evaluating.start()
    scheduler: WorkScheduler[EvaluationTask] = WorkScheduler(evaluating.job, check_seconds=0.01)
    running = asyncio.create_task(scheduler.run())
    await asyncio.wait_for(begun.wait(), 60)
    await evaluating.world.call("alice", "POST", f"{PATH}/{started}/stop")
    await asyncio.wait_for(evaluating.provider.departed.wait(), 60)
    await scheduler.close()
    await running
    assert (await evaluating.get(started))["state"] == "stopped"


async def test_a_worker_that_ends_gives_back_what_it_had_begun(evaluating: Room) -> None:
    begun = asyncio.Event()

    def hanging(_: ReceivedRequest) -> ScriptedAnswer:
        begun.set()
        return Nothing()

    evaluating.provider.behaviour = hanging
    started = await evaluating.start(languages=["de"])
    scheduler: WorkScheduler[EvaluationTask] = WorkScheduler(evaluating.job)
    running = asyncio.create_task(scheduler.run())
    await asyncio.wait_for(begun.wait(), 60)
    await scheduler.close()
    await running
    evaluating.provider.behaviour = inert
    await evaluating.carry_out()
    assert (await evaluating.get(started))["state"] == "done"


async def test_when_the_first_question_fails_no_other_is_asked(evaluating: Room) -> None:
    evaluating.provider.behaviour = lambda _: Status(401)
    started = await evaluating.start()
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["errorCode"], found["answered"]) == ("error", "modelKeyRefused", 0)
    assert found["error"]
    assert len(evaluating.provider.requests) == 1


async def test_failures_are_told_and_count_for_nobody(evaluating: Room) -> None:
    """As long as others are answered between them."""

    def failing(asked: ReceivedRequest) -> ScriptedAnswer:
        return Status(400) if case_of(asked).language == "pt" and is_reset(asked) else obedient(asked)

    evaluating.provider.behaviour = failing
    started = await evaluating.start(languages=["de", "pt"])
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["answered"]) == ("done", 4 * EACH)
    assert shares(found)["pt", True] == (0, 0)
    assert shares(found)["pt", False] == (EACH, EACH)
    assert shares(found)["all", True] == (EACH, EACH)
    rate = next(rate for rate in found["rates"] if rate["language"] == "pt" and rate["withReset"])
    assert (rate["failed"], rate["rate"], rate["low"], rate["high"]) == (EACH, None, 0, 1)
    failed = [answer for answer in (await evaluating.answers(started))["items"] if answer["kept"] is None]
    assert len(failed) == EACH
    assert all(answer["failed"] and not answer["answer"] for answer in failed)


async def test_a_key_that_is_revoked_midway_ends_it(evaluating: Room) -> None:
    """What is there is kept, and the failure is told."""
    answered, most = 2, jobs.MOST_FAILURES

    def revoked(asked: ReceivedRequest) -> ScriptedAnswer:
        return obedient(asked) if len(evaluating.provider.requests) <= answered else Status(401)

    evaluating.provider.behaviour = revoked
    started = await evaluating.start(languages=["en"])
    await evaluating.carry_out()
    assert len(evaluating.provider.requests) == answered + most == 5
    found = await evaluating.get(started)
    assert (found["state"], found["errorCode"], found["answered"]) == ("error", "modelFailed", answered + most)
    assert found["finishedAt"] is not None
    assert sum(rate["kept"] for rate in found["rates"] if rate["language"] == "all") == answered
    failed = [answer["failed"] for answer in (await evaluating.answers(started))["items"] if answer["failed"]]
    assert len(failed) == most
    assert found["error"].startswith(f"{most} questions in a row had no answer")
    assert failed[-1] in found["error"]


async def test_failures_in_a_row_count_across_workers(evaluating: Room) -> None:
    """Two before the worker was killed, and one after."""
    last = asyncio.Event()

    def hanging_after(asked: ReceivedRequest) -> ScriptedAnswer:
        count = len(evaluating.provider.requests)
        if count == 1:
            return obedient(asked)
        if count <= jobs.MOST_FAILURES:
            return Status(401)
        last.set()
        return Nothing()

    evaluating.provider.behaviour = hanging_after
    started = await evaluating.start(languages=["en"])
    killed = asyncio.create_task(evaluating.job.work(await evaluating.take()))
    await asyncio.wait_for(last.wait(), 60)
    killed.cancel()
    await asyncio.wait([killed])
    await evaluating.let_time_pass(started)
    evaluating.provider.behaviour = lambda _: Status(401)
    before = len(evaluating.provider.requests)
    await evaluating.carry_out()
    assert len(evaluating.provider.requests) == before + 1
    found = await evaluating.get(started)
    assert (found["state"], found["answered"]) == ("error", 1 + jobs.MOST_FAILURES)


async def test_one_that_was_killed_before_it_could_say_that_it_ends_asks_nothing_more(
    evaluating: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluating.provider.behaviour = lambda asked: (
        obedient(asked) if len(evaluating.provider.requests) == 1 else Status(401)
    )

    async def killed(*_: Any) -> None:
        raise asyncio.CancelledError

    started = await evaluating.start(languages=["en"])
    with monkeypatch.context() as patched:
        patched.setattr(evaluating.job, "_finish", killed)
        with pytest.raises(asyncio.CancelledError):
            await evaluating.job.work(await evaluating.take())
    assert (await evaluating.get(started))["state"] == "running"
    await evaluating.let_time_pass(started)
    await evaluating.carry_out()
    assert len(evaluating.provider.requests) == 1 + jobs.MOST_FAILURES
    assert (await evaluating.get(started))["state"] == "error"


@pytest.mark.requirement("G5")
async def test_every_question_is_put_with_the_strategy_of_the_start(evaluating_openai: Room) -> None:
    """Also after the catalogue was changed and another worker went on; the next evaluation has the new one."""
    evaluating, model = evaluating_openai, "openai/gpt-4o"
    third = asyncio.Event()

    def hanging_at_the_third(asked: ReceivedRequest) -> ScriptedAnswer:
        if len(evaluating.provider.requests) == 3:
            third.set()
            return Nothing()
        return inert(asked)

    evaluating.provider.behaviour = hanging_at_the_third
    started = await evaluating.start(model=model, languages=["en"])
    killed = asyncio.create_task(evaluating.job.work(await evaluating.take()))
    await asyncio.wait_for(third.wait(), 60)
    assert _resets(evaluating) == {"[P1]"}
    files = shipped_files()
    files.strategy("gpt-4o").update(type="gpt-lite", agentSwitchTemplate="xml-tags")
    changed = await evaluating.world.call("alice", "POST", "/api/model-catalogue", files.body() | {"revision": 0})
    assert changed.status_code == 201, changed.text
    killed.cancel()
    await asyncio.wait([killed])
    await evaluating.let_time_pass(started)
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["answered"], found["strategy"]) == ("done", 2 * EACH, "gpt-advanced")
    assert _resets(evaluating) == {"[P1]"}
    evaluating.provider.requests.clear()
    evaluating.provider.behaviour = inert
    again = await evaluating.start(model=model, languages=["en"])
    await evaluating.carry_out()
    found = await evaluating.get(again)
    assert (found["state"], found["strategy"]) == ("done", "gpt-lite")
    assert _resets(evaluating) == {"<sys"}


def _resets(evaluating: Room) -> set[str]:
    """How the resets that were asked with begin."""
    return {asked.messages[0]["content"][:4] for asked in evaluating.provider.requests if is_reset(asked)}


async def test_one_of_which_only_the_type_of_the_strategy_is_known_is_shown(evaluating: Room) -> None:
    """As the first ones were stored."""
    started = await evaluating.start(languages=["de"])
    async with evaluating.world.services.db.unit_of_work(UserActor(evaluating.world.acme.id)) as uow:
        await uow.execute(
            "update switch_evaluations set strategy = 'claude-standard' where mandate_id = $1", evaluating.world.acme.id
        )
    assert (await evaluating.get(started))["strategy"] == "claude-standard"


@pytest.mark.requirement("G5")
@pytest.mark.parametrize(("key", "code"), [("data.model", "forbidden"), (f"model.{MODEL}", "modelForbidden")])
async def test_rights_that_are_taken_away_end_it(evaluating: Room, key: str, code: str) -> None:
    """Asked as whoever started it, with what they may do now."""
    world, principal = evaluating.world, operator(evaluating.world.acme.id)
    await _second_administrator(world)
    started = await evaluating.start("adam", languages=["de"])
    admin = world.roles["lab-admin"]
    without = [rule for rule in admin.rules if rule.object_key != key]
    action = Action.UPDATE if key == "data.model" else Action.USE
    role = await world.services.roles.create(principal, "Less", "", [*without, Rule(key, action, Level.NONE)])
    await world.services.users.change(principal, world["adam"].user.id, UserChange(role_id=role.id))
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["errorCode"], found["answered"]) == ("error", code, 0)
    assert evaluating.provider.requests == []


async def test_one_that_goes_wrong_again_and_again_is_given_up(evaluating: Room) -> None:
    started = await evaluating.start(languages=["de"])
    for _ in range(jobs.MOST_SETBACKS):
        await evaluating.take()
        await evaluating.let_time_pass(started)
    await evaluating.carry_out()
    found = await evaluating.get(started)
    assert (found["state"], found["error"]) == ("error", jobs.GIVEN_UP)
    assert evaluating.provider.requests == []


async def test_open_pages_hear_of_every_answer(evaluating: Room) -> None:
    with evaluating.world.services.changes.subscribe() as inbox:
        started = await evaluating.start(languages=["de"])
        await evaluating.carry_out()
        heard = 0
        async with asyncio.timeout(60):
            while heard < 1 + 1 + 2 * EACH + 1:  # started, begun, every answer, done
                changes = await inbox.take(5)
                heard += sum(c.kind is ChangeKind.EVALUATION and str(c.id) == started for c in changes)
    assert heard == 1 + 1 + 2 * EACH + 1


async def test_an_answer_is_kept_as_far_as_it_can_be(evaluating: Room) -> None:
    evaluating.provider.behaviour = lambda _: Reply("a\x00" + "b" * 5_000, chunk=5_000)
    started = await evaluating.start(languages=["de"])
    await evaluating.carry_out()
    answers = (await evaluating.answers(started))["items"]
    assert {len(answer["answer"]) for answer in answers} == {4_000}


async def test_one_mandate_does_not_wait_for_another_and_asks_one_after_the_other(evaluating: Room) -> None:
    first = await evaluating.start("alice")
    await evaluating.start("alice", model="embedded/default")
    theirs = await evaluating.start("zoe")
    assert str((await evaluating.take()).evaluation_id) == first
    assert str((await evaluating.take()).evaluation_id) == theirs
    assert await evaluating.job.claim() is None


async def _second_administrator(world: World) -> None:
    principal = operator(world.acme.id)
    user = await world.services.users.create(principal, "adam@example.org", "Adam", world.roles["lab-admin"].id)
    await sign_in(world, "adam", principal, user)


async def waits(evaluating: Room, person: str, model: str) -> UUID:
    """An evaluation somebody has asked for, of a model nobody knows."""
    principal, evaluation_id = evaluating.world[person].principal, new_id()
    plan = EvaluationPlan(model, UNKNOWN, ("de",), 1, 2 * EACH)
    async with evaluating.world.services.db.unit_of_work(principal.actor) as uow:
        await store.insert(uow, principal.mandate_id, evaluation_id, plan, evaluating.world[person].user.id, now())
    return evaluation_id


async def test_organisations_and_their_people_take_turns(evaluating: Room) -> None:
    many = [await waits(evaluating, "alice", f"many-{number}") for number in range(4)]
    bobs = await waits(evaluating, "bob", "bobs")
    theirs = [await waits(evaluating, "zoe", f"theirs-{number}") for number in range(2)]
    order = list[UUID]()
    for _ in range(7):
        task = await evaluating.take()
        order.append(task.evaluation_id)
        await evaluating.job._finish(task, EvaluationState.DONE)
    assert order == [many[0], theirs[0], bobs, theirs[1], *many[1:]]


async def test_another_organisation_does_not_wait_for_the_last_question(evaluating: Room) -> None:
    """Its own does: a provider is not asked by two at once."""
    started = await evaluating.start(languages=["de"])
    colleagues = await waits(evaluating, "bob", "colleagues")
    task = await evaluating.take()
    theirs = await waits(evaluating, "zoe", "theirs")
    await evaluating.job.work(task)
    found = await evaluating.get(started)
    assert (found["state"], found["answered"]) == ("running", 1)
    other = await evaluating.take()
    assert other.evaluation_id == theirs
    await evaluating.job._finish(other, EvaluationState.DONE)
    await evaluating.carry_out()
    assert (await evaluating.get(started))["state"] == "done"
    assert (await evaluating.get(str(colleagues)))["state"] == "error", "nobody knows that model"
    assert len(evaluating.provider.requests) == 2 * EACH, "no question twice"
