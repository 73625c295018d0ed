"""Walks nested containers, or resolves one path through them, with one budget for all levels.

Inner containers are unpacked into a temporary folder that is removed when the walk ends. Close a walk that you do not finish
(`contextlib.closing`).
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from workroom.core.errors import NotFound
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.factory import open_container
from workroom.documents.containers.types import Container, ContainerMember, UnpackingLimits
from workroom.documents.errors import (
    ContainerLimitError,
    DamagedDocument,
    DocumentError,
    EncryptedDocument,
    UnsupportedDocument,
)
from workroom.documents.kinds import is_container, kind_of
from workroom.documents.sniffing import magic
from workroom.documents.types import SourceFile

OnProblem = Callable[["FoundMember", DocumentError], None]
_PEEK = 512
_ARCHIVES = frozenset({magic.ZIP, magic.TAR, "application/gzip", "application/x-bzip2", "application/x-xz"})


@dataclass(frozen=True)
class FoundMember:
    """A member at any depth. `extract` works until the walk continues."""

    member: ContainerMember
    container_path: str  # `a.zip/b.tar/c.pdf`
    depth: int  # of the container it lies in, from 1
    extract: Callable[[Path], Path]


def walk(
    source: SourceFile, limits: UnpackingLimits | None = None, on_problem: OnProblem | None = None
) -> Iterator[FoundMember]:
    """All files and folders of a container and of the containers in it. Raises ContainerLimitError, DamagedDocument.

    An inner container that is damaged or encrypted is listed as a file, and reported to `on_problem`.
    """
    with tempfile.TemporaryDirectory(prefix="workroom-walk-") as scratch:
        yield from _Traversal(UnpackingBudget(limits), Path(scratch), on_problem).through(source, (source.path,))


@contextmanager
def open_inside(source: SourceFile, inside: str = "", limits: UnpackingLimits | None = None) -> Iterator[Container]:
    """Open the container at the path `inside`; `source` itself when it is empty."""
    budget = UnpackingBudget(limits)
    with ExitStack() as stack:
        if inside:
            way = stack.enter_context(_resolve(source, inside, budget))
            budget.deeper(way.depth + 1)
            source = way.materialised()
        yield stack.enter_context(open_container(source, budget))


def extract_path(source: SourceFile, inside: str, into: Path, limits: UnpackingLimits | None = None) -> Path:
    """Extract the file at the path `inside` into a new folder below `into`; unpacks only the containers on the way."""
    with _resolve(source, inside, UnpackingBudget(limits)) as way:
        return way.container.extract(way.member, into)


class _Traversal:
    def __init__(self, budget: UnpackingBudget, scratch: Path, on_problem: OnProblem | None) -> None:
        self._budget, self._scratch, self._on_problem = budget, scratch, on_problem

    def through(self, source: SourceFile, outer: tuple[Path, ...]) -> Iterator[FoundMember]:
        depth = len(outer)
        self._budget.deeper(depth)
        with open_container(source, self._budget) as container:
            for member in container.members():
                container_path = f"{source.container_path}/{member.path}"
                found_member = FoundMember(member, container_path, depth, partial(container.extract, member))
                yield found_member
                if _may_hold_files(container, member):
                    try:
                        yield from self._into(container, member, container_path, outer)
                    except (DamagedDocument, EncryptedDocument, UnsupportedDocument) as problem:
                        if self._on_problem:
                            self._on_problem(found_member, problem)

    def _into(
        self, container: Container, member: ContainerMember, container_path: str, outer: tuple[Path, ...]
    ) -> Iterator[FoundMember]:
        inner = _source(container.extract(member, self._scratch), member, container_path)
        try:
            if is_container(inner.media_type):
                _refuse_itself(inner.path, outer)
                yield from self.through(inner, (*outer, inner.path))
        finally:
            inner.path.unlink()


@dataclass(frozen=True)
class _ResolvedPath:
    """The member of a container that a path leads to."""

    container: Container
    member: ContainerMember
    depth: int
    container_path: str
    scratch: Path

    def materialised(self) -> SourceFile:
        return _source(self.container.extract(self.member, self.scratch), self.member, self.container_path)


@contextmanager
def _resolve(source: SourceFile, inside: str, budget: UnpackingBudget) -> Iterator[_ResolvedPath]:
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="workroom-inside-")))
        depth = 1
        while True:
            budget.deeper(depth)
            container = stack.enter_context(open_container(source, budget))
            member, inside = _next_member(container, inside)
            way = _ResolvedPath(container, member, depth, f"{source.container_path}/{member.path}", scratch)
            if not inside:
                break
            source, depth = way.materialised(), depth + 1
        yield way


def _may_hold_files(container: Container, member: ContainerMember) -> bool:
    """Whether a member is a container, by its name or else by its first bytes. A disguised one is listed as a file."""
    if member.is_folder or member.encrypted:
        return False
    if member.media_type is not None:
        return is_container(member.media_type)
    return magic.by_first_bytes(container.beginning(member, _PEEK)) in _ARCHIVES


def _next_member(container: Container, inside: str) -> tuple[ContainerMember, str]:
    """The member that `inside` begins with, and the rest of the path."""
    for member in container.members():
        if member.is_folder:
            continue
        if inside == member.path:
            return member, ""
        if inside.startswith(f"{member.path}/"):
            return member, inside.removeprefix(f"{member.path}/")
    raise NotFound("There is no such file in this archive.")


def _source(path: Path, member: ContainerMember, container_path: str) -> SourceFile:
    name = PurePosixPath(member.path).name
    return SourceFile(path=path, name=name, media_type=kind_of(path, name), container_path=container_path)


def _refuse_itself(path: Path, outer: tuple[Path, ...]) -> None:
    size = path.stat().st_size
    for other in outer:
        if other.is_file() and other.stat().st_size == size and _hash(other) == _hash(path):
            raise ContainerLimitError("This archive holds itself, without end. It was made to do harm.")


def _hash(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
