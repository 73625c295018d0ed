"""Traces are put together from ledger, messages and calls: every attempt is in them, and every centime."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.usage.budget_bench import BudgetBench, call
from tests.world import World
from workroom.agent.testing import ScriptedModel, say
from workroom.agent.testing import call as ask_for
from workroom.conversations import store as conversations_store
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Role, TextPart
from workroom.core.money import Price
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import ModelInfo
from workroom.runs import call_store
from workroom.runs.service import Input
from workroom.runs.trace import LONGEST_TEXT, shown
from workroom.runs.types import RunKey
from workroom.usage.types import Outcome, Purpose


@dataclass
class Told:
    """A run whose story is written by hand."""

    world: World
    budget: BudgetBench
    last: UUID

    @classmethod
    async def begin(cls, world: World, conversation_id: UUID | None = None) -> Told:
        lab = world.instances["lab"].id
        accepted = await world.services.runs.input(
            world["bob"].principal, lab, Input(f"hello {new_id()}", conversation_id)
        )
        budget = BudgetBench.of(world)
        spender = replace(budget.spender, conversation_id=accepted.conversation_id, run_id=accepted.run_id)
        return cls(world, replace(budget, spender=spender), accepted.message_id)

    @property
    def key(self) -> RunKey:
        assert self.budget.spender.run_id is not None
        return RunKey(self.budget.spender.mandate_id, self.budget.spender.run_id)

    @property
    def conversation_id(self) -> UUID:
        assert self.budget.spender.conversation_id is not None
        return self.budget.spender.conversation_id

    async def attempt(self, model: str, outcome: Outcome, message_id: UUID | None = None, tokens: int = 1000) -> None:
        held = await self.budget.reserve(tokens, 300, replace(call(), model=model))
        await self.budget.settle(held, tokens, 0, outcome=outcome, message_id=message_id)

    async def answer(self, model: str | None, *calls: CallPart, tokens: int = 1000) -> None:
        message = Message(id=new_id(), role=Role.ASSISTANT, parts=[TextPart(text="Well."), *calls])
        if model is not None:
            await self.attempt(model, Outcome.ANSWERED, message.id, tokens)
        async with self.budget.db.unit_of_work(self.budget.actor) as uow:
            await conversations_store.add_message(
                uow,
                self.key.mandate_id,
                self.conversation_id,
                message,
                parent_id=self.last,
                run_id=self.key.run_id,
                client_id=None,
                now=now(),
            )
            await call_store.add(uow, self.key, message.id, calls)
        self.last = message.id

    async def finish(self, part: CallPart, result: ToolResult) -> None:
        async with self.budget.db.unit_of_work(self.budget.actor) as uow:
            await call_store.finish(uow, self.key, part.call_id, result, 12)

    async def update(self, changes: str) -> None:
        await self.budget.sql(f"update runs set {changes} where run_id = $1", self.key.run_id)

    async def trace(self, name: str = "bob") -> dict[str, Any]:
        answer = await self.world.call(name, "GET", f"/api/runs/{self.key.run_id}/trace")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body


def asked(tool: str, **arguments: Any) -> CallPart:
    return CallPart(call_id=new_id(), tool=tool, arguments=arguments)


@pytest.mark.requirement("M1")
async def test_the_trace_of_a_real_run(world: World) -> None:
    """The others are written by hand; this one is what the runner leaves behind."""
    bench = RunBench(world)
    accepted = await bench.ask()
    dear = ModelInfo("acme", "dear", Price(Decimal(100), Decimal(200), Decimal(10)))
    model = ScriptedModel([ask_for("writeNote", title="One", text="")], say("Done."), info=dear)
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(accepted))
    trace = await world.services.traces.of_run(bench.principal, accepted.run_id)
    assert (trace.status, trace.total_rounds, trace.total_tool_calls) == ("completed", 2, 1)
    assert [(one.round_number, one.ai_model, one.input_tokens, one.output_tokens) for one in trace.rounds] == [
        (1, "dear", 10, 5),
        (2, "dear", 10, 5),
    ]
    assert [(log.tool_name, log.args["title"], log.success) for log in trace.rounds[0].tool_calls] == [
        ("writeNote", "One", True)
    ]
    assert trace.total_cost_chf == 2 * dear.price.of(Usage(10, 5))


@pytest.mark.requirement("M1")
async def test_a_trace_tells_rounds_calls_tokens_and_costs(world: World) -> None:
    told = await Told.begin(world)
    good, bad, waiting = asked("searchNotes", query="q"), asked("writeNote", title="t"), asked("deleteNote")
    await told.answer("m-1", good, bad, waiting)
    await told.finish(good, ToolResult(message="found"))
    await told.finish(bad, ToolResult.error("There is no room."))
    await told.answer("m-2", tokens=500)
    await told.budget.bill(250, call(purpose=Purpose.SUMMARY))
    await told.update("state = 'completed', rounds = 2, tool_calls = 3, started_at = now(), ended_at = now()")
    trace = await told.trace()
    assert trace["workflowId"] == str(told.conversation_id)
    assert trace["userId"] == str(world["bob"].user.id)
    assert trace["featureInstanceId"] == str(world.instances["lab"].id)
    assert (trace["status"], trace["totalRounds"], trace["totalToolCalls"]) == ("completed", 2, 3)
    assert trace["startedAt"] is not None
    assert trace["completedAt"] is not None
    assert trace["abortReason"] is None
    assert Decimal(trace["totalCostCHF"]) == Decimal("1.75")
    first, second = trace["rounds"]
    assert (first["roundNumber"], first["aiModel"], first["inputTokens"], first["durationMs"]) == (1, "m-1", 1000, 7)
    assert (second["roundNumber"], second["aiModel"], Decimal(second["costCHF"])) == (2, "m-2", Decimal("0.5"))
    assert [{k: v for k, v in log.items() if k != "callId"} for log in first["toolCalls"]] == [
        {
            "toolName": "searchNotes",
            "args": {"query": "q"},
            "success": True,
            "durationMs": 12,
            "error": None,
            "asText": False,
        },
        {
            "toolName": "writeNote",
            "args": {"title": "t"},
            "success": False,
            "durationMs": 12,
            "error": "There is no room.",
            "asText": False,
        },
        {"toolName": "deleteNote", "args": {}, "success": None, "durationMs": None, "error": None, "asText": False},
    ]
    assert [(other["purpose"], Decimal(other["costCHF"])) for other in trace["otherCalls"]] == [
        ("summary", Decimal("0.25"))
    ]


@pytest.mark.requirement("A8")
async def test_failed_and_lost_attempts_are_seen_and_so_is_who_answered(world: World) -> None:
    told = await Told.begin(world)
    await told.answer("first-choice", asked("now"))
    await told.attempt("first-choice", Outcome.FAILED)
    await told.attempt("second-choice", Outcome.LOST)
    await told.answer("second-choice")
    await told.attempt("first-choice", Outcome.FAILED, tokens=10)
    await told.update("state = 'error', error = 'The provider is away.', rounds = 2")
    trace = await told.trace()
    seen = [[(log["aiModel"], log["outcome"]) for log in one["attempts"]] for one in trace["rounds"]]
    assert seen == [
        [("first-choice", "answered")],
        [("first-choice", "failed"), ("second-choice", "lost"), ("second-choice", "answered")],
        [("first-choice", "failed")],
    ]
    assert [one["aiModel"] for one in trace["rounds"]] == ["first-choice", "second-choice", "first-choice"]
    assert trace["rounds"][1]["inputTokens"] == 3000, "what failed was paid as well"
    assert sum(Decimal(one["costCHF"]) for one in trace["rounds"]) == Decimal(trace["totalCostCHF"])
    assert trace["abortReason"] == "The provider is away."


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ("state = 'running'", None),
        ("state = 'budgetExceeded', ending = 'budget'", "budget"),
        ("state = 'maxRoundsReached', ending = 'loop'", "loop"),
        ("state = 'stopped'", "stopped"),
    ],
)
async def test_why_a_run_did_not_end_by_itself(world: World, changes: str, reason: str | None) -> None:
    told = await Told.begin(world)
    await told.update(changes)
    assert (await told.trace())["abortReason"] == reason


async def test_words_of_our_own_at_the_end_are_no_round(world: World) -> None:
    told = await Told.begin(world)
    await told.answer("m-1", asked("now"))
    await told.answer(None)
    assert [one["roundNumber"] for one in (await told.trace())["rounds"]] == [1]


@pytest.mark.requirement("M1")
async def test_the_traces_of_a_conversation_come_in_pages(world: World) -> None:
    first = await Told.begin(world)
    await first.answer("m-1")
    second = await Told.begin(world, first.conversation_id)
    await second.answer("m-2")
    elsewhere = await Told.begin(world)
    await elsewhere.answer("m-3")
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{first.conversation_id}/traces"
    page = (await world.call("bob", "GET", f"{path}?limit=1&order=desc")).json()
    assert page["total"] == 2
    assert [one["rounds"][0]["aiModel"] for one in page["items"]] == ["m-2"]
    rest = (await world.call("bob", "GET", f"{path}?limit=1&order=desc&cursor={page['nextCursor']}")).json()
    assert [one["rounds"][0]["aiModel"] for one in rest["items"]] == ["m-1"]
    assert rest["nextCursor"] is None


async def test_a_trace_is_for_who_may_read_the_conversation(world: World) -> None:
    told = await Told.begin(world)
    await told.answer("m-1")
    await shared(world, told.conversation_id, "alice", write=False)
    assert (await told.trace("alice"))["rounds"], "she reads along"
    for name in ("rita", "olaf", "zoe"):
        assert (await world.call(name, "GET", f"/api/runs/{told.key.run_id}/trace")).status_code == 404
        path = f"/api/workspace/{world.instances['lab'].id}/conversations/{told.conversation_id}/traces"
        assert (await world.call(name, "GET", path)).status_code == 404


async def test_secrets_do_not_reach_a_trace(world: World) -> None:
    told = await Told.begin(world)
    part = asked("fetch", url="https://me:hunter2@example.org", apiKey="k-123", headers={"Authorization": "Bearer abc"})
    await told.answer("m-1", part)
    await told.finish(part, ToolResult.error("Refused: Bearer abc"))
    text = str((await told.trace())["rounds"])
    assert "fetch" in text
    assert not any(secret in text for secret in ("hunter2", "k-123", "abc"))


def test_long_texts_are_cut_and_numbers_are_no_secrets() -> None:
    assert shown("x" * (LONGEST_TEXT + 1)) == "x" * LONGEST_TEXT + "…"
    assert shown({"maxTokens": 5, "tokens": ["s"]}) == {"maxTokens": 5, "tokens": ["[hidden]"]}
