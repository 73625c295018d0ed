"""What a scripted provider says when it is asked for an order, right or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ranks:
    """These scores, or by the length of the texts, best first. `results` instead are sent as they are."""

    scores: Sequence[Any] | None = None
    results: Any = None
    counted: bool = True

    def body(self, request: Mapping[str, Any]) -> dict[str, Any]:
        texts = list(request.get("documents", ()))
        scores = self.scores if self.scores is not None else [float(len(text)) for text in texts]
        ranked = [{"index": number, "relevance_score": score} for number, score in enumerate(scores)]
        results = sorted(ranked, key=lambda item: str(item["relevance_score"]), reverse=True)
        usage = {"usage": {"total_tokens": sum(len(text.split()) for text in texts)}} if self.counted else {}
        return {"model": request.get("model"), "results": results if self.results is None else self.results, **usage}
