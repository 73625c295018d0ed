"""What holds for every tool there is, also for those nobody has written yet."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

import workroom.studio_tools
from tests.files.sending import make
from tests.studio.tool_calls import ANSWERS, FOUND, FixedSearches, conversation_of, project_with_text
from tests.tools.arguments import ARCHIVE, arguments, file_for, ids_of
from tests.tools.room import Room
from tests.world import World, some_id
from workroom.agent.registry import HAND_OFF, discover
from workroom.agent.testing import ScriptedModel, say
from workroom.agent.tool import Tool
from workroom.agent.tool_sets import TOOL_SETS
from workroom.agent.tool_text_checks import text_problems
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.errors import Forbidden, NotFound, WorkroomError
from workroom.identity.sharing import Visibility
from workroom.models.types import Operation

TOOLS = list(discover(*TOOL_PACKAGES))
WRITERS = [tool for tool in TOOLS if tool.effect != "read"]
CAMEL = re.compile(r"[a-z][A-Za-z0-9]*")
NAME = re.compile(r"[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)?")
# Names that come from the documents are spelled as there.
SPELLED_ELSEWHERE = frozenset({"manage_skill", *(tool.name for tool in discover(workroom.studio_tools))})


TYPES = {"string", "integer", "number", "boolean", "array", "object", "null"}
BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
KEYWORDS = {
    "$defs", "$ref", "type", "anyOf", "enum", "const", "format", "default", "title", "description", "properties", "required",
    "additionalProperties", "items", *BOUNDS,
}  # fmt: skip


def require_schema(schema: Any, whole: Mapping[str, Any]) -> None:
    """The part of JSON Schema that every provider understands; anything else would fail at one of them."""
    assert isinstance(schema, Mapping)
    assert schema.keys() <= KEYWORDS, f"not every provider knows {schema.keys() - KEYWORDS}"
    assert schema.get("type", "null") in TYPES
    assert all(isinstance(schema[bound], int | float) for bound in BOUNDS if bound in schema)
    assert set(schema.get("required", ())) <= schema.get("properties", {}).keys()
    assert schema.get("enum", [1])
    if "$ref" in schema:
        assert schema["$ref"].removeprefix("#/$defs/") in whole["$defs"]
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
    for each in [*inner, *([schema["items"]] if "items" in schema else [])]:
        require_schema(each, whole)


@pytest.fixture(scope="module")
async def things(shared_world: World) -> dict[str, Any]:
    """One of each kind that a tool takes by id, made by Bob in Lab. A new kind of id needs a line here."""
    services, bob = shared_world.services, shared_world["bob"].principal
    lab = shared_world.instances["lab"].id
    return {
        "noteId": (await services.notes.write(bob, lab, "Secret", "text")).id,
        "todoId": (await services.todos.add(bob, lab, ["Secret"]))[0].id,
        "fileId": (await make(shared_world, "bob", "Secret.zip", ARCHIVE, visibility=Visibility.GROUP)).id,
        "callId": some_id(),  # results of calls: tests/runs
    }


@pytest.mark.requirement("B1")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_describes_itself(tool: Tool) -> None:
    schema = tool.schema.parameters
    require_schema(schema, schema)
    json.dumps(schema)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert 20 <= len(tool.description) <= 1_000
    assert tool.description[0].isupper()
    assert tool.description.rstrip().endswith(".")
    assert NAME.fullmatch(tool.name)
    assert all(CAMEL.fullmatch(name) for name in tool.schema.parameters.get("properties", {})) or (
        tool.name in SPELLED_ELSEWHERE
    )
    assert tool.sets <= TOOL_SETS.keys()
    seen = any(tool.name in discover(*TOOL_PACKAGES).chosen({name}) for name in TOOL_SETS)
    assert seen or tool.name == HAND_OFF, (
        "no agent ever sees it"
    )  # that one is for agents with somebody to hand over to


@pytest.mark.requirement("B1")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_its_texts_stand_beside_it_in_every_language(tool: Tool) -> None:
    assert text_problems(tool) == []
    assert "ß" not in tool.texts["de"].model_dump_json(), "Swiss spelling"


@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
def test_a_writing_tool_is_asked_about_in_every_language(tool: Tool) -> None:
    asked = [bool(texts.confirmation or texts.confirmations) for texts in tool.texts.values()]
    assert all(asked) or tool.name == HAND_OFF, "that one never asks"


@pytest.mark.requirement("B1")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_its_schema_accepts_what_it_accepts(tool: Tool) -> None:
    """What a model is told and what is checked are the same."""
    given = arguments(tool)
    assert tool.read_arguments(given).keys() >= given.keys()
    for name in tool.schema.parameters.get("required", ()):
        with pytest.raises(ValueError, match=name):
            tool.read_arguments({key: value for key, value in given.items() if key != name})
    with pytest.raises(ValueError, match="invented"):
        tool.read_arguments({**given, "invented": 1})


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_is_asked_before_takes_the_same_arguments(tool: Tool) -> None:
    for asked in filter(None, (tool.confirm, tool.confirm_untrusted)):
        assert list(inspect.signature(asked).parameters)[1:] == list(inspect.signature(tool.run).parameters)[1:]
    assert tool.answered is None or tool.pauses


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
def test_a_writing_tool_says_what_it_would_do_after_content_of_others_was_read(tool: Tool) -> None:
    """S21: without that it is asked about too, but nobody could tell what they agree to. tests/security/test_untrusted_writes.py
    calls each of them; one that never asks is named there."""
    assert (tool.confirm or tool.confirm_untrusted) is not None


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if ids_of(tool.schema)], ids=lambda tool: tool.name)
@pytest.mark.parametrize(("name", "slug"), [("zoe", "den"), ("zoe", "lab"), ("olaf", "lab")])
async def test_what_is_not_theirs_does_not_exist(
    shared_world: World, things: dict[str, Any], tool: Tool, name: str, slug: str
) -> None:
    """S5: an id of another mandate, or of a workspace one does not belong to, in an argument; said as for an invented id."""
    room = Room(shared_world, name, slug)
    said = []
    for ids in (things, dict.fromkeys(things, some_id())):
        given = {**arguments(tool), **{key: str(ids[key]) for key in ids_of(tool.schema)}}
        with pytest.raises(NotFound) as caught:
            await room.call(tool, **given)
        said.append(caught.value.message)
    assert said[0] == said[1]


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("asked_first", [True, False])
async def test_a_reader_may_not_write(
    shared_world: World, things: dict[str, Any], tool: Tool, asked_first: bool
) -> None:
    """S8: Rita sees everything in Lab, and changes nothing there; whether she is asked first or not."""
    room = Room(shared_world, "rita")
    given = {**arguments(tool), **{key: str(things[key]) for key in ids_of(tool.schema)}}
    with pytest.raises(Forbidden):
        await (room.call(tool, **given) if asked_first else tool.run(room, **tool.read_arguments(given)))
    assert room.committed is None


@pytest.mark.parametrize("tool", [tool for tool in WRITERS if tool.name != HAND_OFF], ids=lambda tool: tool.name)
async def test_whoever_may_is_not_kept_out(world: World, tool: Tool) -> None:
    """The tests above would also pass if everything were refused. Handing over needs a run: tests/runs/test_handoffs.py."""
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    own = {
        "noteId": (await services.notes.write(bob, lab, "Mine", "text")).id,
        "todoId": (await services.todos.add(bob, lab, ["Mine"]))[0].id,
        "fileId": (await make(world, "bob", *file_for(tool))).id,
    }
    room = Room(world, web_searches=FixedSearches(FOUND))
    await room.begin_conversation()
    if tool.needs == "project":
        room.conversation_id = await conversation_of(world, await project_with_text(world))
    if answer := ANSWERS.get(tool.name):
        room.journal.models_by_operation[Operation.AGENT] = [ScriptedModel(say(answer))]
    try:
        value = await room.call(tool, **{**arguments(tool), **{key: str(own[key]) for key in ids_of(tool.schema)}})
    except WorkroomError as error:
        raise AssertionError(f"{tool.name}: {error.message}") from error
    assert room.committed is not None or tool.pauses, value
