"""Completes `@` mentions while a person types: files and folders they may see, and members of archives they have named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from workroom.contents.service import DocumentReader
from workroom.core.errors import DatabaseUnavailable, WorkroomError
from workroom.core.wire import Wire
from workroom.documents.references import mentions
from workroom.files.finder import FileMatch, Finder, unquoted
from workroom.files.tree import FolderTree, segments_of
from workroom.files.types import File
from workroom.identity.types import Principal

FEW = 5  # folders among the suggestions, when there are files as well


class Suggestion(Wire):
    """`insert` is what to write so that exactly this is meant. What lies in an archive has the archive's `id`. `phase` is the
    name of the one that a block of a project stands in."""

    kind: Literal["file", "folder", "block"]
    id: UUID
    name: str
    path: str
    media_type: str | None
    insert: str
    phase: str = ""


class Mentions:
    def __init__(self, finder: Finder, reader: DocumentReader) -> None:
        self._finder, self._reader = finder, reader

    async def suggest(self, principal: Principal, instance_id: UUID, text: str, limit: int) -> list[Suggestion]:
        """The best first: what begins so, what contains it, what has its letters; newer before older."""
        typed = unquoted(text.lstrip("@").lstrip('"'))
        above, slash, name = typed.rpartition("/")
        tree = await self._finder.tree(principal, instance_id)
        folder_ids = None
        if slash and segments_of(above):
            folder_ids = _folders_at(tree, above)
            if not folder_ids:
                return await self._members(principal, instance_id, tree, typed, limit)
        files = await self._finder.suggested(principal, instance_id, name, folder_ids, limit)
        folders = _folders_like(tree, typed, limit if not files else min(limit, FEW))
        known = await self._finder.same_names(principal, instance_id, [file.name for file in files])
        alike = Counter(file.name.casefold() for file in known)
        shown = [_file(file, tree, unique=alike[file.name.casefold()] < 2, known=known) for file in files]
        return [*shown[: limit - len(folders)], *folders]

    async def _members(
        self, principal: Principal, instance_id: UUID, tree: FolderTree, typed: str, limit: int
    ) -> list[Suggestion]:
        """Members of an archive; none if it cannot be read, because errors are of no use to a person who is typing."""
        try:
            container, rest = await self._container(principal, instance_id, typed)
            document = await self._reader.place(principal, container.file.id, container.inside)
            members, _ = await self._reader.members(principal, document, limit=limit, text=rest)
        except DatabaseUnavailable:
            raise
        except WorkroomError:
            return []
        file, before = container.file, "/".join(filter(None, [tree.path_of(container.file), container.inside]))
        return [
            Suggestion(
                kind="folder" if member.is_folder else "file",
                id=file.id,
                name=member.path.rstrip("/").rpartition("/")[2],
                path=f"{before}/{member.path}",
                media_type=member.media_type,
                insert=written(f"{before}/{member.path}", file.id),
            )
            for member in members
        ]

    async def _container(self, principal: Principal, instance_id: UUID, typed: str) -> tuple[FileMatch, str]:
        """`archive.zip/inner.zip/do` is in the inner one, if that can be opened; else `inner.zip/do` is what to look for."""
        found = await self._finder.find(principal, instance_id, typed.rstrip("/"))
        names = segments_of(found.inside)
        open_ = names if typed.endswith("/") else names[:-1]
        for count in range(len(open_), -1, -1):
            inside = "/".join(names[:count])
            try:
                document = await self._reader.place(principal, found.file.id, inside)
                await self._reader.members(principal, document, limit=1)
            except DatabaseUnavailable:
                raise
            except WorkroomError:
                if not count:
                    raise
                continue
            return FileMatch(found.file, inside), "/".join(names[count:])
        raise AssertionError("the file itself is the last that is tried")


def written(path: str, id_: UUID) -> str:
    """As it must be written to be read again; what cannot be written by name is written by id."""
    for text in (f"@{path}", f'@"{path}"'):
        if [mention.name for mention in mentions(text)] == [path]:
            return text
    return f"@{id_}"


def _file(file: File, tree: FolderTree, *, unique: bool, known: Sequence[File]) -> Suggestion:
    path = tree.path_of(file)
    if unique:
        insert = written(file.name, file.id)
    else:
        twins = sum(tree.path_of(other).casefold() == path.casefold() for other in known)
        insert = written(f"/{path}", file.id) if twins < 2 else f"@{file.id}"
    return Suggestion(kind="file", id=file.id, name=file.name, path=path, media_type=file.media_type, insert=insert)


def _folders_at(tree: FolderTree, path: str) -> list[UUID]:
    wanted, from_top = segments_of(path), path.startswith("/")
    return [folder.id for folder in tree.folders if tree.fits(folder.id, wanted, from_top=from_top)]


def _folders_like(tree: FolderTree, typed: str, limit: int) -> list[Suggestion]:
    """Those whose path contains it: first those whose name begins so, the newest of them first."""
    wanted = typed.strip("/").casefold()
    last = wanted.rpartition("/")[2]
    fitting = [folder for folder in tree.folders if wanted in tree.path(folder.id).casefold()]
    fitting.sort(key=lambda folder: folder.updated_at, reverse=True)
    fitting.sort(key=lambda folder: not folder.name.casefold().startswith(last))
    alike = Counter(folder.name.casefold() for folder in tree.folders)
    return [
        Suggestion(
            kind="folder",
            id=folder.id,
            name=folder.name,
            path=(path := tree.path(folder.id)),
            media_type=None,
            insert=written(f"{folder.name}/" if alike[folder.name.casefold()] < 2 else f"/{path}/", folder.id),
        )
        for folder in fitting[:limit]
    ]
