"""Finds files by what people and models write: an id, a name, the end of a path, or a path into an archive:
`report.pdf`, `report`, `Reports/2026/report.pdf`, `/report.pdf`, `archive.zip/docs/a.pdf`. Only readable files are found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from uuid import UUID

from workroom.core.errors import InvalidInput, NotFound
from workroom.db import Database, UnitOfWork
from workroom.files import edits
from workroom.files.access import NO_FILE, reach
from workroom.files.store import files as store
from workroom.files.tree import FolderTree, load_tree, segments_of
from workroom.files.types import File, Folder
from workroom.identity.instances import require_instance
from workroom.identity.sharing import ReadableScope, Visibility
from workroom.identity.types import Action, Principal

LONGEST = 4_096
MOST_ALIKE = 200
MOST_NAMED = 10
ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
SPACES = re.compile(r"[\s_-]+")
QUOTES = "\"“”„«»'‘’`"


@dataclass(frozen=True)
class FileMatch:
    """A file, and the rest of the path if it leads into an archive."""

    file: File
    inside: str = ""


class Finder:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def find(self, principal: Principal, instance_id: UUID, name: str) -> FileMatch:
        """The one file that `name` means. Raises NotFound with similar names, or InvalidInput with all candidates."""
        text = unquoted(name)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            first, _, rest = text.partition("/")
            if (file_id := _id(first)) is not None:
                return FileMatch(await reachable(uow, principal, instance_id, file_id), rest.strip("/"))
            tree = await load_tree(uow, principal, instance_id)
            visible = reach(principal, Action.READ, instance_id)
            matches = await self._by_path(uow, principal, instance_id, visible, tree, text)
            matches = matches or await self._by_stem(uow, principal, instance_id, visible, tree, text)
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise InvalidInput(_several(text, matches, tree), field="fileId")
            similar = await self._similar_names(uow, principal, instance_id, visible, text)
        hint = f" There is {', '.join(f'“{other}”' for other in similar)}." if similar else ""
        raise NotFound(f"There is no file “{text[:200]}” in this workspace, or it is not yours to see.{hint}")

    async def by_ids(self, principal: Principal, instance_id: UUID, file_ids: Sequence[UUID]) -> list[File]:
        """The files of these ids; raises NotFound if one is missing."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return [await reachable(uow, principal, instance_id, file_id) for file_id in file_ids]

    async def tree(self, principal: Principal, instance_id: UUID) -> FolderTree:
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await load_tree(uow, principal, instance_id)

    async def folder(self, principal: Principal, instance_id: UUID, path: str) -> Folder | None:
        """The folder at `path`; None is the root."""
        return (await self.tree(principal, instance_id)).find(unquoted(path))

    async def same_names(self, principal: Principal, instance_id: UUID, names: Sequence[str]) -> Sequence[File]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            visible = reach(principal, Action.READ, instance_id)
            return await store.by_names(uow, principal.mandate_id, instance_id, visible, names, MOST_ALIKE)

    async def same_stems(self, principal: Principal, instance_id: UUID, stems: Sequence[str]) -> Sequence[File]:
        """Files whose name without its extension is one of `stems`, which are normalised by `stem_of`."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            visible = reach(principal, Action.READ, instance_id)
            return await store.by_stems(uow, principal.mandate_id, instance_id, visible, stems, MOST_ALIKE)

    async def suggested(
        self, principal: Principal, instance_id: UUID, text: str, folder_ids: Sequence[UUID] | None, most: int
    ) -> Sequence[File]:
        """Completions for a partly typed name."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            visible = reach(principal, Action.READ, instance_id)
            return await store.suggest(uow, principal.mandate_id, instance_id, visible, text, folder_ids, most)

    async def _by_path(
        self,
        uow: UnitOfWork,
        principal: Principal,
        instance_id: UUID,
        visible: ReadableScope,
        tree: FolderTree,
        text: str,
    ) -> list[FileMatch]:
        """Each segment of the path may be the file, the rest then lies inside it; the longest path outside files wins."""
        names = segments_of(text)
        if not names:
            raise InvalidInput("Say which file: its id, its name or its path.", field="fileId")
        known = await store.by_names(uow, principal.mandate_id, instance_id, visible, names, MOST_ALIKE)
        for position in reversed(range(len(names))):
            above, name, inside = names[:position], names[position], "/".join(names[position + 1 :])
            fitting = [
                file
                for file in known
                if file.name.casefold() == name.casefold()
                and tree.fits(file.folder_id, above, from_top=text.startswith("/"))
            ]
            if chosen := [file for file in fitting if file.name == name] or fitting:
                return [FileMatch(file, inside) for file in chosen]
        return []

    async def _by_stem(
        self,
        uow: UnitOfWork,
        principal: Principal,
        instance_id: UUID,
        visible: ReadableScope,
        tree: FolderTree,
        text: str,
    ) -> list[FileMatch]:
        """Match without extension; not when the text has one, since that is then meant."""
        *above, name = segments_of(text)
        if ENDING.search(name):
            return []
        known = await store.by_stems(uow, principal.mandate_id, instance_id, visible, [stem_of(name)], MOST_ALIKE)
        return [FileMatch(file) for file in known if tree.fits(file.folder_id, above, from_top=text.startswith("/"))]

    async def _similar_names(
        self, uow: UnitOfWork, principal: Principal, instance_id: UUID, visible: ReadableScope, text: str
    ) -> Sequence[str]:
        recent = await store.suggest(uow, principal.mandate_id, instance_id, visible, "", None, MOST_ALIKE)
        by_lower = {file.name.casefold(): file.name for file in recent}
        close = get_close_matches(text.rpartition("/")[2].casefold()[:255], by_lower, n=3, cutoff=0.6)
        return [by_lower[name] for name in close]


async def reachable(uow: UnitOfWork, principal: Principal, instance_id: UUID, file_id: UUID) -> File:
    """The file, if this workspace sees it: its own, or shared with the whole mandate."""
    file = await edits.get_file(uow, principal, Action.READ, file_id)
    if file.instance_id != instance_id and file.visibility is not Visibility.ALL:
        raise NotFound(NO_FILE)
    return file


def unquoted(name: str) -> str:
    """Normalised, without the quotes or the `@` that people and models put around names."""
    storable = name[:LONGEST].replace("\x00", "").encode("utf-8", "ignore").decode()
    text = unicodedata.normalize("NFC", storable).strip().removeprefix("@").strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] in QUOTES and text[-1] in QUOTES else text


def stem_of(name: str) -> str:
    """The form stems are compared in: lower case, `Report_2024` is `report 2024`. The caller has cut off the extension."""
    return SPACES.sub(" ", name.lower()).strip()


def _id(text: str) -> UUID | None:
    try:
        return UUID(text) if len(text) >= 32 else None
    except ValueError:
        return None


def _several(text: str, matches: Sequence[FileMatch], tree: FolderTree) -> str:
    listed = "; ".join(f"/{tree.path_of(match.file)} (fileId {match.file.id})" for match in matches[:MOST_NAMED])
    more = f"; and {len(matches) - MOST_NAMED} more" if len(matches) > MOST_NAMED else ""
    return f"There are {len(matches)} files “{text[:200]}”: {listed}{more}. Say which, by its path or its id."
