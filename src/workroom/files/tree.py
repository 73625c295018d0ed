"""The folders of a workspace as paths: `Reports/2026`. Folders are found by the end of their path; one that begins with a
slash is meant from the top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from workroom.core.errors import InvalidInput, NotFound
from workroom.db import UnitOfWork
from workroom.files import folders
from workroom.files.access import folder_reach
from workroom.files.folders import DEEPEST
from workroom.files.store import folders as store
from workroom.files.types import File, Folder
from workroom.identity.types import Action, Principal

TOP = "/"
MOST_NAMED = 10


class FolderTree:
    """As one person sees it."""

    def __init__(self, known: Iterable[Folder]) -> None:
        self._known = {folder.id: folder for folder in known}

    @property
    def folders(self) -> Sequence[Folder]:
        return list(self._known.values())

    def segments(self, folder_id: UUID | None) -> tuple[str, ...]:
        """From the top. What is above a folder that cannot be seen is not known."""
        names: list[str] = []
        while folder_id is not None and (folder := self._known.get(folder_id)) and len(names) <= DEEPEST:
            names.append(folder.name)
            folder_id = folder.parent_id
        return tuple(reversed(names))

    def path(self, folder_id: UUID) -> str:
        return "/".join(self.segments(folder_id))

    def path_of(self, file: File) -> str:
        return "/".join([*self.segments(file.folder_id), file.name])

    def fits(self, folder_id: UUID | None, wanted: Sequence[str], *, from_top: bool) -> bool:
        """Whether this folder's path is, or ends with, the wanted one; capitals do not matter."""
        known = [name.casefold() for name in self.segments(folder_id)]
        asked = [name.casefold() for name in wanted]
        return known == asked if from_top else known[len(known) - len(asked) :] == asked and len(asked) <= len(known)

    def find(self, path: str) -> Folder | None:
        """None is the top. Raises NotFound, or InvalidInput with those that could be meant."""
        wanted = segments_of(path)
        if not wanted:
            return None
        fitting = [f for f in self.folders if self.fits(f.id, wanted, from_top=path.startswith(TOP))]
        exact = [f for f in fitting if list(self.segments(f.id)) == wanted]
        if len(exact or fitting) == 1:
            return (exact or fitting)[0]
        if fitting:
            listed = ", ".join(sorted(f"/{self.path(f.id)}" for f in fitting)[:MOST_NAMED])
            raise InvalidInput(f"There are several folders “{path[:200]}”: {listed}. Say which.", field="folder")
        raise NotFound(f"There is no folder “{path[:200]}” in this workspace.")


def segments_of(path: str) -> list[str]:
    return [name.strip() for name in path.split(TOP) if name.strip()]


async def tree_of(uow: UnitOfWork, who: Principal, instance_id: UUID) -> FolderTree:
    """What this person may see of it, perhaps nothing. That they may be in the workspace is the caller's to ask."""
    seen = folder_reach(who, Action.READ, instance_id)
    return FolderTree(await store.every(uow, who.mandate_id, instance_id, seen))


async def made_path(uow: UnitOfWork, who: Principal, instance_id: UUID, path: str) -> UUID | None:
    """The folder at that path, found or made, level by level; None is the top."""
    tree = await tree_of(uow, who, instance_id)
    try:
        found = tree.find(path)
    except NotFound:
        pass
    else:
        return found.id if found else None
    parent_id: UUID | None = None
    for name in segments_of(path):
        taken = await store.names(uow, who.mandate_id, instance_id, parent_id, who.user_id)
        known = taken.get(name) or next(
            (id_ for other, id_ in taken.items() if other.casefold() == name.casefold()), None
        )
        parent_id = known or (await folders.create(uow, who, instance_id, name, parent_id)).id
    return parent_id
