"""The summary of a document, or of some of it: its parts one by one, a few at a time, then the whole from them.

Every answer is kept with the content as soon as it is there, for the model that was asked. So the same question costs nothing,
and one that was interrupted, or that the money did not suffice for, only costs the rest; another model says it in its own way.
What went wrong with one part is said of it; the others stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from workroom.contents.parts import PartSelection
from workroom.contents.service import DocumentReader
from workroom.contents.types import ContentKey, StoredDocument
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded
from workroom.core.task_groups import run_together
from workroom.db import Database
from workroom.documents.errors import DocumentError, UnsupportedDocument
from workroom.identity.types import Principal
from workroom.knowledge.digests import prompts, store
from workroom.knowledge.digests.claims import STOOD_IN, Claims
from workroom.knowledge.digests.division import DocumentDivision
from workroom.knowledge.digests.part_text import text_of
from workroom.knowledge.digests.ports import DigestCaller
from workroom.knowledge.digests.types import (
    Digest,
    DigestKey,
    DigestPart,
    DigestRequest,
    PartDigest,
    StoredDigest,
    hashed,
    named,
)
from workroom.models.ports import ModelFailed, ModelInfo, ModelResponse, NoModel
from workroom.models.types import Operation
from workroom.usage.types import Purpose

AT_ONCE = 4
NO_MODEL = (
    "Summaries need a language model. One is added in Settings → Models; tools for files read the text without one."
)
NO_TEXT = (
    "There is no text in it to sum up. It may be a scan: extractContent with mode ocr reads the text of a page, "
    "analyzeContent looks at one."
)


class Digests:
    def __init__(self, db: Database, reader: DocumentReader) -> None:
        self._db, self._reader, self.claims = db, reader, Claims(db)
        self._under_way: WeakValueDictionary[tuple[ContentKey, PartSelection, str], asyncio.Lock] = (
            WeakValueDictionary()
        )

    async def summary(
        self,
        asker: DigestCaller,
        principal: Principal,
        place: StoredDocument,
        selection: PartSelection,
        asked: DigestRequest,
    ) -> Digest:
        """A caller with a `place` may read it; one that may not any more when it is done does not get it. Raises NoModel,
        DocumentError, NotFound; BudgetExceeded and ModelFailed only when nothing at all could be summed up.

        Asked twice at once, as models do, it is made and paid for once: the second waits, and finds what is kept. So it is
        with two processes, part by part: each makes what the other is not making."""
        async with self._under_way.setdefault((place.key, selection, asked.key), asyncio.Lock()):
            digest = await self._made(asker, principal, place, selection, asked)
        await self._reader.require_still(principal, place)
        return digest

    async def _made(
        self,
        asker: DigestCaller,
        principal: Principal,
        place: StoredDocument,
        selection: PartSelection,
        asked: DigestRequest,
    ) -> Digest:
        structure = await self._reader.structure(principal, place)
        models = await asker.models(Operation.DATA_ANALYSE)
        model = named(models[0]) if models else None
        whole = DigestKey(place.key, f"whole:{hashed(selection.key)}", asked.key, model)
        if (kept := await self.claims.kept(principal, whole)) is not None:
            return Digest.model_validate_json(kept.digest)
        if not models:
            raise NoModel(NO_MODEL)
        dividing = DocumentDivision(self._reader, principal, place, structure, selection)
        parts = await dividing.parts(prompts.room(models[0]))
        if not parts:
            raise UnsupportedDocument(NO_TEXT)
        return await DigestRun(self._db, self._reader, self.claims, asker, principal, place, asked, whole, parts).up()


@dataclass
class DigestRun:
    """One summary being made."""

    db: Database
    reader: DocumentReader
    claims: Claims
    asker: DigestCaller
    principal: Principal
    place: StoredDocument
    asked: DigestRequest
    piece: DigestKey  # all of it
    parts: Sequence[DigestPart]
    _makers: set[str] = field(default_factory=set)
    _broke: BudgetExceeded | None = None
    _failed: ModelFailed | None = None
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def up(self) -> Digest:
        keys, piece = [part.key for part in self.parts], self.piece
        async with self.db.unit_of_work(self.principal.actor) as uow:
            kept = await store.find(uow, piece.key, keys, piece.asked, piece.model, now() - STOOD_IN)
        made = await run_together([self._part(n, part, kept.get(part.key)) for n, part in enumerate(self.parts, 1)])
        done = [part for part in made if part.text]
        if not done:
            raise self._nothing(made)
        digest = Digest(text="", parts=made, notes=_notes(made, len(done), self._broke))
        if len(made) == 1:
            digest = digest.model_copy(update={"text": made[0].text})
            await self._keep(piece, StoredDigest(digest.model_dump_json(), self._maker))
            return digest
        return digest if self._broke else await self._whole(digest, done)

    @property
    def _maker(self) -> str:
        """Who counts as having made all of it: the model that is meant, if no other has helped."""
        return next(iter(sorted(self._makers - {self.piece.model})), self.piece.model or "")

    @property
    def _reader_id(self) -> UUID:
        assert self.principal.user_id is not None
        return self.principal.user_id

    async def _part(self, number: int, part: DigestPart, kept: StoredDigest | None) -> PartDigest:
        made = PartDigest(place=part.place, opens=dict(part.opens), sampled=part.sampled)
        piece = replace(self.piece, part=part.key)
        try:
            if kept is None:
                kept = await self._once(piece, lambda: self._asked_of(number, part, piece, made))
        except BudgetExceeded as broke:
            self._broke = broke
            return made.model_copy(update={"problem": broke.message})
        except (ModelFailed, DocumentError) as failed:
            self._failed = failed if isinstance(failed, ModelFailed) else self._failed
            return made.model_copy(update={"problem": failed.message})
        self._makers.add(kept.model)
        return PartDigest.model_validate_json(kept.digest)

    async def _asked_of(self, number: int, part: DigestPart, piece: DigestKey, made: PartDigest) -> StoredDigest:
        if self._broke is not None:
            raise self._broke
        await self.reader.require_still(self.principal, self.place)
        text = await text_of(self.reader, self.principal, self.place, part.stretches)
        if not text:
            nothing = made.model_copy(update={"text": "[nothing is written there]"})
            return StoredDigest(nothing.model_dump_json(), piece.model or "")
        if len(self.parts) > 1:
            called = f": {part.label}" if part.label else ""
            self.asker.report_progress(f"Summing up {number} of {len(self.parts)}{called}")

        def composed(model: ModelInfo) -> Any:
            return prompts.part(model, self._reader_id, part.label, text, self.asked, len(self.parts))

        response = await self.asker.ask_model(Operation.DATA_ANALYSE, composed, Purpose.SUMMARY)
        said = _said(response)
        sampled = part.sampled or not prompts.fits(text, response.model)
        done = made.model_copy(update={"text": said, "sampled": sampled})
        return await self._keep(piece, StoredDigest(done.model_dump_json(), named(response.model)))

    async def _whole(self, digest: Digest, done: Sequence[PartDigest]) -> Digest:
        """Kept if nothing is missing from it; else it is what we have, and is not kept."""
        try:
            if len(done) < len(digest.parts):
                return (await self._summed_up(digest, done))[0]
            kept = await self._once(self.piece, lambda: self._kept_whole(digest, done))
        except (ModelFailed, BudgetExceeded) as failed:
            note = f"The parts could not be summed up as a whole: {failed.message} What is done is kept."
            return digest.model_copy(update={"notes": [*digest.notes, note]})
        return Digest.model_validate_json(kept.digest)

    async def _kept_whole(self, digest: Digest, done: Sequence[PartDigest]) -> StoredDigest:
        whole, model = await self._summed_up(digest, done)
        self._makers.add(model)
        return await self._keep(self.piece, StoredDigest(whole.model_dump_json(), self._maker))

    async def _summed_up(self, digest: Digest, done: Sequence[PartDigest]) -> tuple[Digest, str]:
        self.asker.report_progress("Summing up the whole")

        def composed(model: ModelInfo) -> Any:
            return prompts.whole(model, self._reader_id, done, self.asked)

        response = await self.asker.ask_model(Operation.DATA_ANALYSE, composed, Purpose.SUMMARY)
        return digest.model_copy(update={"text": _said(response)}), named(response.model)

    async def _once(self, piece: DigestKey, make: Callable[[], Awaitable[StoredDigest]]) -> StoredDigest:
        return await self.claims.once(self.principal, piece, self._turns, make, self.asker.report_progress)

    async def _keep(self, piece: DigestKey, kept: StoredDigest) -> StoredDigest:
        async with self.db.unit_of_work(self.principal.actor) as uow:
            await store.keep(uow, piece, kept, now())
        return kept

    def _nothing(self, made: Sequence[PartDigest]) -> Exception:
        if self._broke is not None:
            return self._broke
        message = next(part.problem for part in made)
        return ModelFailed(message, again=False) if self._failed is not None else DocumentError(message)


def _notes(made: Sequence[PartDigest], done: int, broke: BudgetExceeded | None) -> list[str]:
    notes: list[str] = []
    if broke is not None:
        notes.append(
            f"{broke.message} {done} of {len(made)} parts are summed up and kept: the same call again does only the rest."
        )
    else:
        notes += [f"Missing: {part.label}. {part.problem}" for part in made if part.problem]
    if any(part.sampled for part in made):
        notes.append(
            "It is too long to be read whole: of the parts so marked, only the beginnings of their sections were."
        )
    return notes


def _said(response: ModelResponse) -> str:
    if not response.text:
        raise ModelFailed(prompts.SAID_NOTHING, again=False)
    return response.text
