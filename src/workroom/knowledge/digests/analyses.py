"""A question about one element of a document. A picture, or a page as it looks, goes to a model that can see; a text to the
cheap one. Where no model can see, the text is read, or recognised, and the answer says so. One call, and kept like a summary."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from workroom.contents.parts import PartSelection
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.db import Database
from workroom.documents.errors import OcrUnavailable, UnsupportedDocument
from workroom.documents.types import ContentObject, ContentType
from workroom.identity.types import Principal
from workroom.knowledge.digests import prompts, store
from workroom.knowledge.digests.claims import Claims
from workroom.knowledge.digests.part_text import objects, text_of
from workroom.knowledge.digests.ports import DigestCaller
from workroom.knowledge.digests.types import DigestKey, Finding, StoredDigest, Stretch, hashed, named
from workroom.models.ports import Compose, ModelFailed, ModelInfo, NoModel
from workroom.models.types import Operation
from workroom.usage.types import Purpose

PICTURE = "image"  # the location of the picture that a file is
BLIND = "No model here can look at pictures, and text recognition is not set up. One is added in Settings → Models."
NOTHING = (
    "There is nothing at that place. browseContainer shows what the file is made of, readContentObjects the locations."
)


@dataclass(frozen=True)
class AnalysedElement:
    """What is asked about: `selection` is what has to be read to find it, `page` counts from 1."""

    selection: PartSelection
    page: int | None = None
    location: str | None = None

    @property
    def key(self) -> str:
        # Also stored, and written as when the first were.
        return hashed(f"Element(wish={self.selection.key}, page={self.page!r}, location={self.location!r})")


class Analyses:
    def __init__(self, db: Database, reader: DocumentReader) -> None:
        self._db, self._reader, self.claims = db, reader, Claims(db)

    async def ask(
        self,
        asker: DigestCaller,
        principal: Principal,
        place: StoredDocument,
        element: AnalysedElement,
        question: str,
        language: str = "",
    ) -> Finding:
        """A caller with a `place` may read it. Raises NoModel, ModelFailed, BudgetExceeded, DocumentError, NotFound."""
        asking = ElementAnalysis(
            self._db, self._reader, self.claims, asker, principal, place, element, question, language
        )
        if not await asking.is_picture():
            return await asking.read()
        if (seen := await asking.kept("seen", Operation.VISION)) is not None:
            return seen
        if await asker.models(Operation.VISION):
            try:
                return await asking.look()
            except UnsupportedDocument:
                if element.page is None:
                    raise
                return await asking.read()  # of a page that cannot be drawn
        return await asking.without_eyes()


@dataclass
class ElementAnalysis:
    db: Database
    reader: DocumentReader
    claims: Claims
    asker: DigestCaller
    principal: Principal
    place: StoredDocument
    element: AnalysedElement
    question: str
    language: str

    async def is_picture(self) -> bool:
        element = self.element
        if element.page is not None or (element.location is None and self._is_image_file):
            return True
        if element.location is None:
            return False
        async for object, _ in objects(self.reader, self.principal, self.place, element.selection):
            if object.ref.location == element.location:
                return object.content_type is ContentType.IMAGE
        return False

    async def look(self) -> Finding:
        element = self.element
        location = PICTURE if element.page is None and element.location is None else element.location
        is_page = element.page is not None or (location == PICTURE and self._is_image_file)
        picture = await self.reader.picture(
            self.principal, self.place, element.page if is_page else None, None if is_page else location
        )
        return await self._consulted(
            "seen",
            Operation.VISION,
            lambda model: prompts.seeing(model, picture, self.question, self.language),
            Purpose.VISION,
        )

    async def read(self) -> Finding:
        if (kept := await self.kept("read", Operation.DATA_ANALYSE)) is not None:
            return kept
        text = await self._text()
        if not text:
            raise NotFound(NOTHING)

        def composed(model: ModelInfo) -> Any:
            return prompts.reading(model, self._reader_id, self._label, text, self.question, self.language)

        return await self._consulted("read", Operation.DATA_ANALYSE, composed, Purpose.SUMMARY)

    async def without_eyes(self) -> Finding:
        """From its text, if it has one: that of a page was written, that of a picture is recognised."""
        page, location = self.element.page, self.element.location
        if page is not None and await self._text() and await self.asker.models(Operation.DATA_ANALYSE):
            return await self.read()
        try:
            at = None if page is not None else location or PICTURE
            text = await self.reader.recognise(self.principal, self.place, page, at)
        except OcrUnavailable:
            raise NoModel(BLIND) from None
        return Finding(text=text or "[no text was found in it]", how="recognised")

    async def kept(self, how: str, operation: Operation) -> Finding | None:
        """What the model said that would be asked; where there is none, what any has said."""
        found = await self.claims.kept(self.principal, await self._piece(how, operation))
        return Finding.model_validate_json(found.digest) if found else None

    async def _consulted(self, how: str, operation: Operation, compose: Compose, purpose: Purpose) -> Finding:
        piece = await self._piece(how, operation)

        async def asked() -> StoredDigest:
            heard = await self.asker.ask_model(operation, compose, purpose)
            if not heard.text:
                raise ModelFailed(prompts.SAID_NOTHING, again=False)
            answer = StoredDigest(Finding(text=heard.text, how=how).model_dump_json(), named(heard.model))
            async with self.db.unit_of_work(self.principal.actor) as uow:
                await store.keep(uow, piece, answer, now())
            return answer

        turn = asyncio.Semaphore()
        kept = (
            await self.claims.once(self.principal, piece, turn, asked, self.asker.report_progress)
            if piece.model
            else await asked()
        )
        await self.reader.require_still(self.principal, self.place)
        return Finding.model_validate_json(kept.digest)

    async def _piece(self, how: str, operation: Operation) -> DigestKey:
        models = await self.asker.models(operation)
        model = named(models[0]) if models else None
        return DigestKey(self.place.key, f"{how}:{self.element.key}", self._asked, model)

    async def _text(self) -> str:
        """Of what lies at the location and below it, or of everything that is read for it."""
        wanted, stretches = self.element.location, (Stretch(self.element.selection),)
        if wanted is None or self.element.selection.sections:
            return await text_of(self.reader, self.principal, self.place, stretches)

        def is_there(object: ContentObject) -> bool:
            return object.ref.location == wanted or object.ref.location.startswith(f"{wanted}/")

        return await text_of(self.reader, self.principal, self.place, stretches, is_there)

    @property
    def _asked(self) -> str:
        return hashed("question", " ".join(self.question.split()), self.language.strip().casefold())

    @property
    def _label(self) -> str:
        element = self.element
        return f"page {element.page}" if element.page is not None else element.location or "the document"

    @property
    def _reader_id(self) -> UUID:
        assert self.principal.user_id is not None
        return self.principal.user_id

    @property
    def _is_image_file(self) -> bool:
        return self.place.key.media_type.startswith("image/")
