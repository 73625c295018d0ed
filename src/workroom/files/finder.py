"""Files as people and models call them: by id, by name, by the end of a path, or through an archive:
`report.pdf`, `report`, `Reports/2026/report.pdf`, `/report.pdf`, `archive.zip/docs/a.pdf`. Nobody finds what they may not
read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from uuid import UUID

from workroom.core.errors import InvalidInput, NotFound
from workroom.db import Database, UnitOfWork
from workroom.files import changing
from workroom.files.access import NO_FILE, reach
from workroom.files.store import files as store
from workroom.files.tree import FolderTree, segments_of, tree_of
from workroom.files.types import File, Folder
from workroom.identity.instances import require_instance
from workroom.identity.sharing import Reach, Visibility
from workroom.identity.types import Action, Principal

LONGEST = 4_096
MOST_ALIKE = 200
MOST_NAMED = 10
ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
SPACES = re.compile(r"[\s_-]+")
QUOTES = "\"“”„«»'‘’`"


@dataclass(frozen=True)
class Found:
    """A file, and the rest of the path if it goes on inside it."""

    file: File
    inside: str = ""


class Finder:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def find(self, who: Principal, instance_id: UUID, name: str) -> Found:
        """Raises NotFound, naming what is alike, or InvalidInput, naming all that could be meant."""
        text = plain(name)
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            first, _, rest = text.partition("/")
            if (file_id := _id(first)) is not None:
                return Found(await reachable(uow, who, instance_id, file_id), rest.strip("/"))
            tree = await tree_of(uow, who, instance_id)
            seen = reach(who, Action.READ, instance_id)
            fitting = await self._fitting(uow, who, instance_id, seen, tree, text)
            fitting = fitting or await self._by_stem(uow, who, instance_id, seen, tree, text)
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise InvalidInput(_several(text, fitting, tree), field="fileId")
            alike = await self._alike(uow, who, instance_id, seen, text)
        hint = f" There is {', '.join(f'“{other}”' for other in alike)}." if alike else ""
        raise NotFound(f"There is no file “{text[:200]}” in this workspace, or it is not yours to see.{hint}")

    async def by_ids(self, who: Principal, instance_id: UUID, file_ids: Sequence[UUID]) -> list[File]:
        """All of them, or NotFound."""
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            return [await reachable(uow, who, instance_id, file_id) for file_id in file_ids]

    async def tree(self, who: Principal, instance_id: UUID) -> FolderTree:
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            return await tree_of(uow, who, instance_id)

    async def folder(self, who: Principal, instance_id: UUID, path: str) -> Folder | None:
        """None is the top."""
        return (await self.tree(who, instance_id)).find(plain(path))

    async def same_names(self, who: Principal, instance_id: UUID, names: Sequence[str]) -> Sequence[File]:
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            seen = reach(who, Action.READ, instance_id)
            return await store.called(uow, who.mandate_id, instance_id, seen, names, MOST_ALIKE)

    async def same_stems(self, who: Principal, instance_id: UUID, stems: Sequence[str]) -> Sequence[File]:
        """Those that are called so without their ending; `stems` as `stem_of` writes them."""
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            seen = reach(who, Action.READ, instance_id)
            return await store.stemmed(uow, who.mandate_id, instance_id, seen, stems, MOST_ALIKE)

    async def suggested(
        self, who: Principal, instance_id: UUID, text: str, folder_ids: Sequence[UUID] | None, most: int
    ) -> Sequence[File]:
        """For somebody who is still typing a name."""
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            seen = reach(who, Action.READ, instance_id)
            return await store.suggested(uow, who.mandate_id, instance_id, seen, text, folder_ids, most)

    async def _fitting(
        self, uow: UnitOfWork, who: Principal, instance_id: UUID, seen: Reach, tree: FolderTree, text: str
    ) -> list[Found]:
        """A path may lead into a file at each of its names; what is wholly outside of files comes first."""
        names = segments_of(text)
        if not names:
            raise InvalidInput("Say which file: its id, its name or its path.", field="fileId")
        known = await store.called(uow, who.mandate_id, instance_id, seen, names, MOST_ALIKE)
        for place in reversed(range(len(names))):
            above, name, inside = names[:place], names[place], "/".join(names[place + 1 :])
            fitting = [
                file
                for file in known
                if file.name.casefold() == name.casefold()
                and tree.fits(file.folder_id, above, from_top=text.startswith("/"))
            ]
            if chosen := [file for file in fitting if file.name == name] or fitting:
                return [Found(file, inside) for file in chosen]
        return []

    async def _by_stem(
        self, uow: UnitOfWork, who: Principal, instance_id: UUID, seen: Reach, tree: FolderTree, text: str
    ) -> list[Found]:
        """Nobody calls a file by its ending; but who wrote one meant that one."""
        *above, name = segments_of(text)
        if ENDING.search(name):
            return []
        known = await store.stemmed(uow, who.mandate_id, instance_id, seen, [stem_of(name)], MOST_ALIKE)
        return [Found(file) for file in known if tree.fits(file.folder_id, above, from_top=text.startswith("/"))]

    async def _alike(self, uow: UnitOfWork, who: Principal, instance_id: UUID, seen: Reach, text: str) -> Sequence[str]:
        recent = await store.suggested(uow, who.mandate_id, instance_id, seen, "", None, MOST_ALIKE)
        by_lower = {file.name.casefold(): file.name for file in recent}
        close = get_close_matches(text.rpartition("/")[2].casefold()[:255], by_lower, n=3, cutoff=0.6)
        return [by_lower[name] for name in close]


async def reachable(uow: UnitOfWork, who: Principal, instance_id: UUID, file_id: UUID) -> File:
    """A file of another workspace is as good as none here, unless it is shared with everybody."""
    file = await changing.checked(uow, who, Action.READ, file_id)
    if file.instance_id != instance_id and file.visibility is not Visibility.ALL:
        raise NotFound(NO_FILE)
    return file


def plain(name: str) -> str:
    """Without what people and models put around names."""
    storable = name[:LONGEST].replace("\x00", "").encode("utf-8", "ignore").decode()
    text = unicodedata.normalize("NFC", storable).strip().removeprefix("@").strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] in QUOTES and text[-1] in QUOTES else text


def stem_of(name: str) -> str:
    """As it is compared: without capitals, and `Report_2024` is `report 2024`. An ending must be cut off before."""
    return SPACES.sub(" ", name.lower()).strip()


def _id(text: str) -> UUID | None:
    try:
        return UUID(text) if len(text) >= 32 else None
    except ValueError:
        return None


def _several(text: str, fitting: Sequence[Found], tree: FolderTree) -> str:
    listed = "; ".join(f"/{tree.path_of(found.file)} (fileId {found.file.id})" for found in fitting[:MOST_NAMED])
    more = f"; and {len(fitting) - MOST_NAMED} more" if len(fitting) > MOST_NAMED else ""
    return f"There are {len(fitting)} files “{text[:200]}”: {listed}{more}. Say which, by its path or its id."
