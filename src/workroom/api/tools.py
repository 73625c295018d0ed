"""Which tools there are, and the sets an instance can choose from. The same for everybody: nothing here is data."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from workroom.agent.tool import Effect, Tool
from workroom.agent.tool_sets import TOOL_SETS, ToolSet
from workroom.api.frame.signed_in import Served, Who
from workroom.core.wire import Wire

router = APIRouter(prefix="/api", tags=["tools"])


class ToolView(Wire):
    """`parameters` is a JSON Schema. `asks`: the user is asked before it acts, or may be asked by it."""

    name: str
    description: str
    effect: Effect
    asks: bool
    parameters: dict[str, Any]

    @classmethod
    def of(cls, tool: Tool) -> ToolView:
        return cls(
            name=tool.name,
            description=tool.description,
            effect=tool.effect,
            asks=tool.pauses or tool.confirm is not None,
            parameters=dict(tool.schema.parameters),
        )


class ToolSetView(Wire):
    name: str
    description: str
    tools: list[str]


@router.get("/tools")
async def list_tools(who: Who, served: Served) -> list[ToolView]:
    """Every tool of this installation, plugins included."""
    return [ToolView.of(tool) for tool in served.tools]


@router.get("/tool-sets")
async def list_tool_sets(who: Who, served: Served) -> list[ToolSetView]:
    """What a workspace's `toolSet` can be, and which tools each brings."""
    return [_view(tool_set, list(served.tools.chosen({tool_set.name}))) for tool_set in TOOL_SETS.values()]


def _view(tool_set: ToolSet, tools: list[str]) -> ToolSetView:
    return ToolSetView(name=tool_set.name, description=tool_set.description, tools=tools)
