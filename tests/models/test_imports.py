"""The library behind the providers takes most of a second to load: nobody pays for it who does not ask a model."""

from __future__ import annotations

import subprocess
import sys

import pytest

CHEAP = [
    "workroom.models",
    "workroom.models.ports",
    "workroom.models.service",
    "workroom.models.embeddings.embedders",
    "workroom.models.embeddings.remote",
    "workroom.models.testing",
    "workroom.models.providers.openai_compatible",
    "workroom.models.providers.anthropic",
    "workroom.models.providers.google",
    "workroom.models.providers.text_protocol",
]
LIBRARIES = ("pydantic_ai", "openai", "tiktoken", "anthropic", "google.genai", "numpy", "tokenizers")


def loaded(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*(name for name in {LIBRARIES} if name in sys.modules))"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.parametrize("module", CHEAP)
def test_importing_is_cheap(module: str) -> None:
    assert loaded(f"import {module}") == set()


@pytest.mark.parametrize(
    ("provider", "library"),
    [("openai_compatible", "openai"), ("anthropic", "anthropic"), ("google", "google.genai")],
)
def test_preloading_loads_one_provider_only(provider: str, library: str) -> None:
    code = f"from workroom.models.providers.{provider} import preload; preload()"
    assert loaded(code) == {"pydantic_ai", library}
