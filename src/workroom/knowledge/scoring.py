"""How what words found and what meaning found become one order: both scores normalised over the candidates, then added.
Ranks alone would forget how sure the words were (measured: docs/explanation/figures.md)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

from workroom.knowledge.types import Found


def fused(candidates: Sequence[Found], weight: float) -> list[tuple[Found, float]]:
    """Best first. What words did not find has no words in common: zero. What has no vector counts as the least alike."""
    if not candidates:
        return []
    words = _normal([found.words or 0.0 for found in candidates])
    known = [found.meaning for found in candidates if found.meaning is not None]
    least = min(known, default=0.0)
    meanings = _normal([least if found.meaning is None else found.meaning for found in candidates])
    scored = [(found, w + weight * m) for found, w, m in zip(candidates, words, meanings, strict=True)]
    return sorted(scored, key=lambda item: (-item[1], item[0].key.file_id, item[0].key.chunk))


def _normal(values: Sequence[float]) -> list[float]:
    mean, spread = fmean(values), pstdev(values)
    return [0.0] * len(values) if spread == 0 else [(value - mean) / spread for value in values]
