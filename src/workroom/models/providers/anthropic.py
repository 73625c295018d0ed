"""Claude, at Anthropic or wherever its Messages API is spoken."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TYPE_CHECKING

from workroom.models.ports import Forcing, ModelInfo, ModelRequest, StreamItem, ToolSchema
from workroom.models.providers.lazy import LazyModel
from workroom.net import GuardedClient

if TYPE_CHECKING:
    from pydantic_ai.models.anthropic import AnthropicModel as LibraryModel

ADDRESS = "https://api.anthropic.com"


class AnthropicModel(LazyModel):
    """`base_url` is without the version: `/v1/messages` is added to it."""

    def __init__(self, info: ModelInfo, api_key: str, client: GuardedClient, base_url: str | None = None) -> None:
        super().__init__(info, base_url or ADDRESS, api_key, client)

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        return super().stream(with_past_tools(request))

    def _library_model(self, provider: str) -> LibraryModel:
        from workroom.models.providers.messages_api import messages_model

        return messages_model(self.info, self._base_url, self._api_key, self._client)


def with_past_tools(request: ModelRequest) -> ModelRequest:
    """A conversation in which tools were used is refused by this API when none are on offer: name those, and forbid them."""
    used = dict.fromkeys(call.tool for message in request.messages for call in message.calls)
    if request.tools or not used:
        return request
    gone = [ToolSchema(name, "Not available any more.", {"type": "object", "properties": {}}) for name in used]
    return replace(request, tools=gone, forcing=Forcing.NONE)


def preload() -> None:
    from workroom.models.providers import adapter, messages_api  # noqa: F401
