"""How texts travel to an embedding API and vectors back: OpenAI's, which everybody imitates, and Google's. Pure.

A vector arrives as a list of numbers or, from OpenAI itself, as their bytes: a third of the size, and read in no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from workroom.core.tokens import token_count
from workroom.models.embeddings.prefixes import wording_of

Numbers = Sequence[float] | str  # as text: base64 of little-endian floats


@dataclass(frozen=True)
class EmbeddingRequest:
    """A request: path below the provider's address, headers, body."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass(frozen=True)
class EmbeddingResponse:
    """`rows` in the order of the texts, not looked at yet; `tokens` is None when the provider does not count."""

    rows: Sequence[Numbers]
    tokens: int | None


class EmbeddingWire(Protocol):
    def order(self, texts: Sequence[str], *, query: bool) -> EmbeddingRequest: ...

    def delivery(self, body: Any) -> EmbeddingResponse:
        """Raises ValueError, TypeError or LookupError for an answer that is none."""
        ...


@dataclass(frozen=True)
class OpenAiWire:
    """`dimensions` and `bytes` only where they are understood: many servers refuse a request that has more than they know."""

    model: str
    key: str
    dimensions: int | None = None
    as_bytes: bool = False

    def order(self, texts: Sequence[str], *, query: bool) -> EmbeddingRequest:
        wording = wording_of(self.model)
        body: dict[str, Any] = {
            "model": self.model,
            "input": [wording.of(text, query=query) for text in texts],
            "encoding_format": "base64" if self.as_bytes else "float",
        }
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        return EmbeddingRequest("/embeddings", {"Authorization": f"Bearer {self.key}"} if self.key else {}, body)

    def delivery(self, body: Any) -> EmbeddingResponse:
        data = sorted(body["data"], key=lambda item: int(item["index"]))
        if [int(item["index"]) for item in data] != list(range(len(data))):
            raise ValueError("the vectors are not numbered as they should be")
        usage = body.get("usage") or {}
        tokens = usage.get("prompt_tokens", usage.get("total_tokens"))
        return EmbeddingResponse([item["embedding"] for item in data], token_count(tokens))


@dataclass(frozen=True)
class GoogleWire:
    """It answers in the order of the requests, and does not say what it used."""

    model: str
    key: str
    dimensions: int

    def order(self, texts: Sequence[str], *, query: bool) -> EmbeddingRequest:
        wording = wording_of(self.model)
        # Newer models want their task in words, in front of the text.
        task = {} if wording.query else {"taskType": "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT"}
        requests = [
            {
                "model": f"models/{self.model}",
                "content": {"parts": [{"text": wording.of(text, query=query)}]},
                "outputDimensionality": self.dimensions,
                **task,
            }
            for text in texts
        ]
        path = f"/v1beta/models/{quote(self.model, safe='')}:batchEmbedContents"
        return EmbeddingRequest(path, {"x-goog-api-key": self.key}, {"requests": requests})

    def delivery(self, body: Any) -> EmbeddingResponse:
        return EmbeddingResponse([item["values"] for item in body["embeddings"]], None)
