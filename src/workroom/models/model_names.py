"""What the name of a model tells: how many parameters it has, and whether it talks at all. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from workroom.models.ports import ModelInfo

SMALL_BILLIONS = 8.0
SMALL_CONTEXT_TOKENS = 16_384
# `7b` in qwen2.5:7b, `8x7b` in mixtral:8x7b, `e4b` in gemma3n:e4b, `135m` in smollm2:135m; not `a3b`, only the active part.
_SIZE = re.compile(r"(?<![a-z0-9.])(?:(\d+)x|e)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])")
_SILENT = re.compile(r"embed|rerank|minilm|whisper|(?<![a-z])(?:bge|gte|e5)(?![a-z0-9])")


def is_small(model: ModelInfo) -> bool:
    """Whether it does better with few tools and short instructions: a model on an own server that reads at most 16k tokens, or
    has at most eight billion parameters by its name."""
    if not model.own_server:
        return False
    size = billions(model.id)
    return model.context_tokens <= SMALL_CONTEXT_TOKENS or (size is not None and size <= SMALL_BILLIONS)


def billions(name: str) -> float | None:
    """The parameters a name speaks of, the largest number if there are several; None when it says nothing."""
    sizes = [
        int(experts or 1) * float(number) / (1 if unit == "b" else 1_000)
        for experts, number, unit in _SIZE.findall(name.lower())
    ]
    return max(sizes, default=None)


def chat_models_first(names: Iterable[str]) -> list[str]:
    """In the order given, but those that make vectors, rank or transcribe come last: the first models of a server answer unless
    others are chosen."""
    return sorted(names, key=lambda name: _SILENT.search(name.lower()) is not None)
