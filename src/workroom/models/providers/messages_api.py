"""The library's model for Anthropic's Messages API, on our HTTP client and with nothing taken from the environment."""

from __future__ import annotations

import anthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider

from workroom.models.output_limit import stream_limits
from workroom.models.ports import ModelInfo
from workroom.models.providers.abilities import ONE_SYSTEM_PROMPT
from workroom.models.providers.headers import NO_KEY, only
from workroom.net import GuardedClient

VERSION = "2023-06-01"


def messages_model(info: ModelInfo, base_url: str, api_key: str, client: GuardedClient) -> AnthropicModel:
    http = client.http_client(stream_limits(info))
    sdk = anthropic.AsyncAnthropic(
        base_url=base_url,
        api_key=api_key or NO_KEY,
        http_client=http,
        max_retries=0,  # trying again is decided above, where it is counted and billed
        open_telemetry=False,
    )
    http.event_hooks = {"request": [only({**sdk.auth_headers, "anthropic-version": VERSION}, "anthropic-beta")]}
    settings = AnthropicModelSettings(
        max_tokens=info.output_tokens,  # this API wants a limit in every request
        cache=True,  # of this provider, nothing is cached that is not asked for
    )
    if (AnthropicProvider.model_profile(info.id) or {}).get("anthropic_binds_thinking_blocks"):
        # These models refuse a thought of theirs when anything before it has changed, and prompts do change. Asking for
        # such thoughts to be passed over beforehand spares a request that is refused.
        settings["anthropic_thinking"] = {
            "type": "adaptive",
            "block_binding": {"prefix_mismatch_behavior": "drop_block"},
        }
    provider = AnthropicProvider(anthropic_client=sdk)
    return AnthropicModel(info.id, provider=provider, profile=ONE_SYSTEM_PROMPT, settings=settings)
