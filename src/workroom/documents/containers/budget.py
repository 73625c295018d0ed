"""Counts what was unpacked from a file against its limits. One budget for all levels of nested containers."""

from __future__ import annotations

from workroom.documents.containers.types import MB, UnpackingLimits
from workroom.documents.errors import ContainerLimitError


class UnpackingBudget:
    def __init__(self, limits: UnpackingLimits | None = None) -> None:
        self.limits = limits or UnpackingLimits()
        self._files = 0
        self._bytes = 0

    def count(self, path: str, size: int | None, packed: int | None = None) -> None:
        """Count one more member, with the size its container declares."""
        self._files += 1
        if self._files > self.limits.files:
            raise ContainerLimitError(
                f"This archive holds more than {self.limits.files:,} files. Split it into smaller ones."
            )
        if size is None:
            return
        if size < 0:
            raise ContainerLimitError(
                f"“{display_name(path)}” claims a size below zero. This archive was made to do harm."
            )
        self.take(size)
        self.compare(path, size, packed)

    def take(self, size: int) -> None:
        """Count bytes, declared or real."""
        self._bytes += size
        if self._bytes > self.limits.bytes:
            raise ContainerLimitError(
                f"Unpacked, this archive is larger than {self.limits.bytes // MB:,} MB. Split it into smaller ones."
            )

    def compare(self, path: str, size: int, packed: int | None) -> None:
        """Check the compression ratio, where the compressed size is known."""
        if packed is not None and size > self.limits.ratio_from and size > self.limits.ratio * max(1, packed):
            raise ContainerLimitError(
                f"“{display_name(path)}” would become more than {self.limits.ratio} times as large when unpacked, as archives "
                "that were made to do harm do. Upload the file itself, without an archive."
            )

    def deeper(self, depth: int) -> None:
        if depth > self.limits.depth:
            raise ContainerLimitError(
                f"This archive holds archives in archives, more than {self.limits.depth} deep. Unpack the outer ones first."
            )


def display_name(path: str) -> str:
    """A name from an archive, shortened and cleaned for error messages."""
    clean = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in path)
    return clean if len(clean) <= 80 else f"…{clean[-79:]}"
