"""From a question to the passages that answer it: by words and by meaning, in one order, each with its place and why."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from workroom.contents import compressed
from workroom.core.errors import WorkroomError
from workroom.db import Database
from workroom.documents.content import clean
from workroom.documents.types import ContextRef
from workroom.files.access import reach
from workroom.identity.instances import require_instance
from workroom.identity.types import Action, Principal
from workroom.knowledge.languages import comparable
from workroom.knowledge.ports import Embedders
from workroom.knowledge.scoring import fused
from workroom.knowledge.store import passages as store
from workroom.knowledge.store import searching
from workroom.knowledge.store.searching import Scope
from workroom.knowledge.types import Found, Layer, Passage, Query, Why
from workroom.models.embeddings.ports import Embedder, Floors, Vector

log = logging.getLogger(__name__)

CANDIDATES = 100
LONGEST_QUERY = 8_000  # characters; more says nothing more about what is wanted
STATIC_WEIGHT, MODEL_WEIGHT = 0.35, 0.5  # of meaning against words; see docs/explanation/figures.md
CERTAIN = 0.5  # a passage with so much of the best one's words is kept, whatever its meaning


class Search:
    def __init__(self, db: Database, embedders: Embedders) -> None:
        self._db, self._embedders = db, embedders

    async def find(self, who: Principal, query: Query) -> list[Passage]:
        """Best first. Meaning is left out when its model is away: words still find."""
        text = clean(query.text[:LONGEST_QUERY]).strip()
        if not text:
            return []
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, query.instance_id)
        scope = Scope(who.mandate_id, query.instance_id, reach(who, Action.READ, query.instance_id), query.file_ids)
        embedder = await self._embedders.embedder(who, query.instance_id)
        vector = await self._vector(embedder, text) if query.meaning else None
        async with self._db.unit_of_work(who.actor) as uow:
            wanted = await searching.lexemes(uow, scope, comparable(text))
            found = await searching.by_words(uow, scope, wanted, CANDIDATES) if wanted else []
            if vector is not None:
                found = await self._with_meaning(uow, scope, embedder, vector, found)
            ranked = fused(found, STATIC_WEIGHT if embedder.info.embedded else MODEL_WEIGHT)
            chosen = _limited(_worth(ranked, embedder), query)
            rows = await store.read(uow, who.mandate_id, [item.key for item, _ in chosen])
        hits = [(item, score, rows[item.key]) for item, score in chosen if item.key in rows]
        return _merged(hits, len(_stems(wanted)), embedder.info.floors)

    async def _vector(self, embedder: Embedder, text: str) -> Vector | None:
        try:
            (vector,) = (await embedder.embed([text], query=True)).vectors
        except WorkroomError as error:
            log.warning(
                "a question could not be embedded; only its words are searched", extra={"reason": error.message}
            )
            return None
        return vector if vector.any() else None

    async def _with_meaning(
        self, uow: Any, scope: Scope, embedder: Embedder, vector: Vector, found: Sequence[Found]
    ) -> list[Found]:
        ref = embedder.info.ref
        alike = {item.key: item for item in await searching.by_meaning(uow, scope, ref, vector, CANDIDATES)}
        unknown = [item.key for item in found if item.key not in alike]
        more = await searching.likeness(uow, scope.mandate_id, unknown, ref, vector) if unknown else {}
        both = [
            replace(item, meaning=alike[item.key].meaning if item.key in alike else more.get(item.key))
            for item in found
        ]
        known = {item.key for item in found}
        return both + [item for key, item in alike.items() if key not in known]


def _stems(lexemes: Sequence[str]) -> set[str]:
    """Words of a question, counted once though each language has its own form of them."""
    stems: set[str] = set()
    for lexeme in sorted(lexemes, key=len):
        if not any(lexeme.startswith(stem) for stem in stems if len(stem) > 2):
            stems.add(lexeme)
    return stems


def _worth(ranked: Sequence[tuple[Found, float]], embedder: Embedder) -> list[tuple[Found, float]]:
    """Without what is neither alike enough nor has enough of the words."""
    floors = embedder.info.floors
    most = max((item.words or 0.0 for item, _ in ranked), default=0.0)

    def is_worth(item: Found) -> bool:
        floor = floors.shared if item.layer is Layer.SHARED else floors.instance
        return (item.meaning or 0.0) >= floor or (most > 0 and (item.words or 0.0) >= CERTAIN * most)

    return [(item, score) for item, score in ranked if is_worth(item)]


def _limited(ranked: Sequence[tuple[Found, float]], query: Query) -> list[tuple[Found, float]]:
    left = {Layer.INSTANCE: query.most_instance, Layer.SHARED: query.most_shared}
    chosen = []
    for item, score in ranked:
        if left[item.layer] > 0:
            left[item.layer] -= 1
            chosen.append((item, score))
    return chosen


def _merged(found: Sequence[tuple[Found, float, Any]], asked: int, floors: Floors) -> list[Passage]:
    """Neighbours on one page become one passage, in reading order; the same text is shown once."""
    by_place: dict[tuple[object, ...], list[_Hit]] = {}
    said: set[str] = set()
    for item, score, row in found:
        if row["text"] not in said:
            said.add(row["text"])
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
                passages.append(_passage(run, asked, floors))
                run = [hit]
        passages.append(_passage(run, asked, floors))
    return sorted(passages, key=lambda passage: -passage.score)


@dataclass(frozen=True)
class _Hit:
    item: Found
    score: float
    row: Any
    ref: dict[str, Any]

    @property
    def place(self) -> tuple[object, ...]:
        where = (self.ref.get(name) for name in ("page_index", "slide_index", "sheet_name"))
        return self.item.key.file_id, self.row["inside"], *where


def _passage(run: Sequence[_Hit], asked: int, floors: Floors) -> Passage:
    """Called by the place of its best part."""
    best = max(run, key=lambda hit: hit.score)
    row = best.row
    inside = _inside(row)
    path = f"{row['name']}/{inside}" if inside else row["name"]
    return Passage(
        file_id=row["file_id"],
        file_name=row["name"],
        version=row["version"],
        inside=inside,
        layer=best.item.layer,
        text="\n\n".join(hit.row["text"] for hit in run),
        ref=ContextRef.model_validate(best.ref | {"container_path": path}),
        score=round(best.score, 4),
        why=Why(
            lexical=best.item.words,
            semantic=best.item.meaning,
            words=list(dict.fromkeys(lexeme for hit in run for lexeme in hit.item.lexemes)),
            asked=asked,
            floor=floors.shared if best.item.layer is Layer.SHARED else floors.instance,
        ),
        chunks=[hit.item.key.chunk for hit in run],
    )


def _inside(row: Any) -> str:
    """What a compressed file is called inside is told by the name it has now, for whoever asks."""
    inside: str = row["inside"]
    first, slash, rest = inside.partition("/")
    return compressed.shown(row["name"], row["media_type"], first) + slash + rest
