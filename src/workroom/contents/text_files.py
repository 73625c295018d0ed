"""Text files as people edit them: read one version as text, save a new one, make a new file.

Each save is a version; what is the same already makes none. The encoding, the byte order mark and the line ends of a file stay
what they are (`documents/text_form.py`).

FileNotText      422   the file is no text, or one that is not edited as text
TextTooLong      413   more than LARGEST bytes; `details.limit` says how many
NameNotText      422   a new file's ending promises something else than text
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from uuid import UUID

from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.errors import InvalidInput, TooLarge
from workroom.core.wire import Wire
from workroom.db import Database
from workroom.documents.kinds import EMPTY, is_mail, media_type_of_name
from workroom.documents.sniffing.names import is_textual
from workroom.documents.text_form import LineEnds, NoText, TextForm, plain
from workroom.files.errors import FileChanged
from workroom.files.names import clean_file_name
from workroom.files.service import Files
from workroom.files.types import File, NewFile, OnConflict
from workroom.identity.types import Action, Principal

LARGEST = 1_000_000
RICH_TEXT = "application/rtf"  # text, but of programs: it is not written by hand
NEW = "text/plain"


class FileNotText(InvalidInput):
    code = "fileNotText"

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is no text that can be edited here. Download it, change it, and upload it again.")


class TextTooLong(TooLarge):
    code = "textTooLong"

    def __init__(self) -> None:
        super().__init__(
            f"Texts of up to {LARGEST:,} bytes are edited here. Divide it, or change it on your machine and upload it.",
            limit=LARGEST,
        )


class NameNotText(InvalidInput):
    code = "nameNotText"

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” would be no text file. Choose another ending, such as .md or .txt.", field="name")


class FileText(Wire):
    """One version as text, with `\\n` between its lines; the file keeps its `lineEnds`. `encoding` is the name of a codec."""

    file_id: UUID
    name: str
    version: int
    text: str
    encoding: str
    byte_order_mark: bool
    line_ends: LineEnds
    written_by: UUID | None
    written_by_name: str | None
    written_at: datetime


class TextFiles:
    def __init__(self, db: Database, files: Files, reader: DocumentReader) -> None:
        self._db, self._files, self._reader = db, files, reader

    async def read(self, principal: Principal, file_id: UUID, version: int | None = None) -> FileText:
        """A version as text, the newest by default."""
        document = await self._reader.place(principal, file_id, version=version)
        return _file_text(document, await self._form(document))

    async def write(self, principal: Principal, file_id: UUID, made_from: int, text: str) -> FileText:
        """Save a text that was made from version `made_from`. Raises FileChanged when another text is the newest by now."""
        await self._files.get(principal, file_id, Action.UPDATE)
        document = await self._reader.place(principal, file_id)
        form = await self._form(document)
        if plain(text) == form.text:
            return _file_text(document, form)  # also where an answer was lost and this is the second try
        if document.stored.version.version != made_from:
            raise FileChanged(document.name, document.stored.version.version)
        data = await _bytes_of(form, text)
        blob = await self._files.put(principal, _pieces(data))
        async with self._db.unit_of_work(principal.actor) as uow:
            media_type = document.stored.version.media_type
            file = await self._files.add_version(uow, principal, file_id, blob, media_type, made_from=made_from)
        return await self.read(principal, file_id, file.version)  # not a newer one, which its writer has not seen

    async def create(
        self, principal: Principal, instance_id: UUID, name: str, text: str = "", folder_id: UUID | None = None
    ) -> File:
        """A new text file, in UTF-8. Raises FileExists when there is one of that name."""
        media_type = media_type_of_name(name) or NEW
        if not is_editable(media_type):
            raise NameNotText(clean_file_name(name))
        data = await _bytes_of(TextForm(), text)
        new = NewFile(name, folder_id, media_type, OnConflict.FAIL)
        return await self._files.store(principal, instance_id, new, _pieces(data))

    async def _form(self, document: StoredDocument) -> TextForm:
        if not is_editable(document.key.media_type):
            raise FileNotText(document.name)
        if document.size > LARGEST:
            raise TextTooLong
        data = b"".join([chunk async for chunk in await self._files.open(document.stored)])
        try:
            return await asyncio.to_thread(TextForm.read, data)
        except NoText:
            raise FileNotText(document.name) from None


def is_editable(media_type: str) -> bool:
    """Whether files of this kind are texts that people write."""
    if media_type == RICH_TEXT or is_mail(media_type):
        return False
    return media_type == EMPTY or is_textual(media_type)


def _file_text(document: StoredDocument, form: TextForm) -> FileText:
    version = document.stored.version
    return FileText(
        file_id=document.file.id,
        name=document.name,
        version=version.version,
        text=form.text,
        encoding=form.encoding,
        byte_order_mark=bool(form.mark),
        line_ends=form.line_ends,
        written_by=version.made_by,
        written_by_name=version.made_by_name,
        written_at=version.made_at,
    )


async def _bytes_of(form: TextForm, text: str) -> bytes:
    if len(text) > LARGEST:
        raise TextTooLong
    try:
        data, _ = await asyncio.to_thread(form.with_text, text)
    except NoText:
        raise InvalidInput(
            "The text holds control characters that no text file can have. Remove them.", field="text"
        ) from None
    if len(data) > LARGEST:
        raise TextTooLong
    return data


async def _pieces(data: bytes) -> AsyncIterator[bytes]:
    yield data
