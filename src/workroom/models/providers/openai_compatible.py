"""OpenAI, and every endpoint that speaks its Chat Completions API: vLLM, llama.cpp, Ollama, LM Studio, gateways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workroom.models.providers.lazy import LazyModel

if TYPE_CHECKING:
    from pydantic_ai.models.openai import OpenAIChatModel


class OpenAiCompatibleModel(LazyModel):
    def _library_model(self, provider: str) -> OpenAIChatModel:
        from workroom.models.providers.chat_completions import chat_model

        return chat_model(self.info, self._base_url, self._api_key, self._client, provider=provider)


def preload() -> None:
    from workroom.models.providers import adapter, chat_completions  # noqa: F401
