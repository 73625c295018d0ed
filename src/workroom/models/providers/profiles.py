"""What models of a family can and cannot do at endpoints like OpenAI's, as pydantic-ai knows it, by the model's name alone.

Endpoints give the same model different names (`qwen3:8b`, `Qwen/Qwen3-8B`): the last part of the name decides, in lower
case. Unknown models are treated as OpenAI's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.profiles.anthropic import anthropic_model_profile
from pydantic_ai.profiles.cohere import cohere_model_profile
from pydantic_ai.profiles.deepseek import deepseek_model_profile
from pydantic_ai.profiles.google import google_model_profile
from pydantic_ai.profiles.grok import grok_model_profile
from pydantic_ai.profiles.harmony import harmony_model_profile
from pydantic_ai.profiles.meta import meta_model_profile
from pydantic_ai.profiles.mistral import mistral_model_profile
from pydantic_ai.profiles.moonshotai import moonshotai_model_profile
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer, OpenAIModelProfile, openai_model_profile
from pydantic_ai.profiles.qwen import qwen_model_profile
from pydantic_ai.providers.openai import OpenAIProvider

from workroom.models.providers.abilities import ONE_SYSTEM_PROMPT

FAMILIES: Mapping[str, Callable[[str], ModelProfile | None]] = {
    "claude": anthropic_model_profile,
    "command": cohere_model_profile,
    "deepseek": deepseek_model_profile,
    "gemini": google_model_profile,
    "gemma": google_model_profile,
    "gpt-oss": harmony_model_profile,
    "grok": grok_model_profile,
    "kimi": moonshotai_model_profile,
    "llama": meta_model_profile,
    "magistral": mistral_model_profile,
    "ministral": mistral_model_profile,
    "mistral": mistral_model_profile,
    "qwen": qwen_model_profile,
    "qwq": qwen_model_profile,
}
# The library knows of one Qwen model that refuses a forced tool choice; its relatives do as well.
UNFORCEABLE = ("qwen", "qwq")


def profile_of(name: str, *, first_party: bool) -> ModelProfile:
    """`first_party` is OpenAI's own API, as opposed to everything that speaks like it."""
    ours = OpenAIModelProfile(
        # Without it, half a stream that ends politely would pass for a whole answer.
        openai_chat_streaming_requires_finish_reason=True,
        # The newer name of the limit is known to OpenAI alone.
        openai_chat_supports_max_completion_tokens=first_party,
        # Whether a server can is known of the server (`ModelFacts.structured`), not of the model's family.
        supports_json_schema_output=True,
    )
    if first_party:
        return merge_profile(OpenAIProvider.model_profile(name), ONE_SYSTEM_PROMPT, ours)
    short = name.lower().rpartition("/")[2]
    if short.startswith(UNFORCEABLE):
        ours["supports_forced_tool_choice"] = False
    family = next((profile for prefix, profile in FAMILIES.items() if short.startswith(prefix)), openai_model_profile)
    base = OpenAIModelProfile(json_schema_transformer=OpenAIJsonSchemaTransformer)
    return merge_profile(base, family(short), ONE_SYSTEM_PROMPT, ours)
