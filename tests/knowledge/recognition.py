"""Scanned documents, a double of tesseract, and what recognition has come to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.documents.pdf.making import Page, PdfMaker
from tests.knowledge.room import Library
from workroom.core.clock import now
from workroom.documents.types import SourceFile
from workroom.files.types import File
from workroom.knowledge import indexer, recognition, tasks
from workroom.knowledge.types import IndexStatus


def scanned(*pages: str | None) -> bytes:
    """A page for each: with that text, or only a picture."""
    made = [Page().picture(0, 0, 595, 842) if text is None else Page().text(60, 60, text) for text in pages]
    return PdfMaker(made).data()


class Tesseract:
    """A double of what reads pictures: says which page it was given, and does what it is told to before that."""

    def __init__(self) -> None:
        self.asked: list[int | str | None] = []
        self.before: dict[int, Callable[[], Awaitable[None]]] = {}

    async def ocr(
        self, source: SourceFile, *, page_index: int | None = None, location: str | None = None, lane: str = ""
    ) -> str:
        self.asked.append(page_index if location is None else location)
        if page_index in self.before:
            await self.before[page_index]()
        return (
            f"The parchment of {'the picture' if page_index is None else f'sheet {page_index + 1}'} speaks of walruses."
        )


async def ask(shelf: Library, file: File, person: str = "bob", method: str = "POST") -> Any:
    return await shelf.world.call(person, method, f"/api/files/{file.id}/knowledge/recognition")


async def texts(shelf: Library, file_id: UUID) -> list[str]:
    found, _ = await shelf.world.services.knowledge.chunks(shelf.world["bob"].principal, file_id, 0, 100)
    return [chunk.data for chunk in found]


def later(monkeypatch: pytest.MonkeyPatch, **more: float) -> None:
    for module in (indexer, recognition, tasks):
        monkeypatch.setattr(module, "now", lambda: now() + timedelta(**more))


async def status(shelf: Library, file: File) -> IndexStatus:
    return await shelf.world.services.knowledge.status(shelf.world["bob"].principal, file.id)
