"""A second look at the best of what was found, by a model that reads the question and a passage together, if one was chosen."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workroom.core.errors import WorkroomError
from workroom.knowledge.types import ChunkHit, ChunkKey
from workroom.models.reranking.ports import Reranker

log = logging.getLogger(__name__)

MOST_RERANKED = 50
Ranked = Sequence[tuple[ChunkHit, float]]


def candidates(ranked: Ranked, shown: Ranked) -> list[tuple[ChunkHit, float]]:
    """What would be shown as it is, and the next best: so that each layer has its part, and others have a chance."""
    keys = {item.key for item, _ in shown}
    more = [one for one in ranked if one[0].key not in keys][: max(0, MOST_RERANKED - len(shown))]
    return sorted([*shown, *more], key=lambda pair: -pair[1])


async def reranked(reranker: Reranker, text: str, ranked: Ranked, rows: Mapping[ChunkKey, Any]) -> Ranked:
    """In the model's order, with its scores; what it was not asked about comes after. When it fails, as they were."""
    known = [one for one in ranked if one[0].key in rows]
    first, rest = known[:MOST_RERANKED], known[MOST_RERANKED:]
    if len(first) < 2:
        return known
    try:
        said = await reranker.rerank(text, [rows[item.key]["text"] for item, _ in first])
    except WorkroomError as error:
        log.warning("what was found could not be reranked", extra={"reason": error.message})
        return known
    scored = [(replace(item, reranked=score), score) for (item, _), score in zip(first, said.scores, strict=True)]
    scored.sort(key=lambda pair: -pair[1])
    below = scored[-1][1] - first[-1][1]  # the rest keeps its distances, below the last
    return [*scored, *((item, score + below) for item, score in rest)]
