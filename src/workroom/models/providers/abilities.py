"""What a model accepts, asked of its profile, at any provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_ai.profiles import ModelProfile

# There is one system prompt, and it comes first. The library would otherwise tell every model how later ones will look, and
# change what users wrote where it looks like one.
ONE_SYSTEM_PROMPT = ModelProfile(supports_inline_system_prompts=True)


def accepts_forcing(profile: Mapping[str, Any]) -> bool:
    if not profile.get("supports_forced_tool_choice", True):
        return False
    return not thinks(profile) or bool(profile.get("supports_forced_tool_choice_with_thinking", True))


def accepts_temperature(profile: Mapping[str, Any]) -> bool:
    """OpenAI's reasoning models refuse it while they reason, the newer ones of Anthropic always."""
    if profile.get("anthropic_disallows_sampling_settings", False):
        return False
    return not (profile.get("openai_supports_reasoning", False) and thinks(profile))


def thinks(profile: Mapping[str, Any]) -> bool:
    return bool(profile.get("thinking_enabled_by_default") or profile.get("thinking_always_enabled"))
