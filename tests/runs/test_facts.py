"""The facts of runs on a real database: noted once whatever dies, for one person, and told to that person's models."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.files.sending import make
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.config import AgentConfig, AgentWishes
from workroom.agent.entities.prompt_section import TITLE
from workroom.agent.ports import LeaseLost
from workroom.agent.summaries import SUMMED_UP
from workroom.agent.testing import ScriptedModel, call, say
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.core.changes import Change, ChangeKind
from workroom.core.errors import Forbidden
from workroom.core.run_events import ToolFinished
from workroom.identity.sharing import Visibility
from workroom.runs import fenced_store
from workroom.runs.configs import AgentConfigs
from workroom.runs.reader_redaction import READ_FOR_ANOTHER_PERSON
from workroom.runs.service import Accepted, Input
from workroom.runs.trace import Traces

BILL = "Muster AG owes CHF 1'250.00 since 12.03.2024."


@tool("bill", effect="read", sets={"core"})
async def bill(ctx: ToolContext, of: str = BILL) -> str:
    """Tell of a bill."""
    return of


@tool("book", effect="ours", sets={"core"})
async def book(ctx: ToolContext) -> str:
    """Book a bill."""

    async def effect(_: Any) -> str:
        return BILL

    return await ctx.commit(effect)


@tool("letter", effect="read", sets={"core"}, untrusted=True)
async def letter(ctx: ToolContext) -> str:
    """Read a letter."""
    return "the canary sings for Muster AG"


TOOLS = (bill, book, letter)


async def remembering(world: World, *, by_model: bool = False) -> RunBench:
    bench = RunBench(world)
    config = AgentConfig(entity_cache_enabled=True, entity_cache_by_model=by_model)
    await AgentConfigs(bench.db).put(world["alice"].principal, bench.lab, config)
    return bench


async def values(bench: RunBench, conversation_id: UUID, who: str = "bob") -> dict[str, int]:
    kept = await bench.world.services.memories.of(bench.world[who].principal, bench.lab, conversation_id)
    return {memory.value: memory.times for memory in kept.entities}


def section(model: ScriptedModel, place: int = -1) -> str:
    return "".join(message.text for message in model.requests[place].messages).partition(TITLE)[2]


async def go_on(
    bench: RunBench, accepted: Accepted, *script: Any, who: str = "bob", tools: tuple[Tool, ...] = TOOLS
) -> ScriptedModel:
    """Another question in the same conversation."""
    asked = await bench.runs.input(
        bench.world[who].principal, bench.lab, Input("and now?", conversation_id=accepted.conversation_id)
    )
    return await bench.advance(asked, *script, tools=tools)


@pytest.mark.requirement("D5")
@pytest.mark.requirement("H4")
async def test_what_stood_in_a_result_is_known_in_the_next_round_and_the_next_run(world: World) -> None:
    bench = await remembering(world)
    accepted = await bench.ask("What is open?")
    model = await bench.advance(accepted, [call("bill")], say("A bill."), tools=TOOLS)
    assert not section(model, 0)
    for known in ("- company: Muster AG", "- amount: CHF 1'250.00", "- date: 12.03.2024"):
        assert known in section(model)
    assert "- company: Muster AG" in section(await go_on(bench, accepted, say("Still.")))
    row = (await bench.rows("select * from memories where key = 'entity:company'"))[0]
    assert (row["value"], row["normalised"], row["source"], row["times"]) == ("Muster AG", "muster ag", "tool", 1)
    assert (row["user_id"], row["instance_id"]) == (bench.principal.user_id, bench.lab)
    assert row["call_id"] == await bench.sql("select call_id from tool_calls")


@pytest.mark.requirement("D5")
async def test_it_is_opt_in_and_a_request_may_do_without(world: World) -> None:
    bench = RunBench(world)
    model = await bench.advance(await bench.ask(), [call("bill")], say("A bill."), tools=TOOLS)
    assert not section(model)
    bench = await remembering(world)
    wish = AgentWishes(entity_cache_enabled=False)
    accepted = await bench.ask(wishes=wish)
    await bench.advance(accepted, [call("bill")], say("A bill."), tools=TOOLS)
    again = await bench.runs.retry(bench.principal, bench.lab, accepted.conversation_id)
    await bench.advance(again, [call("bill")], say("A bill."), tools=TOOLS)
    assert await bench.sql("select count(*) from memories") == 0, "also when it is answered again"


async def test_open_pages_hear_that_something_was_noted_and_of_a_summary(world: World) -> None:
    bench = await remembering(world)
    bench.summarise_above = 0
    heard: list[Change] = []
    with world.services.changes.subscribe() as inbox:
        accepted = await bench.ask()
        await bench.advance(accepted, [call("bill")], say("A bill."), tools=TOOLS)
        await go_on(bench, accepted, say("."), say("a summary"))
        async with asyncio.timeout(60):
            while len(heard) < 2:
                heard += [c for c in await inbox.take(5) if c.kind is ChangeKind.MEMORY]
    assert {(c.id, c.owner_id) for c in heard} == {(accepted.conversation_id, bench.principal.user_id)}


async def test_each_result_counts_once_however_often_it_says_so(world: World) -> None:
    bench = await remembering(world)
    accepted = await bench.ask()
    twice = [call("bill", of="Muster AG and Muster AG"), call("bill", of="muster ag? No: Muster AG!")]
    await bench.advance(accepted, twice, [call("book")], say("done"), tools=TOOLS)
    assert (await values(bench, accepted.conversation_id))["Muster AG"] == 3


@pytest.mark.parametrize("name", ["bill", "book"])
@pytest.mark.parametrize("dies_at", [2, 3, 4])
async def test_whenever_the_worker_dies_facts_are_noted_exactly_once(
    world: World, monkeypatch: pytest.MonkeyPatch, dies_at: int, name: str
) -> None:
    bench = await remembering(world)
    accepted = await bench.ask()
    script = [[call(name)], say("done")]
    fence, writes = fenced_store.write_under_lease, 0

    async def dying(*args: Any) -> None:
        nonlocal writes
        writes += 1
        if writes >= dies_at:
            raise LeaseLost
        await fence(*args)

    monkeypatch.setattr(fenced_store, "write_under_lease", dying)
    await bench.advance(accepted, *script, tools=TOOLS)
    monkeypatch.setattr(fenced_store, "write_under_lease", fence)
    answered = await bench.sql("select count(*) from messages where role = 'assistant'")
    await bench.sql("update runs set lease_holder = null, not_before = null where state = 'running'")
    model = await bench.advance(accepted, *script[answered:], tools=TOOLS)
    assert "Muster AG" in section(model)
    assert set((await values(bench, accepted.conversation_id)).values()) == {1}


@pytest.mark.requirement("D5")
@pytest.mark.requirement("H6")
async def test_facts_are_for_the_person_they_were_found_for(world: World) -> None:
    bench = await remembering(world)
    accepted = await bench.ask()
    await shared(world, accepted.conversation_id, "alice")
    await bench.advance(accepted, [call("bill")], say("A bill."), tools=TOOLS)
    model = await go_on(bench, accepted, say("Who knows."), who="alice")
    assert section(model) == ""
    assert await values(bench, accepted.conversation_id, "alice") == {}
    await go_on(bench, accepted, [call("bill", of="Other GmbH")], say("."), who="alice")
    assert await values(bench, accepted.conversation_id, "alice") == {"Other GmbH": 1}
    assert "Other GmbH" not in await values(bench, accepted.conversation_id)


async def test_what_was_forgotten_is_gone_from_the_next_request_and_stays_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the run goes on with another worker after its result was stored."""
    bench = await remembering(world, by_model=True)
    accepted = await bench.ask()
    fence, writes = fenced_store.write_under_lease, 0

    async def dying(*args: Any) -> None:
        nonlocal writes
        writes += 1
        if writes > 3:  # asked, answered, finished; then the model would be asked for facts
            raise LeaseLost
        await fence(*args)

    monkeypatch.setattr(fenced_store, "write_under_lease", dying)
    await bench.advance(accepted, [call("bill")], tools=TOOLS)
    monkeypatch.setattr(fenced_store, "write_under_lease", fence)
    assert "Muster AG" in await values(bench, accepted.conversation_id)
    await world.services.memories.forget_all(bench.principal, bench.lab, accepted.conversation_id)
    await bench.sql("update runs set lease_holder = null, not_before = null where state = 'running'")
    claims = say('[{"kind": "company", "value": "Muster AG"}]')
    model = await bench.advance(accepted, claims, say("done"), tools=TOOLS)
    assert len(model.requests) == 2
    assert section(model) == ""
    assert await values(bench, accepted.conversation_id) == {}
    assert (await go_on(bench, accepted, [call("bill")], say("[]"), say("done"))).requests
    assert "Muster AG" in await values(bench, accepted.conversation_id), "a tool has found it again"


