"""The summary of a document, or of some of it: its parts one by one, a few at a time, then the whole from them.

Every answer is kept with the content as soon as it is there. So the same question costs nothing, and one that was interrupted,
or that the money did not suffice for, only costs the rest. What went wrong with one part is said of it; the others stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from workroom.contents.parts import Wish
from workroom.contents.service import Reader
from workroom.contents.types import ContentKey, Place
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded
from workroom.db import Database
from workroom.documents.errors import DocumentError, UnsupportedDocument
from workroom.identity.types import Principal
from workroom.knowledge.digests import store, wording
from workroom.knowledge.digests.dividing import Dividing
from workroom.knowledge.digests.ports import Asker
from workroom.knowledge.digests.reading import text_of
from workroom.knowledge.digests.types import Asked, Digest, Part, PartDigest, hashed
from workroom.models.ports import Heard, ModelFailed, ModelInfo, NoModel
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
SAID_NOTHING = "The model answered nothing."


class Digests:
    def __init__(self, db: Database, reader: Reader) -> None:
        self._db, self._reader = db, reader
        self._under_way: WeakValueDictionary[tuple[ContentKey, Wish, str], asyncio.Lock] = WeakValueDictionary()

    async def summary(self, asker: Asker, who: Principal, place: Place, wish: Wish, asked: Asked) -> Digest:
        """Whoever has a `place` may read it; who may not any more when it is done does not get it. Raises NoModel,
        DocumentError, NotFound; BudgetExceeded and ModelFailed only when nothing at all could be summed up.

        Asked twice at once, as models do, it is made and paid for once: the second waits, and finds what is kept."""
        async with self._under_way.setdefault((place.key, wish, asked.key), asyncio.Lock()):
            digest = await self._made(asker, who, place, wish, asked)
        await self._reader.require_still(who, place)
        return digest

    async def _made(self, asker: Asker, who: Principal, place: Place, wish: Wish, asked: Asked) -> Digest:
        structure = await self._reader.structure(who, place)
        whole = f"whole:{hashed(repr(wish))}"
        async with self._db.unit_of_work(who.actor) as uow:
            kept = await store.find(uow, place.key, [whole], asked.key)
        if whole in kept:
            return Digest.model_validate_json(kept[whole])
        if not (advisers := await asker.advisers(Operation.DATA_ANALYSE)):
            raise NoModel(NO_MODEL)
        dividing = Dividing(self._reader, who, place, structure, wish)
        parts = await dividing.parts(wording.room(advisers[0]))
        if not parts:
            raise UnsupportedDocument(NO_TEXT)
        summing = Summing(self._db, self._reader, asker, who, place, asked, parts)
        digest, complete = await summing.up()
        if complete:
            await summing.keep(whole, digest.model_dump_json(), summing.model)
        return digest


@dataclass
class Summing:
    """One summary being made."""

    db: Database
    reader: Reader
    asker: Asker
    who: Principal
    place: Place
    asked: Asked
    parts: Sequence[Part]
    model: str = ""  # who answered last
    _broke: BudgetExceeded | None = None
    _failed: ModelFailed | None = None
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def up(self) -> tuple[Digest, bool]:
        """And whether nothing is missing from it."""
        keys = [part.key for part in self.parts]
        async with self.db.unit_of_work(self.who.actor) as uow:
            kept = await store.find(uow, self.key, keys, self.asked.key)
        made = await _together([self._part(n, part, kept.get(part.key)) for n, part in enumerate(self.parts, 1)])
        done = [part for part in made if part.text]
        if not done:
            raise self._nothing(made)
        notes = _notes(made, len(done), self._broke)
        if len(made) == 1:
            return Digest(text=made[0].text, parts=made, notes=notes), True
        text = "" if self._broke else await self._whole(done, notes)
        return Digest(text=text, parts=made, notes=notes), bool(text) and len(done) == len(made)

    async def keep(self, part: str, digest: str, model: str) -> None:
        async with self.db.unit_of_work(self.who.actor) as uow:
            await store.keep(uow, self.key, part, self.asked.key, digest, model, now())

    @property
    def key(self) -> ContentKey:
        return self.place.key

    @property
    def _reader_id(self) -> UUID:
        assert self.who.user_id is not None
        return self.who.user_id

    async def _part(self, number: int, part: Part, kept: str | None) -> PartDigest:
        if kept is not None:
            return PartDigest.model_validate_json(kept)
        made = PartDigest(title=part.title, where=part.where, opens=dict(part.opens), sampled=part.sampled)
        async with self._turns:
            if self._broke is not None:
                return made.model_copy(update={"problem": self._broke.message})
            try:
                return await self._asked_of(number, part, made)
            except BudgetExceeded as broke:
                self._broke = broke
                return made.model_copy(update={"problem": broke.message})
            except (ModelFailed, DocumentError) as failed:
                self._failed = failed if isinstance(failed, ModelFailed) else self._failed
                return made.model_copy(update={"problem": failed.message})

    async def _asked_of(self, number: int, part: Part, made: PartDigest) -> PartDigest:
        await self.reader.require_still(self.who, self.place)
        text = await text_of(self.reader, self.who, self.place, part.stretches)
        if not text:
            return made.model_copy(update={"text": "[nothing is written there]"})
        if len(self.parts) > 1:
            named = f": {part.label}" if part.label else ""
            self.asker.tell(f"Summing up {number} of {len(self.parts)}{named}")

        def composed(model: ModelInfo) -> Any:
            return wording.part(model, self._reader_id, part.label, text, self.asked, len(self.parts))

        heard = await self.asker.consult(Operation.DATA_ANALYSE, composed, Purpose.SUMMARY)
        said = _said(heard)
        sampled = part.sampled or not wording.fits(text, heard.model)
        done = made.model_copy(update={"text": said, "sampled": sampled})
        self.model = f"{heard.model.provider}/{heard.model.id}"
        await self.keep(part.key, done.model_dump_json(), self.model)
        return done

    async def _whole(self, done: Sequence[PartDigest], notes: list[str]) -> str:
        self.asker.tell("Summing up the whole")

        def composed(model: ModelInfo) -> Any:
            return wording.whole(model, self._reader_id, done, self.asked)

        try:
            heard = await self.asker.consult(Operation.DATA_ANALYSE, composed, Purpose.SUMMARY)
            text = _said(heard)
        except (ModelFailed, BudgetExceeded) as failed:
            notes.append(f"The parts could not be summed up as a whole: {failed.message} What is done is kept.")
            return ""
        self.model = f"{heard.model.provider}/{heard.model.id}"
        return text

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


def _said(heard: Heard) -> str:
    if not heard.text:
        raise ModelFailed(SAID_NOTHING, again=False)
    return heard.text


async def _together(work: Sequence[Coroutine[Any, Any, PartDigest]]) -> list[PartDigest]:
    """What ends one ends the others, and comes out as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(item) for item in work]
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    return [task.result() for task in tasks]
