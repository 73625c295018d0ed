"""Plans of a model whose server keeps answers to a schema: asked for as JSON, mended once, and then made by the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.agent.planning.bench import INTENTS, MADE, OPEN_A, Bench
from tests.agent.planning.navigator import INTENTS as NAVIGATION
from workroom.agent.planning.model_planner import SUBMIT, described, examples
from workroom.agent.registry import discover
from workroom.agent.testing import SCRIPTED, ScriptedModel, say
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.messages import Part
from workroom.core.run_events import RunState
from workroom.models.ports import Forcing

MAP_TOOLS = {tool.name: tool for tool in discover(*TOOL_PACKAGES)}


def structured(*script: list[Part]) -> Bench:
    bench = Bench()
    bench.model = ScriptedModel(*script, info=replace(SCRIPTED, structured=True))
    bench.models = [bench.model]
    return bench


def in_json(*steps: Mapping[str, Any]) -> list[Part]:
    return say(json.dumps({"steps": steps}))


@pytest.mark.requirement("E1")
async def test_the_answer_is_the_plan() -> None:
    bench = structured(in_json(OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    assert [made[0] for made in MADE] == ["find", "open"]
    [request] = bench.model.requests
    assert (request.tools, request.forcing) == ((), Forcing.AUTO), "servers take no tools beside a schema"
    assert [step["properties"]["intent"]["enum"] for step in _steps_of(request.answer_schema)[:-1]] == [
        [intent.name] for intent in INTENTS if intent.tools
    ]
    assert SUBMIT not in request.system


async def test_a_plan_the_schema_lets_through_is_still_checked_and_mended_once() -> None:
    ahead = {"intent": "open_thing", "toolCalls": [{"tool": "open", "arguments": {"id": {"$selection": "/id"}}}]}
    bench = structured(in_json(ahead), in_json(OPEN_A))
    assert await bench.run() is RunState.COMPLETED
    _, mended = bench.model.requests
    assert "cannot be carried out:\n- step 0, call 0 (open): id: " in mended.system + mended.messages[-1].text
    assert mended.answer_schema is not None


async def test_after_two_plans_that_cannot_be_carried_out_the_rules_plan() -> None:
    bench = structured(say('{"steps": []}'), say('{"steps": []}'))
    await bench.run()
    assert len(bench.model.requests) == 2
    plan = next(message.plan for message in bench.progress.messages if message.plan)
    assert plan.fallback


async def test_a_model_without_a_schema_is_asked_for_a_call() -> None:
    bench = Bench(in_json(OPEN_A))
    await bench.run()
    [request] = bench.model.requests
    assert ([tool.name for tool in request.tools], request.answer_schema) == ([SUBMIT], None)


def test_examples_are_plans_that_can_be_carried_out_in_the_form_that_is_asked_for() -> None:
    shown = examples(NAVIGATION, MAP_TOOLS).splitlines()
    assert shown[0] == "Examples:"
    plans = [json.loads(line) for line in shown[2::2]]
    assert [plan["steps"][0]["intent"] for plan in plans] == ["goto_address", "load_layer", "oereb_extract"]
    assert "\n".join(shown) in described(NAVIGATION, MAP_TOOLS, in_json=True)
    assert examples(INTENTS, {}) == "", "nobody has said how people ask for these"


def _steps_of(schema: Mapping[str, Any] | None) -> list[Any]:
    assert schema is not None
    assert schema is not None
    return list(schema["properties"]["steps"]["items"]["anyOf"])