@pytest.mark.requirement("D5")
async def test_by_model_it_is_asked_and_paid_once_per_round(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = await remembering(world, by_model=True)
    accepted = await bench.ask()
    fence, writes = fenced_store.write_under_lease, 0

    async def dying(*args: Any) -> None:
        nonlocal writes
        writes += 1
        if writes > 5:  # the facts are stored; the next round's question is not
            raise LeaseLost
        await fence(*args)

    monkeypatch.setattr(fenced_store, "write_under_lease", dying)
    claims = say('[{"kind": "company", "value": "Siemens"}, {"kind": "company", "value": "Nobody"}]')
    await bench.advance(accepted, [call("bill", of="Siemens pays")], claims, tools=TOOLS)
    monkeypatch.setattr(fenced_store, "write_under_lease", fence)
    assert await values(bench, accepted.conversation_id) == {"Siemens": 1}
    await bench.sql("update runs set lease_holder = null, not_before = null where state = 'running'")
    model = await bench.advance(accepted, say("done"), tools=TOOLS)
    assert len(model.requests) == 1, "not read for facts again"
    assert "Siemens" in section(model)
    assert await values(bench, accepted.conversation_id) == {"Siemens": 1}
    assert await bench.sql("select count(*) from billing where purpose = 'entities' and outcome = 'answered'") == 1
    assert await bench.sql("select source from memories") == "extraction"
    assert (await bench.runs.get(bench.principal, accepted.run_id)).rounds == 2, "it is no round"


@pytest.mark.requirement("H6")
async def test_what_was_read_for_one_reaches_no_other_by_any_way(world: World) -> None:
    """The next model, readResult, the log, the trace, the memory: the content of documents is for who had it read."""
    bench = await remembering(world)
    accepted = await bench.ask("read it")
    await shared(world, accepted.conversation_id, "alice")
    asked = call("letter")
    await bench.advance(accepted, [asked, call("bill")], say("A bird."), tools=TOOLS)
    call_id = str(await bench.sql("select call_id from tool_calls where tool = 'letter'"))
    alice = world["alice"].principal
    model = await go_on(bench, accepted, [call("readResult", callId=call_id)], say("Who knows."), who="alice")
    told = ["".join(message.readable for message in request.messages) for request in model.requests]
    assert "canary" not in "".join(told)
    assert READ_FOR_ANOTHER_PERSON in told[0]
    assert BILL in told[0], "what is no document is everybody's"
    assert "read for somebody else" in told[1]
    with pytest.raises(Forbidden):
        await bench.runs.result(alice, accepted.conversation_id, UUID(call_id))
    events, _ = await bench.runs.events(alice, accepted.run_id, 0)
    assert "canary" not in "".join(event.json for event in events)
    assert [e.seq for e in events] == [e.seq for e in await bench.events(accepted.run_id)]
    finished = [event.event for event in events if isinstance(event.event, ToolFinished)]
    assert {event.result.message for event in finished} == {READ_FOR_ANOTHER_PERSON, BILL}
    trace = await Traces(bench.db).of_run(alice, accepted.run_id)
    assert "canary" not in trace.model_dump_json()
    recent = await bench.runs.recent_results(alice, bench.lab, accepted.conversation_id)
    assert "letter" not in [result.tool for result in recent]
    mine = await bench.runs.recent_results(bench.principal, bench.lab, accepted.conversation_id)
    assert ("letter", "the canary sings for Muster AG", True) in [(r.tool, r.label, r.untrusted) for r in mine]


async def test_what_a_tool_said_when_it_failed_to_read_is_in_its_owners_trace_alone(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("read it")
    await shared(world, accepted.conversation_id, "alice")
    await bench.advance(accepted, [call("letter")], say("."), tools=TOOLS)
    failed = '{"status": "error", "message": "the canary is ill", "untrusted": true}'
    await bench.sql("update tool_calls set result = $1::jsonb", failed)
    mine = await Traces(bench.db).of_run(bench.principal, accepted.run_id)
    theirs = await Traces(bench.db).of_run(world["alice"].principal, accepted.run_id)
    assert mine.rounds[0].tool_calls[0].error == "the canary is ill"
    assert theirs.rounds[0].tool_calls[0].error == READ_FOR_ANOTHER_PERSON


@pytest.mark.requirement("D3")
@pytest.mark.requirement("H6")
async def test_a_summary_of_what_was_read_for_one_is_for_that_one(world: World) -> None:
    bench = RunBench(world)
    bench.summarise_above = 0
    first = await bench.ask("one")
    await shared(world, first.conversation_id, "alice")
    await bench.advance(first, [call("letter")], say("answer"), tools=TOOLS)  # two rounds
    model = await go_on(bench, first, say("answer"), say("they read of a canary"))
    assert "canary" in model.requests[1].messages[0].text, "it is summed up for bob with what was read for him"
    model = await go_on(bench, first, say("answer"))
    assert model.requests[0].messages[0].text.startswith(f"{SUMMED_UP}\n\nthey read of a canary")
    model = await go_on(bench, first, say("answer"), say("they read something"), who="alice")
    assert len(model.requests) == 2
    assert "canary" not in "".join(m.readable for request in model.requests for m in request.messages)
    kept = await world.services.memories.of(world["alice"].principal, bench.lab, first.conversation_id)
    assert "canary" not in "".join(summary.text for summary in kept.summaries)
    model = await go_on(bench, first, say("answer"))
    assert "they read of a canary" in model.requests[0].messages[0].text


async def test_a_colleague_who_may_read_the_file_reads_it_again(world: World) -> None:
    bench = RunBench(world)
    file = await make(world, "bob", "plan.txt", b"the canary sings", visibility=Visibility.GROUP)
    accepted = await bench.ask("What does it say?")
    await shared(world, accepted.conversation_id, "alice")
    read = {"fileId": str(file.id)}
    await bench.advance(accepted, [call("readFile", **read)], say("A bird."))
    script = ([call("readFile", **read)], say("A bird."))
    model = await go_on(bench, accepted, *script, who="alice", tools=())
    first, second = ("".join(m.readable for m in request.messages) for request in model.requests)
    assert "canary" not in first
    assert "canary" in second
