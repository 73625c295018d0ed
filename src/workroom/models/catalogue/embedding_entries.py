"""What is known of the providers' embedding models. Apart from the others: they write no text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

from workroom.models.catalogue.entries import ListPrice, listed_price


@dataclass(frozen=True)
class EmbeddingEntry:
    """`floors`: cosines below which a passage of the own workspace, or a shared one, is not worth showing; none where
    they are not measured."""

    provider: str
    id: str
    label: str
    dimensions: int
    input_tokens: int
    batch: int
    floors: tuple[float, float] | None
    prices: Sequence[ListPrice]

    def price(self, day: date) -> ListPrice:
        return next(price for price in reversed(self.prices) if price.since <= day)


@cache
def embedding_entries() -> Mapping[str, Sequence[EmbeddingEntry]]:
    """Provider → its embedding models, as the files have them."""
    folder = resources.files(__package__) / "embeddings"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {provider: _read(provider, file.read_text("utf-8")) for file in files for provider in [file.name[:-5]]}


def embedding_entry(provider: str, model: str) -> EmbeddingEntry | None:
    return next((entry for entry in embedding_entries().get(provider, ()) if entry.id == model), None)


def _read(provider: str, text: str) -> Sequence[EmbeddingEntry]:
    return tuple(
        EmbeddingEntry(
            provider,
            model["id"],
            model["label"],
            model["dimensions"],
            model["inputTokens"],
            model["batch"],
            (model["floors"][0], model["floors"][1]) if "floors" in model else None,
            tuple(listed_price(price) for price in model["prices"]),
        )
        for model in json.loads(text)["models"]
    )
