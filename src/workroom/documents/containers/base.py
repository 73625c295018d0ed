"""Base class of containers: extracts members and reads their first bytes, given a stream of a member."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.extraction import write_member
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import DocumentError


class OpenContainer(ABC):
    def __init__(self, budget: UnpackingBudget) -> None:
        self.budget = budget
        self.packed: int | None = None  # bytes of the file, where it is one compressed stream
        self._counted = 0

    @abstractmethod
    def members(self) -> Iterator[ContainerMember]: ...

    @abstractmethod
    def reading(self, member: ContainerMember) -> AbstractContextManager[IO[bytes]]:
        """A stream of the member's bytes; raises DocumentError, also in the middle."""

    @abstractmethod
    def close(self) -> None: ...

    def count(self, index: int, name: str, size: int | None, packed: int | None = None) -> None:
        """Count a member against the budget, once: a container may be listed again."""
        if index >= self._counted:
            self._counted = index + 1
            self.budget.count(name, size, packed)

    def extract(self, member: ContainerMember, into: Path) -> Path:
        with self.reading(member) as stream:
            return write_member(stream, member, into, budget=self.budget, packed=self.packed)

    def beginning(self, member: ContainerMember, length: int) -> bytes:
        try:
            with self.reading(member) as stream:
                return stream.read(length)
        except DocumentError:
            return b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
