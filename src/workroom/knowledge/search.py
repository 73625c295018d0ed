"""From a question to the passages that answer it: by words and by meaning, in one order, each with its place and why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from workroom.db import Database, UnitOfWork
from workroom.documents.content import clean
from workroom.documents.types import ContextRef
from workroom.files.access import reach
from workroom.identity.instances import require_instance
from workroom.identity.types import Action, Principal
from workroom.knowledge.chunks import inside_of
from workroom.knowledge.compounds import Lexeme, spread
from workroom.knowledge.focus import focus
from workroom.knowledge.languages import comparable, unaccented
from workroom.knowledge.ports import Embedders, Rerankers
from workroom.knowledge.query_vectors import QueryVector, query_vectors
from workroom.knowledge.relevance import Ranked, Relevance, is_heading
from workroom.knowledge.reranking import candidates, reranked
from workroom.knowledge.score_fusion import Scale, fused
from workroom.knowledge.store import layers, search_queries
from workroom.knowledge.store.search_queries import SearchScope
from workroom.knowledge.types import ChunkHit, KnowledgeLayer, Passage, Query, Why
from workroom.models.embeddings.ports import EmbedderInfo
from workroom.models.embeddings.static import INFO as STATIC

CANDIDATES = 100
LONGEST_QUERY = 8_000  # characters; more says nothing more about what is wanted
STATIC_WEIGHT, MODEL_WEIGHT = 0.35, 0.5  # of meaning against words; see docs/explanation/figures.md
MISSING_WORDS_WEIGHT = (
    2.0  # so much more, by how many words are missing (score_fusion.py); measured for the models of this process alone
)


class Search:
    def __init__(self, db: Database, embedders: Embedders, rerankers: Rerankers | None = None) -> None:
        self._db, self._embedders, self._rerankers = db, embedders, rerankers

    async def find(self, principal: Principal, query: Query) -> list[Passage]:
        """Best first. Meaning is left out when its model is away: words still find."""
        text = clean(query.text[:LONGEST_QUERY]).strip()
        if not text:
            return []
        scope = SearchScope(
            principal.mandate_id, query.instance_id, reach(principal, Action.READ, query.instance_id), query.file_ids
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, query.instance_id)
            present = await search_queries.embedders(uow, scope) if query.meaning else []
            lexemes = await search_queries.lexemes(uow, scope, comparable(text))
        question_words = len(_stems(lexemes))
        counting = await self._embedders.embedder(principal, query.instance_id)
        vectors = await query_vectors(self._embedders, principal, query.instance_id, counting, present, text)
        reranker = await self._rerankers.reranker(principal, query.instance_id) if self._rerankers else None
        # Side by side, each with a connection of its own: none is held while another is waited for.
        lexical_hits, *semantic_hits = await asyncio.gather(
            self._by_words(principal, scope, lexemes),
            *(self._by_meaning(principal, scope, vector) for vector in vectors),
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            hits = await _combined(uow, scope, vectors, lexical_hits, semantic_hits)
            relevance = Relevance.of(hits, counting.info.floors, {info.ref: info.floors for info, _ in vectors})
            scales = {info.ref: _scale(info) for info, _ in vectors}
            ranked = relevance.kept(fused(hits, scales, question_words), question_words)
            read = candidates(ranked, _limited(ranked, query))
            rows = await search_queries.read(uow, scope, [item.key for item, _ in read])
        found: Ranked = [
            (item, score) for item, score in read if item.key in rows and _says(item, rows[item.key]["text"])
        ]
        if reranker is not None:
            found = list(await reranked(reranker, text, found, rows))
        chosen_rows = [(item, score, rows[item.key]) for item, score in _limited(found, query)]
        return _merged(chosen_rows, question_words, relevance)

    async def named(self, principal: Principal, instance_id: UUID, names: Sequence[str], most: int) -> list[UUID]:
        """Readable files that are called by one of these words; a word that is in more than `most` names tells none of them."""
        scope = SearchScope(principal.mandate_id, instance_id, reach(principal, Action.READ, instance_id))
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await search_queries.named(uow, scope, names, most)

    async def _by_words(self, principal: Principal, scope: SearchScope, lexemes: Sequence[Lexeme]) -> list[ChunkHit]:
        if not lexemes:
            return []
        async with self._db.unit_of_work(principal.actor) as uow:
            return await search_queries.by_words(uow, scope, lexemes, CANDIDATES)

    async def _by_meaning(self, principal: Principal, scope: SearchScope, query_vector: QueryVector) -> list[ChunkHit]:
        info, vector = query_vector
        async with self._db.unit_of_work(principal.actor) as uow:
            return await layers.by_meaning(uow, scope, info.ref, vector, CANDIDATES)


async def _combined(
    uow: UnitOfWork,
    scope: SearchScope,
    vectors: Sequence[QueryVector],
    lexical_hits: Sequence[ChunkHit],
    semantic_hits: Sequence[Sequence[ChunkHit]],
) -> list[ChunkHit]:
    """What words have found, with how alike it is, and what is alike beside it."""
    known = {item.key: item for item in lexical_hits}
    for (info, vector), hits in zip(vectors, semantic_hits, strict=True):
        for item in hits:
            before = known.setdefault(item.key, item)
            if before.meaning is None:
                known[item.key] = replace(before, meaning=item.meaning, model=info.ref)
        unknown = [key for key, item in known.items() if item.meaning is None]
        more = await search_queries.likeness(uow, scope.mandate_id, unknown, info.ref, vector) if unknown else {}
        known |= {key: replace(known[key], meaning=value, model=info.ref) for key, value in more.items()}
    return list(known.values())


def _says(item: ChunkHit, text: str) -> bool:
    """Whether a passage says something, or has words of the question at least. A heading resembles much and answers nothing."""
    return bool(item.words) or not is_heading(text)


def _scale(info: EmbedderInfo) -> Scale:
    weight = STATIC_WEIGHT if info.ref == STATIC.ref else MODEL_WEIGHT
    return Scale(info.floors.instance, weight, MISSING_WORDS_WEIGHT if info.embedded else 0.0, info.multilingual)


def _stems(lexemes: Sequence[str]) -> set[str]:
    """Words of a question, counted once though each language has its own form of them."""
    stems: set[str] = set()
    for lexeme in sorted(map(unaccented, lexemes), key=len):
        if not any(lexeme.startswith(stem) for stem in stems if len(stem) > 2):
            stems.add(lexeme)
    return stems


def _limited(ranked: Sequence[tuple[ChunkHit, float]], query: Query) -> list[tuple[ChunkHit, float]]:
    left = {KnowledgeLayer.INSTANCE: query.most_instance, KnowledgeLayer.SHARED: query.most_shared}
    chosen = []
    for item, score in ranked:
        if left[item.layer] > 0:
            left[item.layer] -= 1
            chosen.append((item, score))
    return chosen


def _merged(ranked: Sequence[tuple[ChunkHit, float, Any]], question_words: int, relevance: Relevance) -> list[Passage]:
    """Neighbours on one page become one passage, in reading order; the same text is shown once."""
    by_place: dict[tuple[object, ...], list[_Hit]] = {}
    seen_texts: set[str] = set()
    for item, score, row in ranked:
        if row["text"] not in seen_texts:
            seen_texts.add(row["text"])
            hit = _Hit(item, score, row, json.loads(row["ref"]))
            by_place.setdefault(hit.place, []).append(hit)
    passages = []
    for hits in by_place.values():
        hits.sort(key=lambda hit: hit.item.key.chunk)
        run = hits[:1]
        for hit in hits[1:]:
            if hit.item.key.chunk == run[-1].item.key.chunk + 1:
                run.append(hit)
            else:
                passages.append(_passage(run, question_words, relevance))
                run = [hit]
        passages.append(_passage(run, question_words, relevance))
    return sorted(passages, key=lambda passage: -passage.score)


@dataclass(frozen=True)
class _Hit:
    item: ChunkHit
    score: float
    row: Any
    ref: dict[str, Any]

    @property
    def place(self) -> tuple[object, ...]:
        where = (self.ref.get(name) for name in ("page_index", "slide_index", "sheet_name", "recognised"))
        return self.item.key.file_id, self.row["inside"], *where


def _passage(run: Sequence[_Hit], question_words: int, relevance: Relevance) -> Passage:
    """Called by the place of its best part."""
    best = max(run, key=lambda hit: hit.score)
    row = best.row
    inside = inside_of(row)
    path = f"{row['name']}/{inside}" if inside else row["name"]
    return Passage(
        file_id=row["file_id"],
        file_name=row["name"],
        version=row["version"],
        inside=inside,
        layer=best.item.layer,
        visibility=row["visibility"],
        owner_id=row["owner_id"],
        text="\n\n".join(hit.row["text"] for hit in run),
        quote=focus(row["text"], spread(best.item.lexemes)),
        ref=ContextRef.model_validate(best.ref | {"container_path": path}),
        score=round(best.score, 4),
        why=Why(
            lexical=best.item.words,
            semantic=best.item.meaning,
            words=list(dict.fromkeys(lexeme for hit in run for lexeme in hit.item.lexemes)),
            asked=question_words,
            floor=relevance.floor(best.item),
            answer=relevance.answer(best.item),
            reranked=best.item.reranked,
        ),
        chunks=[hit.item.key.chunk for hit in run],
    )
