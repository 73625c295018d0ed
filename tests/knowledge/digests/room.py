"""A model that sums up by rule, whoever asks first, and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from tests.documents.pdf.making import Bookmark, PdfMaker
from tests.documents.pdf.making import Page as PdfPage
from tests.tools.room import Room
from tests.world import World
from workroom.core.messages import ImagePart, MaterialPart, TextPart
from workroom.core.money import FREE
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Answer, ModelInfo, ModelRequest, TextDelta
from workroom.models.types import Operation
from workroom.tools.digests import summarize_content

WORDS = "The quick brown fox jumps over the lazy dog near the river bank today. " * 6


CHEAP = ModelInfo("acme", "cheap", FREE)
SMALL = ModelInfo("acme", "small", CHEAP.price, context_tokens=4_000)  # two thousand tokens are read at once
EYES = ModelInfo("acme", "eyes", FREE, images=True)


@dataclass(frozen=True)
class Question:
    request: ModelRequest

    @property
    def label(self) -> str:
        return next((part.label for part in self.request.messages[0].parts if isinstance(part, MaterialPart)), "")

    @property
    def material(self) -> str:
        return "".join(part.prompt_text for part in self.request.messages[0].parts if isinstance(part, MaterialPart))

    @property
    def order(self) -> str:
        return "".join(part.text for part in self.request.messages[0].parts if isinstance(part, TextPart))

    @property
    def pictures(self) -> list[ImagePart]:
        return [part for part in self.request.messages[0].parts if isinstance(part, ImagePart)]

    @property
    def is_whole(self) -> bool:
        return self.label.startswith("summaries of all parts")


def plainly(question: Question) -> str:
    return "The whole in short." if question.is_whole else f"Summary of {question.label or 'a picture'}."


@dataclass
class Summariser:
    info: ModelInfo = CHEAP
    says: Callable[[Question], str | Exception] = plainly
    asked: list[Question] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        question = Question(request)
        self.asked.append(question)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            said = self.says(question)
        finally:
            self.at_once -= 1
        if isinstance(said, Exception):
            raise said
        yield TextDelta(said)
        yield Answer([TextPart(text=said)], Usage(100, 10), self.info.id)

    @property
    def parts(self) -> list[Question]:
        return [question for question in self.asked if not question.is_whole]


def room_with(world: World, model: Summariser, person: str = "bob", eyes: Summariser | None = None) -> Room:
    room = Room(world, person)
    room.journal.models_by_operation[Operation.DATA_ANALYSE] = [model]
    if eyes is not None:
        room.journal.models_by_operation[Operation.VISION] = [eyes]
    return room


def book(pages: int = 40, chapters: int = 4) -> bytes:
    """About a hundred tokens to the page."""
    maker = PdfMaker(
        [
            PdfPage().text(50, 60, f"Page {n + 1}.").text(50, 90, WORDS[:200]).text(50, 120, WORDS[200:400])
            for n in range(pages)
        ]
    )
    step = pages // chapters
    maker.bookmarks = [Bookmark(f"Chapter {n + 1}", n * step) for n in range(chapters)]
    return maker.data()


async def summed_up(world: World, model: Summariser, name: str, person: str = "bob", **more: str) -> ToolResult:
    result = await room_with(world, model, person).call(summarize_content, fileId=name, **more)
    assert isinstance(result, ToolResult)
    return result
