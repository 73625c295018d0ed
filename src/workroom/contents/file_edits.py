"""Changes to text files: read as a text that can be edited, merged with what has become of the file meanwhile, made ready
to be stored as its next version."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

from workroom.core.errors import InvalidInput, TooLarge
from workroom.core.line_merge import MergeConflict, merge
from workroom.core.writing_agent import WritingAgent
from workroom.db import UnitOfWork
from workroom.documents.sniffing.names import is_textual
from workroom.documents.text_form import NoText, TextForm
from workroom.files.names import UNKNOWN_TYPE
from workroom.files.ports import Blob
from workroom.files.service import Content, Files
from workroom.files.types import File
from workroom.identity.types import Principal

LARGEST = 1_000_000  # bytes
NO_TEXT = "This is no text, or one with damaged characters: it cannot be changed in part. Write a new file instead."
TRIES = 5  # so often a file may change while what was accepted is being stored


@dataclass(frozen=True)
class AcceptedEdit:
    """What was accepted, as the version that comes after `content`. `merged`: the file had changed since it was proposed."""

    content: Content
    blob: Blob
    merged: bool

    async def store(
        self, uow: UnitOfWork, files: Files, principal: Principal, agent: WritingAgent | None
    ) -> tuple[File, bool]:
        """The file, and whether it has a new version: there is none where it says the same already. Raises FileChanged."""
        before, file_id = self.content.version, self.content.file.id
        file = await files.add_version(
            uow, principal, file_id, self.blob, before.media_type, made_from=before.version, agent=agent
        )
        return file, file.version > before.version


@dataclass(frozen=True)
class OvertakenEdit:
    """The same lines were changed meanwhile."""

    content: Content
    conflicts: tuple[MergeConflict, ...]

    @property
    def lines(self) -> list[int]:
        """Where they are in the newest version."""
        return [conflict.first for conflict in self.conflicts]


async def editable(files: Files, content: Content) -> TextForm:
    """Raises InvalidInput for what is no text, and TooLarge."""
    name, version = content.file.name, content.version
    if not is_textual(version.media_type) and version.media_type != UNKNOWN_TYPE:
        raise InvalidInput(
            f"“{name}” is no text file, so it cannot be changed in places. Read it with readFile, and write what is new"
            " into a text file with writeFile.",
            field="fileId",
        )
    if version.size > LARGEST:
        raise TooLarge(
            f"“{name}” has {version.size:,} bytes; up to {LARGEST:,} can be changed in places. Split it first.",
            limit=LARGEST,
        )
    data = b"".join([chunk async for chunk in await files.open(content)])
    try:
        return await asyncio.to_thread(TextForm.read, data)
    except NoText:
        raise InvalidInput(NO_TEXT, field="fileId") from None


def encoded(read: TextForm, text: str) -> bytes:
    """The file with this text, in the encoding it has. Raises InvalidInput for characters it cannot have, and TooLarge."""
    try:
        data, form = read.with_text(text)
    except NoText:
        raise InvalidInput(
            "The text has control characters that no text file can have. Leave them out.", field="edits"
        ) from None
    if form.encoding != read.encoding:
        raise InvalidInput(
            f"The file is encoded in {read.encoding}, which does not have {_lacking(text, read.encoding)}. Use others, or write"
            " the text as a new file.",
            field="edits",
        )
    if len(data) > LARGEST:
        raise TooLarge(
            f"With these edits it would have {len(data):,} bytes; {LARGEST:,} is the most. Add less, or split the file.",
            limit=LARGEST,
        )
    return data


def _lacking(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError as error:
        return f"the character {error.object[error.start]!a}"
    return "all of these characters"  # it would be read as another encoding


async def accept(
    files: Files, principal: Principal, file_id: UUID, before: str, accepted: str
) -> AcceptedEdit | OvertakenEdit:
    """The slow half, before the transaction that stores it: `accepted` was made of `before`, which the file said then."""
    content = await files.read(principal, file_id)
    newest = await editable(files, content)
    merged = await asyncio.to_thread(merge, before, newest.text, accepted)
    if merged.text is None:
        return OvertakenEdit(content, merged.conflicts)
    data = await asyncio.to_thread(encoded, newest, merged.text)
    return AcceptedEdit(content, await files.put(principal, _chunks(data)), newest.text != before)


async def _chunks(data: bytes) -> AsyncIterator[bytes]:
    yield data
