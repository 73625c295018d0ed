"""Members of containers, limits on unpacking, and the container protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from workroom.core.wire import Wire

MB = 1_000_000


class ContainerMember(Wire):
    """An entry of a container. `path` is relative, safe and unique; all other fields are declared by the container."""

    path: str
    size: int | None = None  # bytes once unpacked; None where the format does not say
    is_folder: bool = False
    modified: datetime | None = None
    media_type: str | None = None  # a guess by the name: nothing was looked at
    encrypted: bool = False
    index: int = 0  # its place in the container


class WalkedMember(Wire):
    """A member at any depth, as sent from the child process."""

    container_path: str  # `a.zip/b.tar/c.pdf`
    depth: int  # of the container it lies in, from 1
    member: ContainerMember
    path: Path | None = None  # where it was unpacked, when that was asked for
    problem: str | None = None  # why it could not be unpacked or, for an archive, not be opened


@dataclass(frozen=True)
class UnpackingLimits:
    """Limits on everything unpacked from one file, all levels together."""

    depth: int = 5  # containers in containers, the outermost counted
    bytes: int = 500 * MB
    files: int = 10_000
    ratio: int = 250  # unpacked to packed, for members that are large enough to hurt
    ratio_from: int = 10 * MB


class Container(Protocol):
    """An open container; `close` or `with` closes its files."""

    def members(self) -> Iterator[ContainerMember]:
        """All entries in the container's order, without unpacking. Raises ContainerLimitError, DamagedDocument."""
        ...

    def extract(self, member: ContainerMember, into: Path) -> Path:
        """Write a member to a new folder below `into`; nothing is left there when that fails. Raises DocumentError."""
        ...

    def beginning(self, member: ContainerMember, length: int) -> bytes:
        """The first bytes of a member; empty where it cannot be read."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
