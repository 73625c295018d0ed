"""What names of models tell: their size, and whether they talk."""

from __future__ import annotations

import pytest

from workroom.core.money import FREE
from workroom.models.model_names import billions, chat_models_first, is_small
from workroom.models.ports import ModelInfo


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("qwen2.5:7b", 7), ("qwen2.5-1.5b-instruct-q4_k_m.gguf", 1.5), ("Llama-3.2-3B-Instruct", 3), ("gpt-oss:20b", 20),
        ("smollm2:135m", 0.135), ("mixtral:8x7b", 56), ("qwen3-30b-a3b", 30), ("gemma3n:e4b", 4), ("meta/llama_8b", 8),
        ("mistral", None), ("phi-3-mini-128k", None), ("qwen2.5", None), ("gpt-4b2", None),
    ],
)  # fmt: skip
def test_a_name_tells_how_many_parameters_there_are(name: str, size: float | None) -> None:
    assert billions(name) == size


@pytest.mark.parametrize(
    ("name", "context", "own_server", "small"),
    [
        ("qwen2.5:7b", 128_000, True, True),
        ("llama3.1:8b", 128_000, True, True),
        ("qwen3:14b", 32_768, True, False),
        ("qwen3:14b", 16_384, True, True),
        ("mistral", 16_385, True, False),
        ("mistral", 4_096, True, True),
        ("qwen2.5:7b", 4_096, False, False),
    ],
)
def test_small_is_an_own_servers_model_with_little_context_or_few_parameters(
    name: str, context: int, own_server: bool, small: bool
) -> None:
    assert is_small(ModelInfo("p", name, FREE, context_tokens=context, own_server=own_server)) is small


def test_models_that_do_not_talk_come_last() -> None:
    names = ["nomic-embed-text", "qwen3", "bge-m3", "whisper-1", "llama3", "bge-reranker-v2", "multilingual-e5-large"]
    assert chat_models_first(names)[:2] == ["qwen3", "llama3"]
    assert chat_models_first(["gte5", "large5"]) == ["gte5", "large5"], "parts of other words"
