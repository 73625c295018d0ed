"""Containers in containers: all of them walked through, or one path followed down, with one budget for all levels.

Inner containers are unpacked into a folder of their own that is gone when the walk ends, however it ends. Close a walk that
you do not finish (`contextlib.closing`).
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
from workroom.documents.containers.budget import Budget
from workroom.documents.containers.factory import open_container
from workroom.documents.containers.types import Container, Limits, Member
from workroom.documents.errors import (
    ContainerLimitError,
    DamagedDocument,
    DocumentError,
    EncryptedDocument,
    UnsupportedDocument,
)
from workroom.documents.kinds import is_container, kind_of
from workroom.documents.sniffing import magic
from workroom.documents.types import Source

Problem = Callable[["Found", DocumentError], None]
_PEEK = 512
_ARCHIVES = frozenset({magic.ZIP, magic.TAR, "application/gzip", "application/x-bzip2", "application/x-xz"})


@dataclass(frozen=True)
class Found:
    """A member at any depth. `extract` works until the walk goes on."""

    member: Member
    container_path: str  # `a.zip/b.tar/c.pdf`
    depth: int  # of the container it lies in, from 1
    extract: Callable[[Path], Path]


def walk(source: Source, limits: Limits | None = None, on_problem: Problem | None = None) -> Iterator[Found]:
    """Every file and folder of a container and of the containers in it. Raises ContainerLimitError, DamagedDocument.

    An inner container that is damaged or locked stays a file like any other; `on_problem` hears of it.
    """
    with tempfile.TemporaryDirectory(prefix="workroom-walk-") as scratch:
        yield from _Walk(Budget(limits), Path(scratch), on_problem).through(source, (source.path,))


@contextmanager
def open_inside(source: Source, inside: str = "", limits: Limits | None = None) -> Iterator[Container]:
    """The container at `inside`, a path from the members of `source` down; `source` itself when it is empty."""
    budget = Budget(limits)
    with ExitStack() as stack:
        if inside:
            way = stack.enter_context(_way(source, inside, budget))
            budget.deeper(way.depth + 1)
            source = way.materialised()
        yield stack.enter_context(open_container(source, budget))


def take(source: Source, inside: str, into: Path, limits: Limits | None = None) -> Path:
    """The file at `inside`, unpacked into a new folder below `into`; of the rest only what lies on the way to it."""
    with _way(source, inside, Budget(limits)) as way:
        return way.container.extract(way.member, into)


class _Walk:
    def __init__(self, budget: Budget, scratch: Path, on_problem: Problem | None) -> None:
        self._budget, self._scratch, self._on_problem = budget, scratch, on_problem

    def through(self, source: Source, outer: tuple[Path, ...]) -> Iterator[Found]:
        depth = len(outer)
        self._budget.deeper(depth)
        with open_container(source, self._budget) as container:
            for member in container.members():
                place = f"{source.container_path}/{member.path}"
                found = Found(member, place, depth, partial(container.extract, member))
                yield found
                if _may_hold_files(container, member):
                    try:
                        yield from self._into(container, member, place, outer)
                    except (DamagedDocument, EncryptedDocument, UnsupportedDocument) as problem:
                        if self._on_problem:
                            self._on_problem(found, problem)

    def _into(self, container: Container, member: Member, place: str, outer: tuple[Path, ...]) -> Iterator[Found]:
        inner = _source(container.extract(member, self._scratch), member, place)
        try:
            if is_container(inner.media_type):
                _refuse_itself(inner.path, outer)
                yield from self.through(inner, (*outer, inner.path))
        finally:
            inner.path.unlink()


@dataclass(frozen=True)
class _Way:
    """Where a path led: to this member of this container."""

    container: Container
    member: Member
    depth: int
    place: str
    scratch: Path

    def materialised(self) -> Source:
        return _source(self.container.extract(self.member, self.scratch), self.member, self.place)


@contextmanager
def _way(source: Source, inside: str, budget: Budget) -> Iterator[_Way]:
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="workroom-inside-")))
        depth = 1
        while True:
            budget.deeper(depth)
            container = stack.enter_context(open_container(source, budget))
            member, inside = _step(container, inside)
            way = _Way(container, member, depth, f"{source.container_path}/{member.path}", scratch)
            if not inside:
                break
            source, depth = way.materialised(), depth + 1
        yield way


def _may_hold_files(container: Container, member: Member) -> bool:
    """By its name; where that says nothing, by its first bytes. What lies about it stays a file that can be opened later."""
    if member.is_folder or member.encrypted:
        return False
    if member.media_type is not None:
        return is_container(member.media_type)
    return magic.by_first_bytes(container.beginning(member, _PEEK)) in _ARCHIVES


def _step(container: Container, inside: str) -> tuple[Member, str]:
    """The member that `inside` begins with, and what is left of the path within it."""
    for member in container.members():
        if member.is_folder:
            continue
        if inside == member.path:
            return member, ""
        if inside.startswith(f"{member.path}/"):
            return member, inside.removeprefix(f"{member.path}/")
    raise NotFound("There is no such file in this archive.")


def _source(path: Path, member: Member, place: str) -> Source:
    name = PurePosixPath(member.path).name
    return Source(path=path, name=name, media_type=kind_of(path, name), container_path=place)


def _refuse_itself(path: Path, outer: tuple[Path, ...]) -> None:
    size = path.stat().st_size
    for other in outer:
        if other.is_file() and other.stat().st_size == size and _hash(other) == _hash(path):
            raise ContainerLimitError("This archive holds itself, without end. It was made to do harm.")


def _hash(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
