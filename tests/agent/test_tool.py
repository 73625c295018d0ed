"""A tool is its signature: schema, description, and arguments that are checked before anything runs."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from workroom.agent.registry import Registry, discover
from workroom.agent.tool import ToolContext, explain, tool
from workroom.core.results import ResultStatus, ToolResult, result_of


@tool("searchThings", effect="read", sets={"core"})
async def search_things(
    ctx: ToolContext, query: Annotated[str, Field(max_length=10)], order: Literal["asc", "desc"] = "asc", limit: int = 8
) -> list[str]:
    """Find things. Newest first among equals."""
    return []


@pytest.mark.requirement("B1")
def test_the_schema_comes_from_the_signature() -> None:
    schema = search_things.schema
    assert (schema.name, schema.description) == ("searchThings", "Find things. Newest first among equals.")
    assert schema.parameters["required"] == ["query"]
    assert schema.parameters["properties"]["order"]["enum"] == ["asc", "desc"]
    assert schema.parameters["properties"]["limit"]["default"] == 8
    assert schema.parameters["additionalProperties"] is False


@pytest.mark.requirement("B6")
@pytest.mark.parametrize(
    "given", [{}, {"query": "x" * 11}, {"query": "x", "order": "up"}, {"query": "x", "ctx": 1}, {"query": None}]
)
def test_arguments_that_do_not_fit_are_refused_without_repeating_them(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as caught:
        search_things.read_arguments(given)
    assert "xxxxxxxxxxx" not in explain(caught.value)


def test_defaults_are_filled_in() -> None:
    assert search_things.read_arguments({"query": "x"}) == {"query": "x", "order": "asc", "limit": 8}


@pytest.mark.parametrize("given", [{"order": ""}, {"limit": None}, {"order": "", "limit": ""}])
def test_an_empty_argument_that_may_be_left_out_counts_as_left_out(given: dict[str, object]) -> None:
    read = search_things.read_arguments({"query": "x", **given})
    assert read == search_things.read_arguments({"query": "x"})
    with pytest.raises(ValidationError):
        search_things.read_arguments({"query": "x", **given, "limit": "many"})


def test_a_tool_without_a_docstring_is_no_tool() -> None:
    with pytest.raises(TypeError, match="docstring"):

        @tool("silent", effect="read")
        async def silent(ctx: ToolContext) -> None: ...


@pytest.mark.requirement("B1")
def test_a_registry_knows_each_name_once_and_hands_out_sets_in_a_stable_order() -> None:
    @tool("another", effect="read", sets={"other"})
    async def another(ctx: ToolContext) -> None:
        """Another."""

    registry = Registry([search_things, another])
    with pytest.raises(ValueError, match="two tools"):
        registry.add(another)
    assert list(registry.chosen({"core"})) == ["searchThings"]
    assert list(registry.chosen({"core"}, {"another"})) == ["another", "searchThings"]
    assert list(registry.chosen()) == []


def test_discovery_finds_the_tools_of_a_package() -> None:
    import tests.agent as package

    assert "searchThings" in [found.name for found in discover(package)]


@pytest.mark.requirement("B2")
@pytest.mark.parametrize(
    ("value", "result"),
    [
        (None, ToolResult()),
        ("text", ToolResult(message="text")),
        ([1, 2], ToolResult(items=[1, 2])),
        ({"a": 1}, ToolResult(data={"a": 1})),
        (7, ToolResult(data={"value": 7})),
        (ToolResult.error("no"), ToolResult(status=ResultStatus.ERROR, message="no")),
    ],
)
def test_plain_values_become_the_one_shape(value: object, result: ToolResult) -> None:
    assert result_of(value) == result


def test_the_model_reads_a_plain_message_or_everything_but_the_orders_to_the_interface() -> None:
    assert ToolResult(message="hi").text() == "hi"
    assert ToolResult(message="hi", items=[1]).text() == '{"items":[1],"message":"hi"}'
    assert "actions" not in ToolResult(items=[1], actions=[]).text()
