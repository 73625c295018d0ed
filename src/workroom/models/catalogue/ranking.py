"""Which models to try first for each kind of work, without a choice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources


@cache
def ranking() -> Mapping[str, Sequence[str]]:
    """Operation → `provider/model`, best first."""
    found: dict[str, list[str]] = json.loads((resources.files(__package__) / "ranking.json").read_text("utf-8"))
    return found
