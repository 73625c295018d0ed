"""A schema in few words: what a call needs stays, what only checks it goes."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from workroom.agent.compact_schema import compact
from workroom.agent.registry import discover
from workroom.agent.tool import Tool
from workroom.bootstrap.tools import TOOL_PACKAGES


class Inner(BaseModel):
    """What is wanted."""

    pages: list[int] | None = None


class Outer(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=9, pattern="a+")]
    kind: Literal["text", "table"]
    inner: Annotated[Inner, Field(description="Of it.")]
    id: UUID
    due: date | None = None
    either: int | str = 1


class Tree(BaseModel):
    children: list[Tree]


def test_names_kinds_and_what_is_required_stay() -> None:
    assert compact(Outer.model_json_schema()) == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "kind": {"type": "string", "enum": ["text", "table"]},
            "inner": {
                "type": "object",
                "description": "Of it.",
                "properties": {"pages": {"type": "array", "items": {"type": "integer"}}},
            },
            "id": {"type": "string"},
            "due": {"type": "string", "format": "date"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
        "required": ["title", "kind", "inner", "id"],
    }


def test_what_refers_to_itself_comes_to_an_end() -> None:
    assert "$ref" not in str(compact(Tree.model_json_schema()))


@pytest.mark.requirement("B1")
@pytest.mark.parametrize("tool", list(discover(*TOOL_PACKAGES)), ids=lambda tool: tool.name)
def test_every_tool_can_be_called_by_what_is_told_of_it(tool: Tool) -> None:
    told: Any = tool.prompt_schema.parameters
    assert set(told.get("properties", {})) == set(tool.arguments.model_fields)
    required = {name for name, field in tool.arguments.model_fields.items() if field.is_required()}
    assert set(told.get("required", ())) == required
    assert "$ref" not in str(told)
