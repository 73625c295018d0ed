"""Folders of a workspace by path: `Reports/2026`. A path matches the end of a folder's path; with a leading slash it is
absolute."""

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
    """The folders one principal sees."""

    def __init__(self, known: Iterable[Folder]) -> None:
        self._known = {folder.id: folder for folder in known}

    @property
    def folders(self) -> Sequence[Folder]:
        return list(self._known.values())

    def segments(self, folder_id: UUID | None) -> tuple[str, ...]:
        """Names from the root down; what is above an invisible folder is left out."""
        names: list[str] = []
        while folder_id is not None and (folder := self._known.get(folder_id)) and len(names) <= DEEPEST:
            names.append(folder.name)
            folder_id = folder.parent_id
        return tuple(reversed(names))

    def path(self, folder_id: UUID) -> str:
        return "/".join(self.segments(folder_id))

    def path_of(self, file: File) -> str:
        return "/".join([*self.segments(file.folder_id), file.name])

    def fits(self, folder_id: UUID | None, path: Sequence[str], *, from_top: bool) -> bool:
        """Whether this folder's path equals `path` or, unless `from_top`, ends with it; case-insensitive."""
        own = [name.casefold() for name in self.segments(folder_id)]
        requested = [name.casefold() for name in path]
        return (
            own == requested
            if from_top
            else own[len(own) - len(requested) :] == requested and len(requested) <= len(own)
        )

    def find(self, path: str) -> Folder | None:
        """The folder at `path`, None for the root. Raises NotFound, or InvalidInput with all candidates."""
        segments = segments_of(path)
        if not segments:
            return None
        matches = [f for f in self.folders if self.fits(f.id, segments, from_top=path.startswith(TOP))]
        exact = [f for f in matches if list(self.segments(f.id)) == segments]
        if len(exact or matches) == 1:
            return (exact or matches)[0]
        if matches:
            listed = ", ".join(sorted(f"/{self.path(f.id)}" for f in matches)[:MOST_NAMED])
            raise InvalidInput(f"There are several folders “{path[:200]}”: {listed}. Say which.", field="folder")
        raise NotFound(f"There is no folder “{path[:200]}” in this workspace.")


def segments_of(path: str) -> list[str]:
    return [name.strip() for name in path.split(TOP) if name.strip()]


async def load_tree(uow: UnitOfWork, principal: Principal, instance_id: UUID) -> FolderTree:
    """The folders this principal sees. The caller has checked that they belong to the workspace."""
    seen = folder_reach(principal, Action.READ, instance_id)
    return FolderTree(await store.list_visible(uow, principal.mandate_id, instance_id, seen))


async def ensure_path(uow: UnitOfWork, principal: Principal, instance_id: UUID, path: str) -> UUID | None:
    """The folder at that path, created level by level where it is missing; None is the root."""
    tree = await load_tree(uow, principal, instance_id)
    try:
        folder = tree.find(path)
    except NotFound:
        pass
    else:
        return folder.id if folder else None
    parent_id: UUID | None = None
    for name in segments_of(path):
        taken = await store.taken_names(uow, principal.mandate_id, instance_id, parent_id, principal.user_id)
        known = taken.get(name) or next(
            (id_ for other, id_ in taken.items() if other.casefold() == name.casefold()), None
        )
        parent_id = known or (await folders.create(uow, principal, instance_id, name, parent_id)).id
    return parent_id
