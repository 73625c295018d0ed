"""A reranking model somewhere else, in the words that Jina's, Cohere's, vLLM's and llama.cpp's servers share: `POST /rerank`
with a question and documents, answered with an index and a score for each.

Tried once and given up soon: what was found has an order already, and a user waits for it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from workroom.core.errors import WorkroomError
from workroom.core.tokens import Usage, estimate, token_count
from workroom.models.embeddings.refusals import Refusals
from workroom.models.ports import ModelFailed
from workroom.models.provider_client import ProviderClient
from workroom.models.reranking.offers import RerankOffer
from workroom.models.reranking.ports import Ranking, RerankerInfo

SECONDS = 5.0
MAX_BYTES = 1024 * 1024
OK = 200


class RemoteReranker:
    def __init__(self, offer: RerankOffer, provider: ProviderClient) -> None:
        self.info: RerankerInfo = offer.info
        self._connection, self._provider = offer.connection, provider
        self._refusals = Refusals(offer.connection.provider.label, offer.info.id, offer.connection.key)

    async def rerank(self, query: str, texts: Sequence[str]) -> Ranking:
        key, used = self._connection.key, Usage()
        try:
            async with (
                self._provider.client() as client,
                client.stream(
                    "POST",
                    self._connection.url.rstrip("/") + "/rerank",
                    headers={"Authorization": f"Bearer {key}"} if key else {},
                    json={
                        "model": self.info.id,
                        "query": _sendable(query),
                        "documents": [_sendable(text) for text in texts],
                        "top_n": len(texts),
                    },
                    timeout=SECONDS,
                    max_bytes=MAX_BYTES,
                ) as begun,
            ):
                if begun.status == OK:
                    used = Usage(input_tokens=expected_tokens(query, texts))
                answer = await begun.read()
        except WorkroomError as error:
            raise self._refusals.on_the_way(error, used) from None
        if not answer.ok:
            raise self._refusals.answered(answer)
        try:
            scores, tokens = received(answer.body, len(texts), self.info.id)
        except ModelFailed as failure:
            failure.used = used
            raise
        return Ranking(scores, used if tokens is None else Usage(input_tokens=tokens), assumed=tokens is None)


def expected_tokens(query: str, texts: Sequence[str]) -> int:
    """About what a request will be billed for: the question is read with every text."""
    return sum(map(estimate, texts)) + estimate(query) * len(texts)


def received(body: bytes, count: int, model: str) -> tuple[list[float], int | None]:
    """The scores in the order of the texts, and the tokens it says it used. An order with holes is none."""
    try:
        usage = json.loads(body)
        found = {int(item["index"]): _score(item) for item in usage["results"]}
        tokens = _tokens(usage)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        raise _useless(model) from None
    if sorted(found) != list(range(count)) or not all(math.isfinite(score) for score in found.values()):
        raise _useless(model)
    return [found[number] for number in range(count)], tokens


def _score(item: Any) -> float:
    return float(item["relevance_score"] if "relevance_score" in item else item["score"])


def _tokens(usage: Any) -> int | None:
    return token_count((usage.get("usage") or {}).get("total_tokens"))


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()  # halves of surrogate pairs cannot be sent


def _useless(model: str) -> ModelFailed:
    return ModelFailed(
        f"{model} gave an answer that orders nothing. Check that it is a reranking model, and its address.",
        again=False,
        code="noReranking",
        details={"model": model},
    )
