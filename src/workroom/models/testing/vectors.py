"""What a scripted provider says when it is asked for vectors: in OpenAI's words or in Google's, right or wrong."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.models.testing.hashing import hashed

SCRIPTED_DIMENSIONS = 8
COUNTED = object()


@dataclass(frozen=True)
class Vectors:
    """By hash, of as many dimensions as were asked for. `rows` instead are sent as they are; `missing` so many too few;
    `reversed`: in another order, numbered as they should be; `tokens`: what is reported instead of the number of words."""

    dimensions: int | None = None
    rows: Sequence[Sequence[Any]] | None = None
    missing: int = 0
    reversed: bool = False
    counted: bool = True
    tokens: Any = COUNTED

    def body(self, request: Mapping[str, Any]) -> dict[str, Any]:
        texts = _texts(request)
        wanted = request.get("dimensions") or next(
            (one.get("outputDimensionality") for one in request.get("requests", ())), None
        )
        size = self.dimensions or wanted or SCRIPTED_DIMENSIONS
        rows: Sequence[Any] = self.rows if self.rows is not None else [hashed(text, size) for text in texts]
        rows = rows[: len(rows) - self.missing]
        if "requests" in request:
            return {"embeddings": [{"values": row} for row in rows]}
        if request.get("encoding_format") == "base64" and self.rows is None:
            rows = [base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() for row in rows]
        data = [{"object": "embedding", "index": number, "embedding": row} for number, row in enumerate(rows)]
        tokens = sum(len(text.split()) for text in texts) if self.tokens is COUNTED else self.tokens
        usage = {"usage": {"prompt_tokens": tokens, "total_tokens": tokens}} if self.counted else {}
        return {"object": "list", "model": request.get("model"), "data": data[:: -1 if self.reversed else 1], **usage}


def _texts(request: Mapping[str, Any]) -> list[str]:
    if "requests" in request:
        return [one["content"]["parts"][0]["text"] for one in request["requests"]]
    return list(request.get("input", ()))
