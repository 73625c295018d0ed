"""What a run tells its model, on a real database: tools by what the workspace has, a beginning that stays the same, and how many
tokens each section took."""

from __future__ import annotations

import itertools

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import ScriptedModel, call, say
from workroom.agent.tool_offer import FIND_TOOLS
from workroom.knowledge.workspace_overviews import CachedOverviews
from workroom.models.ports import ModelRequest
from workroom.runs.service import Input


def aware(world: World) -> RunBench:
    bench = RunBench(world, tool_sets=frozenset({"core"}))
    bench.overviews = CachedOverviews(world.services.db)
    return bench


def names(request: ModelRequest) -> list[str]:
    return [tool.name for tool in request.tools]


def beginning(model: ScriptedModel) -> list[tuple[str, list[str]]]:
    return [(request.system, names(request)) for request in model.requests]


@pytest.mark.requirement("B1")
async def test_a_note_that_was_written_brings_the_tools_for_notes(world: World) -> None:
    bench = aware(world)
    model = await bench.advance(await bench.ask(), [call("writeNote", title="Milk", text="2 l")], say("noted"))
    first, second = model.requests
    assert "writeNote" in names(first)
    assert not {"listNotes", "listTodos", "readFile"} & set(names(first)), "there is nothing of that kind yet"
    assert {"listNotes", "editNote"} <= set(names(second)), "it was written by this very run"
    assert "listTodos" not in names(second)


@pytest.mark.requirement("B1")
async def test_what_findTools_finds_is_offered_from_the_next_round_on_and_in_later_questions(world: World) -> None:  # noqa: N802
    bench = aware(world)
    accepted = await bench.ask("Note it")
    await bench.advance(accepted, [call("writeFile", name="a.md", text="A")], say("written"))
    again = await bench.runs.input(
        bench.principal, bench.lab, Input("Tag it", conversation_id=accepted.conversation_id)
    )
    model = await bench.advance(
        again, [call(FIND_TOOLS, query="tag a file")], [call("tagFile", fileId="a.md", add=["new"])], say("tagged")
    )
    first, second, third = map(names, model.requests)
    assert FIND_TOOLS in first
    assert "tagFile" not in first
    assert second[-1] == third[-1] == "tagFile"
    assert second[: len(first)] == first
    assert await bench.sql("select tags from files") == ["new"]
    later = await bench.runs.input(
        bench.principal, bench.lab, Input("And again", conversation_id=accepted.conversation_id)
    )
    assert names((await bench.advance(later, say("done"))).requests[0]) == second


@pytest.mark.requirement("B1")
async def test_a_tool_that_was_not_offered_can_be_called(world: World) -> None:
    bench = aware(world)
    model = await bench.advance(await bench.ask(), [call("listNotes")], say("none"))
    assert "listNotes" not in names(model.requests[0])
    assert '"status":"error"' not in model.requests[1].messages[-1].readable.replace(" ", "")


@pytest.mark.requirement("D1")
async def test_the_beginning_is_the_same_through_rounds_and_turns(world: World) -> None:
    """What was sent once is found again at the head of the next request, so that caches know it."""
    bench = aware(world)
    first = await bench.ask("What time is it?")
    models = [await bench.advance(first, [call("currentTime")], say("noon"))]
    for prompt in ("And in Rome?", "And in Oslo?"):
        asked = await bench.runs.input(bench.principal, bench.lab, Input(prompt, conversation_id=first.conversation_id))
        models.append(await bench.advance(asked, [call("currentTime", timezone="Europe/Rome")], say("noon")))
    requests = [request for model in models for request in model.requests]
    assert len(requests) == 6
    assert len({(request.system, tuple(names(request))) for request in requests}) == 1
    for before, after in itertools.pairwise(requests):
        assert list(after.messages[: len(before.messages)]) == list(before.messages)


@pytest.mark.requirement("D1")
@pytest.mark.requirement("M1")
async def test_the_trace_says_what_the_prompt_was_made_of(world: World) -> None:
    bench = aware(world)
    accepted = await bench.ask("What time is it?")
    await bench.advance(accepted, [call("currentTime")], say("noon"))
    trace = (await world.call("bob", "GET", f"/api/runs/{accepted.run_id}/trace")).json()
    first, second = (round["attempts"][0]["sections"] for round in trace["rounds"])
    assert set(first) == {"instructions", "tools", "conversation"}
    assert second == {**first, "results": second["results"], "conversation": second["conversation"]}
    assert second["results"] > 0
