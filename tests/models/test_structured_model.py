"""Forced calls by a schema: one way there, one way back, and what worked before where a server refuses."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.models.asking import TOOL, heard, known, message, plain, request, user
from workroom.agent.testing import ScriptedModel, call, say
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.models.ports import Forcing, ModelFailed, ModelRequest, ToolSchema
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.providers.structured_calls import read_call
from workroom.models.providers.structured_model import StructuredModel
from workroom.models.testing import Reply, ScriptedProvider, Status
from workroom.net import GuardedClient

WRITE = ToolSchema("writeNote", "Write a note.", {"type": "object", "properties": {"title": {"type": "string"}}})
FORCED = ModelRequest("Be brief.", [user("Read it.")], [TOOL], Forcing.ANY)
READ = {"tool": "notes.read", "arguments": {"id": 1}}


@pytest.fixture
def model(provider: ScriptedProvider, client: GuardedClient) -> StructuredModel:
    return StructuredModel(OpenAiCompatibleModel(known("qwen3:8b"), provider.base_url, "", client))


@pytest.mark.requirement("A2", "C1")
async def test_a_forced_call_of_one_tool_is_asked_for_as_its_arguments(
    provider: ScriptedProvider, model: StructuredModel
) -> None:
    provider.script.append(Reply('{"id": 1}'))
    deltas, answer = await heard(model, FORCED)
    assert (deltas, plain(answer)) == ([], [READ])
    body = provider.requests[0].body
    assert not {"tools", "tool_choice"} & set(body), "servers do not take them beside a schema"
    assert body["response_format"]["json_schema"]["schema"] == TOOL.parameters
    system, asked = body["messages"]
    assert TOOL.description in system["content"]
    assert json.dumps(TOOL.parameters) in system["content"]
    assert asked["content"].startswith("Read it.\n\nCall notes.read now")


async def test_a_forced_call_of_several_tools_names_one(provider: ScriptedProvider, model: StructuredModel) -> None:
    provider.script.append(Reply(json.dumps({"tool": "writeNote", "arguments": {"title": "x"}})))
    _, answer = await heard(model, replace(FORCED, tools=[TOOL, WRITE]))
    [made] = answer.parts
    assert isinstance(made, CallPart)
    assert (made.tool, made.arguments) == ("writeNote", {"title": "x"})
    choices = provider.requests[0].body["response_format"]["json_schema"]["schema"]["anyOf"]
    assert [one["properties"]["tool"]["enum"] for one in choices] == [["notes.read"], ["writeNote"]]
    assert [one["properties"]["arguments"] for one in choices] == [TOOL.parameters, WRITE.parameters]


async def test_results_before_a_forced_call_stay(provider: ScriptedProvider, model: StructuredModel) -> None:
    made = CallPart(call_id=new_id(), tool=TOOL.name, arguments={"id": 1})
    result = ResultPart(call_id=made.call_id, tool=TOOL.name, result=ToolResult(message="two litres"))
    history = [user("Read"), message(Role.ASSISTANT, made), message(Role.TOOL, result)]
    provider.script.append(Reply('{"id": 2}'))
    await heard(model, replace(FORCED, messages=history))
    roles = [sent["role"] for sent in provider.requests[0].messages]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert "two litres" in provider.requests[0].messages[3]["content"]


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.requirement("C1")
async def test_a_server_that_refuses_schemas_is_asked_as_before_from_then_on(
    provider: ScriptedProvider, model: StructuredModel, status: int
) -> None:
    answers = [Reply('{"name": "notes__read", "arguments": {"id": 1}}')] * 2
    provider.script += [Status(status, "response_format is not supported"), *answers]
    for _ in answers:
        await heard(model, FORCED)
    assert ["response_format" in asked.body for asked in provider.requests] == [True, False, False]
    assert ["tools" in asked.body for asked in provider.requests] == [False, True, True]


async def test_a_request_that_is_refused_either_way_says_nothing_of_schemas(
    provider: ScriptedProvider, model: StructuredModel
) -> None:
    provider.script += [Status(400, "no"), Status(400, "no"), Reply('{"id": 1}')]
    with pytest.raises(ModelFailed):
        await heard(model, FORCED)
    await heard(model, FORCED)
    assert ["response_format" in asked.body for asked in provider.requests] == [True, False, True]


@pytest.mark.parametrize("failure", [Status(401, "no"), Status(500, "no")])
async def test_another_failure_is_a_failure(
    provider: ScriptedProvider, model: StructuredModel, failure: Status
) -> None:
    provider.script.append(failure)
    with pytest.raises(ModelFailed):
        await heard(model, FORCED)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("text", ["I cannot.", "[1]", '{"id": ', "null"])
async def test_an_answer_that_is_none_is_handed_on_as_it_is(text: str) -> None:
    deltas, answer = await heard(StructuredModel(ScriptedModel(say(text))), FORCED)
    assert ("".join(deltas), answer.parts) == (text, [TextPart(text=text)])


async def test_a_call_that_was_made_all_the_same_counts() -> None:
    _, answer = await heard(StructuredModel(ScriptedModel([call("notes.read", id=1)])), FORCED)
    assert [part.tool for part in answer.parts if isinstance(part, CallPart)] == ["notes.read"]


async def test_what_is_not_forced_is_asked_as_before(provider: ScriptedProvider, model: StructuredModel) -> None:
    provider.script.append(Reply("Hello"))
    deltas, _ = await heard(model, request())
    assert deltas == ["Hello"]
    assert "response_format" not in provider.requests[0].body


async def test_json_that_was_asked_for_is_not_shown_while_it_is_written(
    provider: ScriptedProvider, model: StructuredModel
) -> None:
    provider.script.append(Reply("[]"))
    deltas, answer = await heard(model, ModelRequest("List.", [user("x")], answer_schema={"type": "array"}))
    assert (deltas, answer.parts) == ([], [TextPart(text="[]")])
    assert provider.requests[0].body["response_format"]["json_schema"]["schema"] == {"type": "array"}


def test_names_of_other_tools_are_no_calls() -> None:
    assert read_call('{"tool": "deleteAll", "arguments": {}}', [TOOL, WRITE]) is None
    assert read_call('{"tool": ["writeNote"], "arguments": {}}', [TOOL, WRITE]) is None
    assert read_call("", [TOOL]) is None
