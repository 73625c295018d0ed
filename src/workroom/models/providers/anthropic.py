"""Claude, at Anthropic or wherever its Messages API is spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workroom.models.ports import ModelInfo
from workroom.models.providers.lazy import LazyModel
from workroom.net import GuardedClient

if TYPE_CHECKING:
    from pydantic_ai.models.anthropic import AnthropicModel as LibraryModel

ADDRESS = "https://api.anthropic.com"


class AnthropicModel(LazyModel):
    """`base_url` is without the version: `/v1/messages` is added to it."""

    def __init__(self, info: ModelInfo, api_key: str, client: GuardedClient, base_url: str | None = None) -> None:
        super().__init__(info, base_url or ADDRESS, api_key, client)

    def _library_model(self, provider: str) -> LibraryModel:
        from workroom.models.providers.messages_api import messages_model

        return messages_model(self.info, self._base_url, self._api_key, self._client)


def preload() -> None:
    from workroom.models.providers import adapter, messages_api  # noqa: F401
