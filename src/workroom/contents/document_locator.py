"""Finds stored documents: from a file, a version and a path inside it to a StoredDocument. The only way to one, so the right
to read the file is always checked; containers are opened one by one."""

from __future__ import annotations

from uuid import UUID

from workroom.contents import compressed, store
from workroom.contents.content_cache import ContentCache
from workroom.contents.types import ContentKey, StoredDocument
from workroom.core.actors import UserActor
from workroom.core.errors import NotFound
from workroom.core.paths import relative_path
from workroom.db import Database
from workroom.documents.containers.types import UnpackingLimits
from workroom.documents.errors import ContainerLimitError, DocumentError, EncryptedDocument
from workroom.documents.kinds import is_container, is_mail
from workroom.files import scans
from workroom.files.service import Content, Files
from workroom.identity.types import Principal

DEEPEST = UnpackingLimits().depth
NO_MEMBER = "There is nothing at that path in this file."


class DocumentLocator:
    """Finds documents among files and in archives."""

    def __init__(self, db: Database, files: Files, reader: ContentCache) -> None:
        self._db, self._files, self._reader = db, files, reader

    async def find(
        self, principal: Principal, file_id: UUID, inside: str = "", version: int | None = None, *, lane: str = ""
    ) -> StoredDocument:
        """Raises NotFound for what is not there or may not be seen."""
        document = await self.of(await self._files.read(principal, file_id, version), lane)
        rest = str(relative_path(inside)) if inside else ""
        while rest:
            document, rest = await self.below(document, rest, lane)
        return document

    async def of(self, stored: Content, lane: str = "") -> StoredDocument:
        """The file itself. Its media type is detected once, from its bytes."""
        version, mandate_id = stored.version, stored.blob.mandate_id
        media_type, lie = version.media_type, version.lie
        if not version.known:
            async with self._files.local(stored) as path:
                kind = await self._reader.parsers.kind(path, stored.file.name, lane=lane)
            media_type, lie = kind.media_type, kind.lie
            async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
                await scans.found(uow, mandate_id, stored.file.id, version.version, media_type, lie)
        key = ContentKey(mandate_id, version.hash, media_type)
        return StoredDocument(stored, stored.file.name, key, version.size, lie)

    async def below(self, container: StoredDocument, inside: str, lane: str) -> tuple[StoredDocument, str]:
        """The member that `inside` begins with, and what is left of the path after it."""
        if container.depth >= DEEPEST:
            raise ContainerLimitError(f"Archives are opened {DEEPEST} deep, not deeper.")
        if not holds_files(container.key.media_type):
            raise NotFound(NO_MEMBER)
        content = await self._reader.content(container, lane)
        if content.problem is not None:
            raise problem_error(content.problem.code, content.problem.message)
        mandate_id = container.key.mandate_id
        async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
            row = await store.member(uow, mandate_id, content.id, _beginnings(inside))
            if row is None:  # a compressed TAR is an archive with names of its own
                inside = compressed.kept(container.name, container.key.media_type, inside)
                row = await store.member(uow, mandate_id, content.id, _beginnings(inside))
        if row is None:
            raise NotFound(NO_MEMBER)
        path, name = row["path"], row["path"].rsplit("/", 1)[-1]
        if row["encrypted"]:
            raise EncryptedDocument(f"“{name}” is locked with a password. Unpack it on your machine and upload it.")
        if row["hash"] is None:
            async with self._reader.member_file(container, path, lane) as local:
                hash_, size = await self._reader.digest(local)
                found = await self._reader.parsers.kind(local, name, lane=lane)
            async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
                await store.taken(uow, mandate_id, content.id, row["place"], hash_, size, found.media_type, found.lie)
            key, lie = ContentKey(mandate_id, hash_, found.media_type), found.lie
        else:
            size, key, lie = row["size"], ContentKey(mandate_id, row["hash"], row["found_type"]), row["lie"]
        called = compressed.shown(container.name, container.key.media_type, path)
        document = StoredDocument(container.stored, called.rsplit("/", 1)[-1], key, size, lie, container, called, path)
        return document, inside[len(path) + 1 :]


def _beginnings(path: str) -> list[str]:
    segments = path.split("/")
    return ["/".join(segments[: count + 1]) for count in range(len(segments))]


def holds_files(media_type: str) -> bool:
    return is_container(media_type) or is_mail(media_type)


def problem_error(code: str, message: str) -> DocumentError:
    """A problem found earlier, as the error it was then."""
    for kind in _kinds(DocumentError):
        if kind.code == code:
            return kind(message)
    return DocumentError(message)


def _kinds(kind: type[DocumentError]) -> list[type[DocumentError]]:
    return [kind, *(each for below in kind.__subclasses__() for each in _kinds(below))]
