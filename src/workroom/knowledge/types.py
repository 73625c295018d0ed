"""Values of knowledge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.documents.types import ContentType, ContextRef
from workroom.identity.sharing import Visibility


class IndexState(StrEnum):
    PENDING = "pending"
    EXTRACTED = "extracted"  # words can be searched
    EMBEDDING = "embedding"
    INDEXED = "indexed"
    FAILED = "failed"


class KnowledgeLayer(StrEnum):
    """Where a passage is known from: the workspace, or what everybody shares."""

    INSTANCE = "instance"
    SHARED = "shared"


class IndexStatus(Wire):
    """How far a file has come: `done` of `total` parts are read, then embedded. `wanted`: another model's vectors are being
    made, or wait to be; until all are there, those of `embedder` are searched. `costCHF` is what its vectors have cost so far;
    `costAssumed`: some of that by guess. `unread`: how many of its pages are pictures without recognised text;
    `pagesDone` of `pagesWanted` are, while that is wanted, and `recognisable` says whether it can be done here."""

    file_id: UUID
    version: int
    state: IndexState
    done: int
    total: int
    chunks: int
    language: str
    embedder: str | None
    notes: list[str]
    problem_code: str | None
    problem: str | None
    wanted: str | None
    cost_chf: CHF
    cost_assumed: bool
    updated_at: datetime
    unread: int
    pages_wanted: int
    pages_done: int
    recognisable: bool = False


@dataclass(frozen=True)
class Chunk:
    """A passage: what one hit shows. `ref` says where it is; its container path is filled in for its reader."""

    text: str
    ref: ContextRef
    tokens: int
    inside: str = ""


@dataclass(frozen=True)
class ChunkKey:
    file_id: UUID
    chunk: int


@dataclass(frozen=True)
class ChunkHit:
    """A chunk with what speaks for it: BM25 over its words, cosine of its meaning; None where that did not find it. `model`
    says whose cosine it is: those of two models do not compare."""

    key: ChunkKey
    layer: KnowledgeLayer
    words: float | None = None
    meaning: float | None = None
    lexemes: tuple[str, ...] = ()
    model: str | None = None
    reranked: float | None = None


class Embedding(Wire):
    """Whose vector a chunk has. The numbers stay in the database."""

    model: str
    dimensions: int


class ContentChunk(Wire):
    """A passage as the index has it. `contentObjectId` is the location of the content object it begins with."""

    id: str
    content_object_id: str
    file_id: UUID
    user_id: UUID
    feature_instance_id: UUID
    content_type: ContentType
    data: str
    context_ref: ContextRef
    summary: str
    metadata: dict[str, Any]
    embedding: Embedding | None


class Why(Wire):
    """Why something was found. `words` are those of the question that occur in it, as the index knows them, of `asked` in
    all. `floor`: what counts as alike for the model whose vectors were compared; `answer`: from which likeness on
    a passage is taken for an answer in this search, whatever its words. `reranked`: what a reranking model says, if
    one was asked; on a scale of its own."""

    lexical: float | None
    semantic: float | None
    words: list[str]
    asked: int
    floor: float
    answer: float
    reranked: float | None

    @property
    def answers(self) -> bool:
        """Whether it has words of the question, or is alike enough to be taken for an answer."""
        return bool(self.words) or (self.semantic is not None and self.semantic >= self.answer)


class Passage(Wire):
    """What was found: neighbouring chunks as one text, and of it the sentences that answer best, as they are written: `quote`.
    `score` compares within one answer only. `visibility` and `owner_id` say who else can read the file: its layer does not,
    since a workspace finds what is shared in it and what is one person's alone."""

    file_id: UUID
    file_name: str
    version: int
    inside: str
    layer: KnowledgeLayer
    visibility: Visibility
    owner_id: UUID
    text: str
    quote: str
    ref: ContextRef
    score: float
    why: Why
    chunks: list[int]


@dataclass(frozen=True)
class Query:
    text: str
    instance_id: UUID
    most_instance: int = 15
    most_shared: int = 10
    file_ids: tuple[UUID, ...] = ()  # only in these
    meaning: bool = True
