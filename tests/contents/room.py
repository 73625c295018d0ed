"""Files with something in them, and whoever reads it: over HTTP, as pages do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2

from tests.documents.pdf.making import Bookmark, Page, PdfMaker
from tests.files.sending import make
from tests.world import World
from workroom.contents.materials import QuestionMaterials
from workroom.core.ids import new_id
from workroom.core.messages import FilePart, MaterialPart, Message, Role, TextPart


def numbered_pdf(pages: int, *marks: tuple[str, int]) -> bytes:
    """`This is page number 1` and so on, with bookmarks at pages from 0."""
    maker = PdfMaker([Page().text(60, 60, f"This is page number {number + 1}") for number in range(pages)])
    maker.bookmarks = [Bookmark(title, page) for title, page in marks]
    return maker.data()


@dataclass
class Desk:
    """One person at one file."""

    world: World
    file_id: UUID
    person: str = "bob"

    @classmethod
    async def with_file(cls, world: World, name: str, content: bytes, person: str = "bob", **more: Any) -> Desk:
        return cls(world, (await make(world, person, name, content, **more)).id, person)

    async def ask(self, what: str, **query: Any) -> httpx2.Response:
        async with self.world.client(self.person) as client:
            return await client.get(f"/api/files/{self.file_id}/{what}", params=query)

    async def told(self, what: str, **query: Any) -> Any:
        answer = await self.ask(what, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def texts(self, **query: Any) -> list[str]:
        return [item["text"] for item in (await self.told("objects", **query))["items"]]

    async def post(self, what: str, **body: Any) -> httpx2.Response:
        return await self.world.call(self.person, "POST", f"/api/files/{self.file_id}/{what}", body)

    def did(self, what: str) -> int:
        return self.world.services.reader.counts.get(what, 0)


async def scalar(world: World, sql: str, *args: Any) -> Any:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        return await uow.fetchval(sql, *args)


async def materials(world: World, text: str, *attached: FilePart) -> list[MaterialPart]:
    services = world.services
    question = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text), *attached])
    reading = QuestionMaterials(services.files, services.finder, services.reader)
    return list(await reading.of(world["bob"].principal, world.instances["lab"].id, question, 20_000))
