"""The catalogue: what is known of the providers' models before anybody asks one. Data, in files of JSON.

models/<provider>.json  one line per model: label, context, abilities, and its prices in USD per million tokens
embeddings/<provider>.json  the same for models that make vectors: dimensions, texts per request, floors
ranking.json            which of them to try first for each kind of work, when nobody chose
refresh.py              brings the prices up to date (for developers)

A file beside these about the same models has the same ids in it; what differs is told by `entries`.
"""

from __future__ import annotations

from workroom.models.catalogue.embedding_entries import EmbeddingEntry, embedding_entries, embedding_entry
from workroom.models.catalogue.entries import Entry, ListPrice, LongPrompt, entries, entry, ranking

__all__ = [
    "EmbeddingEntry",
    "Entry",
    "ListPrice",
    "LongPrompt",
    "embedding_entries",
    "embedding_entry",
    "entries",
    "entry",
    "ranking",
]
