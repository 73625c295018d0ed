"""The catalogue: what is known of the providers' models before anybody asks one. Data, in files of JSON.

models/<provider>.json  one line per model: label, context, abilities, and its prices in USD per million tokens
strategies/<provider>.json  for the same models, with the same ids: how each is told that it is another agent from now on
embeddings/<provider>.json  the first again for models that make vectors: dimensions, texts per request, floors
ranking.json            which of them to try first for each kind of work, without a choice
refresh.py              brings the prices up to date (for developers)

`shipped` is what is in the files. A mandate's own is that with its changes: part of its configuration, changed by
`models/model_catalogue.py`.
"""

from __future__ import annotations

from workroom.models.catalogue.catalogue import Catalogue, Disagreement, Lack, shipped
from workroom.models.catalogue.changes import CatalogueChange, ModelDescription
from workroom.models.catalogue.embedding_entries import EmbeddingEntry, embedding_entries, embedding_entry
from workroom.models.catalogue.entries import Entry, ListPrice, LongPrompt
from workroom.models.catalogue.ranking import ranking

__all__ = [
    "Catalogue",
    "CatalogueChange",
    "Disagreement",
    "EmbeddingEntry",
    "Entry",
    "Lack",
    "ListPrice",
    "LongPrompt",
    "ModelDescription",
    "embedding_entries",
    "embedding_entry",
    "ranking",
    "shipped",
]
