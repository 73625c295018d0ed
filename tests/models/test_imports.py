"""The library behind the providers takes most of a second to load: nobody pays for it who does not ask a model."""

from __future__ import annotations

import subprocess
import sys

import pytest

CHEAP = [
    "workroom.models",
    "workroom.models.ports",
    "workroom.models.testing",
    "workroom.models.providers.openai_compatible",
]


def loaded(code: str) -> set[str]:
    script = (
        f"import sys\n{code}\nprint(*(name for name in ('pydantic_ai', 'openai', 'tiktoken') if name in sys.modules))"
    )
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.parametrize("module", CHEAP)
def test_importing_is_cheap(module: str) -> None:
    assert loaded(f"import {module}") == set()


def test_preloading_loads() -> None:
    assert loaded("from workroom.models.providers.openai_compatible import preload; preload()") == {
        "pydantic_ai",
        "openai",
    }
