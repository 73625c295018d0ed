"""Lists tools, their texts, and the sets an instance can choose from. The same for everybody of an organisation: no content."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from workroom.agent.requirements import without_unusable
from workroom.agent.tool import Tool, ToolEffect
from workroom.agent.tool_sets import TOOL_SETS, ToolSet
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.languages import Language
from workroom.core.sidecars import in_language
from workroom.core.tool_texts import ToolTexts
from workroom.core.wire import Wire

router = APIRouter(prefix="/api", tags=["tools"])


class ToolView(Wire):
    """A tool. `parameters` is a JSON Schema. `asks`: the user is asked before it acts, or may be asked by it. `setUp` false: it
    needs something that is not set up in this organisation, so agents do not have it."""

    name: str
    description: str
    effect: ToolEffect
    asks: bool
    set_up: bool
    parameters: dict[str, Any]

    @classmethod
    def of(cls, tool: Tool, set_up: bool) -> ToolView:
        return cls(
            name=tool.name,
            description=tool.description,
            effect=tool.effect,
            asks=tool.pauses or tool.confirm is not None,
            set_up=set_up,
            parameters=dict(tool.schema.parameters),
        )


class ToolTextsView(Wire):
    """What pages show of a tool in one language, see `ToolTexts`."""

    label: str
    confirmation: str = ""
    confirmations: dict[str, str] = Field(default_factory=dict)
    activity: str = ""
    activities: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def of(cls, texts: ToolTexts) -> ToolTextsView:
        return cls(
            label=texts.label,
            confirmation=texts.confirmation,
            confirmations=dict(texts.confirmations),
            activity=texts.activity,
            activities=dict(texts.activities),
        )


class ToolSetView(Wire):
    name: str
    description: str
    tools: list[str]


@router.get("/tools")
async def list_tools(principal: CurrentPrincipal, services: AppServices) -> list[ToolView]:
    """Every tool of this installation, plugins included."""
    usable = await without_unusable({tool.name: tool for tool in services.tools}, services.tool_requirements, principal)
    return [ToolView.of(tool, tool.name in usable) for tool in services.tools]


@router.get("/tool-texts", response_model=dict[str, ToolTextsView])
async def list_tool_texts(
    principal: CurrentPrincipal, services: AppServices, request: Request, language: Language
) -> Response:
    """The texts that pages show of each tool, by its name, in a language or else in English.

    A tool without texts is left out: pages show its name. Has an ETag, because the texts change only with what is installed."""
    texts = {tool.name: in_language(tool.texts, language) for tool in services.tools}
    views = {name: ToolTextsView.of(found).model_dump(exclude_defaults=True) for name, found in texts.items() if found}
    body = json.dumps(views, ensure_ascii=False, separators=(",", ":")).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@router.get("/tool-sets")
async def list_tool_sets(principal: CurrentPrincipal, services: AppServices) -> list[ToolSetView]:
    """What a workspace's `toolSet` can be, and which tools each brings."""
    return [_view(tool_set, list(services.tools.chosen({tool_set.name}))) for tool_set in TOOL_SETS.values()]


def _view(tool_set: ToolSet, tools: list[str]) -> ToolSetView:
    return ToolSetView(name=tool_set.name, description=tool_set.description, tools=tools)
