"""Gemini, by the Gemini API of Google."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workroom.models.ports import ModelInfo
from workroom.models.providers.lazy import LazyModel
from workroom.net import GuardedClient

if TYPE_CHECKING:
    from workroom.models.providers.generate_content import TidyGoogleModel

ADDRESS = "https://generativelanguage.googleapis.com"


class GoogleModel(LazyModel):
    """`base_url` is without the version: `/v1beta/models/…` is added to it."""

    def __init__(self, info: ModelInfo, api_key: str, client: GuardedClient, base_url: str | None = None) -> None:
        super().__init__(info, base_url or ADDRESS, api_key, client)

    def _library_model(self, provider: str) -> TidyGoogleModel:
        from workroom.models.providers.generate_content import gemini_model

        return gemini_model(self.info, self._base_url, self._api_key, self._client)


def preload() -> None:
    from workroom.models.providers import adapter, generate_content  # noqa: F401
