"""What model servers say of a model, read from their JSON: llama.cpp, Ollama, LM Studio, vLLM and hosted lists. Pure.

No server says whether it keeps answers to a schema (`response_format`); the four named here do.

Servers may say anything: numbers out of bounds and values of another type count as not said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workroom.models.types import ModelFacts

FEWEST_CONTEXT_TOKENS = 512  # less could not hold a question and its answer
MOST_CONTEXT_TOKENS = 10_000_000  # the longest window of any model that is offered
# What Ollama gives a model whose length is set nowhere, on a machine with less than 24 GB of graphics memory. What is sent beyond
# it is cut off without a word, from the front: assuming too little is the smaller mistake.
OLLAMA_CONTEXT_TOKENS = 4_096
_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)


def facts_of_listing(entry: Mapping[str, Any]) -> ModelFacts:
    """An entry of `/v1/models`: `max_model_len` is vLLM's, `meta` llama.cpp's, the others are those of hosted gateways."""
    lengths = (entry.get("max_model_len"), _dict(entry, "meta").get("n_ctx"))
    hosted = (entry.get("context_length"), entry.get("context_window"))
    inputs = _dict(entry, "architecture").get("input_modalities")
    return ModelFacts(
        _first_length(*lengths, *hosted),
        images="image" in inputs if isinstance(inputs, list) else None,
        structured=True if entry.get("owned_by") == "vllm" else None,
    )


def facts_of_props(body: Any) -> ModelFacts | None:
    """llama.cpp's `/props`. Older ones do not say what their template is capable of, so it is looked for in the template."""
    if not isinstance(body, dict) or not isinstance(body.get("default_generation_settings"), dict):
        return None
    template = body.get("chat_template")
    tools = _flag(_dict(body, "chat_template_caps").get("supports_tools"))
    if tools is None and isinstance(template, str) and template:
        tools = "tools" in template
    length = _first_length(_dict(body, "default_generation_settings").get("n_ctx"), body.get("n_ctx"))
    return ModelFacts(length, tools, _flag(_dict(body, "modalities").get("vision")), structured=True)


def facts_of_show(body: Any, running: Any = None) -> ModelFacts | None:
    """Ollama's `/api/show`. `running`: the length the model was loaded with, as `/api/ps` has it, if it is loaded."""
    if not isinstance(body, dict) or not isinstance(body.get("model_info"), dict):
        return None
    trained = _first_length(*(value for key, value in body["model_info"].items() if key.endswith(".context_length")))
    parameters = body.get("parameters")
    entered = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    length = _first_length(running, int(entered[1]) if entered else None)
    if length is None:
        length = trained if body.get("remote_host") else OLLAMA_CONTEXT_TOKENS
    if length is not None and trained is not None:
        length = min(length, trained)
    abilities = body.get("capabilities")
    if not isinstance(abilities, list) or "completion" not in abilities:
        return ModelFacts(length)
    return ModelFacts(length, "tools" in abilities, "vision" in abilities, structured=True)


def facts_of_lm_studio(entry: Mapping[str, Any]) -> ModelFacts:
    """An entry of LM Studio's `/api/v0/models`. One that is not loaded has only the length it was trained for."""
    length, kind = _first_length(entry.get("loaded_context_length")), entry.get("type")
    return ModelFacts(length, images=kind == "vlm", structured=True) if kind in ("llm", "vlm") else ModelFacts(length)


def combined(facts: ModelFacts, more: ModelFacts | None) -> ModelFacts:
    """`more` where it says something."""
    said = {name: value for name, value in vars(more).items() if value is not None} if more else {}
    return ModelFacts(**(vars(facts) | said))


def _first_length(*values: Any) -> int | None:
    return next((value for value in values if _is_length(value)), None)


def _is_length(value: Any) -> bool:
    return type(value) is int and FEWEST_CONTEXT_TOKENS <= value <= MOST_CONTEXT_TOKENS


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _dict(body: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = body.get(key)
    return found if isinstance(found, dict) else {}
