"""Embeds a question: one vector for each model whose vectors are to be searched.

Mostly that is one model. After another was chosen, files keep the vectors of the old one until they have all of the new ones,
so for a while a question is embedded by both.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from uuid import UUID

from workroom.core.errors import WorkroomError
from workroom.identity.types import Principal
from workroom.knowledge.ports import Embedders
from workroom.knowledge.store.vectors import DIMENSIONS
from workroom.models.embeddings.ports import Embedder, EmbedderInfo, Vector

log = logging.getLogger(__name__)

MOST_MODELS = 3
QueryVector = tuple[EmbedderInfo, Vector]


async def query_vectors(
    embedders: Embedders,
    principal: Principal,
    instance_id: UUID,
    counting: Embedder,
    present: Sequence[str | None],
    text: str,
) -> list[QueryVector]:
    """By the models of `present`, the one that counts first. One that cannot be asked any more, or does not answer, is left
    out: words still find."""
    ref = counting.info.ref
    models = [counting] if ref in present or None in present else []
    for other in present:
        if len(models) == MOST_MODELS:
            break
        if other is not None and other != ref:
            named = await embedders.named(principal, instance_id, other)
            models += [named] if named is not None else []
    made = await asyncio.gather(*(_vector(model, text) for model in models))
    return [(model.info, vector) for model, vector in zip(models, made, strict=True) if vector is not None]


async def _vector(embedder: Embedder, text: str) -> Vector | None:
    try:
        (vector,) = (await embedder.embed([text], query=True)).vectors
    except WorkroomError as error:
        log.warning(
            "a question could not be embedded; what has such vectors is searched by words alone",
            extra={"model": embedder.info.ref, "reason": error.message},
        )
        return None
    return vector if vector.any() and len(vector) in DIMENSIONS else None
