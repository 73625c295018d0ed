"""What is known, as a section of the prompt: what the question speaks of first, then the newest, as much as fits.

Values come from outside. Each is one line of a list and cannot be more: no line of theirs begins a section or ends a tag.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.agent.entities.types import Entity, one_line
from workroom.core.results import FROM_OUTSIDE
from workroom.core.tokens import estimate

TITLE = "## Known in this conversation"
TOKENS = 600
SHARE = 20  # of a small window, at most this part
_WORD = re.compile(r"[^\W_]{3,}")
_HAN = re.compile(r"[\u4e00-\u9fff]{2,}")


def known(entities: Sequence[Entity], question: str, window: int) -> str:
    """`entities` are newest first. Empty when there is nothing, or no room for it."""
    asked = _words(question)
    ordered = sorted(entities, key=lambda entity: asked.isdisjoint(_words(entity.value)))
    told = [TITLE, FROM_OUTSIDE]
    room = min(TOKENS, window // SHARE) - _size(told)
    for entity in ordered:
        line = f"- {entity.key.kind}: {one_line(entity.value)}"
        room -= _size([line])
        if room < 0:
            break
        told.append(line)
    return "\n".join(told) if len(told) > 2 else ""


def _size(lines: Sequence[str]) -> int:
    return sum(estimate(line + "\n") for line in lines)


def _words(text: str) -> set[str]:
    """Words of three letters and more; of Chinese, pairs of characters."""
    folded = text.casefold()
    pairs = {run[place : place + 2] for run in _HAN.findall(folded) for place in range(len(run) - 1)}
    return set(_WORD.findall(folded)) | pairs
