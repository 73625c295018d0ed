"""A folder on disk, read like an archive: no links, nothing but files and folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget, display_name
from workroom.documents.containers.member_names import MemberNames
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import ContainerLimitError, DamagedDocument
from workroom.documents.kinds import media_type_of_name


class FolderContainer(OpenContainer):
    def __init__(self, path: Path, budget: UnpackingBudget) -> None:
        super().__init__(budget)
        self._root = path
        self._paths: list[Path] = []

    def members(self) -> Iterator[ContainerMember]:
        names = MemberNames()
        self._paths.clear()
        for path in self._walk(self._root):
            name = os.fsencode(path.relative_to(self._root)).decode("utf-8", "replace")
            status = path.lstat()
            is_folder = stat.S_ISDIR(status.st_mode)
            if not is_folder and not stat.S_ISREG(status.st_mode):
                raise ContainerLimitError(
                    f"This folder holds a link, a device or a pipe, “{display_name(name)}”. Only files and folders are taken."
                )
            size = 0 if is_folder else status.st_size
            self.count(len(self._paths), name, size)
            self._paths.append(path)
            unique = names.unique(name, is_folder=is_folder)
            if unique is not None:
                yield ContainerMember(
                    path=unique,
                    size=size,
                    is_folder=is_folder,
                    modified=datetime.fromtimestamp(status.st_mtime, UTC),
                    media_type=None if is_folder else media_type_of_name(unique),
                    index=len(self._paths) - 1,
                )

    def _walk(self, folder: Path) -> Iterator[Path]:
        waiting = [folder]
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                children = sorted(entries, key=lambda entry: entry.name)
            for entry in children:
                yield Path(entry.path)
            waiting += [Path(entry.path) for entry in reversed(children) if entry.is_dir(follow_symlinks=False)]

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        try:
            # A link that was put there after the listing is not followed.
            descriptor = os.open(self._paths[member.index], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise DamagedDocument(f"“{display_name(member.path)}” cannot be read: {error.strerror}.") from error
        with os.fdopen(descriptor, "rb") as stream:
            yield stream

    def close(self) -> None:
        """Nothing stays open between reads."""
