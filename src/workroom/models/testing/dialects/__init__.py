"""The APIs a scripted provider speaks; which one is decided by the path that is asked.

types.py             what an API has to say
chat_completions.py  OpenAI's, and that of everything that imitates it
messages_api.py      Anthropic's
generate_content.py  Google's
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workroom.models.testing.dialects import chat_completions, generate_content, messages_api
from workroom.models.testing.dialects.types import Dialect, Heard, Kind

DIALECTS: tuple[Dialect, ...] = (chat_completions, messages_api, generate_content)

__all__ = ["DIALECTS", "Dialect", "Heard", "Kind", "spoken"]


def spoken(path: str, body: Mapping[str, Any]) -> Dialect:
    """The API of a path; mistakes about unknown paths are told in OpenAI's."""
    return next((dialect for dialect in DIALECTS if dialect.model_of(path, body) is not None), chat_completions)
